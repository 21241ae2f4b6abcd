import Analysis
import Testing

@testable import Plugins

/// What `once_per` and `at_most` take for the same, and what becomes of what they hold back.
@Suite("Alerts that are held back", .timeLimit(.minutes(60)))
struct HeldBackTests {
  /// Title and how many were held back before it.
  private static func counts(_ run: HostedRun) -> [String] {
    run.timeline.alerts.map { "\($0.title) \($0.heldBack)" }
  }

  @Test("What at_most held back under any title is told with the next alert that passes")
  func distinctTitles() throws {
    let plugin = """
      on('sighting', function(s)
        alert { title = tostring(s.frame), at_most = { 2, per = 1 } }
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 100, 200, 300, 400, 1000, 1050, 1200)])
    #expect(Self.counts(run) == ["1 0", "2 0", "6 3", "8 1"])
    #expect(run.timeline.judges.map(\.heldBack) == [4])
  }

  @Test("The same title of another region, or heard by another observer, is another alert")
  func otherRegions() throws {
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    let plugin = """
      region 'a' { ibeacon = { uuid = '\(uuid)', major = 1, minor = 1 } }
      region 'b' { ibeacon = { uuid = '\(uuid)', major = 1, minor = 2 } }
      on('state', function(e) alert { title = 'there', once_per = 3600 } end)
      on('sighting', function(s) alert { title = 'heard', once_per = 3600 } end)
      on('sighting', function(s) alert { title = 'key', dedupe_key = 'k', once_per = 3600 } end)
      """
    let heard = HostTests.heard(0, 5) + HostTests.heard(10, minor: 2)
    let run = try HostedRun([plugin], [heard, heard])
    let told = run.timeline.alerts.filter { $0.title == "there" && $0.region != nil }
    #expect(
      Set(told.map { "\($0.region ?? 9) \($0.observer ?? 9)" }) == ["0 0", "1 0", "0 1", "1 1"])
    #expect(told.count == 4)
    #expect(run.timeline.alerts.filter { $0.title == "heard" }.map(\.observer) == [0, 1])
    #expect(run.timeline.alerts.count { $0.title == "key" } == 1)
  }

  @Test(
    "That another beacon is held back under the same title is said once, and not where a key says what is same"
  )
  func otherBeacons() throws {
    let plugin = """
      on('sighting', function(s) alert { title = 'heard', once_per = 3600 } end)
      on('sighting', function(s) alert { title = 'own', dedupe_key = 'k', once_per = 3600 } end)
      """
    let two = HostTests.heard(0, 5) + HostTests.heard(10, 15, minor: 2)
    let said = try HostedRun([plugin], [two]).lines.filter { $0.contains("held back") }
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    #expect(
      said == [
        "a: 'heard' of \(uuid):1:2 is held back by once_per, since it was told of \(uuid):1:1; with "
          + "dedupe_key = s.id each is told of (told once)"
      ])
    let atMost =
      "on('sighting', function(s) alert { title = 'x', once_per = 1, at_most = { 1, per = 3600 } } end)"
    let later = HostTests.heard(0) + HostTests.heard(100_000, minor: 2)
    #expect(try HostedRun([atMost], [later]).lines.isEmpty)
    let one = try HostedRun([plugin], [HostTests.heard(0, 5)])
    #expect(one.lines.isEmpty)
  }

  @Test("A severer alert passes, and then holds back the milder ones")
  func severer() throws {
    let plugin = """
      local words = { 'info', 'info', 'critical', 'info', 'critical', 'warning' }
      on('sighting', function(s)
        alert { title = 'same', severity = words[s.frame], once_per = 60 }
        alert { title = 'x' .. s.frame, dedupe_key = 'k', severity = words[s.frame], once_per = 60 }
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 1, 2, 3, 4, 5)])
    #expect(Self.counts(run) == ["same 0", "x1 0", "same 1", "x3 1"])
    #expect(run.timeline.alerts.map(\.severity) == [.info, .info, .critical, .critical])
  }

  @Test("at_most lets a severer alert pass behind many milder ones, also after a restart")
  func severerThanMany() throws {
    var gate = AlertGate()
    var rule = AlertGate.Rule()
    rule.atMost = (2, 100)
    #expect(gate.pass("a", 0, at: 0, rule) == 0)
    #expect(gate.pass("b", 0, at: 1, rule) == 0)
    #expect(gate.pass("c", 0, at: 2, rule) == nil)
    #expect(gate.pass("d", 3, at: 3, rule) == 1)
    let text = try #require(gate.saved(at: 4))
    var later = try #require(AlertGate(text))
    #expect(later.pass("e", 0, at: 5, rule) == nil)
    #expect(later.pass("f", 3, at: 6, rule) == 1)
    #expect(later.pass("g", 3, at: 7, rule) == nil)
  }

  @Test("What holds back outlasts a restart with its severity; what an older version saved is read")
  func saved() throws {
    var gate = AlertGate()
    var rule = AlertGate.Rule()
    rule.oncePer = 100
    rule.atMost = (3, 100)
    #expect(gate.pass("a", 1, at: 0, rule) == 0)
    #expect(gate.pass("b", 1, at: 1, rule) == 0)
    #expect(gate.pass("c", 1, at: 2, rule) == 0)
    #expect(gate.pass("d", 1, at: 3, rule) == nil)
    let text = try #require(gate.saved(at: 4))
    var later = try #require(AlertGate(text))
    rule.atMost = nil
    #expect(later.pass("a", 1, at: 5, rule) == nil)
    #expect(later.pass("a", 2, at: 6, rule) == 2)
    // Without severities, and nothing that waits.
    let row = LuaTable(list: [.integer(0), .integer(100), .integer(4)])
    var keys = LuaTable()
    keys.append(.text("a"), .table(row))
    var old = LuaTable()
    old.append(.text("keys"), .table(keys))
    old.append(.text("longest"), .integer(0))
    old.append(.text("told"), .table(LuaTable()))
    var read = try #require(AlertGate(old))
    #expect(read.pass("a", 3, at: 50, rule) == nil)
    #expect(read.pass("a", 0, at: 100, rule) == 5)
  }
}
