/// Cells of CSV (RFC 4180).
extension ByteText {
  private static let formulaStarts = Array("=+-@\t\r".utf8)

  /// A cell; quoted where it holds a comma, a quote or a line break. A cell that a spreadsheet would take for a
  /// formula gets an apostrophe. Control characters, and what turns or hides text, are shown; in JSON as JSON has them.
  package mutating func csv(_ value: String) {
    let value = CSVCell.harmless(value)
    // Bytes, not characters: a combining mark makes another character of a comma or a quote.
    let quote = UInt8(ascii: "\"")
    let isFormula =
      value.utf8.first.map { Self.formulaStarts.contains($0) && value.utf8.count > 1 } ?? false
      && !CSVCell.isNumber(value)
    guard value.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == quote || $0 < 0x20 }) else {
      if isFormula { text("'") }
      return text(of: value)
    }
    byte(quote)
    if isFormula { text("'") }
    for unit in value.utf8 {
      if unit == quote { byte(quote) }
      byte(unit)
    }
    byte(quote)
  }
}

package enum CSVCell {
  /// A number of digits, with a sign and a point at most: no formula, whatever it begins with.
  static func isNumber(_ text: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var (points, count) = (0, 0)
    for (place, unit) in text.utf8.enumerated() {
      switch unit {
      case digits: count += 1
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"): if place > 0 { return false }
      default: return false
      }
    }
    return count > 0 && points < 2
  }

  /// What stands in a cell, in one line: JSON stays JSON.
  package static func line(_ text: String) -> String {
    isJSON(text) ? text : TextColumns.printable(text)
  }

  fileprivate static func harmless(_ text: String) -> String {
    let isJSON = isJSON(text)
    guard text.utf8.contains(where: { mayHarm($0) || isJSON && $0 < 0x20 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      let isBreak = "\n\r\t".unicodeScalars.contains(scalar)
      if isBreak && !isJSON || !TextColumns.isHarmful(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += isJSON ? inJSON(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }

  /// In UTF-16, four digits each.
  private static func inJSON(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// An object or an array, by how it begins and ends: what is none loses nothing by it.
  private static func isJSON(_ text: String) -> Bool {
    switch (text.utf8.first, text.utf8.last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")): true
    default: false
    }
  }

  /// Whether a byte is a control character, or begins what may be one, or turn or hide text.
  private static func mayHarm(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}
