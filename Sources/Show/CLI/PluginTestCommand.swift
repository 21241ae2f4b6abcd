import ArgumentParser
import Exports
import FoundationEssentials
import Plugins
import TrackReader

struct PluginTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the tests beside plugins.",
    usage: "beacontrace plugin test [--format <format>] <file> ...",
    discussion: """
      The tests of NAME.lua stand in NAME.test.lua beside it. Each runs the plugin over sightings, \
      or over a capture, and compares the alerts. Mistakes that 'plugin check' would find in the \
      plugin count as a test that does not hold.

      Examples:
        beacontrace plugin test night-visit.lua
            The tests in night-visit.test.lua.
        beacontrace plugin test --format tap rules > rules.tap
            All tests in a folder, for a program.
        beacontrace plugin test low-battery
            Those of a plugin that came with beacontrace.

      Exit status:
        0   all tests hold
        1   a test does not
        64  a file, or a test in it, cannot be used as it is written
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, tap }

  @Argument(
    help: ArgumentHelp(
      "Plugins, files of tests, folders, or names of plugins that came with beacontrace.",
      valueName: "file"),
    completion: .file(extensions: ["lua"]))
  var files: [String]

  @Option(help: "For people, or as TAP (testanything.org).")
  var format = Format.text

  func run() throws {
    var report = PluginTestReport(format)
    for word in files {
      let paths: [String]
      do throws(TextProblem) {
        paths = try Self.testFiles(word)
      } catch {
        report.refuse(error.description)
        continue
      }
      for path in paths { try Self.run(path, &report) }
      for file in Self.untested(word) { report.noteUntested(file) }
    }
    try report.finish()
  }

  private static func run(_ path: String, _ report: inout PluginTestReport) throws {
    let file: PluginTestFile
    do throws(PluginProblem) {
      file = try PluginTestFile(path) { Terminal.tell(TextColumns.printable($0)) }
    } catch {
      report.refuse(inFolder(error.description, path))
      return
    }
    try report.begin(path)
    for test in file.tests { try report.add(test.name, file.run(test)) }
    let mistakes = file.mistakes
    if !mistakes.isEmpty { try report.add("plugin check", TestOutcome(lines: mistakes)) }
  }

  /// Sentences begin with the file's name alone; of several folders that does not say which one it is.
  private static func inFolder(_ sentence: String, _ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), path[...slash] != "./" else { return sentence }
    let name = path[path.index(after: slash)...]
    return sentence.hasPrefix(name) ? path[...slash] + sentence : sentence
  }

  /// Plugins of a folder that have no file of tests; modules have none.
  private static func untested(_ word: String) -> [String] {
    guard let files = try? PluginShelf.luaFiles(word) else { return [] }
    return files.filter { file in
      guard !file.hasSuffix(PluginTestFile.ending),
        !files.contains(file.dropLast(4) + PluginTestFile.ending)
      else { return false }
      return (try? TextFile.read(file)).map { !PluginCheck.isModule($0) } ?? true
    }
  }

  /// The file of tests that a word means; of a folder all of them, by name.
  private static func testFiles(_ word: String) throws(TextProblem) -> [String] {
    if let paths = try PluginShelf.luaFiles(word, ending: PluginTestFile.ending) { return paths }
    if word.hasSuffix(PluginTestFile.ending) { return [word] }
    let path = try PluginShelf.path(of: word)
    let tests = (path.hasSuffix(".lua") ? String(path.dropLast(4)) : path) + PluginTestFile.ending
    if FileManager.default.fileExists(atPath: path), !FileManager.default.fileExists(atPath: tests)
    {
      throw TextProblem(
        .cannotOpen, file: tests,
        "is not there: the tests of \(path) stand in it; begin it with test \"name\" { sightings = …, alerts = … } "
          + "('beacontrace plugin docs test'); 'plugin new' writes one beside a new plugin")
    }
    return [tests]
  }
}

/// Lines about tests, one as soon as it has run, and what they come to.
struct PluginTestReport {
  private let format: PluginTestCommand.Format
  private var held = 0
  private var failed = 0
  /// Files or tests that cannot be used.
  private var unfit = 0
  /// What plugins were told of themselves in tests of this file: each once.
  private var remarked: Set<String> = []

  init(_ format: PluginTestCommand.Format) { self.format = format }

  /// A file cannot be used: told at once, the others still run.
  mutating func refuse(_ sentence: String) {
    unfit += 1
    Terminal.tell("beacontrace: \(TextColumns.printable(sentence))")
  }

  /// A plugin has no tests: told, and no failure.
  func noteUntested(_ path: String) {
    Terminal.tell("beacontrace: \(TextColumns.printable(path)) has no tests")
  }

  mutating func begin(_ path: String) throws {
    remarked = []
    try write([(format == .tap ? "# " : "") + TextColumns.printable(path)])
  }

  mutating func add(_ name: String, _ outcome: TestOutcome) throws {
    if outcome.holds { held += 1 } else { failed += 1 }
    if outcome.isUnfit { unfit += 1 }
    let name = TextColumns.printable(name)
    // A tab parts what print was given, as in other commands.
    var remarks = outcome.remarks.filter { remarked.insert($0).inserted }
    if outcome.callsNothing {
      remarks.append("remark: no function of the plugin was called in it, but for start and finish")
    }
    let lines = (outcome.lines + remarks).map {
      TextColumns.printable(
        $0.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "  "))
    }
    switch format {
    case .text:
      try write(["  \(outcome.holds ? "ok  " : "FAIL")  \(name)"] + lines.map { "    \($0)" })
    case .tap:
      // A '#' would begin a directive.
      let word = outcome.holds ? "ok" : "not ok"
      let title = name.split(separator: "#", omittingEmptySubsequences: false).joined(
        separator: "\\#")
      try write(["\(word) \(held + failed) - \(title)"] + lines.map { "# \($0)" })
    }
  }

  /// The summary, and the exit status.
  func finish() throws {
    let count = held + failed
    switch format {
    case .text where count > 0:
      let tests = count == 1 ? "1 test" : "\(count) tests"
      let verdict = count == 1 ? "holds" : "all hold"
      try write([failed == 0 ? "\(tests), \(verdict)" : "\(tests), \(failed) failed"])
    case .text: break
    case .tap: try write(["1..\(count)"])
    }
    if unfit > 0 { throw ExitCode.validationFailure }
    if failed > 0 { throw ExitCode.failure }
  }
}
