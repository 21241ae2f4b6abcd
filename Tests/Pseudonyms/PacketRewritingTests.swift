import Beacons
import CaptureReader
import FrameDecoder
import Pseudonyms
import Testing

@Suite("Packets with pseudonyms") struct PacketRewritingTests {
  static func names(_ seed: UInt8 = 1) -> Pseudonyms {
    Pseudonyms(secret: [UInt8](repeating: seed, count: Pseudonyms.secretBytes))
  }

  static let linkTypes: [UInt16] = [187, 192, 201, 251, 254, 256, 272, 1]

  @Test("keep their length, whatever they are", arguments: linkTypes)
  func anything(_ linkType: UInt16) {
    let rewriting = PacketRewriting(Self.names(), keepsGarbage: true)
    let names = Self.names()
    var generator = Seeded(UInt64(linkType))
    for _ in 0..<3000 {
      var bytes = (0..<generator.below(80)).map { _ in UInt8(generator.below(256)) }
      // What leads deeper into a packet is put at its places, now and then.
      Self.lead(&bytes, linkType, &generator)
      let result = rewriting.rewrite(bytes, linkType: linkType, interface: 0)
      #expect(result.bytes.count == bytes.count)
      for part in result.parts {
        #expect(result.bytes.indices.contains(part.range.lowerBound) || part.range.isEmpty)
        let data = Array(result.bytes[part.range])
        #expect(names.advertisingData(data).count == data.count)
      }
    }
  }

  private static func lead(_ bytes: inout [UInt8], _ linkType: UInt16, _ generator: inout Seeded) {
    let heads: [UInt16: [[UInt8]]] = [
      187: [
        [4, 0x3E, 60, 0x02, 1], [4, 0x3E, 60, 0x0D, 1], [4, 0x0E, 60, 1, 0x56, 0xFD, 0, 4, 2, 3],
      ],
      201: [[0, 0, 0, 1, 4, 0x3E, 60, 0x0D, 2], [0, 0, 0, 0, 1, 0x11, 0x20, 7]],
      254: [[0, 0, 0, 3, 0x3E, 50, 0x0F], [0, 0, 0, 0], [0, 0, 0, 10]],
      251: [[0xD6, 0xBE, 0x89, 0x8E, 0x07], [0xD6, 0xBE, 0x89, 0x8E, 0x00, 30]],
      256: [[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xD6, 0xBE, 0x89, 0x8E, 7, 20, 15, 0x7F]],
      272: [
        [1, 10, 0, 1, 0, 0, 6, 10, 1, 37, 60, 0, 0, 0, 0, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 7, 20]
      ],
      192: [[0, 0, 8, 0, 251, 0, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0, 20]],
    ]
    guard generator.below(4) > 0, let all = heads[linkType] else { return }
    let head = all[generator.below(all.count)]
    bytes = head + bytes
  }

  /// What a decoder says of advertising data beside who it is.
  private static func kinds(_ data: [UInt8]) -> [String] {
    var decoder = BeaconDecoder()
    let report = AdvertisingReport(
      time: .none, frame: 1, address: DeviceAddress(1, .publicDevice), observer: 0, source: .legacy)
    data.withRawSpan { decoder.decode(report, $0) }
    var told = [
      "labels \(decoder.labels.rawValue) reason \(decoder.reason.map { $0.rawValue } ?? 255)"
    ]
    for place in 0..<decoder.sightings.count {
      let sighting = decoder.sightings[place]
      told.append("\(sighting.kind.rawValue) \(sighting.power) \(sighting.warnings.rawValue)")
    }
    return told
  }

