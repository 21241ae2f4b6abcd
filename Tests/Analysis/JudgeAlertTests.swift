import CaptureReader
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

@Suite struct JudgeAlertTests {
  static let rule = Alert.Rule(plugin: "test", version: "", sha256: "aa")

  static func alert(_ seconds: Int64, _ title: String) -> Alert {
    Alert(
      time: Timestamp(nanoseconds: (Recording.start + seconds * 1000) * 1_000_000),
      severity: .warning, title: title, rule: rule)
  }

  static func run(_ says: @escaping (String) -> [Alert]) throws -> JudgedRun {
    var recording = Recording("a")
    recording.hear(Recording.iBeacon(1), from: JudgeOrderTests.one, at: 0)
    recording.hear(Recording.iBeacon(1), from: JudgeOrderTests.one, at: 50_000)
    return try JudgedRun(
      [recording.source], try JudgeOrderTests.settings("tag=address:00:00:00:00:00:01")
    ) {
      $0.wishes.sightings = .all
      $0.says = says
    }
  }

  @Test(
    "Alerts become events behind all others of their instant, in the order in which they were given"
  )
  func order() throws {
    let run = try Self.run { line in
      switch line {
      case "sighting 50.000 a2 of 1": [Self.alert(50, "z"), Self.alert(50, "b")]
      case "finish 50.000": [Self.alert(30, "late")]
      case "begin 0.000": [Self.alert(0, "first")]
      default: []
      }
    }
    let told = run.timeline.events.map { event in
      "\(event.type.rawValue) " + (event.alert.map { run.timeline.alerts[$0].title } ?? "")
    }
    #expect(
      told == [
        "state ", "alert first", "exit ", "alert late", "enter ", "alert z", "alert b",
      ])
    #expect(run.timeline.isJudged)
  }

  @Test("Each has an id of its own, the same in every run; what tells them apart changes it")
  func ids() throws {
    func ids() throws -> [UInt64] {
      let run = try Self.run { line in
        guard line == "begin 0.000" else { return [] }
        var alerts = [Self.alert(0, "a"), Self.alert(0, "a"), Self.alert(0, "a")]
        let changes: [(inout Alert) -> Void] = [
          { $0.title = "b" }, { $0.rule.sha256 = "bb" }, { $0.rule.plugin = "other" },
          { $0.dedupeKey = "k" }, { $0.region = 0 },
          { $0.evidence = [TimelineEvent.Evidence(source: .capture, file: 0, number: 3)] },
        ]
        for change in changes {
          var other = Self.alert(0, "a")
          change(&other)
          alerts.append(other)
        }
        return alerts
      }
      return run.timeline.events.filter { $0.type == .alert }.map(\.id)
    }
    let first = try ids()
    #expect(Set(first).count == 9)
    #expect(try first == ids())
  }

  @Test("An event bears what its alert is about")
  func about() throws {
    let evidence = TimelineEvent.Evidence(source: .capture, file: 0, number: 2)
    let run = try Self.run { line in
      guard line.hasPrefix("enter") else { return [] }
      var alert = Self.alert(50, "a")
      (alert.observer, alert.region, alert.transmitter) = (0, 0, 0)
      alert.evidence = [evidence]
      return [alert]
    }
    let event = try #require(run.timeline.events.last)
    #expect(event.alert == 0 && event.region == 0 && event.transmitter == 0)
    #expect(event.evidence == [evidence])
    #expect(run.timeline.alerts.count == 1)
  }
}
