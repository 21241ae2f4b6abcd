import Beacons

extension Region {
  /// Whose beacons it takes; nil for any other kind.
  package var decoder: String? {
    guard case .text(.custom, let text, _) = condition else { return nil }
    return text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first
      .map(String.init)
  }
}

extension RegionKind {
  /// Beacons that a plugin's decoder makes: all of one decoder, or one of them.
  static let decoder: RegionKind = RegionKind(
    name: "decoder", form: "NAME[:ID]", example: "ruuvi",
    parse: { spec throws(SettingProblem) in
      let parts = spec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard !parts[0].isEmpty, parts.count == 1 || !parts[1].isEmpty else {
        throw SettingProblem("a part of '\(spec)' is empty", allowed: decoder.advice)
      }
      return parts.count == 1
        ? .text(.custom, HexText.escaped(written: "\(parts[0]):"), isPrefix: true)
        : .text(.custom, HexText.escaped(written: spec), isPrefix: false)
    },
    write: { condition in
      guard case .text(.custom, let text, let isPrefix) = condition else { return nil }
      return isPrefix ? String(text.dropLast()) : text
    })
}
