import CaptureReader

/// What the radio adds to a PDU: a 24-bit checksum and whitening (PROTOCOLS.md 2.1).
package enum AirCode {
  /// Register of the checksum at the start of an advertising packet: 0x555555 with its bits
  /// reversed, since this computes least significant bit first.
  static let advertisingStart: UInt32 = 0xAAAAAA

  /// x²⁴+x¹⁰+x⁹+x⁶+x⁴+x³+x+1 with its bits reversed.
  private static let polynomial: UInt32 = 0xDA6000

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1
    }
  }

  /// The checksum over PDU header and payload, as the three bytes in the file read little-endian.
  package static func checksum(_ bytes: RawSpan, from start: Int, count: Int) -> UInt32 {
    let table = table.span
    var value = advertisingStart
    for at in start..<(start + count) {
      value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes.u8(at))]
    }
    return value
  }

  /// Takes the whitening off: x⁷+x⁴+1, register position 0 = 1, positions 1–6 = channel index,
  /// most significant bit first; bits of a byte go least significant first.
  package static func dewhiten(_ bytes: inout [UInt8], from start: Int, channel: UInt8) {
    // Bit 6 of `register` is position 0.
    var register = UInt8(0x40) | (channel & 0x3F)
    for index in start..<bytes.count {
      var mask: UInt8 = 0
      for bit in 0..<8 {
        let out = register & 1
        mask |= out << UInt8(bit)
        register >>= 1
        if out == 1 { register ^= 0x44 }
      }
      bytes[index] ^= mask
    }
  }
}
