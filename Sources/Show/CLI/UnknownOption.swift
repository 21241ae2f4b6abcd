import ArgumentParser
import Exports
import Regions

/// What to say of an option that a command does not have: named before all else that may be wrong with the
/// words, with what people who write it mean.
struct UnknownOption {
  /// As it was written, without what is joined to it.
  let name: String
  /// What is joined to it, or stands behind it; nil where nothing does.
  let value: String?
  /// The command that does not have it.
  let command: DescribedCommand
  /// A command that stands behind the option, where there should be none.
  private let next: String?
  /// All commands that take options, in the order of the help; asked for when they are needed.
  let others: () -> [DescribedCommand]

  /// - Parameter words: behind the program's name.
  /// - Returns: nil where each of them is known, or the help is asked for.
  init?(in words: [String], of program: any ParsableCommand.Type) {
    guard !words.contains(where: Self.answered.contains) else { return nil }
    var (type, path, rest) = (program, [String](), words[...])
    while let word = rest.first,
      let next = type.configuration.subcommands.first(where: {
        $0.configuration.commandName == word
      })
    {
      (type, rest) = (next, rest.dropFirst())
      path.append(word)
    }
    let command = DescribedCommand(type, path: path.joined(separator: " "))
    let names = type.configuration.subcommands.compactMap { $0.configuration.commandName }
    next = rest.first(where: names.contains)
    guard let (name, value) = Self.unknown(rest, to: command) else { return nil }
    (self.name, self.value) = (name, value)
    self.command = command
    others = { Self.all(below: program, path: "") }
  }

  /// What the parser answers whatever else stands there.
  private static let answered: Set = [
    "--help", "-h", "--help-hidden", "--version", "--experimental-dump-help",
    "--generate-completion-script",
  ]

  private static func unknown(_ words: ArraySlice<String>, to command: DescribedCommand)
    -> (name: String, value: String?)?
  {
    // What stands behind an option that takes a value is its value, or the parser says that it has none.
    var isValue = false
    let words = words.prefix { $0 != "--" }
    for (place, word) in zip(words.indices, words) {
      let name = String(word.prefix { $0 != "=" })
      guard !isValue, word.hasPrefix("-"), word.count > 1, !name.contains(" ") else {
        isValue = false
        continue
      }
      let letters = name.hasPrefix("--") ? [name] : name.dropFirst().map { "-\($0)" }
      guard letters.allSatisfy(command.has) else {
        let joined = name == word ? nil : String(word.dropFirst(name.count + 1))
        return (name, joined ?? words[(place + 1)...].first)
      }
      isValue = command[letters.last ?? name]?.takesValue == true && name == word
    }
    return nil
  }

  private static func all(below type: any ParsableCommand.Type, path: String) -> [DescribedCommand]
  {
    type.configuration.subcommands.flatMap { next in
      let name = next.configuration.commandName ?? ""
      let path = path.isEmpty ? name : "\(path) \(name)"
      return next.configuration.subcommands.isEmpty
        ? [DescribedCommand(next, path: path)] : all(below: next, path: path)
    }
  }

  /// `Unknown option '--json'. Write --format json.`
  var text: String {
    let sentences = ["Unknown option '\(TextColumns.printable(name))'.", advice].compactMap { $0 }
    return sentences.joined(separator: " ")
  }

  private var advice: String? {
    next.map { next in
      let path = command.path.isEmpty ? next : "\(command.path) \(next)"
      return "Options stand behind the command: beacontrace \(path) --help."
    }
      ?? oneHyphenLess ?? OptionHabits.advice(self) ?? optionOfOthers
      ?? likely.map { "Did you mean '\($0)'?" }
  }

  private var optionOfOthers: String? {
    guard name.hasPrefix("--") else { return nil }
    let names = others().filter { $0.has(name) }.map(\.path)
    return names.isEmpty
      ? nil : "It is an option of \(Self.list(names)), not of \(command.words)."
  }

  /// `events, live and replay`.
  static func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
  }

  /// `-report`
  private var oneHyphenLess: String? {
    !name.hasPrefix("--") && name.count > 2 && command.has("-\(name)")
      ? "Did you mean '-\(name)'?" : nil
  }

  /// Without the dashes, which are alike in all of them.
  private var likely: String? {
    guard name.hasPrefix("--") else { return nil }
    let names = command.arguments.flatMap { $0.names.map(\.text) }.filter { $0.hasPrefix("--") }
    return LikelyWord.of(String(name.dropFirst(2)), among: names.map { String($0.dropFirst(2)) })
      .map { "--\($0)" }
  }
}

extension DescribedCommand {
  /// As a sentence names it.
  var words: String { path.isEmpty ? "beacontrace itself" : "'\(path)'" }
}
