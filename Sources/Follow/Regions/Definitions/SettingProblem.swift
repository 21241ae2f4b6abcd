/// A setting that cannot be used: one sentence that says what, and one that says what is allowed.
package struct SettingProblem: Error, Equatable, CustomStringConvertible {
  /// `region 'lobby': minor without major`
  package let what: String
  /// `write ibeacon:UUID[:MAJOR[:MINOR]]`
  package let allowed: String

  package init(_ what: String, allowed: String) {
    self.what = what
    self.allowed = allowed
  }

  package var description: String { "\(what); \(allowed)" }

  /// The same problem, inside something that has a name.
  package func inside(_ place: String) -> SettingProblem {
    SettingProblem("\(place): \(what)", allowed: allowed)
  }

  /// A word that is not in a list of words.
  /// - Parameter sort: what it should have been: `kind`.
  static func unknown(_ sort: String, _ word: String, among words: [String]) -> SettingProblem {
    let guess = LikelyWord.of(word, among: words).map { " (did you mean '\($0)'?)" } ?? ""
    return SettingProblem(
      "unknown \(sort) '\(word)'\(guess)", allowed: "known are \(words.joined(separator: ", "))")
  }
}
