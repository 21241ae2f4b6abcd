/// What the value of a filter's key may be: with another the handler would wait for ever, which
/// nobody notices.
enum FilterValues {
  /// - Parameter isOfBeacon: identities are those of a beacon; a message's namespace is any text.
  static func check(_ value: LuaValue, _ key: String, isOfBeacon: Bool) throws(LuaMessage) {
    guard let field = Reference.record("filter")?.fields.first(where: { $0.name == key }) else {
      return
    }
    switch single(field.type) {
    case .words(let words):
      guard let text = value.text else {
        throw wrong(key, value, "one of \(words.joined(separator: ", "))")
      }
      guard words.contains(text) else {
        throw LuaMessage("on: " + UnknownWord.sentence(key, text, among: words))
      }
    case .integer:
      guard let number = value.number, number == number.rounded() else {
        throw wrong(key, value, "a whole number")
      }
      guard (0...65535).contains(number) else {
        throw LuaMessage("on: \(key) \(value.shown) will match nothing; it is 0 to 65535")
      }
    case .string:
      guard let text = value.text else { throw wrong(key, value, "a string") }
      if isOfBeacon, let form = forms[key], !fits(text, key) {
        throw LuaMessage("on: \(key) \(value.shown) will match nothing; write \(form)")
      }
    default: break
    }
  }

  /// Of a value and a list of such, the value.
  private static func single(_ type: ReferenceType) -> ReferenceType {
    guard case .either(let types) = type, let first = types.first else { return type }
    return first
  }

  private static func wrong(_ key: String, _ value: LuaValue, _ what: String) -> LuaMessage {
    LuaMessage("on: the filter's \(key) is \(value.shown); write \(what), or a list of such")
  }

  /// By key: how an identity is written.
  static let forms = [
    "uuid": "32 hexadecimal digits, with or without hyphens",
    "address": "six bytes such as c2:35:33:30:25:50",
    "namespace": "20 hexadecimal digits",
    "instance": "12 hexadecimal digits",
    "id1": "32 hexadecimal digits, with or without hyphens",
    "eid": "16 hexadecimal digits",
  ]

  /// As sightings have it, where a filter takes more.
  static func writtenForm(_ key: String) -> String? {
    hasHyphens(key) ? "32 hexadecimal digits with hyphens, as in \(example)" : forms[key]
  }

  private static let example = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

  private static func hasHyphens(_ key: String) -> Bool { key == "uuid" || key == "id1" }

  /// - Parameter text: one that fits.
  /// - Returns: how sightings write the same.
  static func written(_ text: String, _ key: String) -> String {
    guard hasHyphens(key) else { return text.lowercased() }
    var written = ""
    for (place, digit) in text.lowercased().filter({ $0 != "-" }).enumerated() {
      if [8, 12, 16, 20].contains(place) { written += "-" }
      written.append(digit)
    }
    return written
  }

  static func fits(_ text: String, _ key: String) -> Bool {
    switch key {
    case "uuid", "id1": return isHex(text.filter { $0 != "-" }, 32)
    case "namespace": return isHex(text, 20)
    case "instance": return isHex(text, 12)
    case "eid": return isHex(text, 16)
    default:
      let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
      return bytes.count == 6 && bytes.allSatisfy { isHex(String($0), 2) }
    }
  }

  static func isHex(_ text: String, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }
}
