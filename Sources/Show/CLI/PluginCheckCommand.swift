import ArgumentParser
import CaptureWriter
import Exports
import FoundationEssentials
import Plugins
import TrackReader

struct PluginCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Looks for mistakes in plugins, without running them over anything.",
    usage: "beacontrace plugin check [--site] <file> ...",
    discussion: """
      Finds what is no Lua, names and fields that do not exist, events, keys and options that are \
      written wrongly; then loads the file, as a run would. Files of tests can be checked, too.

      Examples:
        beacontrace plugin check night-visit.lua night-visit.test.lua
            A plugin and its tests.
        beacontrace plugin check rules
            All plugins and tests in a folder.
        beacontrace plugin check --site museum.lua
            A file for --site, which must not have rules.

      Exit status:
        0   no mistakes; there may be remarks
        1   there are mistakes
        64  a file cannot be read
      """)

  @Argument(
    help: ArgumentHelp(
      "Plugins, files of tests, folders, or names of plugins that came with beacontrace.",
      valueName: "file"),
    completion: .file(extensions: ["lua"]))
  var files: [String]

  @Flag(name: .customLong("site"), help: "The files are for --site.")
  var isSite = false

  func run() throws {
    var hasMistakes = false
    var isUnreadable = false
    for word in files {
      do {
        for path in try PluginShelf.luaFiles(word) ?? [PluginShelf.path(of: word)] {
          let lines = try Self.mistakes(path, isSite: isSite)
          hasMistakes = hasMistakes || lines.hasMistakes
          try write(lines.text.map { TextColumns.printable($0) })
        }
      } catch let problem as TextProblem {
        isUnreadable = true
        Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
      }
    }
    if isUnreadable { throw ExitCode.validationFailure }
    if hasMistakes { throw ExitCode.failure }
  }

  /// Lines about a file; at least one.
  private static func mistakes(_ path: String, isSite: Bool) throws
    -> (text: [String], hasMistakes: Bool)
  {
    // It is read twice, and a pipe is waited for.
    if DiskFile.isStream(path) {
      throw TextProblem(.cannotOpen, file: path, "is a pipe or a device, no file")
    }
    let isTests = path.hasSuffix(PluginTestFile.ending)
    let text = try TextFile.read(path)
    let findings = PluginCheck.findings(in: text, isTests ? .test : isSite ? .site : .plugin)
    let lines = findings.map { $0.line(file: path) }
    // What does not hold on paper would only be said again.
    if findings.contains(where: { $0.kind == .error }) { return (lines, true) }
    var remarks: [String] = []
    do throws(PluginProblem) {
      if isTests {
        _ = try PluginTestFile(path, tell: PluginOptions.toTerminal)
      } else if try load(path, isSite).isIdle, !PluginCheck.isModule(text) {
        remarks = ["\(path): remark: \(PluginCheck.nothing(isSite ? .site : .plugin))"]
      }
    } catch {
      return (lines + [error.description], true)
    }
    let all = lines + remarks
    return (all.isEmpty ? ["\(path): nothing wrong"] : all, false)
  }

  private static func load(_ path: String, _ isSite: Bool) throws(PluginProblem) -> PluginHost {
    let file: PluginFile
    do throws(TextProblem) {
      file = try PluginFile.read(path)
    } catch {
      throw PluginProblem(error.description)
    }
    return try PluginHost([(file, isSite)], tell: PluginOptions.toTerminal)
  }
}
