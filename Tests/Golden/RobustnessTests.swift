import Checks
import Beacons
import CaptureReader
import FrameDecoder
import Testing

/// Damage of every kind to the golden files: never a crash, never an unaccounted record, never a
/// sighting that is not in the bytes.
@Suite struct RobustnessTests {
  @Test(arguments: Golden.cases("file"))
  func cutAtEveryByte(_ testCase: GoldenCase) {
    let bytes = testCase.bytes
    let whole = Reading(bytes)
    #expect(Soundness.faults(whole, bytes).isEmpty)
    var before = 0
    for cut in 0..<bytes.count {
      let part = Array(bytes[..<cut])
      let reading = Reading(part)
      let faults = Soundness.faults(reading, part) + notPrefix(reading, of: whole)
      #expect(faults.isEmpty, "cut at \(cut)")
      #expect(reading.records.count >= before, "fewer records with byte \(cut - 1) than without")
      before = reading.records.count
    }
    #expect(before <= whole.records.count)
  }

  @Test(arguments: Golden.cases("file"))
  func flipEveryByte(_ testCase: GoldenCase) {
    let bytes = testCase.bytes
    var masks: [UInt8] = [0xFF, 0x01]
    if bytes.count <= 100 { masks += (1..<8).map { 1 << UInt8($0) } }
    for place in bytes.indices {
      for mask in masks {
        var damaged = bytes
        damaged[place] ^= mask
        let faults = Soundness.faults(Reading(damaged), damaged)
        #expect(faults.isEmpty, "byte \(place) xor \(mask)")
      }
    }
  }

  /// What was read before the cut is what is read of the whole.
  private func notPrefix(_ reading: Reading, of whole: Reading) -> [String] {
    for (part, record) in zip(reading.records, whole.records)
    where part != record && !isTimeless(part, record, reading) {
      return ["frame \(part.frame) differs from that of the whole: \(part)"]
    }
    return reading.records.count <= whole.records.count
      ? [] : ["\(reading.records.count) records of \(whole.records.count)"]
  }

  /// btsnooz counts time back from the last record: without that one there is none.
  private func isTimeless(_ part: SeenRecord, _ record: SeenRecord, _ reading: Reading) -> Bool {
    reading.format == "btsnooz" && !part.time.isKnown && part.bytes == record.bytes
  }
}

/// The same for single packets and payloads, which reach the decoders without a container.
@Suite struct PacketRobustnessTests {
  @Test(arguments: Golden.cases("packet") + Golden.cases("hci_h4"))
  func cutAndFlip(_ testCase: GoldenCase) {
    let link = LinkType.pcap(UInt16(testCase.linkType ?? 187))
    for (bytes, what) in damaged(testCase.bytes) {
      let decoding = Decoding()
      decoding.feed(bytes, link: link)
      decoding.finish()
      let faults = Soundness.inBytes(decoding, records: [SeenRecord(bytes, link)])
      #expect(faults.isEmpty, "\(what)")
      #expect(decoding.decoder.tally.records == 1, "\(what)")
    }
  }

  @Test(arguments: Golden.cases("hci_sequence"))
  func cutAndFlipInSequence(_ testCase: GoldenCase) {
    let packets = testCase.packets
    for (number, packet) in packets.enumerated() {
      // Long fragments: every seventh byte is enough.
      let step = packet.bytes.count > 64 ? 7 : 1
      for (bytes, what) in damaged(packet.bytes, step: step) {
        let decoding = Decoding()
        for (other, packet) in packets.enumerated() {
          let fed = other == number ? bytes : packet.bytes
          decoding.feed(fed, link: .hciH4, time: Int64(packet.micros) * 1000)
        }
        decoding.finish()
        #expect(decoding.decoder.tally.records == packets.count, "packet \(number) \(what)")
        #expect(Soundness.inBytes(decoding, records: []).isEmpty, "packet \(number) \(what)")
      }
    }
  }

  @Test(arguments: Golden.cases("ad"))
  func cutAndFlipPayload(_ testCase: GoldenCase) {
    for (bytes, what) in damaged(testCase.bytes) {
      let report = AdvertisingReport(
        time: .none, frame: 1, address: DeviceAddress(1, .random), observer: 0, source: .legacy)
      var decoder = BeaconDecoder()
      bytes.withRawSpan { decoder.decode(report, $0) }
      for sighting in decoder.sightings.array
      where !BeaconFormats.format(sighting.kind).isTelemetry {
        let identity = decoder.identities.bytes(of: decoder.identities[sighting.identity])
        #expect(Soundness.contains(bytes, identity), "\(what)")
        let format = BeaconFormats.format(sighting.kind)
        #expect(!format.identityText(identity).isEmpty)
      }
    }
  }

  /// Every cut and every flipped byte.
  private func damaged(_ bytes: [UInt8], step: Int = 1) -> [(bytes: [UInt8], what: String)] {
    stride(from: 0, to: bytes.count, by: step).flatMap { place in
      var inverted = bytes
      inverted[place] ^= 0xFF
      var odd = bytes
      odd[place] ^= 0x01
      return [
        (Array(bytes[..<place]), "cut at \(place)"), (inverted, "byte \(place) inverted"),
        (odd, "byte \(place) with its lowest bit changed"),
      ]
    }
  }
}

extension SeenRecord {
  init(_ bytes: [UInt8], _ link: LinkType) {
    let record = CaptureRecord(
      time: .none, frame: 1, start: 0, count: bytes.count, originalCount: UInt32(bytes.count),
      link: link)
    self = bytes.withRawSpan { SeenRecord(record, $0) }
  }
}
