import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// What a run that does not end keeps, and what it tells on the way.
@Suite struct BoundedRunTests {
  /// Beacons that come and go for hours.
  private static func scene(_ rounds: Int64) -> LiveScene {
    var scene = LiveScene()
    for round in 0..<rounds {
      for step in Int64(0)..<20 {
        let moment = round * 60_000 + step * 900
        scene.hear(Recording.iBeacon(1), from: LiveRunTests.tag, at: moment)
        scene.other(at: moment + 300)
        if step == 7 { scene.lose(2, at: moment + 400) }
      }
      for step in Int64(0)..<40 { scene.other(at: round * 60_000 + 20_000 + step * 900) }
    }
    return scene
  }

  private static func settings(_ most: Int?) throws -> FollowSettings {
    var settings = try JudgeOrderTests.settings("tag=address:00:00:00:00:00:01,exit_after=10")
    settings.mostKept = most
    settings.wantsProximity = true
    return settings
  }

  private static func timeline(_ settings: FollowSettings, _ source: CaptureSource) throws
    -> Timeline
  {
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis([source], options: options)
    var none = NoSink()
    return try analysis.run(into: &none).timeline ?? Timeline()
  }

  @Test("Only the latest events, alerts and stays are kept; the others are counted")
  func latestAreKept() throws {
    let source = Self.scene(200).file
    func says(_ line: String) -> [Alert] {
      guard line.hasPrefix("enter") else { return [] }
      let time = Timestamp(nanoseconds: LiveScene.start)
      return [
        Alert(
          time: time, severity: .info, title: "again",
          rule: Alert.Rule(plugin: "p", version: "", sha256: ""))
      ]
    }
    let all = try JudgedRun([source], Self.settings(nil)) { $0.says = says }
    let some = try JudgedRun([source], Self.settings(30)) { $0.says = says }
    let (whole, kept) = (all.timeline, some.timeline)
    #expect(whole.outcomes[0].stays.count == 200)
    #expect(kept.outcomes[0].stays.count <= 31)
    #expect(kept.outcomes[0].stays.last?.visit == whole.outcomes[0].stays.last?.visit)
    #expect(kept.outcomes[0].stays.last?.nearest == whole.outcomes[0].stays.last?.nearest)
    #expect(kept.forgotten.stays + kept.outcomes[0].stays.count == 200)
    #expect(kept.events.count <= 30)
    #expect(
      kept.forgotten.events + kept.events.count + kept.ranged.count
        == whole.events.count + whole.ranged.count)
    #expect(kept.ranged.count <= 30 && whole.ranged.count > 200)
    // Ordinals go on where the alerts before are forgotten, and events find their alerts.
    #expect(whole.alerts.count > 190)
    let ids = Set(whole.events.filter { $0.alert != nil }.map(\.id))
    #expect(ids.count == whole.alerts.count)
    for event in kept.events {
      guard let place = event.alert else { continue }
      #expect(kept.alerts.indices.contains(place))
      #expect(ids.contains(event.id))
    }
    #expect(whole.forgotten == (0, 0))
  }

  @Test("Whoever listens hears every event of the timeline, of all profiles, and alerts")
  func listenerHearsAll() throws {
    var settings = try Self.settings(nil)
    settings.profiles = [Profiles.site, try Profiles.named("abl-legacy")]
    let source = Self.scene(20).file
    let quiet = try Self.timeline(settings, source)
    let log = ListenerLog()
    settings.listener = log
    let heard = try Self.timeline(settings, source)
    var events: [TimelineEvent] = []
    try quiet.forEachBatch { events += $0 }
    #expect(events.contains { $0.type == .observer && $0.packetsLost == 2 })
    #expect(Set(log.events.map(\.id)) == Set(events.map(\.id)))
    #expect(log.events.count == events.count)
    #expect(!heard.isJudged)
    var again: [TimelineEvent] = []
    try heard.forEachBatch { again += $0 }
    #expect(again.map(\.id) == events.map(\.id))
    #expect(log.lines.filter { $0.hasPrefix("lost") }.count == 20)
  }

  @Test("What a region's settings keep back is not heard of")
  func silencedEvents() throws {
    var settings = try JudgeOrderTests.settings(
      "tag=address:00:00:00:00:00:01,exit_after=10,notify_on_exit=no")
    let log = ListenerLog()
    settings.listener = log
    _ = try Self.timeline(settings, Self.scene(3).file)
    #expect(log.events.contains { $0.type == .enter })
    #expect(!log.events.contains { $0.type == .exit })
  }
}
