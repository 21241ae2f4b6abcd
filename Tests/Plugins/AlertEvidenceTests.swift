import Analysis
import Beacons
import Testing

@testable import Plugins

/// What alerts cite: frames of this run that the rule has been told of, each once.
@Suite("Evidence of alerts", .timeLimit(.minutes(60)))
struct AlertEvidenceTests {
  private static func run(_ evidence: String) throws -> HostedRun {
    let plugin = """
      local before
      on('sighting', function(s)
        if s.frame == 3 then alert { title = 'third', evidence = \(evidence) } end
        before = s:copy()
      end)
      """
    return try HostedRun([plugin], [HostTests.heard(0, 100, 200, 300)])
  }

  @Test(
    "A frame that cannot have been read is left out with a remark, and the alert is told",
    arguments: [
      ("{ capture = s.capture, frame = 4 }", "frame 4 of 'capture 0' is beyond what this rule"),
      ("{ capture = s.capture, frame = 99999999 }", "frame 99999999 of 'capture 0' is beyond"),
      ("{ capture = s.capture, frame = 0 }", "frame 0 of 'capture 0' is no frame of this run"),
      ("{ capture = s.capture, frame = -1 }", "frame -1 of 'capture 0' is no frame of this run"),
      ("{ capture = 'other', frame = 1 }", "frame 1 of 'other' is no frame of this run"),
      ("{ track = 'none', line = 1 }", "line 1 of 'none' is no line of this run"),
    ])
  func outOfReach(_ evidence: String, _ said: String) throws {
    let run = try Self.run(evidence)
    // What is being handled is cited, as if nothing had been named.
    #expect(run.alerts == ["200 a: third [3]"], "\(run.lines)")
    #expect(run.lines.filter { $0.contains("evidence of an alert is left out") }.count == 1)
    #expect(run.lines.contains { $0.contains(said) }, "\(run.lines)")
    let beside = try Self.run("{ s, \(evidence) }")
    #expect(beside.alerts == ["200 a: third [3]"])
  }

  @Test(
    "Lists may be empty, have holes, and name a frame several times",
    arguments: [
      ("{}", "[3]"), ("{ nil, s }", "[3]"), ("{ before, nil, s }", "[2 3]"),
      ("{ s, before, s, s:copy() }", "[3 2]"),
      ("{ { capture = s.capture, frame = 1 }, s }", "[1 3]"),
    ])
  func lists(_ evidence: String, _ frames: String) throws {
    let run = try Self.run(evidence)
    #expect(run.alerts == ["200 a: third \(frames)"], "\(run.lines)")
    #expect(run.lines.isEmpty)
  }

  @Test(
    "An alert is about the event that is handled, wherever it stands among what it cites",
    arguments: ["{ other, e }", "{ e, other }"])
  func regionOfHandled(_ evidence: String) throws {
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    let plugin = """
      region 'a' { ibeacon = { uuid = '\(uuid)', major = 1, minor = 1 } }
      region 'b' { ibeacon = { uuid = '\(uuid)', major = 1, minor = 2 } }
      local other
      on('enter', function(e)
        if other then alert { title = e.region, evidence = \(evidence) } end
        other = e
      end)
      on('finish', function() alert { title = 'kept', evidence = other } end)
      """
    let heard = HostTests.heard(60_000) + HostTests.heard(70_000, minor: 2)
    let alerts = try HostedRun([plugin], [HostTests.heard(0, minor: 3) + heard]).timeline.alerts
    let told = try #require(alerts.first { $0.title == "b" })
    #expect(told.region == 1)
    #expect(told.evidence.count == 2)
    let kept = try #require(alerts.first { $0.title == "kept" })
    #expect(kept.region == 1)
    #expect(kept.transmitter == nil)
  }

