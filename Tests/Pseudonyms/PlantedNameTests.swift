import CaptureReader
import Pseudonyms
import Testing

/// A name is put wherever a packet may hold one: nothing of it may come out.
@Suite("What is not replaced does not come along") struct PlantedNameTests {
  private static let planted = Array("annasmith-key-17".utf8)

  private static func lead(_ hex: String) -> [UInt8] { FormatPreservingCipherTests.bytes(hex) }

  /// Whether five bytes of it stand somewhere.
  private static func holds(_ bytes: [UInt8]) -> Bool {
    (0...(planted.count - 5)).contains { place in
      bytes.firstRange(of: planted[place..<(place + 5)]) != nil
    }
  }

  private static func shared(_ packets: [[UInt8]], linkType: UInt16, keepsGarbage: Bool) -> [UInt8]
  {
    let names = Pseudonyms(secret: [UInt8](repeating: 3, count: Pseudonyms.secretBytes))
    var queue = RewritingQueue<Int>(names, keepsGarbage: keepsGarbage)
    var result: [UInt8] = []
    for (place, packet) in packets.enumerated() {
      queue.add(
        packet, linkType: linkType, interface: 0,
        time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(place) * 1_000_000), place)
    }
    queue.end()
    while let next = queue.next() { result += next.bytes + [0xEE] }
    return result
  }

  private static func expectNothing(_ packet: [UInt8], linkType: UInt16, _ what: String) {
    #expect(holds(packet), "\(what)")
    for keepsGarbage in [false, true] {
      let result = shared([packet], linkType: linkType, keepsGarbage: keepsGarbage)
      #expect(result.count == packet.count + 1)
      #expect(!holds(result), "\(what), garbage kept: \(keepsGarbage)")
    }
  }

  /// AD structures of each type, and of lengths that the type does not have.
  private static let structures: [[UInt8]] = (0...255).flatMap { type -> [[UInt8]] in
    let short = [Array(planted.prefix(7)), Array(planted.prefix(6))]
    let all: [[UInt8]] = [planted] + short + [[0x34, 0x12] + planted]
    return all.map { (data: [UInt8]) -> [UInt8] in [UInt8(data.count + 1), UInt8(type)] + data }
  }

  @Test("from advertising data of any type, in reports and on the air") func structures() {
    for structure in Self.structures where Self.holds(structure) {
      let count = UInt8(structure.count)
      let legacy =
        [4, 0x3E, count + 12, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, count] + structure + [0xC5]
      Self.expectNothing(legacy, linkType: 187, "legacy, type \(structure[1])")
      let air =
        Self.lead("d6be898e00") + [count + 6, 1, 2, 3, 4, 5, 6] + structure + [1, 2, 3]
      let kept = Self.shared([air], linkType: 251, keepsGarbage: true)
      #expect(!Self.holds(kept), "garbage of the air, type \(structure[1])")
      Self.expectNothing(air, linkType: 251, "air, type \(structure[1])")
    }
  }

  @Test("from data whose beginning is missing, or that a structure runs past") func middles() {
    for start in 0..<12 {
      let data = Array("//annasmith-key-17.example/home?door=17".utf8.dropFirst(start))
      guard Self.holds(data) else { continue }
      let count = UInt8(data.count)
      let extended =
        [4, 0x3E, count + 26, 0x0D, 1, 0, 0, 1] + [UInt8](1...6)
        + [1, 0, 3, 127, 0xC5, 0, 0, 0, 0, 0, 0, 0, 0, 0, count] + data
      Self.expectNothing(extended, linkType: 187, "from byte \(start)")
    }
  }

  @Test("from connections, keys, vendors' events, and what lies behind a packet") func hci() {
    for head in [
      "0240001400", "0340000a", "0540001000", "09", "01130c10", "010b0416aabbccddeeff",
      "04ff10", "043e1101", "043e110a", "0407ff000102030405", "040e14016920",
      "040e1401091000010203040506",
      "040f0400011234", "0f", "01052006aabbccddeeff", "01112007aabbccddeeff00",
      "040e1401" + "56fd000c01", "043e020200", "043e1010",
      // Behind what commands of scanning have.
      "010b201700001000100000", "010c20120100", "014120180000010010001000",
      "01422016010000000000", "01030c10", "0157fd1101", "0157fd110102", "0157fd120101",
      "0157fd1a01000000000000000000", "0157fd10", "040e1401" + "57fd00", "043e1111",
    ] {
      Self.expectNothing(Self.lead(head) + Self.planted, linkType: 187, head)
      Self.expectNothing(Self.lead("00000001" + head) + Self.planted, linkType: 201, head)
    }
    for opcode in 0...30 where opcode != 2 && opcode != 3 {
      for high in 0...1 {
        Self.expectNothing(
          [0, 0, UInt8(high), UInt8(opcode)] + Self.planted + Self.planted, linkType: 254,
          "monitor \(opcode)")
      }
    }
  }

  @Test("from headers, and from packets of connections") func air() {
    for (linkType, head) in [
      (251, "ab5d65500210"), (251, "d6be898e0f10"), (251, "d6be898e0710" + "0300"),
      (251, "d6be898e0520" + "010203040506" + "0708090a0b0c"),
      (256, "00000000ab5d65500100"), (256, "00000000d6be898e0100ab5d65500210"),
      (272, "01100003000005"), (272, "01100003000006"), (1, ""),
      (192, "0000080093000000"), (192, "00001c00fb000000327514000400"),
      (192, "00002800fb0000003275ff00"),
      (192, "00002800fb00000036751c00" + "00720900000000000000c5"),
      (192, "00001400fb000000"),
    ] as [(UInt16, String)] {
      Self.expectNothing(Self.lead(head) + Self.planted, linkType: linkType, head)
    }
  }

  /// A checksum that is wrong by what it was would tell what a packet held.
  @Test("from the checksum of what is zeros") func checksum() {
    let body = Self.lead("d6be898e0f10") + Self.planted
    let results = [[0, 0, 0], [1, 2, 3], [0x55, 0x55, 0x55]].map {
      Self.shared([body + $0], linkType: 251, keepsGarbage: false)
    }
    #expect(Set(results).count == 1)
  }
}
