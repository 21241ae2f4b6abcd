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
    let guess = NearestWord.of(word, among: words).map { " (did you mean '\($0)'?)" } ?? ""
    return SettingProblem(
      "unknown \(sort) '\(word)'\(guess)", allowed: "known are \(words.joined(separator: ", "))")
  }
}

/// The word that somebody who mistyped may have meant.
package enum NearestWord {
  /// At most a third of its letters differ; the first of several that are equally near.
  package static func of(_ word: String, among words: [String]) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in words {
      let distance = distance(Array(word.utf8), Array(candidate.utf8))
      if distance * 3 <= max(candidate.utf8.count, 3), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// Letters to add, remove or change (Levenshtein).
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let change = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
