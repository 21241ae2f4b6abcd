/// Parts a text into the words of Lua 5.4. Any bytes may come.
struct LuaLexer {
  private let bytes: [UInt8]
  private(set) var at = 0
  private var line = 1
  /// Where the line begins.
  private var lineStart = 0
  /// Where the latest token begins, and its place.
  private(set) var start = 0
  private(set) var place = LuaPlace(line: 1, column: 1)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    at + ahead < bytes.count ? bytes[at + ahead] : nil
  }

  private static func byte(_ letter: Unicode.Scalar) -> UInt8 { UInt8(ascii: letter) }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: letter) else { return false }
    at += 1
    return true
  }

  /// The text of the latest token, for «near».
  var latest: String { String(decoding: bytes[start..<at], as: UTF8.self) }

  func error(_ text: String, near: Bool = true) -> LuaSyntaxError {
    let here = start == at && at >= bytes.count ? "<eof>" : "'\(latest.prefix(80))'"
    return LuaSyntaxError(place: place, text: near ? "\(text) near \(here)" : text)
  }

  // MARK: Tokens

  mutating func next() throws(LuaSyntaxError) -> LuaToken {
    try skipBlanks()
    start = at
    place = LuaPlace(line: line, column: at - lineStart + 1)
    guard let first = peek() else { return .end }
    if Self.isLetter(first) { return word() }
    if Self.isDigit(first) || (first == Self.byte(".") && peek(1).map(Self.isDigit) == true) {
      return try number()
    }
    if first == Self.byte("\"") || first == Self.byte("'") { return try string(first) }
    if first == Self.byte("["), let level = longLevel() {
      return .string(try long(level, "string"))
    }
    if first == Self.byte("["), peek(1) == Self.byte("=") {
      skipBracket()
      throw error("invalid long string delimiter")
    }
    return try symbol(first)
  }

  private mutating func word() -> LuaToken {
    while let byte = peek(), Self.isLetter(byte) || Self.isDigit(byte) { at += 1 }
    let text = latest
    return LuaToken.Keyword(rawValue: text).map { .keyword($0) } ?? .name(text)
  }

  private mutating func symbol(_ first: UInt8) throws(LuaSyntaxError) -> LuaToken {
    // The longest that fits.
    for count in [3, 2, 1] where at + count <= bytes.count {
      let text = String(decoding: bytes[at..<(at + count)], as: UTF8.self)
      guard let symbol = LuaToken.Symbol(rawValue: text) else { continue }
      at += count
      return .symbol(symbol)
    }
    at += 1
    // As Lua writes what cannot be printed.
    guard first < 0x20 || first >= 0x7F else { throw error("unexpected symbol") }
    throw LuaSyntaxError(place: place, text: "unexpected symbol near '<\\\(first)>'")
  }

  private mutating func newLine() {
    // CR LF and LF CR are one end of a line.
    let first = bytes[at]
    at += 1
    if let second = peek(), second == 0x0A || second == 0x0D, second != first { at += 1 }
    line += 1
    lineStart = at
  }

  private mutating func skipBlanks() throws(LuaSyntaxError) {
    while let byte = peek() {
      switch byte {
      case 0x0A, 0x0D: newLine()
      case 0x20, 0x09, 0x0B, 0x0C: at += 1
      case Self.byte("-") where peek(1) == Self.byte("-"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(LuaSyntaxError) {
    start = at
    place = LuaPlace(line: line, column: at - lineStart + 1)
    at += 2
    if peek() == Self.byte("["), let level = longLevel() {
      _ = try long(level, "comment")
      return
    }
    while let byte = peek(), byte != 0x0A, byte != 0x0D { at += 1 }
  }

  // MARK: Long brackets

  /// How many `=` stand in the long bracket that begins here; nil where none does.
  private func longLevel() -> Int? {
    var level = 0
    while peek(1 + level) == Self.byte("=") { level += 1 }
    return peek(1 + level) == Self.byte("[") ? level : nil
  }

  private mutating func skipBracket() {
    at += 1
    while take("=") {}
  }

  private mutating func long(_ level: Int, _ what: String) throws(LuaSyntaxError) -> String {
    at += level + 2
    if peek() == 0x0A || peek() == 0x0D { newLine() }
    var content: [UInt8] = []
    while let byte = peek() {
      if byte == 0x0A || byte == 0x0D {
        newLine()
        content.append(0x0A)
      } else if byte == Self.byte("]"), isEnd(level) {
        at += level + 2
        return String(decoding: content, as: UTF8.self)
      } else {
        content.append(byte)
        at += 1
      }
    }
    throw LuaSyntaxError(
      place: LuaPlace(line: line, column: at - lineStart + 1),
      text: "unfinished long \(what) (starting at line \(place.line)) near <eof>")
  }

  private func isEnd(_ level: Int) -> Bool {
    for ahead in 0..<level where peek(1 + ahead) != Self.byte("=") { return false }
    return peek(1 + level) == Self.byte("]")
  }

  // MARK: Strings

  private mutating func string(_ quote: UInt8) throws(LuaSyntaxError) -> LuaToken {
    at += 1
    var content: [UInt8] = []
    while let byte = peek() {
      if byte == quote {
        at += 1
        return .string(String(decoding: content, as: UTF8.self))
      }
      if byte == 0x0A || byte == 0x0D { throw error("unfinished string") }
      at += 1
      if byte == Self.byte("\\") {
        try escape(&content)
      } else {
        content.append(byte)
      }
    }
    throw LuaSyntaxError(place: place, text: "unfinished string near <eof>")
  }

  /// What stands behind a backslash.
  private mutating func escape(_ content: inout [UInt8]) throws(LuaSyntaxError) {
    guard let byte = peek() else { return }
    if byte == 0x0A || byte == 0x0D {
      newLine()
      content.append(0x0A)
      return
    }
    if Self.isDigit(byte) { return content.append(try decimal()) }
    at += 1
    switch byte {
    case Self.byte("a"): content.append(0x07)
    case Self.byte("b"): content.append(0x08)
    case Self.byte("f"): content.append(0x0C)
    case Self.byte("n"): content.append(0x0A)
    case Self.byte("r"): content.append(0x0D)
    case Self.byte("t"): content.append(0x09)
    case Self.byte("v"): content.append(0x0B)
    case Self.byte("\\"), Self.byte("\""), Self.byte("'"): content.append(byte)
    case Self.byte("x"):
      let high = try hexDigit()
      content.append(UInt8(16 * high + (try hexDigit())))
    case Self.byte("u"): try unicode(&content)
    case Self.byte("z"):
      while let blank = peek(), Self.isBlank(blank) {
        if blank == 0x0A || blank == 0x0D { newLine() } else { at += 1 }
      }
    default: throw error("invalid escape sequence")
    }
  }

  private mutating func decimal() throws(LuaSyntaxError) -> UInt8 {
    var value = 0
    for _ in 0..<3 {
      guard let byte = peek(), Self.isDigit(byte) else { break }
      value = 10 * value + Int(byte - 0x30)
      at += 1
    }
    guard let byte = UInt8(exactly: value) else { throw error("decimal escape too large") }
    return byte
  }

  private mutating func hexDigit() throws(LuaSyntaxError) -> Int {
    guard let byte = peek(), let value = Self.hexValue(byte) else {
      throw error("hexadecimal digit expected")
    }
    at += 1
    return value
  }

  private mutating func unicode(_ content: inout [UInt8]) throws(LuaSyntaxError) {
    guard take("{") else { throw error("missing '{' in \\u{xxxx}") }
    var value = try hexDigit()
    while let byte = peek(), let digit = Self.hexValue(byte) {
      value = 16 * value + digit
      at += 1
      guard value <= 0x7FFF_FFFF else { throw error("UTF-8 value too large") }
    }
    guard take("}") else { throw error("missing '}' in \\u{xxxx}") }
    // Lua takes values beyond Unicode; nothing that is checked looks at them.
    let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    content += Array(String(Character(scalar)).utf8)
  }

  // MARK: Numbers

  private mutating func number() throws(LuaSyntaxError) -> LuaToken {
    let isHex =
      peek() == Self.byte("0") && (peek(1) == Self.byte("x") || peek(1) == Self.byte("X"))
    if isHex { at += 2 }
    let mark = isHex ? Self.byte("p") : Self.byte("e")
    while let byte = peek() {
      if byte | 0x20 == mark {
        at += 1
        if peek() == Self.byte("+") || peek() == Self.byte("-") { at += 1 }
      } else if Self.hexValue(byte) != nil || byte == Self.byte(".") {
        at += 1
      } else {
        break
      }
    }
    // A numeral must not touch a name.
    if let byte = peek(), Self.isLetter(byte) { at += 1 }
    guard let token = LuaNumeral.token(latest) else { throw error("malformed number") }
    return token
  }

  // MARK: Bytes

  static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  private static func hexValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
  }
}
