/// JSON as it was written.
enum JSONValue {
  case object([String: JSONValue])
  case list([JSONValue])
  case number(Double)
  case string(String)
  case bool(Bool)
  case null

  /// In words: `a list`.
  var kind: String {
    switch self {
    case .object: "an object"
    case .list: "a list"
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    case .string(let text): "\"\(text.prefix(40))\""
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    }
  }
}

/// Reads JSON (RFC 8259), and says in which line it ends to be any. Foundation's decoder only says
/// that it is none, and takes one of two members of the same name without a word.
struct JSONReader {
  private let bytes: [UInt8]
  private var at = 0
  private var depth = 0
  private static let deepest = 32

  static func read(_ bytes: [UInt8]) throws(ScenarioProblem) -> JSONValue {
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value()
    reader.skipBlanks()
    if reader.at < bytes.count { throw reader.problem("there is more behind its end") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func problem(_ text: String) -> ScenarioProblem {
    let line = bytes[..<min(at, bytes.count)].count { $0 == 0x0A } + 1
    return ScenarioProblem(path: "", text: "is no JSON: in line \(line) \(text)")
  }

  private mutating func skipBlanks() {
    while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
  }

  /// The next byte that is no blank; nil at the end.
  private mutating func next() -> UInt8? {
    skipBlanks()
    return at < bytes.count ? bytes[at] : nil
  }

  private mutating func takes(_ byte: Character) -> Bool {
    guard next() == byte.asciiValue else { return false }
    at += 1
    return true
  }

  private mutating func expect(_ byte: Character, _ place: String) throws(ScenarioProblem) {
    guard takes(byte) else { throw problem("'\(byte)' is missing \(place)") }
  }

  private mutating func value() throws(ScenarioProblem) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw problem("there are too many brackets") }
    switch next() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "\""): return .string(try string())
    case nil: throw problem("it ends too early")
    default: return try word()
    }
  }

  private mutating func object() throws(ScenarioProblem) -> JSONValue {
    try expect("{", "")
    var members: [String: JSONValue] = [:]
    if takes("}") { return .object(members) }
    repeat {
      guard next() == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
      let name = try string()
      try expect(":", "behind \"\(name)\"")
      if members[name] != nil { throw problem("\"\(name)\" stands a second time") }
      members[name] = try value()
    } while takes(",")
    try expect("}", "or a comma")
    return .object(members)
  }

  private mutating func list() throws(ScenarioProblem) -> JSONValue {
    try expect("[", "")
    var entries: [JSONValue] = []
    if takes("]") { return .list(entries) }
    repeat { entries.append(try value()) } while takes(",")
    try expect("]", "or a comma")
    return .list(entries)
  }

  private mutating func word() throws(ScenarioProblem) -> JSONValue {
    let start = at
    while at < bytes.count, !" \t\r\n,:]}\"{[".utf8.contains(bytes[at]) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      guard text.wholeMatch(of: /-?\d+(\.\d+)?([eE][-+]?\d+)?/) != nil,
        let number = Double(text), number.isFinite
      else { throw problem("'\(text.prefix(40))' is no value") }
      return .number(number)
    }
  }

  private mutating func string() throws(ScenarioProblem) -> String {
    at += 1
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      let byte = bytes[at]
      at += 1
      if byte < 0x20 { throw problem("a text is not closed") }
      if byte == UInt8(ascii: "\\") { text += try escape() } else { text.append(byte) }
    }
    guard at < bytes.count else { throw problem("a text is not closed") }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// What stands behind a backslash. Characters beyond 16 bits may be written as they are.
  private mutating func escape() throws(ScenarioProblem) -> [UInt8] {
    guard at < bytes.count else { throw problem("a text is not closed") }
    let code = Character(Unicode.Scalar(bytes[at]))
    at += 1
    let plain: [Character: UInt8] = [
      "\"": 0x22, "\\": 0x5C, "/": 0x2F, "n": 0x0A, "t": 0x09, "r": 0x0D, "b": 0x08, "f": 0x0C,
    ]
    if let byte = plain[code] { return [byte] }
    let digits = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self)
    guard code == "u", digits.count == 4, let number = UInt32(digits, radix: 16),
      let scalar = Unicode.Scalar(number)
    else { throw problem("there is an unknown '\\\(code)'") }
    at += 4
    return Array(String(Character(scalar)).utf8)
  }
}
