import CaptureReader
import TestSupport
import Testing
import TrackReader

@testable import Regions

/// SEMANTICS 4, sentence by sentence.
@Suite struct CircleMonitorTests {
  /// `kind time crossed_at` in seconds of the walk.
  private func lines(_ events: [CircleEvent]) -> [String] {
    events.map { event in
      let kind =
        event.kind == .state ? "state(\(event.isInside ? "inside" : "outside"))" : "\(event.kind)"
      let crossed = Walk.seconds(event.crossedAt).map { " crossed \(rounded($0))" } ?? ""
      return "\(kind) \(rounded(Walk.seconds(event.time) ?? -1))\(crossed)"
    }
  }
  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private func run(
    _ circles: [CircularRegion], _ fixes: [Fix], _ settings: CircleSettings = CircleSettings(),
    from begin: Double = 0, to end: Double = 10_000
  ) -> CircleMonitor {
    var monitor = CircleMonitor(circles, settings, fixes: fixes)
    monitor.begin(at: Walk.time(begin))
    monitor.finish(at: Walk.time(end))
    return monitor
  }

  @Test func whereTheTrackStartsInsideThereIsNoEnter() {
    let monitor = run([Walk.circle(50)], Walk.steady(from: 0, to: 30, seconds: 100))
    #expect(lines(monitor.events) == ["state(inside) 0.0"])
  }

