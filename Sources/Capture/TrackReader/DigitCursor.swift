/// Walks a text of digits and signs.
struct DigitCursor {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  /// Exactly so many digits.
  mutating func number(_ digits: Int) -> Int? {
    guard at + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[at..<(at + digits)] {
      guard Self.isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    at += digits
    return value
  }

  mutating func takes(_ signs: Unicode.Scalar...) -> Bool {
    guard at < bytes.count, signs.contains(Unicode.Scalar(bytes[at])) else { return false }
    at += 1
    return true
  }

  /// A point (or comma, ISO 8601) and digits, as nanoseconds, cut there; 0 where there is none, nil
  /// where no digit follows.
  mutating func fraction() -> Int64? {
    guard takes(".", ",") else { return 0 }
    var value: Int64 = 0
    var digits = 0
    while at < bytes.count, Self.isDigit(bytes[at]) {
      if digits < 9 { value = value * 10 + Int64(bytes[at] - 0x30) }
      digits += 1
      at += 1
    }
    guard digits > 0 else { return nil }
    for _ in min(digits, 9)..<9 { value *= 10 }
    return value
  }

  /// `±hh:mm`, also without the colon, as seconds east of UTC.
  mutating func offset() -> Int? {
    let isWest = takes("-")
    guard isWest || takes("+"), let hours = number(2) else { return nil }
    _ = takes(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// A decimal number with digits, sign, point and exponent only (XML Schema's decimals and doubles);
  /// `inf`, `nan` and hexadecimal, which Swift takes, are none.
  static func decimal(_ text: some Collection<UInt8>) -> Double? {
    let signs = "+-.eE".utf8
    guard text.count <= 64, text.allSatisfy({ isDigit($0) || signs.contains($0) }),
      let value = Double(String(decoding: Array(text), as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }

  /// Without blanks, tabs and line ends at both sides.
  static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
    var slice = text[...]
    while let first = slice.first, isBlank(first) { slice.removeFirst() }
    while let last = slice.last, isBlank(last) { slice.removeLast() }
    return slice
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
