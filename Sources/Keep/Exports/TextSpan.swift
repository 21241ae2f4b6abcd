import CaptureReader
import FrameDecoder

/// Room that pieces of text need, in bytes: some write more than they keep.
enum TextRoom {
  static let int = 20
  /// Beside the decimals: a sign, an integer, a point.
  static let rounded = 22
  static let hex = 16
  static let uuid = 40
  static let address = 20
  static let time = 32
  static let clock = 8
}

// Text written into room that has been made for it. Where there is too little of it, it traps.
extension OutputSpan where Element == UInt8 {
  /// - Parameters:
  ///   - most: bytes that `fill` writes.
  ///   - fill: says how many of them it keeps.
  @unsafe @inline(__always)
  private mutating func place(_ most: Int, _ fill: (UnsafeMutableRawPointer) -> Int) {
    precondition(most <= freeCapacity, "too little room for text")
    unsafe withUnsafeMutableBufferPointer { buffer, count in
      guard let start = buffer.baseAddress else { return }
      unsafe count &+= fill(UnsafeMutableRawPointer(start) + count)
    }
  }

  @inline(__always)
  mutating func text(_ value: StaticString) {
    let count = value.utf8CodeUnitCount
    unsafe place(count) { bytes in
      unsafe bytes.copyMemory(from: value.utf8Start, byteCount: count)
      return count
    }
  }

  @inline(__always)
  mutating func int(_ value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude < 10 { return append(UInt8(ascii: "0") + UInt8(magnitude)) }
    padded(magnitude, Digits.count(magnitude))
  }

  mutating func padded(_ value: Int, _ width: Int) { padded(value.magnitude, width) }

  private mutating func padded(_ value: UInt, _ width: Int) {
    unsafe place(width) { bytes in
      unsafe Digits.write(value, width, to: bytes)
      return width
    }
  }

  mutating func rounded(_ value: Double, decimals: Int) {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    if scaled < 0 { append(UInt8(ascii: "-")) }
    int(Int(scaled.magnitude) / scale)
    guard decimals > 0 else { return }
    append(UInt8(ascii: "."))
    padded(Int(scaled.magnitude) % scale, decimals)
  }

  /// The upper bytes of a word.
  /// - Parameter count: 8 at most.
  mutating func hex(_ word: UInt64, bytes count: Int) {
    unsafe place(TextRoom.hex) { bytes in
      unsafe Digits.writeHex(word, to: bytes)
      return 2 * min(count, 8)
    }
  }

  /// 8-4-4-4-12.
  mutating func uuid(_ high: UInt64, _ low: UInt64) {
    let dash = UInt8(ascii: "-")
    unsafe place(TextRoom.uuid) { bytes in
      // Later digits cover what earlier ones wrote too much.
      unsafe Digits.writeHex(high, to: bytes)
      unsafe Digits.writeHex(high << 32, to: bytes + 9)
      unsafe Digits.writeHex(high << 48, to: bytes + 14)
      unsafe Digits.writeHex(low, to: bytes + 19)
      unsafe Digits.writeHex(low << 16, to: bytes + 24)
      unsafe bytes.storeBytes(of: dash, toByteOffset: 8, as: UInt8.self)
      unsafe bytes.storeBytes(of: dash, toByteOffset: 13, as: UInt8.self)
      unsafe bytes.storeBytes(of: dash, toByteOffset: 18, as: UInt8.self)
      unsafe bytes.storeBytes(of: dash, toByteOffset: 23, as: UInt8.self)
      return 36
    }
  }

