import ArgumentParser
import FoundationEssentials

/// What the parser says of a command, as far as it matters here. It costs milliseconds: only asked for where
/// something is to be said.
struct DescribedCommand {
  /// Its words behind the program's name, such as `case query`; empty of the program itself.
  let path: String
  let arguments: [Argument]

  init(_ command: any ParsableCommand.Type, path: String) {
    self.path = path
    let described = try? JSONDecoder().decode(Whole.self, from: Data(command._dumpHelp().utf8))
    arguments = described?.command.arguments ?? []
  }

  /// The option or flag of that name, `--write` or `-w`.
  subscript(name: String) -> Argument? {
    arguments.first { $0.names.contains { $0.text == name } }
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  var takesCaptures: Bool {
    arguments.contains { $0.kind == "positional" && $0.valueName == "capture" }
  }

  struct Argument: Decodable {
    let kind: String
    let isRepeating: Bool
    let names: [Name]
    let valueName: String?
    /// The words that it takes; empty where it takes others, too.
    let values: [String]

    var takesValue: Bool { kind == "option" }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      kind = try container.decode(String.self, forKey: .kind)
      isRepeating = try container.decode(Bool.self, forKey: .isRepeating)
      names = try container.decodeIfPresent([Name].self, forKey: .names) ?? []
      valueName = try container.decodeIfPresent(String.self, forKey: .valueName)
      values = try container.decodeIfPresent([String].self, forKey: .allValues) ?? []
    }

    private enum Keys: String, CodingKey { case kind, isRepeating, names, valueName, allValues }
  }

  struct Name: Decodable {
    let kind: String
    let name: String

    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  private struct Whole: Decodable {
    struct Command: Decodable {
      let arguments: [Argument]?
    }

    let command: Command
  }
}
