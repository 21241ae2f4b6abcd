import ArgumentParser
import Exports
import FoundationEssentials
import Plugins
import TrackReader

struct PluginListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Plugins and their options: those that came with beacontrace, or a folder's.",
    usage: "beacontrace plugin list [--format <format>] [<folder>]",
    discussion: """
      Examples:
        beacontrace plugin list
            The ones that came with beacontrace; --plugin takes their names.
        beacontrace plugin list --format json rules
            Those in a folder, for a program.
      """)

  @Argument(
    help: ArgumentHelp("Whose plugins; without it those that came along.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  func run() throws {
    guard let place = folder ?? PluginShelf.folder else {
      Terminal.tell("beacontrace: no plugins came with this program; name a folder with some.")
      throw ExitCode.validationFailure
    }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), isFolder else {
      let name = TextColumns.printable(place)
      Terminal.tell(
        isFolder || !FileManager.default.fileExists(atPath: place)
          ? "beacontrace: there is no folder \(name)."
          : "beacontrace: \(name) is a file; name the folder that it lies in.")
      throw ExitCode.validationFailure
    }
    let paths = PluginShelf.plugins(
      in: place.count > 1 && place.hasSuffix("/") ? String(place.dropLast()) : place)
    guard !paths.isEmpty else {
      Terminal.tell(
        "beacontrace: \(TextColumns.printable(place)): no plugins (files NAME.lua) in this folder.")
      throw ExitCode.validationFailure
    }
    var hasProblem = false
    var plugins: [PluginLine] = []
    for path in paths {
      do {
        plugins.append(try PluginLine(path))
      } catch {
        hasProblem = true
        Terminal.tell("beacontrace: \(TextColumns.printable("\(error)"))")
      }
    }
    switch format {
    case .text: try write(PluginLine.text(plugins))
    case .json: try PluginLine.json(plugins)
    }
    if hasProblem { throw ExitCode.validationFailure }
  }
}

/// What a list tells of a plugin.
private struct PluginLine {
  let path: String
  let name: String
  let sha256: String
  let declared: Declarations

  init(_ path: String) throws {
    let file = try PluginFile.read(path)
    let host = try PluginHost([(file, false)], tell: PluginOptions.toTerminal)
    self.path = path
    name = file.name
    sha256 = file.sha256
    declared = host.declarations[0]
  }

  // MARK: For people

  /// Options whose name or default is longer have their help on a line below.
  private static let widest = 20

  static func text(_ plugins: [PluginLine]) -> [String] {
    let options = plugins.flatMap(\.declared.options)
    let fitting = options.filter {
      TextColumns.printable($0.name).columns <= widest
        && TextColumns.printable($0.shownInitial).columns <= widest
    }
    let widths = [
      fitting.map { TextColumns.printable($0.name).columns }.max() ?? 0,
      options.map(\.kind.rawValue.count).max() ?? 0,
      fitting.map { TextColumns.printable($0.shownInitial).columns }.max() ?? 0,
    ]
    let column = widths.reduce(0, +) + 10
    var lines: [String] = []
    for plugin in plugins {
      if !lines.isEmpty { lines.append("") }
      let version = plugin.declared.version.isEmpty ? "" : " \(plugin.declared.version)"
      lines.append(TextColumns.printable(plugin.name + version))
      let about = plugin.declared.about
      lines += TextLayout.wrap(
        about.isEmpty ? "(says nothing of itself)" : TextColumns.printable(about), indent: 2)
      for option in plugin.declared.options {
        let cells = [option.name, option.kind.rawValue, option.shownInitial]
        let head = zip(cells, widths).map { TextColumns.left(TextColumns.printable($0), $1) }
          .joined(separator: "  ")
        let words = TextLayout.wrap(TextColumns.printable(option.explained), indent: column)
        if head.columns + 6 <= column {
          lines.append("    \(head)  \(words.first?.dropFirst(column) ?? "")".trimmedEnd)
          lines += words.dropFirst()
        } else {
          lines.append("    \(head)".trimmedEnd)
          lines += words
        }
      }
    }
    return lines
  }

  // MARK: For programs

  static func json(_ plugins: [PluginLine]) throws {
    var json = JSONWriter(StandardOutput(), lineDepth: 2)
    try json.array { json in
      for plugin in plugins {
        try json.object { json in
          json.key("name")
          json.string(plugin.name)
          json.key("version")
          json.string(plugin.declared.version.isEmpty ? nil : plugin.declared.version)
          json.key("about")
          json.string(plugin.declared.about.isEmpty ? nil : plugin.declared.about)
          json.key("file")
          json.string(plugin.path)
          json.key("sha256")
          json.string(plugin.sha256)
          json.key("options")
          try json.array { json in
            for option in plugin.declared.options { try option.write(to: &json) }
          }
        }
      }
    }
    try json.finish()
  }
}

extension OptionDeclaration {
  fileprivate var shownInitial: String { initialText.isEmpty ? "''" : initialText }

  fileprivate var explained: String {
    let choices = choiceTexts.isEmpty ? "" : " (\(choiceTexts.joined(separator: ", ")))"
    return help + choices
  }

  fileprivate func write(to json: inout JSONWriter) throws {
    try json.object { json in
      json.key("name")
      json.string(name)
      json.key("type")
      json.string(kind.rawValue)
      json.key("default")
      json.string(initialText)
      for (key, bound) in [("min", least), ("max", most)] {
        guard let bound else { continue }
        json.key(key)
        json.raw { $0.text(of: "\(Int(exactly: bound).map { "\($0)" } ?? "\(bound)")") }
      }
      if !choiceTexts.isEmpty {
        json.key("choices")
        try json.array { json in
          for choice in choiceTexts { json.string(choice) }
        }
      }
      json.key("help")
      json.string(help)
    }
  }
}

extension String {
  /// Without blanks at its end.
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
