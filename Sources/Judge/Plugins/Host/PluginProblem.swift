import Regions

/// Why a plugin cannot be used: the whole sentence.
package struct PluginProblem: Error, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
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
      problem.message + hint + reservedWordHint(problem.message, in: plugin)
      + fieldHint(problem.message)
    // What `error` was given need not say where, nor what the guard says.
    return ErrorLedger.hasPlace(message) ? message : "\(plugin.file.name): \(message)"
  }

  /// A field that was asked for by a name made while running, which no check could see.
  private static func fieldHint(_ message: String) -> String {
    guard let match = message.firstMatch(of: /has no field '([A-Za-z0-9_]+)'$/) else { return "" }
    return LikelyWord.question(String(match.output.1), among: SightingField.names + ["copy"])
  }

  /// The key of a test that Lua takes for the end of a loop.
  private static func reservedWordHint(_ message: String, in plugin: Plugin) -> String {
    guard plugin.role == .tests, message.hasSuffix("near 'until'") else { return "" }
    return "; until is a word of Lua's own: write [\"until\"] = …"
  }
}
