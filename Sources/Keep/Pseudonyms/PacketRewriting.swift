import CaptureReader
import FrameDecoder

/// A record's bytes with pseudonyms in them, by its link type. Each keeps its length.
package struct PacketRewriting {
  private let hci: HCIRewriting
  private let air: AirRewriting
  private let names: Pseudonyms

  private let keepsGarbage: Bool

  /// - Parameter keepsGarbage: packets of the air with a wrong checksum have pseudonyms, too, and not zeros.
  package init(_ names: Pseudonyms, keepsGarbage: Bool) {
    self.names = names
    self.keepsGarbage = keepsGarbage
    hci = HCIRewriting(names: names)
    air = AirRewriting(names: names)
  }

  /// What of a packet is rewritten by itself, and advertising data in it, which may have to wait for more.
  package struct Result {
    package var bytes: [UInt8]
    package var parts: [AdvertisingPart]
    /// Whether advertisements that had begun end with it, those of which radio.
    package var endsChains: Bool
    package var radio: UInt64
    package var zeroed: Zeroed?
    package var positions = 0
    /// The air's, whose checksum is to be mended when its data are there: where the access address lies, and
    /// what whitens the packet.
    var check: AirCheck?
  }

  /// - Parameters:
  ///   - linkType: a number of pcap's: 187, 192, 201, 251, 254, 256, 272. Of others nothing is left.
  ///   - interface: of the record.
  package func rewrite(_ bytes: [UInt8], linkType: UInt16, interface: UInt64) -> Result {
    var packet = PacketUnderWay(bytes: bytes)
    var check: AirCheck?
    var radio = interface << 16
    switch linkType {
    case 187: hci.h4(&packet, 0)
    case 201: hci.h4(&packet, 4)
    case 254:
      radio |= UInt64(bytes.first ?? 0) << 8 | UInt64(bytes.dropFirst().first ?? 0)
      monitor(&packet)
    case 251: check = airPacket(&packet, AirCheck(start: 0))
    case 256: check = withHeader(&packet)
    case 272: check = nordic(&packet)
    case 192: check = wrapped(&packet)
    default: packet.blank(from: 0, as: .unread)
    }
    for place in packet.parts.indices { packet.parts[place].chain?.key.radio = radio }
    return Result(
      bytes: packet.bytes, parts: packet.parts, endsChains: packet.endsChains, radio: radio,
      zeroed: packet.zeroed, positions: packet.positions, check: check)
  }

  /// The last step, when all advertising data are in their places.
  package func finish(_ bytes: inout [UInt8], _ check: AirCheck?) {
    guard let check else { return }
    check.close(&bytes)
  }

  private func airPacket(_ packet: inout PacketUnderWay, _ check: AirCheck) -> AirCheck {
    var check = check
    check.open(&packet.bytes)
    air.packet(
      &packet, check.start, isCoded: check.isCoded,
      isGarbage: check.isGarbage && !keepsGarbage)
    return check
  }

  /// u16 adapter, u16 opcode, big-endian; what the opcode says (PROTOCOLS.md 2.4).
  private func monitor(_ packet: inout PacketUnderWay) {
    guard packet.has(4, at: 0) else { return packet.blank(from: 0, as: .unread) }
    switch packet.bytes[2] == 0 ? packet.bytes[3] : 0xFF {
    // New index: u8 type, u8 bus, address, name, which is the kernel's.
    case 0:
      packet.replaceAddress(6, names)
      packet.blank(
        from: isKernels(packet.bytes.dropFirst(12).prefix(8)) ? 20 : 12, as: .unread)
    // The adapter is gone, or closed.
    case 1, 9:
      packet.endsChains = true
      packet.blank(from: 4, as: .unread)
    case 2: hci.hci(1, &packet, 4)
    case 3: hci.hci(4, &packet, 4)
    case 4...7, 18, 19: packet.blank(from: 4, as: .data)
    // Index info: address, manufacturer.
    case 10:
      packet.replaceAddress(4, names)
      packet.blank(from: 12, as: .unread)
    // Messages of host and kernel.
    default: packet.blank(from: 4, as: .unread)
    }
  }

  /// `hci0`, and zeros behind it.
  private func isKernels(_ name: ArraySlice<UInt8>) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return name.starts(with: "hci".utf8)
      && name.dropFirst(3).allSatisfy { $0 == 0 || digits.contains($0) }
  }

  /// Ten bytes before the air packet (2.2).
  private func withHeader(_ packet: inout PacketUnderWay) -> AirCheck? {
    guard packet.has(10, at: 0) else {
      packet.blank(from: 0, as: .unread)
      return nil
    }
    let flags = UInt16(packet.bytes[8]) | UInt16(packet.bytes[9]) << 8
    var check = AirCheck(start: 10)
    check.channel = LELinkLayerWithHeader.channelIndex(rf: packet.bytes[0]) ?? 255
    check.isCoded = flags >> 14 == 2
    if flags & 0x0400 != 0 { check.saidGood = flags & 0x0800 != 0 }
    check.isWhitened = flags & 1 == 0 && check.channel != 255
    // The access address that was listened for is a connection's, if not that of all advertising.
    if !packet.bytes[4..<8].elementsEqual(AirCheck.advertising) { packet.blank(4, 8) }
    return airPacket(&packet, check)
  }

  /// Nordic's head of seven bytes, and of the radio of ten (2.5).
  private func nordic(_ packet: inout PacketUnderWay) -> AirCheck? {
    let isPacket =
      packet.has(17, at: 0) && (packet.bytes[3] != 3 || [2, 6].contains(packet.bytes[6]))
    guard isPacket, packet.bytes[7] == 10 else {
      packet.blank(from: 7, as: .unread)
      return nil
    }
    var check = AirCheck(start: 17)
    check.channel = packet.bytes[9] <= 39 ? packet.bytes[9] : 255
    check.isCoded = packet.bytes[8] >> 4 & 7 == 2
    check.saidGood = packet.bytes[8] & 1 != 0
    return airPacket(&packet, check)
  }

  /// PPI-GPS.
  private static let position = 30002

  /// PPI: fields before the packet (2.6). Where the radio was is none of them any more.
  private func wrapped(_ packet: inout PacketUnderWay) -> AirCheck? {
    guard packet.has(8, at: 0) else {
      packet.blank(from: 0, as: .unread)
      return nil
    }
    let length = packet.word(2)
    guard length >= 8, length <= packet.bytes.count else {
      packet.blank(from: 8, as: .unread)
      return nil
    }
    let isPadded = packet.bytes[1] & 1 != 0
    var check = AirCheck(start: length)
    var isBluetooth = packet.word(4) == 251
    var at = 8
    while at + 4 <= length {
      let (type, size) = (packet.word(at), packet.word(at + 2))
      guard at + 4 + size <= length else { break }
      let next = at + 4 + (isPadded ? (size + 3) & ~3 : size)
      if type == 30006, size >= 11 {
        isBluetooth = isBluetooth || packet.word(4) == 147
        let channel = (packet.word(at + 5) - 2402) / 2
        check.channel =
          LELinkLayerWithHeader.channelIndex(rf: UInt8(clamping: channel)) ?? 255
        packet.blank(at + 15, min(next, length))
      } else {
        let field = packet.bytes[(at + 4)..<(at + 4 + size)]
        if type == Self.position, field.contains(where: { $0 != 0 }) { packet.positions += 1 }
        // A field with nothing in it: no version, no bits.
        packet.blank(at + 4, min(next, length))
      }
      at = next
    }
    // What is no field.
    packet.blank(min(at + 4, length), length)
    guard isBluetooth else {
      packet.blank(from: length, as: .unread)
      return nil
    }
    return airPacket(&packet, check)
  }
}

