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

  /// The same of a word behind a command that has commands below it, such as `case`.
  /// - Returns: a sentence, and the command whose help tells more; nil where the word is one of them.
  static func answer(below words: [String], _ program: any ParsableCommand.Type) -> (
    String, path: String
  )? {
    guard let first = words.first,
      let command = program.configuration.subcommands.first(where: {
        $0.configuration.commandName == first
      })
    else { return nil }
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.isEmpty, let word = words.dropFirst().first, !word.hasPrefix("-"),
      !names.contains(word)
    else { return nil }
    guard FileManager.default.fileExists(atPath: word), let usual = usual[first] else {
      return (unknown(word, names), first)
    }
    return (
      "Unexpected argument '\(TextColumns.printable(word))': a file or folder, and no command before it. "
        + "Try: beacontrace \(first) \(usual) \(ShellWord.quoted(word))", first
    )
  }

  /// What is done with a file first.
  private static let usual = ["case": "info", "plugin": "check"]

  private static func unknown(_ word: String, _ commands: [String]) -> String {
    let shown = TextColumns.printable(word)
    if let likely = LikelyWord.of(word, among: commands) {
      return "Unexpected argument '\(shown)': no such command. Did you mean '\(likely)'?"
    }
    return "Unexpected argument '\(shown)': no such command. "
      + "There are: \(commands.joined(separator: ", "))."
  }
}
