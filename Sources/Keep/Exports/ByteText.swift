package import CaptureReader
package import FrameDecoder

/// Text as bytes, put together without Foundation and without a string per field.
package struct ByteText: Sendable {
  package var bytes: [UInt8] = []
  /// The day of the time written last; times of a capture mostly share it.
  private var day = DayText()

  package init() {}

  @inline(__always)
  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  @inline(__always)
  package mutating func text(_ value: StaticString) {
    room(value.utf8CodeUnitCount) { $0.text(value) }
  }

  // By a name of its own: of two with one name, a literal would choose this one.
  package mutating func text(of value: String) { bytes.append(contentsOf: value.utf8) }

  package mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  /// Lends room behind the text. An array looks each time whether it is shared and large enough:
  /// this way it looks once for many pieces.
  /// - Parameter most: bytes that may be written; more trap.
  @inline(__always)
  mutating func room(_ most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    bytes.append(addingCapacity: most) { (room: inout OutputSpan<UInt8>) in write(&room) }
  }

  package mutating func int(_ value: Int) { room(TextRoom.int) { $0.int(value) } }

  /// A number in exactly `width` digits, with zeros before it.
  package mutating func padded(_ value: Int, _ width: Int) {
    room(width) { $0.padded(value, width) }
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
    room(TextRoom.rounded + decimals) { $0.rounded(value, decimals: decimals) }
  }

  @inline(__always)
  package mutating func hex(_ value: UInt8) {
    room(TextRoom.hex) { $0.hex(UInt64(value) << 56, bytes: 1) }
  }

  package mutating func address(_ address: DeviceAddress) {
    room(TextRoom.address) { $0.address(address) }
  }

  /// RFC 3339 in UTC with nine decimals: `2026-05-19T10:00:00.123456789Z`.
  package mutating func time(_ time: Timestamp) {
    var day = day
    room(TextRoom.time) { $0.time(time, &day) }
    self.day = day
  }

  /// `10:00:00`.
  package mutating func clock(_ moment: CivilTime) {
    let seconds = UInt32(moment.hour * 3600 + moment.minute * 60 + moment.second)
    room(TextRoom.clock) { $0.clock(seconds) }
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
