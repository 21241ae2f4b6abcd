/// Numerals of Lua: `3`, `0xff`, `.5`, `3.1e-2`, `0x.8p1`.
enum LuaNumeral {
  /// Nil where the text is none.
  static func token(_ text: String) -> LuaToken? {
    var rest = Substring(text)
    let isHex = rest.hasPrefix("0x") || rest.hasPrefix("0X")
    if isHex { rest = rest.dropFirst(2) }
    let whole = digits(&rest, hex: isHex)
    var isInteger = true
    var fraction: Substring = ""
    if rest.first == "." {
      isInteger = false
      rest = rest.dropFirst()
      fraction = digits(&rest, hex: isHex)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    if let mark = rest.first?.lowercased(), mark == (isHex ? "p" : "e") {
      isInteger = false
      rest = rest.dropFirst()
      if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
      guard !digits(&rest, hex: false).isEmpty else { return nil }
    }
    guard rest.isEmpty else { return nil }
    // Only what is compared with limits is looked at: integers that wrap around are far beyond them.
    let value = isInteger && isHex ? Double("0x" + whole) : Double(text)
    // Of `5.` and `.5p1` Swift knows nothing.
    let padded =
      (isHex ? "0x" : "") + "\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)"
    return .number(value ?? Double(isHex ? padded + "p0" : padded) ?? 0, isInteger: isInteger)
  }

  private static func digits(_ rest: inout Substring, hex: Bool) -> Substring {
    let digits = rest.prefix { $0.isASCII && (hex ? $0.isHexDigit : $0.isNumber) }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
