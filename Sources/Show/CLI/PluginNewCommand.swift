import ArgumentParser
import Exports
import FoundationEssentials
import Plugins
import TrackReader

struct PluginNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a template of a plugin and its test into this folder.",
    usage: "beacontrace plugin new <name>",
    discussion: """
      Writes NAME.lua, NAME.test.lua and, where there is none, .luarc.json, which lets editors \
      complete and explain what plugins can name. Nothing is overwritten.

      Examples:
        beacontrace plugin new night-visit
            night-visit.lua and night-visit.test.lua.
      """)

  @Argument(
    help: ArgumentHelp(
      "What the plugin is called: letters, digits, - and _.", valueName: "name"))
  var name: String

  func validate() throws {
    do {
      guard !name.contains("/"), !name.hasSuffix(".lua") else {
        throw TextProblem(
          .badSetting, file: name, "a plugin's name has letters, digits, - and _ alone")
      }
      _ = try PluginFile(path: name + ".lua", text: [])
    } catch let problem as TextProblem {
      throw ValidationError(TextColumns.printable(problem.description))
    }
  }

  func run() throws {
    let template = PluginTemplate(name: name)
    var files = [("\(name).lua", template.plugin), ("\(name).test.lua", template.test)]
    for (file, _) in files where FileManager.default.fileExists(atPath: file) {
      Terminal.tell(
        "beacontrace: \(file) is there already; nothing was written. Take another name.")
      throw ExitCode.validationFailure
    }
    if let folder = PluginShelf.folder, !FileManager.default.fileExists(atPath: ".luarc.json") {
      files.append((".luarc.json", ReferenceText.editorSettings(types: folder + "/types")))
    }
    for (file, text) in files { try Self.write(text, to: file) }
    var lines = ["Written: \(files.map(\.0).joined(separator: ", "))"]
    if PluginShelf.isHidden(name) {
      lines += [
        "", "A plugin of this name comes along with beacontrace:",
        "--plugin \(name) means that one,", "--plugin ./\(name).lua this file.",
      ]
    }
    lines += [
      "", "Next:", "  beacontrace plugin check \(Self.word(name))",
      "  beacontrace plugin test \(Self.word(name))",
      "  beacontrace analyze --plugin ./\(name).lua CAPTURE",
    ]
    try CLI.write(lines)
  }

  /// What begins like an option is none behind its folder.
  private static func word(_ name: String) -> String {
    (name.hasPrefix("-") ? "./" : "") + name + ".lua"
  }

  private static func write(_ text: String, to file: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: file), options: .withoutOverwriting)
    } catch {
      Terminal.tell("beacontrace: \(file) cannot be written: is this folder writable?")
      throw ExitStatus.output
    }
  }
}