/// How the bytes of an air packet are opened and closed: whitening and checksum.
package struct AirCheck {
  /// Where the access address lies.
  let start: Int
  var channel: UInt8 = 255
  var isCoded = false
  var isWhitened = false
  /// The access address of all advertising, as it goes over the air; connections have others.
  static let advertising: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]
  /// How the checksum that came differs from the right one; nil where there is none.
  private var difference: UInt32?

  init(start: Int) { self.start = start }

  /// What the sniffer said of the packet; nil: nothing.
  var saidGood: Bool?

  /// Whether it was not received as it was sent, as far as anybody knows.
  var isGarbage: Bool { saidGood.map { !$0 } ?? (difference.map { $0 != 0 } ?? false) }

  private var header: Int { start + (isCoded ? 5 : 4) }

  /// Takes the whitening off, and looks how right the checksum is.
  fileprivate mutating func open(_ bytes: inout [UInt8]) {
    whiten(&bytes)
    guard start + 4 <= bytes.count, bytes[start..<(start + 4)].elementsEqual(Self.advertising)
    else { return }
    difference = checksum(bytes).map { $0 ^ stored(bytes) }
  }

  fileprivate func close(_ bytes: inout [UInt8]) {
    if let difference, let right = checksum(bytes) {
      // A wrong one is wrong in one way: how it was would tell what the packet held.
      let value = difference == 0 ? right : right ^ 1
      let place = header + 2 + Int(bytes[header + 1])
      for index in 0..<3 {
        bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index))
      }
    }
    whiten(&bytes)
  }

  /// The same there and back. The access address is not whitened, nor is coded PHY's indicator.
  private func whiten(_ bytes: inout [UInt8]) {
    guard isWhitened, header <= bytes.count else { return }
    AirCode.dewhiten(&bytes, from: header, channel: channel)
  }

  private func checksum(_ bytes: [UInt8]) -> UInt32? {
    guard header + 2 <= bytes.count else { return nil }
    let count = 2 + Int(bytes[header + 1])
    guard header + count + 3 <= bytes.count else { return nil }
    return bytes.withRawSpan { AirCode.checksum($0, from: header, count: count) }
  }

  private func stored(_ bytes: [UInt8]) -> UInt32 {
    let place = header + 2 + Int(bytes[header + 1])
    return (0..<3).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
  }
}
