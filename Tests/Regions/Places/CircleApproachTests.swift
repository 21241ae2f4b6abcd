import TestSupport
import Testing
import TrackReader

@testable import Regions

/// What is known of a circle that was not entered.
@Suite struct CircleApproachTests {
  private func approach(
    _ circle: CircularRegion, _ fixes: [Fix], _ settings: CircleSettings = CircleSettings()
  ) -> CircleApproach? {
    var monitor = CircleMonitor([circle], settings, fixes: fixes)
    monitor.begin(at: Walk.time(0))
    monitor.finish(at: Walk.time(10_000))
    return monitor.approach(0)
  }

  @Test func aWayThroughACircleSaysHowLongItLayInside() throws {
    // 10 m/s: through 100 m in 10 s, which is no entry.
    let found = try #require(
      approach(Walk.circle(50, at: 500), Walk.steady(from: 0, to: 1000, seconds: 100)))
    #expect(abs(Double(found.longestInside ?? 0) / 1e9 - 10) < 0.001)
    // The fix at 50 s lies in the middle.
    #expect(abs(found.metres + 50) < 0.01)
  }

  @Test func theLongestTimeInsideCounts() throws {
    // Inside from 95 m on: from 11 to 21 s, and from 31 to 71 s.
    let fixes = Walk.fixes([
      (0, 0), (10, 94), (16, 100), (22, 94), (30, 94), (36, 100), (66, 100), (72, 94), (90, 94),
    ])
    let found = try #require(approach(Walk.circle(5, at: 100), fixes))
    #expect(abs(Double(found.longestInside ?? 0) / 1e9 - 40) < 0.1)
  }

  @Test func timeInsideDoesNotGoOnAcrossAGap() throws {
    let fixes = Walk.fixes([(0, 0), (10, 0), (100, 0), (110, 0)])
    let found = try #require(approach(Walk.circle(50), fixes))
    #expect(found.longestInside == 10_000_000_000)
  }

  @Test func aWayBesideACircleSaysHowFarItsNearestFixLay() throws {
    let found = try #require(
      approach(Walk.circle(50, at: 500), Walk.steady(from: 0, to: 300, seconds: 100)))
    #expect(found.longestInside == nil)
    #expect(abs(found.metres - 150) < 0.01)
    #expect(found.nearestFix.place == .line(11))
  }

  @Test func withoutPositionsNothingIsKnown() {
    #expect(approach(Walk.circle(50), []) == nil)
  }

  @Test(arguments: [(30.0, 0), (30.5, 1)])
  func upToHalfAMinuteBeforeTheFirstFixIsNoGap(_ second: Double, _ stretches: Int) {
    var monitor = CircleMonitor(
      [Walk.circle(50)], CircleSettings(), fixes: Walk.fixes([(second, 0), (60, 0)]))
    monitor.begin(at: Walk.time(0))
    monitor.finish(at: Walk.time(70))
    #expect(monitor.unknownStretches.count == stretches)
  }
}
