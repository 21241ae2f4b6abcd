import Regions

/// A word that is not among those that are known.
enum UnknownWord {
  /// `unknown key 'exit_aftr'; did you mean 'exit_after'?`
  static func sentence(_ sort: String, _ word: String, among words: [String]) -> String {
    if let guess = LikelyWord.of(word, among: words) {
      return "unknown \(sort) '\(word)'; did you mean '\(guess)'?"
    }
    return "unknown \(sort) '\(word)'; known are \(words.joined(separator: ", "))"
  }
}
