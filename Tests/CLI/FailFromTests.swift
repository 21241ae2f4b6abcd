import Foundation
import Testing

/// On the walk through the museum a battery of 2711 mV is told once, as a warning, at 10:09.
@Suite("events --fail-from") struct FailFromTests {
  private static let walk = "museum-walk.btsnoop.gz"
  private static let low = ["--plugin", "low-battery", "--set", "low-battery.below_mv=2900"]

  @Test(
    "is status 1 where an alert of that severity or above is printed",
    arguments: [
      (["--fail-from", "info"], 1), (["--fail-from", "warning"], 1),
      (["--fail-from", "critical"], 0),
      (["--fail-from", "warning", "--to", "2026-05-19 10:05"], 0),
      (["--fail-from", "warning", "--from", "2026-05-19 10:05", "--to", "2026-05-19 10:10"], 1),
      (["--fail-from", "warning", "--where", "type == 'exit'"], 0),
      (["--fail-from", "warning", "--where", "type == 'alert'", "--format", "csv"], 1), ([], 0),
    ] as [([String], Int32)])
  func status(_ words: [String], _ expected: Int32) throws {
    let run = try Tool.run(["events"] + Self.low + words + [Self.walk])
    #expect(run.status == expected, "\(run.errors)")
    #expect(!run.output.isEmpty)
  }

  @Test("is about rules")
  func needsRules() throws {
    let run = try Tool.run("events", "--fail-from", "warning", Self.walk)
    #expect(run.status == 64)
    #expect(run.errors.contains("name some with --plugin"))
  }

  @Test("says what went wrong rather than that there was an alert")
  func damaged() throws {
    let scratch = try Scratch()
    let whole = try Data(contentsOf: Captures.folder.appending(path: Self.walk))
    try scratch.write("cut.gz", Array(whole.dropLast(100)))
    let run = try Tool.run(
      ["events"] + Self.low + ["--fail-from", "warning", "cut.gz"], in: scratch.folder)
    #expect(run.status == 65)
    #expect(run.output.contains("2712 mV"))
  }
}
