import Foundation
import Testing

/// `explain` looks without changes of proximity first, and with them where it has not found its event: both times as if
/// it were the only one.
@Suite("explain that looks twice", .timeLimit(.minutes(60))) struct ExplainAgainTests {
  private let site: SiteScene

  init() throws {
    site = try SiteScene()
    try site.record("door", beacons: 1, seconds: 200)
  }

  private func run(_ words: String...) throws -> Run {
    try Tool.run(words, in: site.scratch.folder)
  }

  @Test("asks a rule that counts from its beginning on") func rules() throws {
    let rule = """
      local n = 0
      region "first" {
        ibeacon = "\(SiteScene.uuid)", contains = function(s) n = n + 1; return n <= 40 end,
      }
      """
    try site.scratch.write("first.lua", Array(rule.utf8))
    let told = try run(
      "events", "-q", "--plugin", "first.lua", "--format", "ndjson", "door.btsnoop")
    let changes = told.lines.filter {
      $0.contains("\"type\":\"proximity\"") && $0.contains("\"first\"")
    }
    let change = try #require(changes.last, "\(told.output)\(told.errors)")
    let id = String(try #require(change.firstMatch(of: /"id":"([0-9a-f]{16})"/)).1)
    let run = try run("explain", "--plugin", "first.lua", id, "door.btsnoop")
    #expect(
      run.status == 0 && run.output.contains("proximity of first"), "\(run.output)\(run.errors)")
  }

  @Test(
    "says that there is no such event where the capture is damaged, too", arguments: [true, false])
  func damaged(withLists: Bool) throws {
    let cut = try Tool.shell(
      "{ head -c 3000 door.btsnoop; head -c 500 /dev/zero; tail -c +3001 door.btsnoop; } > cut.btsnoop",
      in: site.scratch.folder)
    #expect(cut.status == 0)
    let words = ["explain", "0000000000000001", "cut.btsnoop"] + (withLists ? ["--ranging"] : [])
    let run = try Tool.run(words, in: site.scratch.folder)
    #expect(run.status == 64 && run.errors.contains("no event 0000000000000001"), "\(run.errors)")
    #expect(run.errors.components(separatedBy: "damaged").count == 2, "\(run.errors)")
  }
}
