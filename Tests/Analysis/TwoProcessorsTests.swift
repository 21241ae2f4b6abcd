import Analysis
import CaptureReader
import FrameEncoder
import Regions
import Testing

/// Following on a queue of its own comes to the same as following in turn.
struct TwoProcessorsTests {
  /// A beacon that comes and goes at each of two observers, among telemetry and another one.
  private static func recordings() -> [Recording] {
    var first = Recording("first")
    var second = Recording("second")
    for moment in stride(from: Int64(0), to: 400_000, by: 70) {
      if moment / 50_000 % 2 == 0 {
        first.hear(
          Recording.iBeacon(1), from: Address(1, isRandom: true), at: moment,
          rssi: Int8(-50 - moment / 3000 % 40))
      }
      if moment / 40_000 % 3 == 0 {
        second.hear(
          Recording.iBeacon(2), from: Address(2, isRandom: true), at: moment + 30_000,
          rssi: Int8(-70 + moment / 1000 % 20))
      }
      first.hear(Recording.eddystone, from: Address(3, isRandom: true), at: moment + 35)
    }
    return [first, second]
  }

  private static func timeline(readsAhead: Bool, _ profiles: [Profile]) throws -> Timeline {
    var follow = FollowSettings()
    follow.profiles = profiles
    follow.wantsProximity = true
    follow.wantsLists = true
    var options = Analysis.Options()
    options.readsAhead = readsAhead
    options.follow = follow
    var analysis = Analysis(recordings().map(\.source), options: options)
    var none = NoSink()
    return try #require(try analysis.run(into: &none).timeline)
  }

  @Test func theSameEventsInTheSameOrder() throws {
    let profiles = ["site", "core-location", "android-beacon-library", "abl-legacy"]
    func told(_ timeline: Timeline) throws -> [String] {
      var lines: [String] = []
      try timeline.forEachBatch { events in lines += events.map { "\($0)" } }
      return lines + timeline.hints.map(\.text) + timeline.outcomes.map { "\($0.stays)" }
    }
    let settings = try profiles.map { try Profiles.named($0) }
    let one = try told(try Self.timeline(readsAhead: false, settings))
    let two = try told(try Self.timeline(readsAhead: true, settings))
    #expect(one.count > 1000)
    #expect(one == two)
  }
}
