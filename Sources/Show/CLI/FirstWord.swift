import ArgumentParser
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
    return unknown(word, commands)
  }

  /// The same of what stands behind `help`.
  static func answer(toHelpOf words: [String], _ command: any ParsableCommand.Type) -> String? {
    guard let word = words.first(where: { !$0.hasPrefix("-") }), word != "help" else { return nil }
    let below = command.configuration.subcommands
    if let next = below.first(where: { $0.configuration.commandName == word }) {
      return answer(toHelpOf: Array(words.drop { $0 != word }.dropFirst()), next)
    }
    let names = below.compactMap { $0.configuration.commandName }
    return names.isEmpty
      ? "Unexpected argument '\(TextColumns.printable(word))': there is no command below "
        + "'\(command.configuration.commandName ?? "")'."
      : unknown(word, names)
  }

  private static func unknown(_ word: String, _ commands: [String]) -> String {
    let shown = TextColumns.printable(word)
    if let likely = LikelyWord.of(word, among: commands) {
      return "Unexpected argument '\(shown)': no such command. Did you mean '\(likely)'?"
    }
    return "Unexpected argument '\(shown)': no such command. "
      + "There are: \(commands.joined(separator: ", "))."
  }
}
