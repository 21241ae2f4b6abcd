import CaptureWriter

/// Packets of the air: access address, PDU, CRC (PROTOCOLS 2.1).
package enum Air {
  package static let advertisingAddress: UInt32 = 0x8E89_BED6

  /// x²⁴+x¹⁰+x⁹+x⁶+x⁴+x³+x+1 with its bits reversed; what each byte does to the register.
  private static let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xDA6000 : value >> 1
    }
  }

  /// The three CRC bytes as files keep them, over the bytes from `start` on. The register begins
  /// with 0x555555, here with its bits reversed.
  package static func crc(_ bytes: [UInt8], from start: Int = 0) -> [UInt8] {
    let value = register(bytes, from: start)
    return [
      UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
      UInt8(truncatingIfNeeded: value >> 16),
    ]
  }

  private static func register(_ bytes: [UInt8], from start: Int) -> UInt32 {
    var value: UInt32 = 0xAAAAAA
    let table = crcTable.span
    for at in start..<bytes.count {
      value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[at])]
    }
    return value
  }

  /// Puts a whole packet with a legacy PDU behind what is there.
  package static func put(
    legacy type: UInt8, _ sender: Address, _ data: [UInt8], to output: inout [UInt8]
  ) {
    output.put(advertisingAddress, .little)
    let start = output.count
    output.append(type | (sender.isRandom ? 0x40 : 0))
    output.append(UInt8(6 + data.count))
    sender.put(to: &output)
    output.append(contentsOf: data)
    let value = register(output, from: start)
    output.append(UInt8(truncatingIfNeeded: value))
    output.append(UInt8(truncatingIfNeeded: value >> 8))
    output.append(UInt8(truncatingIfNeeded: value >> 16))
  }

  /// Whitens or de-whitens PDU and CRC, which begin at `start`: behind the access address and the
  /// coding indicator.
  package static func whiten(_ packet: [UInt8], from start: Int = 4, channel: UInt8) -> [UInt8] {
    // Position 0 is one, positions 1 to 6 are the channel index, highest bit first.
    var register = [UInt8](repeating: 1, count: 7)
    for place in 1...6 { register[place] = channel >> UInt8(6 - place) & 1 }
    var result = packet
    for index in start..<packet.count {
      for bit in 0..<8 {
        let out = register[6]
        result[index] ^= out << UInt8(bit)
        register = [out] + register.dropLast()
        register[4] ^= out
      }
    }
    return result
  }

  /// Access address, coding indicator where there is one, PDU, CRC.
  package static func packet(_ pdu: [UInt8], codingIndicator: UInt8? = nil) -> [UInt8] {
    join(advertisingAddress.le, codingIndicator.map { [$0] } ?? [], pdu, crc(pdu))
  }

  /// 0 ADV_IND, 2 ADV_NONCONN_IND, 4 SCAN_RSP, 6 ADV_SCAN_IND.
  package static func legacy(type: UInt8 = 2, _ sender: Address, _ data: [UInt8]) -> [UInt8] {
    header(type, sender, length: 6 + data.count) + sender.bytes + data
  }

  package static func directed(_ sender: Address, to target: Address) -> [UInt8] {
    var pdu = header(1, sender, length: 12) + sender.bytes + target.bytes
    if target.isRandom { pdu[0] |= 0x80 }
    return pdu
  }

  package static func scanRequest(from scanner: Address, to target: Address) -> [UInt8] {
    var pdu = header(3, scanner, length: 12) + scanner.bytes + target.bytes
    if target.isRandom { pdu[0] |= 0x80 }
    return pdu
  }

  private static func header(_ type: UInt8, _ sender: Address?, length: Int) -> [UInt8] {
    [type | (sender?.isRandom == true ? 0x40 : 0), UInt8(length)]
  }

  package struct AuxPointer: Sendable {
    package var channel: UInt8
    /// In 30 µs, 13 bits; a millisecond where nothing is said.
    package var offset: UInt32
    /// 0 1M, 1 2M, 2 coded.
    package var phy: UInt32

    package init(channel: UInt8, offset: UInt32 = 33, phy: UInt32 = 0) {
      self.channel = channel
      self.offset = offset
      self.phy = phy
    }

    package var bytes: [UInt8] {
      Array((UInt32(channel) | offset << 8 | phy << 21).le.prefix(3))
    }
  }

  /// ADV_EXT_IND and AUX_*: the header's fields in their order, then the data.
  package static func extended(
    _ sender: Address? = nil, set: (sid: UInt8, id: UInt16)? = nil, pointer: AuxPointer? = nil,
    txPower: Int8? = nil, mode: UInt8 = 0, _ data: [UInt8] = []
  ) -> [UInt8] {
    var flags: UInt8 = 0
    var fields: [UInt8] = []
    if let sender {
      flags |= 0x01
      fields += sender.bytes
    }
    if let set {
      flags |= 0x08
      fields += (UInt16(set.sid) << 12 | set.id).le
    }
    if let pointer {
      flags |= 0x10
      fields += pointer.bytes
    }
    if let txPower {
      flags |= 0x40
      fields += txPower.le
    }
    let payload = [UInt8(1 + fields.count) | mode << 6, flags] + fields + data
    return header(7, sender, length: payload.count) + payload
  }
}
