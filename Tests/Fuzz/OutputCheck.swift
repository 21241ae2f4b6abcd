/// Whether what was written is what it claims to be.
enum OutputCheck {
  static func json(_ bytes: [UInt8], _ what: String) -> [String] {
    var reader = JSONReader(bytes)
    let isWhole = reader.value() && reader.isAtEnd
    let isText = String(validating: bytes, as: UTF8.self) != nil
    return (isWhole ? [] : ["\(what): no JSON from byte \(reader.at) on"])
      + (isText ? [] : ["\(what): no UTF-8"])
  }

  static func ndjson(_ bytes: [UInt8], lines: Int) -> [String] {
    let found = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let count = found.count - 1
    return (count == lines ? [] : ["ndjson: \(count) lines for \(lines) sightings"])
      + found.dropLast().flatMap { json(Array($0), "ndjson") }
  }

  /// A header and `rows` rows of as many cells each (RFC 4180).
  static func csv(_ bytes: [UInt8], rows: Int) -> [String] {
    var cells = [1]
    var isQuoted = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: cells[cells.count - 1] += 1
      case UInt8(ascii: "\n") where !isQuoted: cells.append(1)
      default: break
      }
    }
    cells.removeLast()
    var faults: [String] = []
    if cells.count != rows + 1 { faults.append("csv: \(cells.count) lines for \(rows) sightings") }
    if Set(cells).count > 1 { faults.append("csv: lines of \(Set(cells).sorted()) cells") }
    return faults
  }

  /// Valid UTF-8 without control characters but ends of lines, and without marks that turn the
  /// direction of writing.
  static func text(_ bytes: [UInt8], _ what: String) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else { return ["\(what): no UTF-8"] }
    let bad = text.unicodeScalars.first { scalar in
      scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
    return bad.map { ["\(what): U+\(String($0.value, radix: 16)) in it"] } ?? []
  }
}

/// Says whether bytes are JSON (RFC 8259), and where they stop being it.
struct JSONReader {
  private let bytes: [UInt8]
  private(set) var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return at == bytes.count
    }
  }

  mutating func value() -> Bool {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return list(until: "}") { $0.string() && $0.take(":") && $0.value() }
    case UInt8(ascii: "["): return list(until: "]") { $0.value() }
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private var next: UInt8 { at < bytes.count ? bytes[at] : 0 }

  private mutating func skipSpace() {
    while [0x20, 0x0A, 0x0D, 0x09].contains(next) { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func list(until end: Unicode.Scalar, _ item: (inout JSONReader) -> Bool) -> Bool
  {
    at += 1
    if take(end) { return true }
    repeat {
      if !item(&self) { return false }
    } while take(",")
    return take(end)
  }

  private mutating func word(_ word: String) -> Bool {
    guard bytes[at...].starts(with: word.utf8) else { return false }
    at += word.utf8.count
    return true
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while next != UInt8(ascii: "\"") {
      if next < 0x20 { return false }
      if next == UInt8(ascii: "\\") {
        at += 1
        if next == UInt8(ascii: "u") {
          guard bytes.dropFirst(at + 1).prefix(4).allSatisfy(Self.isHex) else { return false }
          at += 4
        } else if !"\"\\/bfnrt".utf8.contains(next) {
          return false
        }
      }
      at += 1
    }
    at += 1
    return true
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }

  private mutating func number() -> Bool {
    let start = at
    while "+-.0123456789eE".utf8.contains(next) { at += 1 }
    return Double(String(decoding: bytes[start..<at], as: UTF8.self)) != nil
  }
}
