/// Reads JSON. Every error names the byte at which it was noticed.
struct StateReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// `StateText` needs three levels for one of a table.
  private static let deepest = 128

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(LuaMessage) -> StateJSON {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw LuaMessage("this is no text in UTF-8")
    }
    let value = try value()
    skipSpace()
    guard place == bytes.count else { throw wrong("more text behind the end") }
    return value
  }

  static func hexValue(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private func wrong(_ what: String) -> LuaMessage {
    LuaMessage("the saved state is damaged: byte \(place + 1): \(what)")
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let next, [0x20, 0x0A, 0x0D, 0x09].contains(next) { place += 1 }
  }

  /// - Returns: whether the character came, white space before it aside.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(LuaMessage) -> StateJSON {
    skipSpace()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw wrong("nested too deep") }
    switch next {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .list(try list())
    case UInt8(ascii: "\""): return .bytes(try string())
    case let first? where first == UInt8(ascii: "-") || Self.isDigit(first): return try number()
    default:
      for (word, value) in [
        ("true", StateJSON.flag(true)), ("false", .flag(false)), ("null", .null),
      ]
      where bytes[place...].starts(with: word.utf8) {
        place += word.utf8.count
        return value
      }
      throw wrong(next == nil ? "the text ends too early" : "no value begins so")
    }
  }

  private mutating func object() throws(LuaMessage) -> [String: StateJSON] {
    var fields: [String: StateJSON] = [:]
    place += 1
    if skip("}") { return fields }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw wrong("a name is needed") }
      let name = String(decoding: try string(), as: UTF8.self)
      guard skip(":") else { throw wrong("':' is needed") }
      guard fields.updateValue(try value(), forKey: name) == nil else {
        throw wrong("'\(name)' comes twice")
      }
    } while skip(",")
    guard skip("}") else { throw wrong("',' or '}' is needed") }
    return fields
  }

  private mutating func list() throws(LuaMessage) -> [StateJSON] {
    var list: [StateJSON] = []
    place += 1
    if skip("]") { return list }
    repeat { list.append(try value()) } while skip(",")
    guard skip("]") else { throw wrong("',' or ']' is needed") }
    return list
  }

  private mutating func number() throws(LuaMessage) -> StateJSON {
    let start = place
    while let next, Self.isOfNumber(next) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Self.isDigit($0) }) {
      if let integer = Int64(text) { return .integer(integer) }
    } else if let number = Double(text), number.isFinite {
      return .number(number)
    }
    throw wrong("'\(text.prefix(40))' is no number, or too large")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-.eE".utf8.contains(byte)
  }

  private mutating func string() throws(LuaMessage) -> [UInt8] {
    var string: [UInt8] = []
    place += 1
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return string
      case UInt8(ascii: "\\"): try escape(into: &string)
      case 0..<0x20: throw wrong("a control character in a string")
      default: string.append(byte)
      }
    }
    throw wrong("the text ends within a string")
  }

  private mutating func escape(into string: inout [UInt8]) throws(LuaMessage) {
    guard let letter = next else { throw wrong("the text ends within a string") }
    place += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): string.append(letter)
    case UInt8(ascii: "u"):
      // `StateText` writes no others so.
      guard place + 4 <= bytes.count, bytes[place] == 0x30, bytes[place + 1] == 0x30,
        let high = Self.hexValue(bytes[place + 2]), let low = Self.hexValue(bytes[place + 3]),
        high < 8
      else { throw wrong("an escape that is not written so") }
      place += 4
      string.append(UInt8(high << 4 | low))
    default: throw wrong("an escape that is not written so")
    }
  }
}
