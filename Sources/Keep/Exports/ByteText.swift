package import CaptureReader
package import FrameDecoder

/// Text as bytes, put together without Foundation and without a string per field.
package struct ByteText: Sendable {
  package var bytes: [UInt8] = []
  /// The day of the time written last; times of a capture mostly share it.
  private var day = DayText()

  package init() {}

  /// - Parameter capacity: bytes there is room for at once.
  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  package var isEmpty: Bool { bytes.isEmpty }

  @inline(__always)
  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  @inline(__always)
  package mutating func text(_ value: StaticString) {
    let count = value.utf8CodeUnitCount
    unsafe place(count) { bytes in
      unsafe bytes.copyMemory(from: value.utf8Start, byteCount: count)
      return count
    }
  }

  // By a name of its own: of two with one name, a literal would choose this one.
  package mutating func text(of value: String) { bytes.append(contentsOf: value.utf8) }

  package mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  /// Room for `most` bytes behind the text; `fill` says how many of them it has written. The room is
  /// looked for once, not for every byte.
  @unsafe @inline(__always)
  private mutating func place(_ most: Int, _ fill: (UnsafeMutableRawPointer) -> Int) {
    bytes.append(addingCapacity: most) { (room: inout OutputSpan<UInt8>) in
      unsafe room.withUnsafeMutableBufferPointer { buffer, count in
        guard let start = buffer.baseAddress else { return }
        unsafe count = fill(UnsafeMutableRawPointer(start))
      }
    }
  }

  package mutating func int(_ value: Int) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude < 10 { return byte(UInt8(ascii: "0") + UInt8(magnitude)) }
    let count = Digits.count(magnitude)
    unsafe place(count) { bytes in
      unsafe Digits.write(magnitude, count, to: bytes)
      return count
    }
  }

  /// A number in exactly `width` digits, with zeros before it.
  package mutating func padded(_ value: Int, _ width: Int) {
    unsafe place(width) { bytes in
      unsafe Digits.write(value.magnitude, width, to: bytes)
      return width
    }
  }

  /// `numerator / denominator` as a decimal number, exact (powers of two and ten), one decimal at
  /// least.
  package mutating func decimal(_ numerator: Int, _ denominator: Int) {
    if numerator < 0 { byte(UInt8(ascii: "-")) }
    let magnitude = Int(numerator.magnitude)
    int(magnitude / denominator)
    byte(UInt8(ascii: "."))
    var rest = magnitude % denominator
    repeat {
      rest *= 10
      byte(UInt8(ascii: "0") + UInt8(rest / denominator))
      rest %= denominator
    } while rest > 0
  }

  /// A number rounded to a fixed number of decimals.
  package mutating func rounded(_ value: Double, decimals: Int) {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    if scaled < 0 { byte(UInt8(ascii: "-")) }
    int(Int(scaled.magnitude) / scale)
    guard decimals > 0 else { return }
    byte(UInt8(ascii: "."))
    padded(Int(scaled.magnitude) % scale, decimals)
  }

  @inline(__always)
  package mutating func hex(_ value: UInt8) { hex(UInt64(value) << 56, bytes: 1) }

  /// The upper bytes of a word.
  /// - Parameter count: 8 at most.
  package mutating func hex(_ word: UInt64, bytes count: Int) {
    unsafe place(16) { bytes in
      unsafe Digits.writeHex(word, to: bytes)
      return 2 * min(count, 8)
    }
  }

  /// 8-4-4-4-12.
  package mutating func uuid(_ high: UInt64, _ low: UInt64) {
    let dash = UInt8(ascii: "-")
    unsafe place(40) { bytes in
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

  package mutating func address(_ address: DeviceAddress) {
    let high = Digits.hex(UInt32(truncatingIfNeeded: address.address >> 16))
    let low = Digits.hex(UInt32(truncatingIfNeeded: address.address << 16))
    unsafe place(20) { bytes in
      // Two digits and a colon at a time; the third byte of each is covered by the next.
      for pair in 0..<6 {
        let word = pair < 4 ? high >> UInt64(16 * pair) : low >> UInt64(16 * (pair - 4))
        let three = UInt32(truncatingIfNeeded: word & 0xFFFF) | UInt32(UInt8(ascii: ":")) << 16
        unsafe bytes.storeBytes(of: three.littleEndian, toByteOffset: 3 * pair, as: UInt32.self)
      }
      return 17
    }
  }

  /// RFC 3339 in UTC with nine decimals: `2026-05-19T10:00:00.123456789Z`.
  package mutating func time(_ time: Timestamp) {
    if !day.contains(time) { day = DayText(of: time) }
    let day = day
    let inDay = UInt64(bitPattern: time.nanoseconds &- day.start)
    let (seconds, nanoseconds) = inDay.quotientAndRemainder(dividingBy: 1_000_000_000)
    unsafe place(32) { bytes in
      unsafe bytes.storeBytes(of: day.text.0.littleEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: day.text.1.littleEndian, toByteOffset: 8, as: UInt32.self)
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
  package mutating func clock(_ moment: CivilTime) {
    let seconds = UInt32(moment.hour * 3600 + moment.minute * 60 + moment.second)
    unsafe place(8) { bytes in
      unsafe Digits.writeClock(seconds, to: bytes)
      return 8
    }
  }

  /// A JSON string with its quotes; control characters escaped. Invalid UTF-8 has been replaced
  /// when the string was made.
  package mutating func jsonString(_ value: String) {
    byte(UInt8(ascii: "\""))
    jsonCharacters(value)
    byte(UInt8(ascii: "\""))
  }

  /// A JSON string without its quotes.
  mutating func jsonCharacters(_ value: String) {
    if Self.standsForItself(value) { text(of: value) } else { escaped(value) }
  }

  private static func standsForItself(_ value: String) -> Bool {
    value.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F
    }
  }

  private mutating func escaped(_ value: String) {
    for unit in value.utf8 {
      switch unit {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        byte(UInt8(ascii: "\\"))
        byte(unit)
      case 0x0A: text("\\n")
      case 0x0D: text("\\r")
      case 0x09: text("\\t")
      case 0..<0x20, 0x7F:
        text("\\u00")
        hex(unit)
      default: byte(unit)
      }
    }
  }

  package var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// `2026-05-19T`, and when that day is.
private struct DayText {
  /// Nanoseconds since 1970.
  let start: Int64
  /// The first character lowest; of the second number only three bytes.
  let text: (UInt64, UInt32)
  private static let length: Int64 = 86_400_000_000_000

  /// A day that holds no time.
  init() {
    start = .max
    text = (0, 0)
  }

  init(of time: Timestamp) {
    let inDay = time.nanoseconds % Self.length
    // The first day there is begins before the first time that 64 bits hold; as offsets wrap, so
    // does its beginning.
    start = time.nanoseconds &- (inDay < 0 ? inDay + Self.length : inDay)
    let moment = CivilTime(time)
    let years =
      UInt64(Digits.two(UInt32(moment.year / 100)))
      | UInt64(Digits.two(UInt32(moment.year % 100))) << 16
    let dash = UInt64(UInt8(ascii: "-"))
    let months = dash | UInt64(Digits.two(UInt32(moment.month))) << 8 | dash << 24
    text = (
      years | months << 32,
      UInt32(Digits.two(UInt32(moment.day))) | UInt32(UInt8(ascii: "T")) << 16
    )
  }

  @inline(__always)
  func contains(_ time: Timestamp) -> Bool {
    start != .max && UInt64(bitPattern: time.nanoseconds &- start) < UInt64(Self.length)
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