  @Test("A timer that comes between two sightings may cite the first of them")
  func betweenSightings() throws {
    let plugin = """
      on('sighting', function(s)
        local kept = s:copy()
        after(0.05, function() alert { title = 'after', evidence = kept } end)
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 100, 200)])
    #expect(run.alerts == ["50 a: after [1]", "150 a: after [2]"], "\(run.lines)")
  }

  @Test(
    "A timer's alert is about whom the rule says, and about nobody where it says nothing",
    arguments: [
      ("kept", 1), ("nil", nil),
      ("{ observer = kept.observer, address = kept.address, kind = kept.kind, id = kept.id }", 1),
      (
        "{ observer = kept.observer, address = kept.address, kind = 'altbeacon', id = kept.id }",
        nil
      ),
      ("{ observer = 'nobody', address = kept.address, id = kept.id }", nil),
    ] as [(String, Int?)])
  func about(_ about: String, _ minor: Int?) throws {
    let plugin = """
      local kept
      on('sighting', function(s)
        kept = kept or s:copy()
        if s.frame == 3 then
          after(0.05, function() alert { title = 'after', evidence = kept, about = \(about) } end)
        end
      end)
      """
    let heard = [1, 2, 2, 2].enumerated().map {
      HostedRun.Heard(at: Int64(100 * $0), minor: UInt16($1))
    }
    let run = try HostedRun([plugin], [heard])
    let alert = try #require(run.timeline.alerts.first, "\(run.lines)")
    let identity = alert.transmitter.map {
      run.view.identities[run.view.transmitters[UInt32($0)].identity]
    }
    #expect(
      identity.flatMap { run.view.identities.bytes(of: $0).last.map { Int($0) } } == minor)
    #expect(alert.evidence.map(\.number) == [1])
  }

  @Test("An alert is about somebody, not about a number") func aboutNothing() throws {
    let run = try HostedRun(
      ["on('sighting', function(s) alert { title = 't', about = 7 } end)"],
      [HostTests.heard(0)])
    #expect(run.lines.contains { $0.contains("about is 7; give a sighting") }, "\(run.lines)")
  }

  /// A rule that keeps something from its first sighting, and cites it at each that is the third.
  private static func cites(_ kept: String, _ citation: String) -> String {
    """
    state.save("kept")
    on("sighting", function(s)
      state.kept = state.kept or \(kept)
      if s.frame == 4 then alert { title = "third", evidence = \(citation) } end
    end)
    """
  }

  @Test(
    "What was saved in an earlier run is no evidence of this one, and the alert is told",
    arguments: [
      ("s:copy()", "state.kept"), ("s:copy()", "{ state.kept }"),
      ("{ capture = s.capture, frame = s.frame }", "state.kept"),
      ("{ a = s:copy() }", "{ { capture = state.kept.a.capture, frame = state.kept.a.frame } }"),
      (
        "{ id = '00', evidence = { { capture = s.capture, frame = s.frame } } }", "state.kept"
      ),
    ])
  func savedCitations(_ kept: String, _ citation: String) throws {
    let rule = Self.cites(kept, citation)
    let first = try ReloadRun([("p", rule)], heardAt: [0, 1, 2])
    // The first frame is a command.
    #expect(first.alerts.map { $0.evidence.map(\.number) } == [[2]])
    #expect(first.told == [])
    let saved = try SavedStates(reading: first.host.savedState(), name: "saved.json")
    let second = try ReloadRun([("p", rule)], heardAt: [10, 11, 12], saved: saved)
    // What is being handled is cited, as if nothing had been named.
    #expect(second.alerts.map { $0.evidence.map(\.number) } == [[4]])
    #expect(second.alerts.allSatisfy { $0.events.isEmpty })
    #expect(
      second.told == [
        "p: evidence of an alert is left out: a frame of an earlier run cannot be cited (told once)"
      ])
  }

  @Test("A name that was saved beside a frame says so, once, also over several restarts")
  func savedNames() throws {
    let rule = """
      state.save("capture", "frame", "deep", "name")
      on("sighting", function(s)
        state.capture, state.frame = state.capture or s.capture, state.frame or s.frame
        state.deep = state.deep or { s:copy() }
        state.name = state.name or { capture = s.capture }
      end)
      on("finish", function(e) print(state.capture, state.deep[1].capture, state.name.capture) end)
      """
    var saved = SavedStates()
    for name in ["a", "earlier run: a", "earlier run: a"] {
      let run = try ReloadRun([("p", rule)], heardAt: [0], saved: saved)
      #expect(run.printed == ["\(name)\t\(name)\ta"])
      saved = try SavedStates(reading: run.host.savedState(), name: "saved.json")
    }
  }
}
