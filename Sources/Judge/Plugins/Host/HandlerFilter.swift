import Beacons
import FrameDecoder
import Regions

/// What a handler wants to hear of: every key has to agree, with one of its values.
struct HandlerFilter: Sendable, Equatable {
  /// A key, and what it may be.
  struct Wish: Sendable, Equatable {
    let key: String
    let values: [LuaValue]
    /// The values of `address` and of `kind`: these are asked of every transmitter, without a text.
    private let addresses: [UInt64]
    private let kinds: Set<BeaconKind>

    init(key: String, values: [LuaValue]) {
      self.key = key
      // Names from decoders stand in ids as they are shown.
      self.values =
        key == "id"
        ? values.map { $0.text.map { .text(HexText.escaped(written: $0)) } ?? $0 } : values
      let texts = values.compactMap(\.text)
      addresses = key == "address" ? texts.compactMap { try? SettingText.address($0, key) } : []
      kinds = key == "kind" ? Set(texts.flatMap(Self.kinds)) : []
    }

    func takes(_ address: DeviceAddress) -> Bool {
      address.isPresent && addresses.contains(address.address)
    }

    func takes(_ kind: BeaconKind) -> Bool { kinds.contains(kind) }

    func takes(_ value: LuaValue) -> Bool {
      if HandlerFilter.keysWithHyphens.contains(key), let text = value.text {
        let plain = Self.digits(text)
        return values.contains { $0.text.map(Self.digits) == plain }
      }
      let ignoresCase = HandlerFilter.keysOfDigits.contains(key)
      return values.contains { HandlerFilter.agree($0, value, ignoresCase: ignoresCase) }
    }

    private static func kinds(_ name: String) -> [BeaconKind] {
      BeaconFormats.all.filter { "\($0.name)" == name }.map { $0.kind }
    }

    private static func digits(_ text: String) -> String {
      text.filter { $0 != "-" }.lowercased()
    }
  }

  private(set) var wishes: [Wish] = []

  /// Of what a sighting's transmitter is known by.
  static let sightingKeys =
    [
      "kind", "region", "id", "address", "address_type", "company", "observer", "device",
    ] + SightingField.identity + SightingKinds.otherParts.map(\.name)

  /// - Parameter value: a region's name, a table, or nothing.
  init(_ value: LuaValue, _ event: HandledEvent) throws(LuaMessage) {
    switch value {
    case .none: return
    case .bytes:
      guard Self.keys(of: event).contains("region") else {
        throw LuaMessage("on: '\(event.rawValue)' is not about a region; nothing would match")
      }
      // What an option leaves open.
      if value.text != "" { wishes = [Wish(key: "region", values: [value])] }
    case .table(let table):
      guard !table.pairs.isEmpty else {
        throw LuaMessage(
          "on: the filter is an empty table; what is nil is not there, and a misspelt name is nil, too. Leave it "
            + "out to hear of all")
      }
      let keys = Self.keys(of: event)
      for (key, value) in table.pairs {
        guard let name = key.text else {
          throw LuaMessage("on: \(key.shown) is no key of a filter; write name = value")
        }
        guard keys.contains(name) else {
          throw LuaMessage("on: " + UnknownWord.sentence("key of a filter", name, among: keys))
        }
        // What an option leaves open.
        if name == "region", value.text == "" { continue }
        let values = try Self.values(value, name)
        for value in values {
          try FilterValues.check(value, name, isOfBeacon: !Self.isOfMessage(event))
        }
        wishes.append(Wish(key: name, values: values))
      }
      if Self.isAboutBeacons(event) { try FilterKinds.check(wishes, event) }
    default:
      throw LuaMessage(
        "on: a filter is the name of a region or a table, not \(value.shown)")
    }
  }

  /// What an event can be filtered by: a key that it never has would match nothing.
  private static func keys(of event: HandledEvent) -> [String] {
    guard !event.isSighting, let fields = Reference.event(event.rawValue)?.fields else {
      return sightingKeys
    }
    var names = Set(fields.map(\.name))
    if names.contains("transmitter") {
      names.formUnion(SightingFields.transmitter.map(\.name))
    }
    if names.contains("message") { names.formUnion(["namespace", "type"]) }
    return (Reference.record("filter")?.fields ?? []).map(\.name).filter(names.contains)
  }

  private static func isAboutBeacons(_ event: HandledEvent) -> Bool {
    guard !event.isSighting else { return true }
    let names = Reference.event(event.rawValue)?.fields.map(\.name) ?? []
    return names.contains("transmitter") && !names.contains("message")
  }

  private static func isOfMessage(_ event: HandledEvent) -> Bool {
    Reference.event(event.rawValue)?.fields.contains { $0.name == "message" } == true
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

  /// What is written in hexadecimal digits, large or small; in names and URLs letters differ.
  private static let keysOfDigits: Set<String> = [
    "id", "address", "namespace", "instance", "eid",
  ]

  /// What may be written with hyphens or without.
  private static let keysWithHyphens: Set<String> = ["uuid", "id1"]

  private static func agree(_ wish: LuaValue, _ value: LuaValue, ignoresCase: Bool) -> Bool {
    if let a = wish.text, let b = value.text {
      return a == b || (ignoresCase && a.lowercased() == b.lowercased())
    }
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