  static let payloads: [(name: String, hex: String)] = [
    ("iBeacon", "02011a1aff4c000215b9407f30f5f8466eaff925556b57fe6d00010002c5"),
    (
      "iBeacon with a byte behind it",
      "02011a1bff4c000215b9407f30f5f8466eaff925556b57fe6d00010002c564"
    ),
    ("AltBeacon", "1bff1801beac2f234454cf6d4a0fadf2f4911ba9ffa600050001c500"),
    ("another company's", "1aff9904" + "0215b9407f30f5f8466eaff925556b57fe6d00010002c5"),
    ("Eddystone-UID", "0303aafe1516aafe00eeedd1ebeac04e5defa0170bdb87539b67"),
    ("Eddystone-UID with RFU", "0303aafe1716aafe00eeedd1ebeac04e5defa0170bdb87539b670000"),
    ("Eddystone-URL", "0303aafe0e16aafe10f3026578616d706c652f41"),
    ("Eddystone-TLM", "0303aafe1116aafe20000bb8148000000a0000000640"),
    ("Eddystone-eTLM", "0303aafe1516aafe2001" + String(repeating: "ab", count: 16)),
    ("Eddystone-EID", "0303aafe0d16aafe30f3" + "0102030405060708"),
    ("Find My", "1eff4c001219" + String(repeating: "5a", count: 25)),
    ("Apple's chain", "0fff4c00100512345678" + "9a0c03aabbcc"),
    ("a broken chain", "08ff4c00107f010203"),
    ("RuuviTag 5", "1bff990405" + String(repeating: "11", count: 23)),
    ("exposure notification", "03036ffd17166ffd" + String(repeating: "22", count: 20)),
    ("Find Hub", "0416aafe40"),
    ("a refused Eddystone", "0516aafe5001"),
    ("too short an AltBeacon", "06ff1801beac01"),
    ("name and services", "0909456e7472616e636503020d1811070102030405060708090a0b0c0d0e0f10"),
  ]

  @Test(
    "advertising data stay of their kind and length, and who it is becomes somebody else",
    arguments: payloads.indices)
  func kinds(_ place: Int) {
    let data = FormatPreservingCipherTests.bytes(Self.payloads[place].hex)
    let changed = Self.names().advertisingData(data)
    #expect(changed.count == data.count, "\(Self.payloads[place].name)")
    #expect(Self.kinds(changed) == Self.kinds(data), "\(Self.payloads[place].name)")
    let isPlain = ["Eddystone-TLM", "Find Hub"].contains(Self.payloads[place].name)
    #expect((changed == data) == isPlain, "\(Self.payloads[place].name)")
  }

  @Test("payloads of any bytes stay of their kind, in their thousands") func mutated() {
    let names = Self.names()
    var generator = Seeded(5)
    for _ in 0..<4000 {
      var data = FormatPreservingCipherTests.bytes(
        Self.payloads[generator.below(Self.payloads.count)].hex)
      for _ in 0..<generator.below(3) {
        data[generator.below(data.count)] = UInt8(generator.below(256))
      }
      if generator.below(4) == 0 { data.removeLast(generator.below(data.count)) }
      let changed = names.advertisingData(data)
      #expect(changed.count == data.count)
      #expect(Self.kinds(changed) == Self.kinds(data), "\(data)")
    }
  }

  @Test("the same secret gives the same, another one others, and numbers of one UUID stay apart")
  func secrets() {
    let uuid = [UInt8](0..<16)
    let all = (0..<2000).map {
      Self.names().number(.major, [UInt8($0 >> 8), UInt8($0 & 255)], of: uuid)
    }
    #expect(Set(all).count == 2000)
    #expect(Self.names().uuid(uuid) == Self.names().uuid(uuid))
    #expect(Self.names().uuid(uuid) != Self.names(2).uuid(uuid))
    #expect(
      Self.names().number(.major, [0, 1], of: uuid)
        != Self.names().number(.minor, [0, 1], of: uuid))
  }

  @Test("random addresses stay random of their kind, and none stays none") func addresses() {
    let names = Self.names()
    for first in [0x05, 0x45, 0x85, 0xC5] as [UInt8] {
      let other = names.address([first, 1, 2, 3, 4, 5])
      #expect(other[0] & 0xC0 == first & 0xC0 && other != [first, 1, 2, 3, 4, 5])
    }
    #expect(names.address([0, 0, 0, 0, 0, 0]) == [0, 0, 0, 0, 0, 0])
  }

  @Test("connections, keys and calls are zeros behind their heads") func zeros() {
    let rewriting = PacketRewriting(Self.names(), keepsGarbage: false)
    // Data of a connection; a link key reply; a command that sets a name.
    for (hex, kept) in [
      ("0240000500aabbccddee", 5), ("010b0416aabbccddeeff00112233445566778899aabbccddeeff", 4),
      ("01130c03414243", 4), ("0418170102030405061112131415161718191a1b1c1d1e1f2000", 3),
    ] {
      let bytes = FormatPreservingCipherTests.bytes(hex)
      let result = rewriting.rewrite(bytes, linkType: 187, interface: 0)
      #expect(Array(result.bytes.prefix(kept)) == Array(bytes.prefix(kept)))
      #expect(result.bytes.dropFirst(kept).allSatisfy { $0 == 0 }, "\(hex)")
    }
  }
}
