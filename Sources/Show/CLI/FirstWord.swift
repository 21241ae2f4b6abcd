import Exports
import FoundationEssentials

/// What to say when the first word is no command: the most likely first mistakes are a capture
/// without a command, and a command in another spelling.
enum FirstWord {
  /// One sentence, and what to do; nil where the word is a command or an option.
  static func answer(to word: String, commands: [String]) -> String? {
    guard !word.hasPrefix("-"), !(commands + ["help"]).contains(word) else { return nil }
    let shown = TextColumns.printable(word)
    if FileManager.default.fileExists(atPath: word) {
      return "Unexpected argument '\(shown)': a file or folder, and no command before it. "
        + "Try: beacontrace analyze \(shown)"
    }
    let near = commands.filter { distance($0, word) <= 2 }
    if let best = near.min(by: { distance($0, word) < distance($1, word) }) {
      return "Unexpected argument '\(shown)': no such command. Did you mean '\(best)'?"
    }
    return "Unexpected argument '\(shown)': no such command. "
      + "There are: \(commands.joined(separator: ", "))."
  }

  /// Letters to change, add or take away (Levenshtein).
  private static func distance(_ a: String, _ b: String) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let best = min(row[j] + 1, row[j + 1] + 1, diagonal + (letter == other ? 0 : 1))
        (diagonal, row[j + 1]) = (row[j + 1], best)
      }
    }
    return row[b.count]
  }
}
