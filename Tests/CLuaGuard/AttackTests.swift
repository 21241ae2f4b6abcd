import CLuaGuard
import Foundation
import LuaTrial
import Testing

/// Programs that want out, or never to end. The first line of each names how it may end, lines that
/// begin with `-->` what it prints.
@Suite struct AttackTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }
    var ends: [String] {
      text.prefix { $0 != "\n" }.dropFirst(3).split(separator: " ").map(String.init)
    }
    var prints: [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("--> ") }.map { String($0.dropFirst(4)) }
    }
  }

  static let words = [
    "ok", "syntax", "error", "memory", "instructions", "time", "steps", "string",
  ]

  static let attacks = Trial.files("Attacks").map {
    Attack(
      name: $0.deletingPathExtension().lastPathComponent,
      text: (try? String(contentsOf: $0, encoding: .utf8)) ?? "")
  }

  @Test("There are attacks") func thereAreAttacks() { #expect(Self.attacks.count > 60) }

  @Test("An attack ends at its limit, which is counted once", arguments: attacks)
  func attack(_ attack: Attack) {
    var limits = lua_trial_limits()
    // The others have time enough.
    if attack.ends == ["time"] { limits.seconds = 0.5 }
    let trial = Trial(attack.text, name: "attack.lua", sightings: 300, limits: limits)
    let end = Self.words[Int(trial.status.rawValue)]
    #expect(trial.opened)
    #expect(attack.ends.contains(end), "\(end): \(trial.message)")
    var counts = Array(repeating: UInt64(0), count: Self.words.count)
    if end != "ok" { counts[Int(trial.status.rawValue)] = 1 }
    #expect(trial.counts == counts)
    #expect(!trial.printed.contains("went on"))
    #expect(trial.lines == attack.prints)
    if end != "ok" && end != "error" { #expect(trial.message.hasPrefix("attack.lua:")) }
  }

  @Test("Whichever allocation fails, it ends as out of memory")
  func everyAllocationFails() throws {
    let program = try String(
      contentsOf: Trial.folder.appending(path: "AllocationFailures.lua"), encoding: .utf8)
    var limits = lua_trial_limits()
    let whole = Trial(program, sightings: 5, limits: limits)
    #expect(whole.status == GUARD_OK, "\(whole.message)")
    #expect(whole.allocations > 1000)
    for n in 1...whole.allocations {
      limits.fail_at = n
      let trial = Trial(program, sightings: 5, limits: limits)
      // Lua's hashes are seeded by the time: a run may need an allocation more or less.
      let got = !trial.opened || trial.status == GUARD_MEMORY
      #expect(got || (trial.status == GUARD_OK && trial.allocations < n), "allocation \(n)")
    }
  }
}
