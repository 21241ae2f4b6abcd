import CLuaGuard
import Foundation
import LuaTrial

/// One program within the guard, and how it ended.
struct Trial {
  let opened: Bool
  let status: guard_status
  let printed: String
  let message: String
  let traceback: String
  let allocations: UInt64
  /// How often each limit stopped it.
  let counts: [UInt64]

  init(
    _ program: String, name: String = "rule.lua", sightings: Int32 = 0,
    limits: guard_limits = lua_trial_limits()
  ) {
    var trial = lua_trial_run(program, name, limits, sightings)
    defer { lua_trial_free(&trial) }
    opened = trial.opened
    status = trial.status
    printed = trial.printed.map { String(cString: $0) } ?? ""
    message = trial.message.map { String(cString: $0) } ?? ""
    traceback = trial.traceback.map { String(cString: $0) } ?? ""
    allocations = trial.allocations
    counts = withUnsafeBytes(of: &trial.counts) { Array($0.bindMemory(to: UInt64.self)) }
  }

  /// Lines of what was printed.
  var lines: [String] {
    printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// What a plain Lua makes of the same program.
  static func stock(_ program: String) -> String {
    guard let text = lua_stock_run(program) else { return "" }
    defer { free(text) }
    return String(cString: text)
  }

  /// Room for programs that are no attack.
  static var wide: guard_limits {
    var limits = lua_trial_limits()
    limits.memory = 256 << 20
    limits.instructions = 1_000_000_000
    limits.steps = 1_000_000_000
    limits.string = 16 << 20
    limits.seconds = 600
    return limits
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// Lua files of a folder beside the tests, in order of their names.
  static func files(_ name: String) -> [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil)
    return (found ?? []).filter { $0.pathExtension == "lua" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
