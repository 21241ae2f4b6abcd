import ArgumentParser

/// Options that take one value, and were given two: the parser takes the last one and says nothing, so that
/// a file that was asked for would never be written.
enum RepeatedOptions {
  /// What is wrong, a sentence; nil where nothing is.
  /// - Parameter words: behind the command's name, as they were given.
  static func problem(_ words: [String], of command: any ParsableCommand.Type) -> String? {
    let given = names(in: words)
    // What the parser says of a command costs milliseconds: not asked for where no option can stand twice.
    guard Set(given).count < given.count || given.contains(where: { !$0.hasPrefix("--") }),
      given.count > 1
    else { return nil }
    for option in DescribedCommand(command, path: "").arguments
    where option.takesValue && !option.isRepeating {
      let names = option.names.map(\.text)
      guard given.count(where: names.contains) > 1 else { continue }
      let name = names.first { $0.hasPrefix("--") } ?? names[0]
      return "\(name) is given twice, and takes one value. \(advice(name))"
    }
    return nil
  }

  private static func advice(_ name: String) -> String {
    name == "--interface"
      ? "bluetooth-monitor hears all controllers at once: -i bluetooth-monitor."
      : "Leave one of them out."
  }

  /// The options that stand there, `--write` or `-w`, without what is joined to them. An option's value
  /// never begins with a dash.
  private static func names(in words: [String]) -> [String] {
    words.prefix { $0 != "--" }.flatMap { word -> [String] in
      let name = word.prefix { $0 != "=" }
      if name.hasPrefix("--") { return [String(name)] }
      guard name.hasPrefix("-"), name.count > 1 else { return [] }
      return name.dropFirst().map { "-\($0)" }
    }
  }
}
