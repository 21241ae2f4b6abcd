/// A page of section 1 as mdoc(7) text.
struct ManualPage {
  /// As `man` finds it: the tool's name, a hyphen, the command's.
  let name: String
  let text: String

  /// The tool's page, its commands', and theirs.
  static func all(of tool: CommandHelp, _ issue: Issue) -> [ManualPage] {
    let commands = commands(tool, [tool.commandName])
    let pages = commands.map { $0.words.joined(separator: "-") }
    let shared = HelpText(tool.discussion ?? "")
    return zip(commands, pages).map { command, name in
      var writer = PageWriter(words: command.words, issue: issue, shared: shared)
      writer.page(command.help, name: name, seeAlso: pages.filter { $0 != name })
      return ManualPage(name: name, text: writer.lines.joined(separator: "\n") + "\n")
    }
  }

  /// - Parameter words: how the command is called, from the tool's name on.
  private static func commands(_ help: CommandHelp, _ words: [String])
    -> [(help: CommandHelp, words: [String])]
  {
    [(help, words)]
      + help.shownSubcommands.flatMap { commands($0, words + [$0.commandName]) }
  }
}

/// Collects the lines of one page.
struct PageWriter {
  /// How the command is called, from the tool's name on.
  let words: [String]
  let issue: Issue
  /// Of the tool: what its exit statuses mean holds for every command that does not say its own.
  let shared: HelpText
  private(set) var lines: [String] = []

  init(words: [String], issue: Issue, shared: HelpText) {
    self.words = words
    self.issue = issue
    self.shared = shared
  }

  /// Titles of lists that have a section of their own.
  private static let sections = ["Environment", "Files", "Exit status", "Examples"]

  mutating func page(_ command: CommandHelp, name: String, seeAlso: [String]) {
    let own = HelpText(command.discussion ?? "")
    lines += [
      ".Dd \(issue.date)", ".Dt \(name.uppercased()) 1", ".Os \(words[0]) \(issue.version)",
    ]
    lines += [".Sh NAME", ".Nm \(name)", ".Nd \(Self.withoutStop(command.abstract ?? ""))"]
    synopsis(command)
    description(own)
    if !command.shownSubcommands.isEmpty { commands(command) }
    options(command)
    section("ENVIRONMENT", shared.list("Environment"), mark: "Ev")
    section("FILES", shared.list("Files"), mark: "Pa")
    let statuses = own.list("Exit status")
    section("EXIT STATUS", statuses.isEmpty ? shared.list("Exit status") : statuses, mark: nil)
    section("EXAMPLES", own.list("Examples"), mark: "Li")
    lines.append(".Sh SEE ALSO")
    lines.append(seeAlso.sorted().map { ".Xr \($0) 1" }.joined(separator: " ,\n"))
  }

  /// Every command takes these: the synopsis is easier to read without.
  private static let everywhere = ["version", "help", "h"]

  private mutating func synopsis(_ command: CommandHelp) {
    lines.append(".Sh SYNOPSIS")
    let name = [words[0]] + words.dropFirst().map { Mdoc.arguments($0) }
    lines.append(".Nm \(name.joined(separator: " "))")
    guard command.shownSubcommands.isEmpty else {
      lines.append(".Ar command ...")
      return
    }
    for argument in command.shownArguments where argument.kind != .positional {
      guard let name = argument.names?.first, !Self.everywhere.contains(name.name) else { continue }
      let value = argument.kind == .option ? " Ar \(argument.valueName ?? "value")" : ""
      lines.append(".Op Fl \(name.afterHyphen)\(value)")
    }
    for argument in command.shownArguments where argument.kind == .positional {
      let word = "Ar \(argument.valueName ?? "argument")\(argument.isRepeating ? " ..." : "")"
      lines.append(argument.isOptional ? ".Op \(word)" : ".\(word)")
    }
  }

  private mutating func description(_ text: HelpText) {
    lines.append(".Sh DESCRIPTION")
    for (place, block) in text.blocks.enumerated() {
      switch block {
      case .paragraph(let words):
        if place > 0 { lines.append(".Pp") }
        lines += Mdoc.prose(words)
      case .list(let title, let items) where !Self.sections.contains(title):
        lines += [".Pp"] + Mdoc.prose(title + ":")
        list(items, mark: nil)
      case .list: break
      }
    }
  }

  private mutating func commands(_ command: CommandHelp) {
    lines += [".Sh COMMANDS", "Each has a page of its own.", ".Bl -tag -width Ds"]
    for sub in command.shownSubcommands {
      lines.append(".It Ic \(Mdoc.arguments(sub.commandName))")
      lines += Mdoc.prose(sub.abstract ?? "")
    }
    lines.append(".El")
  }

  private mutating func options(_ command: CommandHelp) {
    lines += [".Sh OPTIONS", ".Bl -tag -width Ds"]
    for argument in command.shownArguments {
      let value = "Ar \(argument.valueName ?? "value")"
      switch argument.kind {
      case .positional: lines.append(".It \(value)")
      case .flag: lines.append(".It \(Self.names(argument))")
      case .option: lines.append(".It \(Self.names(argument)) \(value)")
      }
      lines += Mdoc.prose(argument.abstract ?? "")
      if let values = argument.allValues, !values.isEmpty {
        lines += Mdoc.prose("One of \(values.joined(separator: ", ")).")
      }
      if let value = argument.defaultValue { lines += Mdoc.prose("Without it: \(value).") }
    }
    lines.append(".El")
  }

  private static func names(_ argument: ArgumentWords) -> String {
    (argument.names ?? []).sorted { $0.name.count < $1.name.count }
      .map { "Fl \($0.afterHyphen)" }.joined(separator: " , ")
  }

  private mutating func section(_ title: String, _ items: [HelpText.Item], mark: String?) {
    guard !items.isEmpty else { return }
    lines.append(".Sh \(title)")
    list(items, mark: mark)
  }

  /// - Parameter mark: the macro that says what the terms are.
  private mutating func list(_ items: [HelpText.Item], mark: String?) {
    lines.append(".Bl -tag -width Ds")
    for item in items {
      let macro = mark.map { $0 + " " } ?? ""
      lines.append(".It \(macro)\(Mdoc.arguments(item.term))")
      lines += Mdoc.prose(item.text)
    }
    lines.append(".El")
  }

  /// `.Nd` is a phrase.
  private static func withoutStop(_ text: String) -> String {
    Mdoc.prose(text.last == "." ? String(text.dropLast()) : text).joined(separator: " ")
  }
}
