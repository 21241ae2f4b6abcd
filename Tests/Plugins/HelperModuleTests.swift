import TestSupport
import Testing

@testable import Plugins

/// `beacontrace.stats` and `beacontrace.words`, as rules use them.
@Suite("Modules that come along", .timeLimit(.minutes(60)))
struct HelperModuleTests {
  private static func printed(_ text: String) throws -> [String] {
    let head = "local stats, words = require 'beacontrace.stats', require 'beacontrace.words'\n"
    let run = try ReloadRun([("p", head + text)], heardAt: [0])
    #expect(run.told == [])
    return run.printed
  }

  @Test("a window has the oldest value first, however often it has been filled")
  func windowsAreInOrder() throws {
    let lines = try Self.printed(
      """
      local w = stats.window(3)
      for value = 1, 8 do
        w:add(value)
        w:add(nil)
        print(w:count(), table.concat(w:values(), ' '))
      end
      local one = stats.window(1)
      one:add('a') one:add('b')
      print(table.concat(one:values()), #stats.window(2):values())
      """)
    #expect(
      lines == [
        "1\t1", "2\t1 2", "3\t1 2 3", "3\t2 3 4", "3\t3 4 5", "3\t4 5 6", "3\t5 6 7", "3\t6 7 8",
        "b\t0",
      ])
  }

  @Test("a window of no size is refused where it is made") func windowsHaveSizes() throws {
    let lines = try Self.printed(
      "for _, size in ipairs { 0, 2.5, 'x' } do print(select(2, pcall(stats.window, size))) end")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains("stats.window: how many values it keeps") })
  }

  @Test("a share that is none is refused where it is asked for") func shares() throws {
    let lines = try Self.printed(
      """
      for _, share in ipairs { 50, -0.1, 0 / 0, "half" } do
        print(select(2, pcall(function() print(stats.quantile({ 1, 2, 3 }, share)) end)))
      end
      print(stats.quantile({ 1, 2, 3 }, 0), stats.quantile({ 1, 2, 3 }, 1), stats.quantile({}, 0.5))
      """)
    let refused = "p.lua:3: stats.quantile: the share is a number from 0 to 1, not "
    #expect(lines.first == refused + "50")
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix(refused) } && lines.count == 5, "\(lines)")
    #expect(lines.last == "1\t3\tnil" || lines.last == "1.0\t3.0\tnil", "\(lines)")
  }

  @Test("a duration below zero keeps its sign") func durationsHaveSigns() throws {
    let lines = try Self.printed(
      "print(words.duration(-90), words.duration(-0.4), words.duration(-604740), words.duration(90))"
    )
    #expect(lines == ["-1 min 30 s\t0 s\t-6 d 23 h\t1 min 30 s"])
  }
}
