import Beacons
import CaptureReader
import Checks
import FrameDecoder
import FrameEncoder
import Synchronization
import TestSupport
import Testing

/// Decoders of somebody's own: asked about what no format claims, in every report.
@Suite struct CustomDecodingTests {
  /// Takes any structure of its interests that has a byte for a beacon named after that byte.
  private final class Decoder: CustomDecoding {
    let interests: [CustomInterest]
    let asked = Mutex<[CustomStructure]>([])

    init(_ structures: CustomInterest.Structure...) {
      interests = structures.enumerated().map { CustomInterest($1, decoder: $0) }
    }

    func decode(_ structure: CustomStructure) -> CustomBeacon? {
      asked.withLock { $0.append(structure) }
      guard let first = structure.data.first else { return nil }
      return CustomBeacon(
        name: "decoder\(structure.decoder)", id: String(repeating: "#", count: Int(first)),
        fields: first % 2 == 0 ? [] : [("first", .int(Int(first))), ("odd", .flag(true))])
    }

    var datas: [[UInt8]] { asked.withLock { $0.map(\.data) } }
  }

  private static func report(_ count: Int, rssi: Int8 = -60) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: Timestamp(nanoseconds: 7), frame: 3, address: DeviceAddress(5, .random), observer: 0,
      source: .legacy)
    report.count = Int32(count)
    report.rssi = rssi
    return report
  }

  private static func decode(_ data: [UInt8], _ custom: any CustomDecoding) -> BeaconDecoder {
    var decoder = BeaconDecoder(custom: custom)
    data.withRawSpan { decoder.decode([report(data.count)].span, $0, joined: []) }
    return decoder
  }

  private static func ids(_ decoder: borrowing BeaconDecoder) -> [String] {
    let table = decoder.identities
    return decoder.sightings.array.map {
      BeaconFormats.format($0.kind).identityText(table.bytes(of: table[$0.identity]))
    }
  }

  @Test func aStructureIsHandedOnWithWhatItCameIn() throws {
    let custom = Decoder(.company(0x0499))
    let data = [2, 1, 6] + Payload.manufacturer(0x0499, [3, 7, 8]) + [2, 0x0A, 0]
    let decoder = Self.decode(data, custom)
    let asked = try #require(custom.asked.withLock { $0.first })
    #expect(custom.datas == [[3, 7, 8]])
    #expect((asked.decoder, asked.type, asked.company) == (0, 0xFF, 0x0499))
    #expect(asked.service == nil)
    #expect(asked.advertisement == data)
    #expect(asked.time == Timestamp(nanoseconds: 7))
    #expect((asked.frame, asked.rssi) == (3, -60))
    #expect(asked.address == DeviceAddress(5, .random))
    #expect(Self.ids(decoder) == ["decoder0:###"])
    let sighting = decoder.sightings[0]
    #expect(sighting.kind == .custom)
    #expect(sighting.power == 0)
    #expect(decoder.customFields[Int(sighting.extra.0) - 1].map(\.name) == ["first", "odd"])
    #expect(decoder.tally.unlabelled == 0)
  }

  @Test func whatADecoderTakesIsNoOtherAdvertisersReport() {
    let tag = Payload.manufacturer(0x004C, [0x12, 0x19] + [UInt8](repeating: 1, count: 25))
    let taken = Self.decode(tag, Decoder(.company(0x004C)))
    #expect(taken.sightings.count == 1)
    #expect(taken.tally.labels.reduce(taken.tally.unlabelled, +) == 0)
    let left = Self.decode(tag, Decoder(.company(0x0499)))
    #expect(left.tally.labels.reduce(left.tally.unlabelled, +) == 1)
  }

  @Test func aBeaconWithoutFieldsHasNone() {
    let decoder = Self.decode(
      Payload.manufacturer(0x0499, [2]), Decoder(.company(0x0499)))
    #expect(decoder.sightings.array.map(\.extra.0) == [0])
    #expect(decoder.customFields.isEmpty)
  }

  /// Structures, interests, and which decoders were asked about what.
  @Test(arguments: [
    (Payload.manufacturer(0x0499, [1]), [CustomInterest.Structure.company(0x0498)], []),
    (Payload.manufacturer(0x0499, [1]), [.service(0x0499)], []),
    (Payload.serviceData(0xFCD2, [1]), [.company(1), .service(0xFCD2)], ["1: 01"]),
    (Payload.serviceData(0xFCD2, [1]), [.adType(0x16), .service(0xFCD2)], ["1: 01", "0: 01"]),
    (Payload.structure(0x09, [0x41, 0x42]), [.adType(9)], ["0: 4142"]),
    ([3, 9, 1, 2, 3, 9, 3, 4], [.adType(9)], ["0: 0102", "0: 0304"]),
    // Too short for a company, empty, running past the end.
    ([2, 0xFF, 5], [.adType(0xFF), .company(5)], ["0: 05"]),
    ([1, 0x16], [.adType(0x16)], ["0: "]),
    ([3, 9, 1, 2, 9, 0xFF, 1, 0, 1], [.adType(9), .company(1)], ["0: 0102"]),
  ])
  func whoIsInterestedIsAsked(
    _ data: [UInt8], _ structures: [CustomInterest.Structure], _ expected: [String]
  ) {
    final class Listener: CustomDecoding {
      let interests: [CustomInterest]
      let asked = Mutex<[String]>([])
      init(_ interests: [CustomInterest]) { self.interests = interests }
      func decode(_ structure: CustomStructure) -> CustomBeacon? {
        asked.withLock { $0.append("\(structure.decoder): \(Hex.text(structure.data))") }
        return nil
      }
    }
    let listener = Listener(
      structures.enumerated().map { CustomInterest($1, decoder: $0) })
    let decoder = Self.decode(data, listener)
    #expect(listener.asked.withLock { $0 } == expected)
    #expect(decoder.sightings.count == 0)
  }

  /// Claimed by a format, whole or damaged: nobody else is asked.
  @Test(arguments: [
    Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 2, power: -59),
    Payload.manufacturer(0x004C, [0x10, 1, 0] + [2, 0x15] + [UInt8](0..<21)),
    Payload.manufacturer(0x004C, [2, 0x15, 1]), Payload.manufacturer(0x004C, [2, 3, 1, 2, 3]),
    Payload.altBeacon(id: [UInt8](0..<20), power: -60, reserved: 0),
    Payload.manufacturer(0x0118, [0xBE, 0xAC, 1]),
    Payload.eddystoneUID(namespace: [UInt8](0..<10), instance: [UInt8](0..<6), power: -9),
    Payload.serviceData(0xFEAA, [0x70, 1]),
  ])
  func formatsComeFirst(_ structure: [UInt8]) {
    let custom = Decoder(
      .company(0x004C), .company(0x0118), .service(0xFEAA), .adType(0xFF), .adType(0x16))
    let own = Payload.manufacturer(0x0499, [1])
    let decoder = Self.decode(structure + own, custom)
    #expect(custom.datas.allSatisfy { $0 == [1] })
    let kinds = decoder.sightings.array.map(\.kind)
    #expect(kinds.filter { $0 == .custom }.count == 1)
    var alone = BeaconDecoder()
    structure.withRawSpan {
      alone.decode([Self.report(structure.count)].span, $0, joined: [])
    }
    #expect(kinds.filter { $0 != .custom } == alone.sightings.array.map(\.kind))
  }

  @Test func appleElementsThatAreNoBeaconAreHandedOn() {
    let custom = Decoder(.company(0x004C))
    _ = Self.decode(Payload.manufacturer(0x004C, [0x10, 2, 1, 2]), custom)
    #expect(custom.datas == [[0x10, 2, 1, 2]])
  }

  @Test func idsMayBeOfAnyLengthAndHoldAnything() {
    final class Namer: CustomDecoding {
      let id: String
      let interests = [CustomInterest(.adType(9), decoder: 0)]
      init(_ id: String) { self.id = id }
      func decode(_ structure: CustomStructure) -> CustomBeacon? {
        CustomBeacon(name: "tags", id: id)
      }
    }
    let long = String(repeating: "0123456789", count: 300)
    for (id, text) in [
      ("", "tags:"), ("a:b", "tags:a:b"),
      ("50 % ü\u{202E}\n", "tags:50%20%25%20%C3%BC%E2%80%AE%0A"),
      (long, "tags:\(long)"), (String(repeating: "x", count: 19), "tags:xxxxxxxxxxxxxxxxxxx"),
      (String(repeating: "x", count: 20), "tags:xxxxxxxxxxxxxxxxxxxx"),
    ] {
      let decoder = Self.decode([2, 9, 1], Namer(id))
      #expect(Self.ids(decoder) == [text])
      let table = decoder.identities
      #expect(
        CustomFormat.identityFields(table.bytes(of: table[0])) == [
          BeaconField("decoder", .text("tags"))
        ])
      #expect(table.bytes(of: table[0]) == CustomFormat.identity("tags", id))
    }
  }

  /// The same advertisement many times: a report of which a decoder was asked is never known.
  @Test func everyReportIsAskedAbout() {
    let custom = Decoder(.company(0x0499))
    var packets: [Packet] = []
    for number in 0..<500 {
      let data =
        number % 3 == 0
        ? Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 2, power: -59)
        : Payload.manufacturer(0x0499, [UInt8(number % 3)])
      let report = HCI.LegacyReport(Address(7), data, rssi: -50)
      var packet = Packet(HCI.advertisingReport(report), on: .hciH4)
      packet.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(number))
      packets.append(packet)
    }
    let batch = Batch(packets[...], from: 1, gap: 0, tail: 200)
    var decoder = CaptureDecoder(keepsRepeats: false, custom: custom)
    batch.bytes.withRawSpan { decoder.decode(batch.records.span, $0) }
    #expect(custom.asked.withLock { $0.map(\.frame) } == (1...500).filter { $0 % 3 != 1 })
    #expect(decoder.briefs.count == 500)
    let wholes = decoder.briefs.array.filter { $0.whole > 0 }
    #expect(wholes.filter { $0.frame % 3 != 1 }.count == custom.datas.count)
    // The beacon is known from the second time on, decoders or not.
    #expect(wholes.count == custom.datas.count + 1)
    #expect(decoder.beacons.customFields.count == 167)
    batch.bytes.withRawSpan { decoder.decode(batch.records.span.extracting(0..<2), $0) }
    #expect(decoder.beacons.customFields.count == 1)
  }

  @Test(arguments: 0..<12)
  func knownReportsComeToTheSameBesideDecoders(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.interfaces = 2
    kind.advertisers = 100
    kind.damagedOneIn = seed % 3 * 4
    var traffic = Traffic(seed: seed + 4000, kind)
    let custom = Decoder(
      [.company(0x004C), .service(0xFD6F), .adType(9), .adType(0xFF)][seed % 4])
    let check = KnownReportsCheck(custom: custom)
    for round in 0..<4 {
      let packets = traffic.packets(300)
      let batch = Batch(packets[...], from: 1 + 300 * round, gap: 5, tail: 9)
      check.feed(batch.records, batch.bytes)
    }
    check.finish()
    #expect(check.faults.isEmpty)
    #expect(check.plain.sightings.contains { $0.kind == .custom })
    // Four decoders, each of which asked about every report.
    #expect(custom.datas.count % 4 == 0)
    #expect(custom.datas.count > 40)
  }
}
