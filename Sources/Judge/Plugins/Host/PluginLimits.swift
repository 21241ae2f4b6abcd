import CLuaGuard

/// How much a plugin may use.
package struct PluginLimits: Sendable, Equatable {
  /// MiB, of all that a plugin keeps.
  package var memory = 64
  /// Per call.
  package var instructions = 10_000_000

  package init() {}

  /// Options that every plugin has.
  static let names = ["memory_mb", "instructions"]

  /// - Returns: whether the name is one of them.
  mutating func set(_ name: String, _ text: String) throws(LuaMessage) -> Bool {
    switch name {
    case "memory_mb": memory = try Self.number(text, name, in: 1...4096)
    case "instructions": instructions = try Self.number(text, name, in: 1000...1_000_000_000_000)
    default: return false
    }
    return true
  }

  private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>)
    throws(LuaMessage) -> Int
  {
    guard let number = Int(text), range.contains(number) else {
      throw LuaMessage(
        "option '\(name)': '\(text)' was set; write an integer from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  /// - Parameter seed: of random numbers.
  func guarded(seed: UInt64) -> guard_limits {
    guard_limits(
      memory: memory << 20, instructions: UInt64(instructions),
      // A step of a pattern does about as much as an instruction.
      steps: UInt64(instructions),
      // Longer ones could be compared for seconds by few instructions.
      string: min(memory << 20, 16 << 20),
      // No count sees everything; what goes on for so long is stuck.
      seconds: 30, seed: seed, fail_at: 0)
  }
}
