import Beacons
package import CaptureReader
package import FrameDecoder

/// Text as bytes, put together without Foundation and without a string per field.
package struct ByteText: Sendable {
  package var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }

  @inline(__always)
  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  @inline(__always)
  package mutating func text(_ value: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
  }

  package mutating func text(_ value: String) { bytes.append(contentsOf: value.utf8) }

  package mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  package mutating func int(_ value: Int) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(digit))
      rest = quotient
    } while rest > 0
    var low = start
    var high = bytes.count - 1
    while low < high {
      bytes.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// A number in exactly `width` digits, with zeros before it.
  package mutating func padded(_ value: Int, _ width: Int) {
    let start = bytes.count
    for _ in 0..<width { bytes.append(UInt8(ascii: "0")) }
    var rest = value
    var at = start + width - 1
    while at >= start {
      bytes[at] += UInt8(rest % 10)
      rest /= 10
      at -= 1
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

  @inline(__always)
  package mutating func hex(_ value: UInt8) {
    bytes.append(HexText.digits[Int(value >> 4)])
    bytes.append(HexText.digits[Int(value & 15)])
  }

  package mutating func address(_ address: DeviceAddress) {
    for shift in stride(from: UInt64(40), through: 0, by: -8) {
      hex(UInt8(truncatingIfNeeded: address.address >> shift))
      if shift > 0 { byte(UInt8(ascii: ":")) }
    }
  }

  /// RFC 3339 in UTC with nine decimals: `2026-05-19T10:00:00.123456789Z`.
  package mutating func time(_ time: Timestamp) {
    let moment = CivilTime(time)
    padded(moment.year, 4)
    byte(UInt8(ascii: "-"))
    padded(moment.month, 2)
    byte(UInt8(ascii: "-"))
    padded(moment.day, 2)
    byte(UInt8(ascii: "T"))
    clock(moment)
    byte(UInt8(ascii: "."))
    padded(moment.nanosecond, 9)
    byte(UInt8(ascii: "Z"))
  }

  /// `10:00:00`.
  package mutating func clock(_ moment: CivilTime) {
    padded(moment.hour, 2)
    byte(UInt8(ascii: ":"))
    padded(moment.minute, 2)
    byte(UInt8(ascii: ":"))
    padded(moment.second, 2)
  }

  /// A JSON string with its quotes; control characters escaped. Invalid UTF-8 has been replaced
  /// when the string was made.
  package mutating func jsonString(_ value: String) {
    byte(UInt8(ascii: "\""))
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
    byte(UInt8(ascii: "\""))
  }

  package var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// A moment in UTC, in calendar fields (proleptic Gregorian).
package struct CivilTime: Sendable {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  package let nanosecond: Int

  package init(_ time: Timestamp) {
    var (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    nanosecond = Int(rest)
    var (days, inDay) = seconds.quotientAndRemainder(dividingBy: 86_400)
    if inDay < 0 { (days, inDay) = (days - 1, inDay + 86_400) }
    hour = Int(inDay / 3600)
    minute = Int(inDay / 60 % 60)
    second = Int(inDay % 60)
    // Days from civil, the other way round: years begin in March, eras have 400 years.
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
