/// Options as other programs call them (tshark, btmon, tcpdump), and what they are here. Nothing is named that
/// the command in question does not have.
struct OptionHabits {
  /// What other programs call it.
  let names: Set<String>
  /// The options that are meant, and what to write of them.
  let meant: [(option: String, written: String)]
  /// Where a command has none of them: those that do, with the option.
  let elsewhere: [(command: String, option: String)]
  /// A clause on what that does.
  let does: String

  private static let all = [
    OptionHabits(
      names: ["-Y", "-R", "-f", "--filter", "--display-filter", "--grep"],
      meant: [("--where", "--where EXPRESSION")],
      elsewhere: [("sightings", "--where"), ("events", "--where")],
      does: "takes an expression (Wireshark's are others)"),
    OptionHabits(
      names: ["-w", "--write", "--save"],
      meant: [("--write", "--write FILE"), ("--out", "--out FILE")],
      elsewhere: [("sightings", "--write"), ("export", "--to pcapng")], does: "writes frames"),
    OptionHabits(
      names: ["-o", "--out", "--output", "--output-file", "--outfile"],
      meant: [
        ("--out", "--out FILE"), ("--report", "--report FILE (a page)"),
        ("--case", "--case FILE (a case)"),
        ("--write", "--write FILE (frames)"), ("--into", "--into FOLDER"),
      ], elsewhere: [], does: ""),
    OptionHabits(
      names: ["--html", "--page"],
      meant: [("--report", "--report FILE"), ("--out", "--out FILE")],
      elsewhere: [("analyze", "--report")], does: "writes a page"),
    OptionHabits(
      names: ["--db", "--database", "--sqlite", "--sql"], meant: [("--case", "--case FILE")],
      elsewhere: [("analyze", "--case")], does: "keeps everything in a file"),
    OptionHabits(
      names: ["-X", "--lua", "--script", "--rule", "--rules", "--plugins"],
      meant: [("--plugin", "--plugin FILE")],
      elsewhere: [("analyze", "--plugin"), ("events", "--plugin")], does: "takes rules in Lua"),
    OptionHabits(
      names: ["--since", "--start", "--begin"], meant: [("--from", "--from TIME")],
      elsewhere: [("analyze", "--from"), ("events", "--from"), ("sightings", "--from")],
      does: "takes a time"),
    OptionHabits(
      names: ["--until", "--end", "--stop"], meant: [("--to", "--to TIME")],
      elsewhere: [("analyze", "--to"), ("events", "--to"), ("sightings", "--to")],
      does: "takes a time"),
    OptionHabits(
      names: ["--tz", "--timezone", "--localtime"], meant: [("--local", "--local")],
      elsewhere: [("analyze", "--local"), ("events", "--local")],
      does: "shows times as clocks here have them"),
  ]

  private static let formats: Set = ["json", "ndjson", "csv", "text"]
  private static let reading: Set = ["-r", "-i", "--read", "--read-file", "--input", "--file"]
  private static let shapes: Set = ["-T", "-e", "-E", "--fields"]

  /// A sentence; nil where nobody is known to write that.
  static func advice(_ unknown: UnknownOption) -> String? {
    let (name, command) = (unknown.name, unknown.command)
    if reading.contains(name) { return captures(command) }
    if name == "-f" { return formatOrFilter(unknown) }
    if shapes.contains(name) { return format(nil, unknown) }
    let word = name == "--jsonl" ? "ndjson" : String(name.drop { $0 == "-" })
    if name.hasPrefix("--"), formats.contains(word) { return format(word, unknown) }
    return all.first { $0.names.contains(name) }?.advice(on: command)
  }

  private func advice(on command: DescribedCommand) -> String? {
    // `--to` of `export` is a form, and no time.
    let own = meant.filter { Self.has($0.option, command) }.map(\.written)
    guard own.isEmpty else {
      return "Write \(own.joined(separator: ", or ")).\(redirect(command))"
    }
    let others = elsewhere.map { "'\($0.command) \($0.option)'" }
    if others.isEmpty { return command.takesCaptures ? Self.standardOutput : nil }
    return "\(UnknownOption.list(others)) \(Self.plural(does, others.count))."
  }

  private static func has(_ option: String, _ command: DescribedCommand) -> Bool {
    guard let there = command[option] else { return false }
    return option != "--to" || there.valueName == "time"
  }

  /// `takes a time`, `take a time`.
  private static func plural(_ does: String, _ count: Int) -> String {
    guard count > 1, let blank = does.firstIndex(of: " ") else { return does }
    return String(does[..<blank].dropLast() + does[blank...])
  }

  private static let standardOutput = "Lines go to standard output: > FILE."

  /// Most commands write lines, too, beside what is a file's.
  private func redirect(_ command: DescribedCommand) -> String {
    names.contains("-o") && command.has("--format") ? " " + Self.standardOutput : ""
  }

  /// Others' `-f` is a filter, or a form: what stands behind it says which.
  private static func formatOrFilter(_ unknown: UnknownOption) -> String? {
    let command = unknown.command
    let values = command["--format"]?.values ?? []
    if let value = unknown.value, values.contains(value) || formats.contains(value) {
      return format(value, unknown)
    }
    guard let filter = all.first(where: { $0.names.contains("-f") }) else { return nil }
    if command.has("--where"), !values.isEmpty {
      return "Write --where EXPRESSION, or --format \(values.joined(separator: "|"))."
    }
    return [format(nil, unknown), filter.advice(on: command)].compactMap { $0 }
      .joined(separator: " ")
  }

  private static func captures(_ command: DescribedCommand) -> String? {
    if command.path.isEmpty { return "Captures stand behind a command: beacontrace analyze FILE." }
    guard command.takesCaptures else { return nil }
    return "Captures are named without an option: beacontrace \(command.path) FILE."
  }

  /// - Parameter word: the form that is wished for; nil: whichever.
  private static func format(_ word: String?, _ unknown: UnknownOption) -> String? {
    let values = unknown.command["--format"]?.values ?? []
    if let word {
      // Both are objects; which of the two a command has is how many of them it tells.
      let wanted = [word] + (word == "json" ? ["ndjson"] : word == "ndjson" ? ["json"] : [])
      if let value = wanted.first(where: values.contains) { return "Write --format \(value)." }
      let others = unknown.others().filter { command in
        command["--format"]?.values.contains(wanted[0]) == true
      }
      let there = UnknownOption.list(others.map(\.path))
      let own =
        values.isEmpty
        ? "" : " --format of \(unknown.command.words) is \(values.joined(separator: ", "))."
      let tables = word == "csv" ? "'export --to csv' writes tables. " : ""
      return others.isEmpty ? nil : tables + "--format \(wanted[0]) is an option of \(there).\(own)"
    }
    return values.isEmpty ? nil : "Write --format \(values.joined(separator: "|"))."
  }
}
