/// What a handler wants to hear of: every key has to agree, with one of its values.
struct HandlerFilter: Sendable {
  /// A key, and what it may be.
  struct Wish: Sendable {
    let key: String
    let values: [LuaValue]

    func takes(_ value: LuaValue) -> Bool {
      if key == "uuid", let text = value.text {
        // With hyphens or without.
        let plain = Self.digits(text)
        return values.contains { $0.text.map(Self.digits) == plain }
      }
      return values.contains { HandlerFilter.agree($0, value) }
    }

    private static func digits(_ uuid: String) -> String {
      uuid.filter { $0 != "-" }.lowercased()
    }
  }

  private(set) var wishes: [Wish] = []

  /// Of what a sighting's transmitter is known by.
  static let sightingKeys = [
    "kind", "region", "id", "address", "address_type", "company", "observer", "decoder", "uuid",
    "major", "minor", "namespace", "instance", "url", "eid", "id1", "id2", "id3",
  ]
  /// Of events, beside `region` and `observer`: fields of their own and of their transmitter.
  static let eventKeys = [
    "region", "observer", "grade", "state", "from", "to", "cause", "type", "namespace", "reason",
    "what", "capture", "kind", "id", "address", "address_type", "decoder", "uuid", "major", "minor",
    "instance",
  ]

  /// - Parameter value: a region's name, a table, or nothing.
  init(_ value: LuaValue, _ event: HandledEvent) throws(LuaMessage) {
    switch value {
    case .none: return
    case .bytes: wishes = [Wish(key: "region", values: [value])]
    case .table(let table):
      let keys = event.isSighting ? Self.sightingKeys : Self.eventKeys
      for (key, value) in table.pairs {
        guard let name = key.text else {
          throw LuaMessage("on: \(key.shown) is no key of a filter; write name = value")
        }
        guard keys.contains(name) else {
          throw LuaMessage("on: " + UnknownWord.sentence("key of a filter", name, among: keys))
        }
        wishes.append(Wish(key: name, values: try Self.values(value, name)))
      }
    default:
      throw LuaMessage(
        "on: a filter is the name of a region or a table, not \(value.shown)")
    }
  }

  private static func values(_ value: LuaValue, _ name: String) throws(LuaMessage) -> [LuaValue] {
    let values: [LuaValue]
    if case .table(let table) = value { values = table.list } else { values = [value] }
    guard !values.isEmpty else { throw LuaMessage("on: the list of the filter's \(name) is empty") }
    for value in values {
      switch value {
      case .bytes, .integer, .number, .flag: break
      default:
        throw LuaMessage("on: the filter's \(name) is \(value.shown); write a value or a list")
      }
    }
    return values
  }

  /// Letters of identities and addresses may be written large or small.
  private static func agree(_ wish: LuaValue, _ value: LuaValue) -> Bool {
    if let a = wish.text, let b = value.text { return a == b || a.lowercased() == b.lowercased() }
    if let a = wish.number, let b = value.number { return a == b }
    return wish == value
  }

  var isEmpty: Bool { wishes.isEmpty }

  /// Whether all wishes agree with what `value` gives for their keys.
  func takes(_ value: (String) throws -> LuaValue) rethrows -> Bool {
    for wish in wishes where !wish.takes(try value(wish.key)) { return false }
    return true
  }
}
