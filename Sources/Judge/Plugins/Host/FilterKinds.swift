import Regions

/// What the keys of a filter leave together: one that no beacon fits would wait for ever.
enum FilterKinds {
  static func check(_ wishes: [HandlerFilter.Wish], _ event: HandledEvent) throws(LuaMessage) {
    var left = event == .telemetry ? telemetry : SightingKinds.all.map(\.name)
    var isEventAlone = true
    let kindFirst = wishes.filter { $0.key == "kind" } + wishes.filter { $0.key != "kind" }
    for wish in kindFirst {
      guard let kinds = kinds(of: wish) else { continue }
      let both = left.filter(kinds.contains)
      guard !both.isEmpty else {
        let others = isEventAlone ? "telemetry is of" : "the rest of the filter leaves"
        throw LuaMessage(
          "on: \(wish.key) is of \(list(kinds)), and \(others) \(list(left)): nothing would match")
      }
      left = both
      isEventAlone = false
    }
    for wish in wishes where wish.key == "id" {
      for id in wish.values.compactMap(\.text) where !left.contains(where: { fits(id, $0) }) {
        throw LuaMessage("on: id '\(id)' will match nothing; \(forms(likely(id, left)))")
      }
    }
  }

  private static let telemetry = ["eddystone-tlm", "eddystone-etlm", "custom"]

  /// The kinds that a key leaves; nil: any.
  private static func kinds(of wish: HandlerFilter.Wish) -> [String]? {
    switch wish.key {
    case "kind": return wish.values.compactMap(\.text)
    case "company": return ["ibeacon", "altbeacon"]
    default:
      let kinds = SightingKinds.all.filter { kind in
        kind.fields.contains { $0.name == wish.key }
      }
      return kinds.isEmpty ? nil : kinds.map(\.name)
    }
  }

  private static func list(_ kinds: [String]) -> String { kinds.joined(separator: ", ") }

  // MARK: Identities

  /// By kind: how its `id` is written.
  private static let idForms = [
    "ibeacon": "UUID:MAJOR:MINOR, the UUID with hyphens", "altbeacon": "40 hexadecimal digits",
    "eddystone-uid": "NAMESPACE:INSTANCE, 20 and 12 hexadecimal digits",
    "eddystone-url": "the URL", "eddystone-tlm": "the address", "eddystone-etlm": "the address",
    "eddystone-eid": "16 hexadecimal digits", "custom": "DECODER:ID",
  ]

  /// The kind whose identity it begins as; all where it begins as none.
  private static func likely(_ id: String, _ kinds: [String]) -> [String] {
    let first = id.split(separator: ":").first.map(String.init) ?? ""
    let kind =
      FilterValues.fits(first, "uuid")
      ? "ibeacon" : FilterValues.fits(first, "namespace") ? "eddystone-uid" : ""
    return kinds.contains(kind) ? [kind] : kinds
  }

  private static func forms(_ kinds: [String]) -> String {
    let forms = kinds.compactMap { kind in idForms[kind].map { "of \(kind) it is \($0)" } }
    return forms.joined(separator: "; ")
  }

  private static func fits(_ id: String, _ kind: String) -> Bool {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    switch kind {
    case "ibeacon":
      return parts.count == 3 && parts[0].utf8.count == 36 && FilterValues.fits(parts[0], "uuid")
        && parts[1...].allSatisfy { UInt16($0).map { "\($0)" } == $0 }
    case "altbeacon": return FilterValues.isHex(id, 40)
    case "eddystone-uid":
      return parts.count == 2 && FilterValues.fits(parts[0], "namespace")
        && FilterValues.fits(parts[1], "instance")
    case "eddystone-url":
      let small = id.lowercased()
      return small.hasPrefix("http://") || small.hasPrefix("https://")
    case "eddystone-tlm", "eddystone-etlm": return FilterValues.fits(id, "address")
    case "eddystone-eid": return FilterValues.fits(id, "eid")
    default:
      // A part of another identity is hardly the name of a decoder.
      return parts.count > 1
        && !FilterValues.fits(parts[0], "uuid") && !FilterValues.fits(parts[0], "namespace")
    }
  }
}
