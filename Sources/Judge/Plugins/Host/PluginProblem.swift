import Regions

/// Why a plugin cannot be used: the whole sentence.
package struct PluginProblem: Error, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }

  /// Of a filter of sightings, which goes by what a beacon sends.
  static func nothingButRule(_ region: String) -> String {
    "region '\(region)' is nothing but a rule (contains), and a filter does not ask it: every sighting would "
      + "come; ask it in the handler, or wait for enter and exit"
  }

  /// The key of a test that Lua takes for the end of a loop.
  static func reservedWordHint(_ message: String, isTest: Bool) -> String {
    guard isTest, message.hasSuffix("near 'until'") else { return "" }
    return "; until is a word of Lua's own: write [\"until\"] = …"
  }
}

// What people read of an error.
extension Plugin {
  static func sentence(_ problem: LuaProblem, in plugin: Plugin) -> String {
    let hint =
      switch problem.limit {
      case .instructions: "; --set \(plugin.file.name).instructions=N allows more"
      case .memory: "; --set \(plugin.file.name).memory_mb=N allows more"
      default: ""
      }
    let message =
      problem.message + hint
      + PluginProblem.reservedWordHint(problem.message, isTest: plugin.role == .tests)
      + fieldHint(problem.message)
      + FailureHints.hint(problem.message, in: plugin.file.text, shown: plugin.shownName)
    // What `error` was given need not say where, nor what the guard and functions of Lua say.
    if ErrorLedger.hasPlace(message) { return message }
    let line = problem.traceback.first?.prefixMatch(of: /[^\n]*?\.lua:[0-9]+/)
    return "\(line.map { String($0.output) } ?? plugin.file.name): \(message)"
  }

  /// Why the file did not load, with what `plugin check` says of the line where Lua's words alone say little.
  func loadingFailed(_ problem: LuaProblem) -> String {
    let sentence = Self.sentence(problem, in: self)
    // What was thrown by itself, or from a coroutine, has no line.
    let hasPlace = sentence.contains(".lua:") || sentence.hasPrefix(file.path)
    let whole = hasPlace ? sentence : "\(file.path): \(sentence)"
    let isSyntax = problem.limit == .syntax
    guard isSyntax || sentence.contains(": attempt to ") || sentence.contains(": write ") else {
      return whole
    }
    let kind: PluginCheck.File = role == .tests ? .test : role == .site ? .site : .plugin
    let mistakes = PluginCheck.findings(in: file.text, kind).filter { $0.kind == .error }
    if isSyntax { return mistakes.first?.line(file: shownName) ?? whole }
    let own = mistakes.filter { whole.hasPrefix("\(shownName):\($0.place.line):") }
    if let mistake = own.first { return "\(whole); \(mistake.text)" }
    return mistakes.isEmpty ? whole : "\(whole); 'beacontrace plugin check \(file.path)' says more"
  }

  /// A field that was asked for by a name made while running, which no check could see.
  private static func fieldHint(_ message: String) -> String {
    guard let match = message.firstMatch(of: /has no field '([A-Za-z0-9_]+)'$/) else { return "" }
    return LikelyWord.question(String(match.output.1), among: SightingField.names + ["copy"])
  }
}
