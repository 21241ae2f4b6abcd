import CaptureReader
import Pseudonyms
import Testing

/// What stays of a payload is what tells the kind of a device, and nothing else of it.
@Suite("Payloads are scrambled whole, but for types") struct PayloadLeakTests {
  /// One secret may bring a byte to itself; sixteen do not.
  private static let secrets = 1...16 as ClosedRange<UInt8>

  private static func bytes(_ hex: String) -> [UInt8] { FormatPreservingCipherTests.bytes(hex) }

  /// What becomes of an AD structure's value, by each of the secrets.
  private static func values(
    _ type: UInt8, _ value: [UInt8], of sender: [UInt8]? = nil
  ) -> [[UInt8]] {
    let data = [UInt8(value.count + 1), type] + value
    return secrets.map {
      let changed = PacketRewritingTests.names($0).advertisingData(data, of: sender)
      #expect(changed.count == data.count && Array(changed.prefix(2)) == Array(data.prefix(2)))
      return Array(changed.dropFirst(2))
    }
  }

  @Test(
    "the first byte of data of a service, or behind a company, is not what it was",
    arguments: [
      (0x16, "0d18", "8e"), (0x16, "0f18", "11"), (0x16, "0818", "3e0102"),
      (0x16, "2cfe", "a1b2c3"),
      (0x16, "6ffd", "d3a1b2c3d4e5f60718293a4b5c6d7e8f00112233"), (0x16, "e1ff", "a2"),
      (0x16, "aafe", "5601"), (0x16, "aafe", "a001020304"), (0xFF, "5900", "566f67656c73616e67"),
      (0xFF, "ffff", "2a"), (0xFF, "7500", "42"), (0xFF, "0600", "0412"), (0xFF, "9904", "07"),
      (0xFF, "4c00", "5601aa"), (0xFF, "4c00", "566f67"),
    ] as [(UInt8, String, String)])
  func firstBytes(_ type: UInt8, _ head: String, _ rest: String) {
    let (head, rest) = (Self.bytes(head), Self.bytes(rest))
    let values = Self.values(type, head + rest)
    #expect(values.allSatisfy { $0.starts(with: head) })
    #expect(Set(values.map { $0[2] }).count > 1, "\(rest)")
    // Where it begins with a length nobody reads any more, that is no length any more either.
    if rest.count > 1, head != [0x4C, 0x00] { #expect(Set(values.map { $0[3] }).count > 1) }
  }

  @Test(
    "types by which a kind is told stay",
    arguments: [
      (0xFF, "060001", "0920020a"), (0xFF, "060003", "00800102"),
      (0xFF, "990403", "0102030405060708090a0b0c0d"), (0x16, "e1ffa1", "0364aabbccddeeff"),
      (0x16, "aafe40", "0102"), (0x16, "aafe41", "0102"), (0xFF, "4c001005", "0102030405"),
      (0xFF, "4c000719", "01020304050607080910111213141516171819202122232425"),
    ] as [(UInt8, String, String)])
  func types(_ type: UInt8, _ head: String, _ rest: String) {
    let (head, rest) = (Self.bytes(head), Self.bytes(rest))
    let values = Self.values(type, head + rest)
    #expect(values.allSatisfy { $0.starts(with: head) })
    #expect(Set(values.map { $0[head.count] }).count > 1)
  }

  @Test("what is in the place of a company and none is scrambled, too") func noCompany() {
    let address = Self.bytes("44a6e5043046")
    let onAir: [UInt8] = address.reversed()
    // A text; a MAC address either way round; one that begins as a company's number, whole and by three bytes; one
    // that begins at the second byte.
    for (value, sender) in [
      (Array("Vogelsang,Ilse".utf8), nil), (Array("V7".utf8), nil), (address, onAir),
      (onAir + [1, 2], nil),
      ([0xA4, 0x05, 0x38, 0x4F, 0x7E, 0x21, 1], [0x21, 0x7E, 0x4F, 0x38, 0x05, 0xA4]),
      ([0x21, 0x0E, 0x4F, 9, 9], [0x21, 0x0E, 0x4F, 0x38, 0x05, 0xA4]),
      ([0x38, 0x0F, 0x7E, 9, 9], [0x21, 0x7E, 0x0F, 0x38, 0x05, 0xA4]),
      ([0x59] + [0x00, 0x11, 0x22, 0x33, 0x44, 0x55], [0x55, 0x44, 0x33, 0x22, 0x11, 0x00]),
    ] as [([UInt8], [UInt8]?)] {
      let values = Self.values(0xFF, value, of: sender)
      #expect(values.allSatisfy { $0[1] >= 0x20 && $0.prefix(2) != [0xFF, 0xFF] }, "\(value)")
      #expect(values.allSatisfy { !$0.starts(with: value.prefix(2)) }, "\(value)")
      for place in 0..<max(0, value.count - 2) {
        let piece = value[place..<(place + 3)]
        #expect(values.allSatisfy { $0.firstRange(of: piece) == nil }, "\(value)")
      }
    }
  }

  @Test("a company before an address is one, and stays") func company() {
    let address = Self.bytes("44a6e5043046")
    let values = Self.values(0xFF, [0x59, 0x00] + address, of: address.reversed())
    #expect(values.allSatisfy { $0.starts(with: [0x59, 0x00]) })
    #expect(values.allSatisfy { $0.firstRange(of: address.prefix(3)) == nil })
  }

  @Test("others for others, the same for the same") func apart() {
    let names = PacketRewritingTests.names()
    let all = (0..<1000).map { number -> [UInt8] in
      let value: [UInt8] = [0x44, 0xA6, UInt8(number >> 8), UInt8(number & 255)]
      let data = [5, 0xFF] + value
      #expect(names.advertisingData(data) == names.advertisingData(data))
      return names.advertisingData(data)
    }
    #expect(Set(all).count == 1000)
  }

  /// The sender is told by the packet around its data.
  @Test("from reports of every kind, and from the air") func senders() {
    let onAir: [UInt8] = [0x21, 0x7E, 0x4F, 0x38, 0x05, 0xA4]
    let data: [UInt8] = [9, 0xFF, 0xA4, 0x05, 0x38, 0x4F, 0x7E, 0x21, 1, 2]
    let legacy = [4, 0x3E, 22, 2, 1, 0, 0] + onAir + [10] + data + [0xC5]
    let extended =
      [4, 0x3E, 36, 0x0D, 1, 0, 0, 0] + onAir
      + [1, 0, 3, 127, 0xC5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10] + data
    let batch =
      [4, 0x0E, 30, 1, 0x56, 0xFD, 0, 4, 2, 1] + onAir + [0, 0, 0xC5, 0, 0, 10] + data + [0]
    let air = [0xD6, 0xBE, 0x89, 0x8E, 0, 16] + onAir + data + [0, 0, 0]
    for (packet, linkType) in [(legacy, 187), (extended, 187), (batch, 187), (air, 251)]
      as [([UInt8], UInt16)]
    {
      var queue = RewritingQueue<Int>(PacketRewritingTests.names(), keepsGarbage: true)
      queue.add(packet, linkType: linkType, interface: 0, time: .none, 0)
      queue.end()
      let result = queue.next()?.bytes ?? []
      #expect(result.count == packet.count)
      #expect(result.firstRange(of: data.prefix(4)) == nil, "\(result)")
      #expect(result.firstRange(of: data.prefix(2)) != nil, "\(result)")
    }
  }
}
