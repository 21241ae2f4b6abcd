/// Digits, several at a time: each character a byte of a word, the first one lowest.
enum Digits {
  /// Decimal digits of a number.
  @inline(__always)
  static func count(_ value: UInt) -> Int {
    var count = 1
    var limit: UInt = 10
    // 20 digits is what 64 bits have at most; 10²⁰ does not fit.
    while value >= limit && count < 20 {
      count += 1
      if count < 20 { limit *= 10 }
    }
    return count
  }

  /// 0…99.
  @inline(__always)
  static func two(_ value: UInt32) -> UInt16 {
    let tens = (value &* 103) >> 10
    return UInt16(truncatingIfNeeded: 0x3030 | tens | (value &- tens &* 10) << 8)
  }

  /// 0…99 999 999, with zeros before it.
  @inline(__always)
  static func eight(_ value: UInt32) -> UInt64 {
    // Halves of four digits, then pairs, then single ones, all lanes of a word at once.
    var lanes = UInt64(value / 10_000) | UInt64(value % 10_000) << 32
    let hundreds = (lanes &* 10_486) >> 20 & 0x0000_007F_0000_007F
    lanes = hundreds | (lanes &- hundreds &* 100) << 16
    let tens = (lanes &* 103) >> 10 & 0x000F_000F_000F_000F
    lanes = tens | (lanes &- tens &* 10) << 8
    return lanes | 0x3030_3030_3030_3030
  }

  /// Four bytes, the highest first.
  @inline(__always)
  static func hex(_ value: UInt32) -> UInt64 {
    var lanes = UInt64(value)
    lanes = (lanes | lanes << 16) & 0x0000_FFFF_0000_FFFF
    lanes = (lanes | lanes << 8) & 0x00FF_00FF_00FF_00FF
    lanes = (lanes | lanes << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (lanes &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (lanes &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).byteSwapped
  }
}
