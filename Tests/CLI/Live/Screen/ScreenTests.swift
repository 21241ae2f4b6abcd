import Foundation
import Glibc
import Testing

/// What a run shows and tells on a terminal.
@Suite("The screen of a run", .timeLimit(.minutes(60)))
struct ScreenTests {
  private static let walk = "\(Captures.folder.path(percentEncoded: false))/\(Captures.walk)"

  @Test("shows who is heard and who is inside, and what a run ends with stands below it")
  func walk() throws {
    let scratch = try Scratch()
    let run = try TerminalRun(
      [Tool.path, "replay", "--screen", "--speed", "60", "--write", "kept.pcapng", Self.walk],
      in: scratch)
    try run.wait(for: "a beacon and a region with somebody inside") { terminal in
      terminal.lines.contains { $0.hasPrefix("  iBeacon b940…fe6d:1:1  ") }
        && terminal.lines.contains { $0.contains("  inside for ") }
    }
    run.type("s")
    try run.wait(for: "another order") { $0.lines[2].contains(", strongest first ") }
    run.type("q")
    #expect(try run.end() == .status(0))
    let told = run.terminal.transcript
    #expect(told.contains { $0.hasPrefix("VISITS ") })
    #expect(told.contains { $0.hasPrefix("Recorded ") })
    #expect(run.terminal.faults.isEmpty)
  }

  @Test("says below itself, when it ends, what rules and receivers of alerts said")
  func told() throws {
    let scratch = try Scratch()
    try scratch.write(
      "rule.lua",
      Array(
        """
        plugin { version = "1.0", about = "Says things" }
        on("enter", function(e) print("a rule speaks") alert { title = "Came" } end)
        """.utf8))
    let run = try TerminalRun(
      [
        Tool.path, "replay", "--screen", "--speed", "max", "--no-summary", "--plugin", "rule.lua",
        "--exec", "echo a bell rings", Self.walk,
      ], in: scratch)
    #expect(try run.end() == .status(0))
    let told = run.terminal.transcript
    #expect(told.contains { $0.contains("rule: a rule speaks") }, "\(told)")
    #expect(told.contains { $0.contains("a bell rings") }, "\(told)")
    #expect(!run.terminal.isOnPage)
  }

  @Test("knows who is inside by the state of an earlier run")
  func restored() throws {
    let scene = try WalkScene()
    let whole = try [UInt8](Data(contentsOf: scene.scratch.folder.appending(path: "walk.btsnoop")))
    let records = 24
    try scene.scratch.write(
      "first/walk.btsnoop", Array(whole[..<ReplayRunTests.end(of: records, in: whole)]))
    try scene.scratch.write("rest/walk.btsnoop", ReplayRunTests.rest(of: whole, behind: records))
    let options =
      ["--no-summary", "--state", "kept", "--region", "door=ibeacon:\(WalkScene.uuid):1:1"]
      + ReplayRunTests.other
    let first = try Tool.run(
      ["replay", "-q", "--speed", "max"] + options + ["first/walk.btsnoop"],
      in: scene.scratch.folder)
    #expect(first.status == 0, "\(first.errors)")
    let run = try TerminalRun(
      [Tool.path, "replay", "--screen", "--speed", "1"] + options + ["rest/walk.btsnoop"],
      in: scene.scratch)
    try run.wait(for: "both inside") { terminal in
      ["  door  inside", "  yard  inside"].allSatisfy { row in
        terminal.lines.contains { $0.hasPrefix(row) }
      }
    }
    kill(run.process, SIGTERM)
    #expect(try run.end() == .status(0))
  }

  @Test(
    "is refused where it cannot stand",
    arguments: [
      ("", 69, "--screen needs a terminal that can move its cursor"),
      ("--format ndjson", 64, "leave --format, --sightings and --quiet out, or --screen."),
      ("--sightings", 64, "leave --format, --sightings and --quiet out, or --screen."),
      ("--quiet", 64, "leave --format, --sightings and --quiet out, or --screen."),
    ])
  func refused(_ options: String, _ status: Int32, _ sentence: String) throws {
    let run = try Tool.shell("\"$TOOL\" replay --screen \(options) \(Captures.walk)")
    #expect(run.status == status)
    #expect(run.errors.replacing(/\s+/, with: " ").contains(sentence), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
