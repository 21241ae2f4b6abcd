import Analysis
import Plugins
import Testing

/// What of another text the run goes by, and what not before its next start.
@Suite("Declarations of a text that comes later", .timeLimit(.minutes(60)))
struct ReloadDeclaringTests {
  private static let heard = (0..<10).map { Double($0) + 0.5 }
  private static let url = "url = 'https://a/'"

  private static func run(
    _ before: String, _ after: [String], mayReload: Bool = true
  ) throws -> ReloadRun {
    let files = try after.map { try ReloadRun.file("p", $0) }
    return try ReloadRun(
      [("p", before)], heardAt: heard, mayReload: mayReload,
      files.enumerated().map { place, file in (Double(5 + 2 * place), { $0.reload(file) }) })
  }

  /// What was told about the text, but that it was taken.
  private static func notes(_ run: ReloadRun) -> [String] {
    run.told.filter { $0.hasPrefix("p: ") && !$0.hasPrefix("p: replaced by ") }
  }

  @Test(
    "come into force with the next start, which is told",
    arguments: [
      (
        "region 'a' { \(url) } region 'b' { \(url) }",
        "region 'c' { \(url) } region 'b' { \(url), exit_after = 2 }",
        ["regions come into force with the next start; new: 'c'; changed: 'b'; gone: 'a'"]
      ),
      ("region 'a' { \(url) }", "region 'a' { \(url) }", []),
      (
        "-- none",
        """
        message { beacon = "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:2", namespace = "n",
          type = "t", content = "c" }
        mark("display_on", 5)
        subscribe { namespace = "n" }
        """,
        [
          "messages come into force with the next start",
          "subscriptions come into force with the next start",
          "markers come into force with the next start",
        ]
      ),
      (
        "decoder 'd' { company = 1, decode = function() end }",
        "decoder 'd' { company = 1, decode = function() end }",
        [
          "decoders come into force with the next start; until then those of the text at the start "
            + "of the run decode"
        ]
      ),
    ])
  func sentences(_ before: String, _ after: String, _ expected: [String]) throws {
    let run = try Self.run(before, [after, before, after])
    // Compared with the start, not with the text before.
    let between = before.contains("decoder") ? expected : []
    #expect(Self.notes(run) == (expected + between + expected).map { "p: \($0)" })
  }

  @Test("`contains` of a region is that of the new text, or the old one's where that has none")
  func contains() throws {
    func text(_ name: String, _ more: String = "") -> String {
      """
      region "r" { contains = function(s)
        state.n = (state.n or 0) + 1
        print("\(name)", state.n)
        \(more)
        return true
      end }
      """
    }
    let run = try Self.run(text("one"), [text("two"), "region 'other' { \(Self.url) }"])
    #expect(
      run.printed == [
        "one\t1", "one\t2", "one\t3", "one\t4", "one\t5", "two\t6", "two\t7", "two\t8", "two\t9",
        "two\t10",
      ])
    #expect(
      Self.notes(run) == [
        "p: regions come into force with the next start; new: 'other'; gone: 'r'"
      ])
  }

  @Test("errors of a rule whose text is gone are still told and counted")
  func retiredRule() throws {
    let text = "region 'r' { contains = function(s) error('broken') end }"
    let run = try Self.run(text, [""])
    #expect(run.printed.isEmpty)
    // An empty text is not taken; nothing but a comment is.
    #expect(run.told.contains { $0.hasSuffix("folder/p.lua: the file is empty") })
    let other = try Self.run(text, ["-- nothing", "-- nothing again"])
    for run in [run, other] {
      #expect(run.timeline.judges[0].errorCount == 10)
      #expect(
        run.told.contains { $0.contains("p.lua:1: broken") && $0.contains("(8 times so far)") })
    }
  }

  @Test("handlers are called with everything where the run was begun for that")
  func everything() throws {
    let region = "region 'r' { address = 'c2:35:33:30:25:50' }"
    let run = try Self.run(
      region,
      [
        region + """

          on("sighting", { kind = "eddystone-url" }, function(s) state.n = (state.n or 0) + 1 end)
          on("proximity", function(e) print(e.type) end)
          on("ranging", function(e) state.lists = (state.lists or 0) + 1 end)
          on("finish", function() print(state.n, (state.lists or 0) > 0) end)
          """
      ])
    #expect(Self.notes(run) == [])
    #expect(run.printed == ["5\ttrue"])
  }

  @Test("a run begun for that has the same events and alerts as one that was not")
  func sameEvents() throws {
    let text = """
      region "r" { address = "c2:35:33:30:25:50", exit_after = 1 }
      on("sighting", { kind = "eddystone-url" }, function(s)
        alert { title = "heard", once_per = 4 }
      end)
      on("enter", "r", function(e) alert { title = "entered", evidence = e } end)
      """
    let heard = [0, 1, 2, 5, 6, 9.5]
    let plain = try ReloadRun([("p", text)], heardAt: heard, mayReload: false)
    let ready = try ReloadRun([("p", text)], heardAt: heard, mayReload: true)
    #expect(plain.timeline.events.map { "\($0)" } == ready.timeline.events.map { "\($0)" })
    #expect(plain.alerts.map { "\($0)" } == ready.alerts.map { "\($0)" })
    #expect(plain.titles == ["0 heard", "5 heard", "5 entered", "9 heard", "9 entered"])
  }

  @Test("handlers that wish for what the run does not hand on say so")
  func missing() throws {
    let text = """
      on("sighting", { kind = "eddystone-url" }, function(s) state.n = (state.n or 0) + 1 end)
      on("finish", function() print(state.n) end)
      """
    let more = """
      on("sighting", function() end)
      on("telemetry", function() end)
      on("proximity", function() end)
      on("ranging", function() end)
      on("malformed", function() end)
      on("clock", function() end)
      """
    let run = try Self.run(text, [text, text + "\n" + more], mayReload: false)
    let kinds = ["proximity", "ranging", "malformed", "clock"]
    #expect(
      Self.notes(run)
        == kinds.map {
          "p: on(\"\($0)\") is called from the next start on; nothing asked for it at the start of "
            + "this run"
        }
        + ["sighting", "telemetry"].map {
          "p: on(\"\($0)\") has another filter; until the next start it is called only for those "
            + "whose sightings something asked for at the start of this run"
        })
    #expect(run.printed == ["10"])
  }
}
