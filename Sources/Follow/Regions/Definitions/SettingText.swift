import Beacons

/// How values are written in settings. Every function names the field in what it throws.
package enum SettingText {
  /// Nanoseconds of a second.
  static let second: Int64 = 1_000_000_000
  /// Longest span that a setting may have: a year.
  package static let longest: Int64 = 366 * 86_400 * second

  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ms", 1_000_000), ("s", second), ("min", 60 * second), ("m", 60 * second),
    ("h", 3600 * second),
    ("d", 86_400 * second),
  ]

  /// A span of time in nanoseconds: `10`, `1.1`, `500ms`, `5min` or `5m`, `2h`, `7d`; seconds where no unit is given.
  /// - Parameter longest: nanoseconds; a year where nothing else is said.
  package static func span(
    _ text: String, _ field: String, upTo longest: Int64 = longest
  ) throws(SettingProblem) -> Int64 {
    let allowed = "write seconds as 10 or 1.1, or with a unit: 500ms, 10s, 5min, 2h, 7d"
    let number = String(text.prefix { $0.isASCII && !$0.isLetter })
    let unitName = String(text.dropFirst(number.count))
    guard let unit = units.first(where: { $0.name == (unitName.isEmpty ? "s" : unitName) }) else {
      throw SettingProblem("\(field) '\(text)' is no span of time", allowed: allowed)
    }
    if number.hasPrefix("-") {
      throw SettingProblem("\(field) '\(text)' is negative", allowed: allowed)
    }
    guard let value = nanoseconds(number, unit.nanoseconds) else {
      throw SettingProblem("\(field) '\(text)' is no span of time", allowed: allowed)
    }
    guard value <= longest else {
      throw SettingProblem("\(field) '\(text)' is too long", allowed: "at most 8784h, a year")
    }
    return value
  }

  /// A decimal number of units, exactly: no binary fraction comes in between.
  private static func nanoseconds(_ number: String, _ unit: Int64) -> Int64? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = digits(parts[0]) else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard parts.count == 1 || !fraction.isEmpty, fraction.count <= 9 else { return nil }
    guard let part = fraction.isEmpty ? 0 : digits(fraction) else { return nil }
    var scale: Int64 = 1
    for _ in fraction { scale *= 10 }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    if overflow { return Int64.max }
    // A fraction has nine digits at most: in 128 bits nothing is lost before the division.
    let (sum, tooLong) = product.addingReportingOverflow(
      Int64(Int128(part) * Int128(unit) / Int128(scale)))
    return tooLong ? Int64.max : sum
  }

  private static func digits(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return Int64(text)
  }

  /// Seconds, with as many decimals as are not zero.
  package static func text(span: Int64) -> String {
    let fraction = String(span % second + second).dropFirst()
    let kept = fraction.reversed().drop { $0 == "0" }.reversed()
    return kept.isEmpty ? "\(span / second)" : "\(span / second)." + String(kept)
  }

  static func integer(_ text: String, _ field: String, in range: ClosedRange<Int>)
    throws(SettingProblem) -> Int
  {
    guard let value = digits(text).map({ Int($0) }), range.contains(value) else {
      throw SettingProblem(
        "\(field) '\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)",
        allowed: "write \(field) as a decimal number, such as \(range.upperBound)")
    }
    return value
  }

  static func decimal(_ text: String, _ field: String, in range: ClosedRange<Double>)
    throws(SettingProblem) -> Double
  {
    guard let value = Double(text), range.contains(value) else {
      throw SettingProblem(
        "\(field) '\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)",
        allowed: "write \(field) as a decimal number, such as \(range.lowerBound)")
    }
    return value
  }

  static func flag(_ text: String, _ field: String) throws(SettingProblem) -> Bool {
    switch text {
    case "yes", "true": return true
    case "no", "false": return false
    default:
      throw SettingProblem("\(field) '\(text)' is neither yes nor no", allowed: "write yes or no")
    }
  }

  /// Bytes in hexadecimal digits; nil where there are others or not so many.
  package static func hex(_ text: some StringProtocol, count: Int) -> [UInt8]? {
    guard text.utf8.count == 2 * count else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    for (place, letter) in text.utf8.enumerated() {
      guard let digit = digit(letter) else { return nil }
      bytes[place / 2] = bytes[place / 2] << 4 | digit
    }
    return bytes
  }

  private static func digit(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// What stands between separators, empty parts too. By bytes: definitions come in tens of thousands.
  static func parts(_ text: some StringProtocol, _ separator: UInt8) -> [Substring] {
    var rest = Substring(text)
    var parts: [Substring] = []
    while let end = rest.utf8.firstIndex(of: separator) {
      parts.append(rest[..<end])
      rest = rest[rest.utf8.index(after: end)...]
    }
    return parts + CollectionOfOne(rest)
  }

  /// 32 hexadecimal digits, with or without the four hyphens of a UUID.
  static func uuid(_ text: String, _ field: String) throws(SettingProblem) -> [UInt8] {
    guard let bytes = uuidBytes(text.utf8) else {
      throw SettingProblem(
        "\(field) '\(text)' is malformed",
        allowed: "write 32 hexadecimal digits, such as f7826da6-4fa2-4e98-8024-bc5b71e0893e")
    }
    return bytes
  }

  /// Letter by letter: definitions come in tens of thousands.
  private static func uuidBytes(_ letters: String.UTF8View) -> [UInt8]? {
    let isHyphenated = letters.count == 36
    guard isHyphenated || letters.count == 32 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    var (place, half) = (0, 0)
    for letter in letters {
      let isHyphen = isHyphenated && (place == 8 || place == 13 || place == 18 || place == 23)
      place += 1
      if isHyphen {
        guard letter == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = digit(letter) else { return nil }
        bytes[half / 2] = bytes[half / 2] << 4 | digit
        half += 1
      }
    }
    return bytes
  }

  /// A Bluetooth address: 48 bits, first written byte highest; between its bytes colons or hyphens.
  package static func address(_ text: String, _ field: String) throws(SettingProblem) -> UInt64 {
    guard let address = address(text) else {
      if let bare = bareAddress(text) {
        throw SettingProblem(
          "\(field) '\(text)' has no colons",
          allowed: "write it with colons: \(Self.text(address: bare))")
      }
      throw SettingProblem(
        "\(field) '\(text)' is malformed",
        allowed: "write six bytes in hexadecimal digits, such as c2:35:33:30:25:50")
    }
    return address
  }

  private static func address(_ text: String) -> UInt64? {
    let separator = text.utf8.contains(UInt8(ascii: ":")) ? UInt8(ascii: ":") : UInt8(ascii: "-")
    let parts = parts(text, separator)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
    return number(parts.joined())
  }

  /// What is plainly an address and not written as one: `c235.3330.2550`, twelve digits, `0x` before them.
  static func bareAddress(_ text: String) -> UInt64? {
    let parts = parts(text, UInt8(ascii: "."))
    if parts.count == 3, parts.allSatisfy({ $0.utf8.count == 4 }) { return number(parts.joined()) }
    return number(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text)
  }

  /// Whether it is an address, however it is written: the name of nothing.
  static func isAddress(_ text: String) -> Bool { (address(text) ?? bareAddress(text)) != nil }

  private static func number(_ digits: String) -> UInt64? {
    hex(digits, count: 6)?.reduce(0) { $0 << 8 | UInt64($1) }
  }

  package static func text(address: UInt64) -> String {
    (0..<6).map { HexText.string([UInt8(truncatingIfNeeded: address >> UInt64(40 - 8 * $0))]) }
      .joined(separator: ":")
  }
}
