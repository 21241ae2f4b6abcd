import Exports
import FoundationEssentials
import Regions

/// What to say when the first word is no command: the most likely first mistakes are a capture
/// without a command, and a command in another spelling.
enum FirstWord {
  /// One sentence, and what to do; nil where the word is a command or an option.
  static func answer(to word: String, commands: [String]) -> String? {
    guard !word.hasPrefix("-"), !(commands + ["help"]).contains(word) else { return nil }
    let shown = TextColumns.printable(word)
    if FileManager.default.fileExists(atPath: word) {
      return "Unexpected argument '\(shown)': a file or folder, and no command before it. "
        + "Try: beacontrace analyze \(ShellWord.quoted(word))"
    }
    if let likely = LikelyWord.of(word, among: commands) {
      return "Unexpected argument '\(shown)': no such command. Did you mean '\(likely)'?"
    }
    return "Unexpected argument '\(shown)': no such command. "
      + "There are: \(commands.joined(separator: ", "))."
  }
}
