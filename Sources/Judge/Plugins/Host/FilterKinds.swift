import Beacons
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

  /// Decoders of plugins may find telemetry, too.
  private static let telemetry = names { $0.isTelemetry || $0.kind == .custom }
  private static let ofCompanies = names { $0.company != .none }

  private static func names(_ isMeant: (any BeaconFormat.Type) -> Bool) -> [String] {
    BeaconFormats.all.filter(isMeant).map { "\($0.name)" }
  }

  /// The kinds that a key leaves; nil: any.
  private static func kinds(of wish: HandlerFilter.Wish) -> [String]? {
    switch wish.key {
    case "kind": return wish.values.compactMap(\.text)
    case "company": return ofCompanies
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
  private static let idForms = Dictionary(
    uniqueKeysWithValues: BeaconFormats.all.map { ("\($0.name)", $0.textForm) })

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
    guard let format = BeaconFormats.all.first(where: { "\($0.name)" == kind }) else {
      return false
    }
    let texts = id.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    switch format.kind {
    case .eddystoneURL:
      let small = id.lowercased()
      return small.hasPrefix("http://") || small.hasPrefix("https://")
    case .custom:
      // A part of another identity is hardly the name of a decoder.
      return texts.count > 1
        && !FilterValues.fits(texts[0], "uuid") && !FilterValues.fits(texts[0], "namespace")
    default:
      let parts = format.textParts
      if parts.count == 1 { return parts[0].fits(id) }
      return texts.count == parts.count && zip(texts, parts).allSatisfy { $1.fits($0) }
    }
  }
}

/// Regions that come to be of what is heard, where none is declared: they are named by their identity.
enum HeardRegionNames {
  /// By format: what a name is made of. Names that somebody gave may be any word.
  private static let forms = BeaconFormats.all.filter { $0.makesRegion }.map { format in
    format.levels.filter { $0.bytes.upperBound <= format.sharedBytes }
  }.filter { levels in !levels.contains { $0.form == .padded } }

  /// Whether one may be called so.
  static func has(_ name: String) -> Bool {
    name == name.lowercased() && forms.contains { Self.fits(name, $0) { $1.fits($0) } }
  }

  /// The same of names in large letters or without a UUID's hyphens.
  static func hasAlike(_ name: String) -> Bool {
    forms.contains {
      Self.fits(name, $0) { $1.form == .uuid ? FilterValues.fits($0, "uuid") : $1.fits($0) }
    }
  }

  private static func fits(
    _ name: String, _ parts: [IdentityPart], _ fits: (String, IdentityPart) -> Bool
  ) -> Bool {
    let texts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    return texts.count == parts.count && zip(texts, parts).allSatisfy(fits)
  }
}

extension IdentityPart {
  /// Whether a text may be what an identity's says of the part, small and large letters aside.
  func fits(_ text: String) -> Bool {
    switch form {
    case .uuid: text.utf8.count == 36 && FilterValues.fits(text, "uuid")
    case .number: UInt16(text).map { "\($0)" } == text
    case .hex: FilterValues.isHex(text, 2 * bytes.count)
    case .address: FilterValues.fits(text, "address")
    case .text, .name: !text.isEmpty
    case .padded: (1...bytes.count).contains(text.utf8.count) && !text.contains(":")
    }
  }
}
