import Regions
import TrackReader

/// `NAME.test.lua` beside `NAME.lua`, loaded: the plugin's tests.
///
/// It belongs to one thread at a time.
package final class PluginTestFile {
  let plugin: PluginFile
  /// The Lua state that the tests' functions live in.
  let loaded: Plugin

  /// What a file of tests ends with.
  package static let ending = ".test.lua"

  /// - Parameters:
  ///   - path: as the user named it.
  ///   - tell: takes what the file prints.
  /// - Throws: where it, or its plugin, cannot be used; the whole sentence.
  package init(_ path: String, tell: @escaping @Sendable (String) -> Void) throws(PluginProblem) {
    do throws(TextProblem) {
      let file = try PluginFile(path: path, text: TextFile.read(path), ending: Self.ending)
      loaded = Plugin(file, .tests, tell: tell)
      plugin = try PluginFile.read(file.folder + file.name + ".lua")
    } catch {
      throw PluginProblem(error.description)
    }
    try loaded.load()
    guard !loaded.tests.isEmpty else {
      throw PluginProblem("\(path): no tests; write test \"name\" { sightings = …, alerts = … }")
    }
    // A plugin that does not load is told once, not by each of its tests.
    try Plugin(plugin, .rules, tell: { _ in }).load()
  }

  package var tests: [PluginTest] { loaded.tests }

  /// Mistakes in the plugin that `plugin check` would find, a line each; none of remarks.
  package var mistakes: [String] {
    PluginCheck.findings(in: plugin.text, .plugin).filter { $0.kind == .error }
      .map { $0.line(file: plugin.path) }
  }
}

/// What became of a test.
package struct TestOutcome: Sendable {
  /// What is not as the test says, for people; none: it holds.
  package var lines: [String] = []
  /// It could not be run as it is written: options that do not fit, a file that is missing.
  package var isUnfit = false
  /// What the plugin was told of itself, where that is no mistake the test expects: whoever reads that it
  /// holds should know it.
  package var remarks: [String] = []
  /// None of the plugin's functions was called: what the test expects says little.
  package var callsNothing = false

  package init(lines: [String] = [], isUnfit: Bool = false) {
    (self.lines, self.isUnfit) = (lines, isUnfit)
  }

  package var holds: Bool { lines.isEmpty }
}