  @Test func aCrossingIsToldWhenTheCushionIsPassedAndTwentySecondsAreOver() {
    // 1 m/s towards the circle's middle and out on the other side: boundary at 100 and 200 s,
    // 10 m of cushion.
    let monitor = run([Walk.circle(50, at: 150)], Walk.steady(from: 0, to: 300, seconds: 300))
    #expect(
      lines(monitor.events) == [
        "state(outside) 0.0", "enter 130.0 crossed 100.0", "exit 230.0 crossed 200.0",
      ])
    // A fix every ten seconds: the one at 100 s stands in line 11.
    #expect(monitor.events[1].evidence.first == .line(11))
    #expect(monitor.events[1].evidence.last == .line(14))
  }

  @Test func crossingsAreSolvedBetweenTheFixes() {
    let monitor = run([Walk.circle(51.5, at: 150)], Walk.steady(from: 0, to: 300, seconds: 300))
    #expect(
      lines(monitor.events) == [
        "state(outside) 0.0", "enter 128.5 crossed 98.5", "exit 231.5 crossed 201.5",
      ])
    #expect(monitor.events[1].evidence == [10, 11, 13, 14].map { FixPlace.line($0) })
  }

  @Test func onEntryTheCushionIsAtMostHalfTheRadius() {
    let monitor = run(
      [Walk.circle(50, at: 150)], Walk.steady(from: 0, to: 450, seconds: 450),
      CircleSettings(cushion: 200))
    #expect(
      lines(monitor.events) == [
        "state(outside) 0.0", "enter 145.0 crossed 100.0", "exit 420.0 crossed 200.0",
      ])
  }

  @Test func aCircleCanHaveACushionOfItsOwn() {
    let monitor = run(
      [Walk.circle(50, at: 150, cushion: 0)], Walk.steady(from: 0, to: 300, seconds: 300))
    #expect(
      lines(monitor.events) == [
        "state(outside) 0.0", "enter 120.0 crossed 100.0", "exit 220.0 crossed 200.0",
      ])
  }

  @Test(
    arguments: [
      // Out into the cushion and back: nothing crossed for good.
      ([(0, 0), (20, 59), (40, 0), (60, 0)], []),
      // Beyond the cushion for less than 20 s.
      ([(0, 0), (20, 100), (22, 100), (42, 0), (60, 0)], []),
      // The same, then out again: the dwell begins anew, and so does the crossing.
      (
        [(0, 0), (20, 100), (22, 100), (42, 0), (50, 0), (70, 100), (90, 100)],
        ["exit 82.0 crossed 60.0"]
      ),
      // Back into the cushion only: the crossing stands, the dwell begins anew.
      (
        [(0, 0), (20, 100), (25, 55), (30, 100), (60, 100)],
        ["exit 45.556 crossed 10.0"]
      ),
    ] as [([(Double, Double)], [String])])
  func onlyWhoStaysBeyondTheCushionHasCrossed(_ points: [(Double, Double)], _ expected: [String]) {
    let monitor = run([Walk.circle(50)], Walk.fixes(points))
    #expect(lines(monitor.events) == ["state(inside) 0.0"] + expected)
  }

  @Test func nothingIsDecidedBeyondTheClock() {
    let fixes = Walk.steady(from: 0, to: 300, seconds: 300)
    var monitor = CircleMonitor([Walk.circle(50)], CircleSettings(), fixes: fixes)
    monitor.begin(at: Walk.time(0))
    monitor.advance(to: Walk.time(79.999999999))
    #expect(lines(monitor.takeEvents()) == ["state(inside) 0.0"])
    #expect(monitor.isInside(0) == true)
    monitor.advance(to: Walk.time(80))
    #expect(lines(monitor.takeEvents()) == ["exit 80.0 crossed 50.0"])
    #expect(monitor.isInside(0) == false)
    monitor.advance(to: Walk.time(10))
    monitor.finish(at: Walk.time(300))
    #expect(monitor.takeEvents().isEmpty)
  }

  @Test func atTheEndNothingIsMadeUp() {
    let monitor = run([Walk.circle(50)], Walk.steady(from: 0, to: 300, seconds: 300), to: 79)
    #expect(lines(monitor.events) == ["state(inside) 0.0"])
    #expect(monitor.unknownStretches.isEmpty)
  }

  @Test func acrossAGapTheCrossingIsToldWithoutItsMoment() {
    let fixes = Walk.fixes([(0, 0), (20, 0), (51, 400), (60, 400), (80, 400)])
    let monitor = run([Walk.circle(50)], fixes, to: 100)
    // Beyond the cushion from the first fix behind the gap on.
    #expect(lines(monitor.events) == ["state(inside) 0.0", "exit 71.0"])
    #expect(monitor.events[1].evidence == [2, 3, 4, 5].map { FixPlace.line($0) })
    #expect(
      monitor.unknownStretches == [
        UnknownStretch(from: Walk.time(20), until: Walk.time(51))
      ])
    // Behind the last position it is there as long as between two.
    #expect(run([Walk.circle(50)], fixes, to: 110).unknownStretches.count == 1)
    #expect(
      run([Walk.circle(50)], fixes, to: 111).unknownStretches.last
        == UnknownStretch(from: Walk.time(80), until: Walk.time(111)))
  }

  @Test func aGapEndsTheDwell() {
    let fixes = Walk.fixes([(0, 0), (10, 100), (25, 100), (56, 100), (66, 100)])
    let monitor = run([Walk.circle(50)], fixes)
    #expect(lines(monitor.events) == ["state(inside) 0.0"])
  }

  @Test func whileThePositionIsUnknownSoIsTheState() {
    let fixes = Walk.fixes([(5, 0), (10, 0), (60, 0), (70, 0)])
    var monitor = CircleMonitor([Walk.circle(50)], CircleSettings(), fixes: fixes)
    monitor.begin(at: Walk.time(0))
    var states: [Bool?] = []
    for second in [0, 5, 10, 11, 59, 60, 65, 71] {
      monitor.advance(to: Walk.time(Double(second)))
      states.append(monitor.isInside(0))
    }
    #expect(states == [nil, true, true, nil, nil, true, true, true])
    // No fix is left: one of the capture may come until 30 s are over.
    monitor.advance(to: Walk.time(101))
    #expect(monitor.isInside(0) == nil)
  }

  @Test func fixesMoreThan30SecondsApartGiveNothingButTheFirstState() {
    let fixes = Walk.fixes((0..<10).map { (Double($0) * 31, Double($0) * 100) })
    let monitor = run([Walk.circle(50)], fixes)
    #expect(lines(monitor.events) == ["state(inside) 0.0"])
  }

  @Test func beforeTheCaptureNothingIsToldAndItsStartMayLieBetweenFixes() {
    let fixes = Walk.steady(from: -200, to: 300, seconds: 500)
    let monitor = run([Walk.circle(50)], fixes, from: 195)
    #expect(lines(monitor.events) == ["state(inside) 195.0", "exit 280.0 crossed 250.0"])
    let late = run([Walk.circle(50)], fixes, from: 265)
    #expect(lines(late.events) == ["state(outside) 265.0"])
  }

  @Test func atOneInstantExitsComeBeforeEntersAndThenTheOrderOfDefinition() {
    // The second and third circle are entered 30 s behind their boundary, when the first is left.
    let circles = [Walk.circle(100, at: 230), Walk.circle(50), Walk.circle(100, at: 150)]
    let monitor = run(
      circles, Walk.steady(from: 0, to: 300, seconds: 300), to: 170)
    #expect(
      monitor.events.map { "\($0.kind) \($0.circle)" } == [
        "state 0", "state 1", "state 2", "exit 1", "enter 2", "enter 0",
      ])
    #expect(lines(monitor.events).suffix(3).first == "exit 80.0 crossed 50.0")
    #expect(lines(monitor.events)[4] == "enter 80.0 crossed 50.0")
  }

  @Test func fixesOfTheCaptureGiveTheSameAsATrack() {
    var random = Seeded(9)
    for round in 0..<200 {
      let fixes = RandomWalk.fixes(&random)
      let circles = [Walk.circle(20, at: 0), Walk.circle(50, at: 40), Walk.circle(80, at: 80)]
      let whole = run(circles, fixes)
      var monitor = CircleMonitor(circles, CircleSettings())
      monitor.begin(at: Walk.time(0))
      for fix in fixes {
        monitor.advance(to: Timestamp(nanoseconds: fix.time.nanoseconds - 1))
        monitor.add(fix)
        monitor.advance(to: fix.time)
      }
      monitor.finish(at: Walk.time(10_000))
      #expect(monitor.events == whole.events, "round \(round)")
      #expect(monitor.unknownStretches == whole.unknownStretches, "round \(round)")
    }
  }

  @Test func aRadiusAboveTheLargestIsReducedWithAWarning() {
    let monitor = CircleMonitor(
      [Walk.circle(50), Walk.circle(900)], CircleSettings(maximumRadius: 400))
    #expect(monitor.warnings == [CircleWarning(Walk.circle(900), 400)].compactMap { $0 })
    #expect(
      monitor.warnings.first?.description
        == "circle \"yard\": a radius of 900.0 m is more than can be monitored; 400.0 m are.")
    let reduced = run(
      [Walk.circle(900)], Walk.steady(from: 0, to: 600, seconds: 600),
      CircleSettings(maximumRadius: 400))
    #expect(lines(reduced.events) == ["state(inside) 0.0", "exit 430.0 crossed 400.0"])
  }

  @Test(
    arguments: [
      (91.0, 0.0, 1.0, nil, "latitude 91.0 is not in -90…90 degrees."),
      (.nan, 0, 1, nil, "latitude nan"), (0, -181, 1, nil, "longitude -181.0 is not in -180…180"),
      (0, 0, 0, nil, "radius 0.0 is not above 0 metres."), (0, 0, .infinity, nil, "radius inf"),
      (0, 0, 1, -1, "cushion -1.0 is not 0 metres or more."),
    ] as [(Double, Double, Double, Double?, String)])
  func aCircleThatCannotBeIsToldInOneSentence(
    _ latitude: Double, _ longitude: Double, _ radius: Double, _ cushion: Double?, _ text: String
  ) {
    let problem = #expect(throws: CircleProblem.self) {
      try CircularRegion(
        identifier: "yard", latitude: latitude, longitude: longitude, radius: radius,
        cushion: cushion)
    }
    #expect(problem?.description.contains(text) == true)
    #expect(problem?.description.hasPrefix("circle \"yard\": ") == true)
  }
}