  mutating func address(_ address: DeviceAddress) {
    let high = Digits.hex(UInt32(truncatingIfNeeded: address.address >> 16))
    let low = Digits.hex(UInt32(truncatingIfNeeded: address.address << 16))
    unsafe place(TextRoom.address) { bytes in
      // Two digits and a colon at a time; the byte behind them is covered by the next.
      for pair in 0..<6 {
        let word = pair < 4 ? high >> UInt64(16 * pair) : low >> UInt64(16 * (pair - 4))
        let three = UInt32(truncatingIfNeeded: word & 0xFFFF) | UInt32(UInt8(ascii: ":")) << 16
        unsafe bytes.storeBytes(of: three.littleEndian, toByteOffset: 3 * pair, as: UInt32.self)
      }
      return 17
    }
  }

  /// RFC 3339 in UTC with nine decimals: `2026-05-19T10:00:00.123456789Z`.
  mutating func time(_ time: Timestamp, _ day: inout DayText) {
    if !day.contains(time) { day = DayText(of: time) }
    let inDay = UInt64(bitPattern: time.nanoseconds &- day.start)
    let (seconds, nanoseconds) = inDay.quotientAndRemainder(dividingBy: 1_000_000_000)
    let date = day.text
    unsafe place(TextRoom.time) { bytes in
      unsafe bytes.storeBytes(of: date.0.littleEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: date.1.littleEndian, toByteOffset: 8, as: UInt32.self)
      unsafe Digits.writeClock(UInt32(seconds), to: bytes + 11)
      let first = UInt16(UInt8(ascii: ".")) | UInt16(nanoseconds / 100_000_000 + 0x30) << 8
      let rest = Digits.eight(UInt32(nanoseconds % 100_000_000))
      unsafe bytes.storeBytes(of: first.littleEndian, toByteOffset: 19, as: UInt16.self)
      unsafe bytes.storeBytes(of: rest.littleEndian, toByteOffset: 21, as: UInt64.self)
      unsafe bytes.storeBytes(of: UInt8(ascii: "Z"), toByteOffset: 29, as: UInt8.self)
      return 30
    }
  }

  /// `10:00:00`.
  /// - Parameter seconds: of the day.
  mutating func clock(_ seconds: UInt32) {
    unsafe place(TextRoom.clock) { bytes in
      unsafe Digits.writeClock(seconds, to: bytes)
      return 8
    }
  }
}

// Digits into memory that the caller has room in.
extension Digits {
  /// The lowest `count` decimal digits.
  @unsafe @inline(__always)
  fileprivate static func write(_ value: UInt, _ count: Int, to bytes: UnsafeMutableRawPointer) {
    var rest = value
    var at = count
    while at >= 2 {
      at -= 2
      let pair = two(UInt32(truncatingIfNeeded: rest % 100))
      unsafe bytes.storeBytes(of: pair.littleEndian, toByteOffset: at, as: UInt16.self)
      rest /= 100
    }
    guard at == 1 else { return }
    unsafe bytes.storeBytes(of: UInt8(rest % 10) + 0x30, as: UInt8.self)
  }

  /// Sixteen hexadecimal digits.
  @unsafe @inline(__always)
  fileprivate static func writeHex(_ word: UInt64, to bytes: UnsafeMutableRawPointer) {
    let high = hex(UInt32(truncatingIfNeeded: word >> 32))
    let low = hex(UInt32(truncatingIfNeeded: word))
    unsafe bytes.storeBytes(of: high.littleEndian, as: UInt64.self)
    unsafe bytes.storeBytes(of: low.littleEndian, toByteOffset: 8, as: UInt64.self)
  }

  /// `10:00:00`.
  /// - Parameter seconds: of the day.
  @unsafe @inline(__always)
  fileprivate static func writeClock(_ seconds: UInt32, to bytes: UnsafeMutableRawPointer) {
    let colon = UInt64(UInt8(ascii: ":"))
    let text =
      UInt64(two(seconds / 3600)) | colon << 16 | UInt64(two(seconds / 60 % 60)) << 24
      | colon << 40 | UInt64(two(seconds % 60)) << 48
    unsafe bytes.storeBytes(of: text.littleEndian, as: UInt64.self)
  }
}
