/// What `--experimental-dump-help` says (swift-argument-parser's ToolInfo, version 0): the parts
/// that a manual page needs.
struct ToolHelp: Decodable {
  let command: CommandHelp
}

struct CommandHelp: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool?
  let arguments: [ArgumentWords]?
  let subcommands: [CommandHelp]?

  var shownArguments: [ArgumentWords] { (arguments ?? []).filter { $0.shouldDisplay != false } }

  /// Without `help`, which says what these pages say.
  var shownSubcommands: [CommandHelp] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }
}

/// An option, a flag or an operand.
struct ArgumentWords: Decodable {
  enum Kind: String, Decodable { case positional, option, flag }

  struct Name: Decodable {
    let kind: String
    let name: String
    /// Without its first hyphen, as mdoc's `Fl` wants it.
    var afterHyphen: String { kind == "long" ? "-" + name : name }
  }

  let kind: Kind
  let shouldDisplay: Bool?
  let isOptional: Bool
  let isRepeating: Bool
  let names: [Name]?
  let valueName: String?
  let abstract: String?
  let defaultValue: String?
  let allValues: [String]?
}
