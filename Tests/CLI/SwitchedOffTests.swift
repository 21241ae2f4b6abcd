import Foundation
import Testing

/// A rule that fails so often that it is switched off: nobody may take its silence for good news.
@Suite("A rule that is switched off", .timeLimit(.minutes(60))) struct SwitchedOffTests {
  private static let capture = Captures.folder.path + "/" + Captures.walk
  private static let rule =
    "on('sighting', { kind = 'eddystone-url' }, function(s) error('no') end)"
  private static let few = """
    local n = 0
    on('sighting', { kind = 'eddystone-url' }, function(s) n = n + 1 if n < 3 then error('no') end end)
    """

  private static func scratch(_ rule: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("dead.lua", Array(rule.utf8))
    return scratch
  }

  private static func words(_ run: Run) -> String {
    run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("analyze and case info say since when it tells nothing, and one alert says so")
  func isTold() throws {
    let folder = try Self.scratch(Self.rule)
    let run = try Tool.run(
      ["analyze", "--plugin", "dead.lua", "--case", "c.sqlite", Self.capture], in: folder.folder)
    #expect(run.status == 70)
    let text = Self.words(run)
    #expect(text.contains("critical Rule 'dead' is switched off (dead)"), "\(run.output)")
    let since =
      /plugin dead: switched off from (2026-05-19 [0-9:]+) on, and told nothing from then on/
    let moment = try #require(text.firstMatch(of: since)?.1, "\(run.output)")
    #expect(text.contains("100 of its calls failed (100 errors)"))
    let facts = try Tool.run("case", "info", "c.sqlite", in: folder.folder)
    #expect(
      Self.words(facts).contains(
        "plugins dead: 1 alert, 100 calls failed, switched off from \(moment) on"),
      "\(facts.output)")
    let json = try JSON(
      try Tool.run("case", "info", "--format", "json", "c.sqlite", in: folder.folder).bytes)
    #expect(json["plugins"]?.list?.first?["errors"]?.int == 100)
  }

  @Test("of one whose decoders fail alone the handlers go on, and one alert says what is missing")
  func decoders() throws {
    let folder = try Self.scratch(
      """
      decoder "d" { ad_type = 0xFF, decode = function(ad, adv) return { id = adv.address .. nil } end }
      local n = 0
      on("sighting", { kind = "ibeacon" }, function(s) n = n + 1 end)
      on("finish", function() alert { severity = "info", title = "heard " .. n } end)
      """)
    let run = try Tool.run(["analyze", "--plugin", "dead.lua", Self.capture], in: folder.folder)
    #expect(run.status == 70)
    let text = Self.words(run)
    #expect(text.contains("critical Decoders of 'dead' are switched off (dead)"), "\(run.output)")
    #expect(text.contains("its decoders are switched off from 2026-05-19"), "\(run.output)")
    #expect(text.contains("its handlers went on"))
    #expect(text.contains(/info heard [1-9][0-9]* \(dead\)/), "\(run.output)")
    #expect(!text.contains("told nothing from then on"))
  }

  @Test("that alert comes when it happens, at the frame that failed last") func decodersAtOnce()
    throws
  {
    let folder = try Self.scratch(
      """
      decoder "d" { ad_type = 0xFF, decode = function(ad, adv) return { id = adv.address .. nil } end }
      """)
    let run = try Tool.run(
      ["events", "--format", "ndjson", "--plugin", "dead.lua", Self.capture], in: folder.folder)
    let alerts = try run.lines.filter { $0.contains("Decoders of") }.map { try JSON($0) }
    try #require(alerts.count == 1, "\(run.output)")
    let time = try #require(alerts[0]["time"]?.text)
    let frame = try #require(alerts[0]["evidence"]?.list?.first?["frame"]?.int)
    #expect(alerts[0]["text"]?.text?.contains("frame \(frame).") == true)
    #expect(time < "2026-05-19T10:01", "\(time)")
  }

  /// The beacon is heard for the whole quarter of an hour.
  @Test("an exit from a region whose rule failed is no proof that anybody left")
  func exitsProveNothing() throws {
    let region = """
      region "door" { ibeacon = "b9407f30-f5f8-466e-aff9-25556b57fe6d:1:1", exit_after = 15,
        contains = function(s) FAIL return true end }
      """
    let rules = [
      // Its own mistake, that of a handler beside it, and of a decoder of what the region takes.
      region.replacingOccurrences(of: "FAIL", with: "if s.frame > 2000 then error('no') end"),
      region.replacingOccurrences(of: "FAIL", with: "")
        + "\non('sighting', function(s) if s.frame > 2000 then error('no') end end)",
      """
      region "door" { decoder = "d", exit_after = 15 }
      decoder "d" { company = 0x004C, decode = function(ad, adv)
        if adv.frame > 2000 then error('no') end
        return { id = "one" }
      end }
      """,
    ]
    for rule in rules {
      let folder = try Self.scratch(rule)
      let run = try Tool.run(
        ["events", "--format", "ndjson", "--plugin", "dead.lua", Self.capture], in: folder.folder)
      let exits = try run.lines.map { try JSON($0) }.filter {
        $0["type"]?.text == "exit" && $0["region"]?.text == "door"
      }
      let last = try #require(exits.last, "\(run.output)\(run.errors)")
      #expect(last["grade"]?.text == "thin", "\(rule)")
      #expect((last["rule_failures"]?.int ?? 0) > 0)
      let id = try #require(last["id"]?.text)
      let told = try Tool.run(
        ["explain", id, "--plugin", "dead.lua", Self.capture], in: folder.folder)
      #expect(Self.words(told).contains("nobody knows whether they were of this region"))
    }
  }

  @Test("what fails within a function of Lua's own is told with the line that called it")
  func places() throws {
    let folder = try Self.scratch(
      """
      on('sighting', { kind = 'eddystone-url' }, function(s)
        for _, w in ipairs(s.warnings) do print(w) end
      end)
      """)
    let run = try Tool.run(["events", "--plugin", "dead.lua", Self.capture], in: folder.folder)
    let told = Text.lines(run.errors).filter { $0.contains("times so far") }
    #expect(!told.isEmpty && told.allSatisfy { $0.hasPrefix("dead.lua:2: ") }, "\(run.errors)")
    #expect(Self.words(run).contains("the last one: dead.lua:2: "), "\(run.output)")
  }

  @Test("a region's rule only answers: it gives no alerts, which would come once for each profile")
  func noAlertsInContains() throws {
    let folder = try Self.scratch(
      """
      region "door" { ibeacon = "b9407f30-f5f8-466e-aff9-25556b57fe6d:1:1",
        contains = function(s) alert { title = "here" } return true end }
      """)
    let run = try Tool.run(
      ["events", "--plugin", "dead.lua", "--profile", "site,core-location", Self.capture],
      in: folder.folder)
    #expect(run.status == 70 && run.errors.contains("dead.lua:2: alert: a region's contains only"))
    #expect(!run.output.contains("here"))
  }

  @Test("a few failed calls are told beside 'ALERTS none'") func failuresAreTold() throws {
    let folder = try Self.scratch(Self.few)
    let run = try Tool.run(
      ["analyze", "-q", "--plugin", "dead.lua", Self.capture], in: folder.folder)
    let place = try #require(run.lines.firstIndex { $0.hasPrefix("ALERTS    none") })
    #expect(run.lines[place + 1] == "  plugin dead: 2 of its calls failed (2 errors)")
  }

  @Test("what was held back is counted beside the alerts") func heldBackIsTold() throws {
    let folder = try Self.scratch(
      "on('sighting', function(s) alert { title = 's ' .. s.frame, at_most = { 1, per = 1e6 } } end)"
    )
    let run = try Tool.run(
      ["analyze", "-q", "--plugin", "dead.lua", Self.capture], in: folder.folder)
    #expect(Self.words(run).contains(/plugin dead: [0-9 ]+ alerts held back \(once_per, at_most\)/))
  }

  @Test("whoever watches alerts of a replay alone hears of it, once, at the frame that failed last")
  func replayTells() throws {
    let folder = try Self.scratch(Self.rule)
    let run = try Tool.run(
      [
        "replay", "-q", "--speed", "max", "--plugin", "dead.lua", "--alerts", "a.ndjson",
        "--format", "ndjson", Self.capture,
      ], in: folder.folder)
    #expect(run.status == 70, "\(run.errors)")
    let text = try String(
      contentsOf: folder.folder.appending(path: "a.ndjson"), encoding: .utf8)
    let alerts = try Text.lines(text).map { try JSON($0) }
    try #require(alerts.count == 1, "\(text)")
    #expect(text.contains("Rule 'dead' is switched off"))
    #expect(text.contains("\"severity\":\"critical\""))
    let failed = try Tool.run(
      ["events", "--format", "ndjson", "--plugin", "dead.lua", Self.capture], in: folder.folder)
    let event = try failed.lines.map { try JSON($0) }.first { $0["type"]?.text == "alert" }
    #expect(event?["evidence"]?.list?.count == 1)
    #expect(event?["plugin"]?.text == "dead")
  }
}
