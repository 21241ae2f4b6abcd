import BeaconKeys
import Beacons
import CaptureReader
import Checks
import FrameDecoder
import FrameEncoder
import Twin

/// The bytes are advertising data, as one long report, and as reports of HCI events as far as they fit
/// in there: heard several times, and found among the reports seen lately from the second time on.
enum BeaconsTarget {
  static let target = FuzzTarget(name: "beacons", seeds: { Seeds.payloads() }) { bytes in
    let report = report(count: bytes.count)
    var decoder = BeaconDecoder()
    bytes.withRawSpan { decoder.decode([report].span, $0, joined: []) }
    let sightings = decoder.sightings.array
    let twins = TwinBeacons.sightings(TwinReport(SeenReport(report: report, data: bytes)))
    let table = decoder.identities
    var faults = TwinComparison.differences(
      sightings.map { TwinSighting($0, table) }, from: twins)
    for sighting in sightings where !BeaconFormats.format(sighting.kind).isTelemetry {
      let identity = table.bytes(of: table[sighting.identity])
      if !Soundness.contains(bytes, identity) { faults.append("\(identity) is not in the data") }
    }
    return faults + withEverythingAsked(report, bytes, builtIn: sightings)
      + withKeys(report, bytes, builtIn: sightings) + heardAgain(bytes)
  }

  /// Takes whatever it is asked about for a beacon.
  private final class Eager: CustomDecoding {
    let interests = (0...255).map { CustomInterest(.adType(UInt8($0)), decoder: $0) }

    func decode(_ structure: CustomStructure) -> CustomBeacon? {
      CustomBeacon(
        name: "t\(structure.decoder)", id: Hex.text(structure.data),
        fields: [("bytes", .int(structure.data.count))])
    }
  }

  /// Of the identifier among the seeds.
  private static let ring = KeyRing([
    BeaconKey(
      name: "cart",
      cipher: EphemeralIdentifier(
        key: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16], exponent: 10),
      clock: BeaconClock(seconds: 600, moment: Timestamp(nanoseconds: 0)))
  ])

  /// Keys take nothing away, and say of what they resolve what was there.
  private static func withKeys(
    _ report: AdvertisingReport, _ bytes: [UInt8], builtIn: [Sighting]
  ) -> [String] {
    var decoder = BeaconDecoder(keys: ring)
    var timed = report
    timed.time = Timestamp(nanoseconds: 0)
    var faults: [String] = []
    for _ in 0..<2 {
      bytes.withRawSpan { decoder.decode([timed].span, $0, joined: []) }
      let sightings = decoder.sightings.array
      if sightings.count != builtIn.count { faults.append("with keys another number of sightings") }
      for (own, plain) in zip(sightings, builtIn) {
        let isSame =
          switch (own.kind, plain.kind) {
          case (.eddystoneResolved, .eddystoneEID):
            Soundness.contains(bytes, EddystoneResolved.sent(own)) && own.power == plain.power
          case (.eddystoneOpened, .eddystoneETLM): true
          default: own.kind == plain.kind && own.extra == plain.extra && own.power == plain.power
          }
        if !isSame { faults.append("with keys \(own.kind) of \(plain.kind)") }
      }
    }
    return faults
  }

  /// Custom decoders take nothing away from the formats, and see nothing that is not there.
  private static func withEverythingAsked(
    _ report: AdvertisingReport, _ bytes: [UInt8], builtIn: [Sighting]
  ) -> [String] {
    var decoder = BeaconDecoder(custom: Eager())
    bytes.withRawSpan { decoder.decode([report].span, $0, joined: []) }
    let table = decoder.identities
    var others: [Sighting] = []
    var faults: [String] = []
    for sighting in decoder.sightings.array {
      guard sighting.kind == .custom else {
        others.append(sighting)
        continue
      }
      let id = CustomFormat.identityText(table.bytes(of: table[sighting.identity]))
      let data = Hex.bytes(String(id.split(separator: ":", omittingEmptySubsequences: false)[1]))
      let fields = decoder.customFields[Int(sighting.extra.0) - 1]
      if !Soundness.contains(bytes, data) || fields.map(\.value) != [.int(data.count)] {
        faults.append("\(id) is not in the data")
      }
    }
    let same = zip(others, builtIn).allSatisfy {
      $0.kind == $1.kind && $0.extra == $1.extra && $0.power == $1.power
        && $0.warnings == $1.warnings
    }
    if others.count != builtIn.count || !same {
      faults.append("\(others.count) beacons of \(builtIn.count) when decoders are asked")
    }
    return faults
  }

  private static func report(count: Int) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: Timestamp(nanoseconds: 1), frame: 1,
      address: DeviceAddress(0xC0FF_EE12_3456, .random), observer: 0, source: .extended)
    report.count = Int32(count)
    return report
  }

  /// Each event three times, of different strength; two reports in one where they fit.
  private static func heardAgain(_ bytes: [UInt8]) -> [String] {
    let address = Address(0xC0FF_EE12_3456, isRandom: true)
    var buffer: [UInt8] = []
    var records: [CaptureRecord] = []
    for rssi in [-60, -70, 127] as [Int8] {
      let legacy = HCI.LegacyReport(
        type: 0, address, Array(bytes.prefix(31)), rssi: rssi
      ).bytes
      let extended = HCI.ExtendedReport(address, Array(bytes.prefix(100)), rssi: rssi).bytes
      let events = [
        HCI.leMeta(0x02, [1] + legacy), HCI.leMeta(0x0D, [1] + extended),
        HCI.leMeta(0x02, [2] + legacy + legacy), HCI.leMeta(0x0D, [2] + extended + extended),
      ]
      for event in events {
        let packet = [4] + event.bytes
        records.append(
          CaptureRecord(
            time: Timestamp(
              nanoseconds: 1_700_000_000_000_000_000 + Int64(records.count) * 1_000_000),
            frame: records.count + 1, start: buffer.count, count: packet.count,
            originalCount: UInt32(packet.count), link: .hciH4))
        buffer += packet
      }
    }
    return Feeding.faults(records, buffer, isSplit: false)
  }
}
