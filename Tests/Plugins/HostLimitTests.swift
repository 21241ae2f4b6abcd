import Plugins
import Testing

/// What rules that run away cost, and what they may write.
@Suite("Limits of a plugin in a run", .timeLimit(.minutes(60)))
struct HostLimitTests {
  private static func heard(_ times: Int64...) -> [HostedRun.Heard] {
    times.map { HostedRun.Heard(at: $0) }
  }

  @Test("The levels of a runaway recursion are not counted")
  func recursion() throws {
    let plugin = "local function f(n) return 1 + f(n + 1) end on('sighting', function() f(1) end)"
    let run = try HostedRun([plugin], [Self.heard(0)])
    #expect(run.lines.contains { $0.contains("stack overflow") })
    #expect(run.lines.contains { $0.contains("… more than 1000 levels") }, "\(run.lines)")
  }

  @Test("print writes a megabyte and what the clock adds; the rest is counted")
  func printing() throws {
    let plugin =
      "on('sighting', function() for i = 1, 12 do print(string.rep('x', 100000)) end print('short') end)"
    let run = try HostedRun([plugin], [Self.heard(0, 1000, 40_000)])
    let long = [String](repeating: "long", count: 10)
    func left(_ count: Int) -> String {
      "a: \(count) lines that it printed were left out: print may write a megabyte, and 10 kB more a second"
    }
    // A second adds room for what is short, 39 s for three long ones.
    #expect(
      run.lines.map { $0.count > 1000 ? "long" : $0 } == long + [left(15), "a: short"]
        + long.prefix(3) + [left(9), "a: short"])
  }

  @Test("what is left out at the very end is told, too")
  func printingLast() throws {
    let plugin = "on('finish', function() for i = 1, 12 do print(string.rep('x', 100000)) end end)"
    let run = try HostedRun([plugin], [Self.heard(0)])
    #expect(
      run.lines.filter { $0.count < 1000 } == [
        "a: 2 lines that it printed were left out: print may write a megabyte, and 10 kB more a second"
      ])
  }
}
