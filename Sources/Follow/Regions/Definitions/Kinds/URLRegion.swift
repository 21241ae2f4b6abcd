import Beacons

extension RegionKind {
  /// Exact, or by prefix where a star ends it (SEMANTICS 2).
  static let url: RegionKind = RegionKind(
    name: "url", form: "URL or BEGINNING*", example: "https://example.com/*", namesBeacons: true,
    parse: { spec throws(SettingProblem) in
      let isPrefix = spec.hasSuffix("*")
      let text = isPrefix ? String(spec.dropLast()) : spec
      guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
        throw SettingProblem(
          "URL '\(spec)' begins with neither http:// nor https://, as every Eddystone URL does",
          allowed: url.advice)
      }
      guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("*") else {
        throw SettingProblem(
          "URL '\(spec)' has characters that no Eddystone URL has",
          allowed: "write printable ASCII without spaces, and a star at the end alone")
      }
      return .text(.eddystoneURL, text, isPrefix: isPrefix)
    },
    write: { condition in
      guard case .text(.eddystoneURL, let text, let isPrefix) = condition else { return nil }
      return isPrefix ? text + "*" : text
    })
}
