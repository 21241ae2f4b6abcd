import CaptureReader
import Testing
import TrackReader

@testable import Regions

@Suite struct PositionMonitorTests {
  private func events(_ settings: PositionSettings, _ fixes: [Fix], to end: Double = 10_000)
    -> [PositionEvent]
  {
    var monitor = PositionMonitor(settings, fixes: fixes)
    monitor.begin(at: Walk.time(0))
    monitor.advance(to: Walk.time(end))
    return monitor.takeEvents()
  }
  private func times(_ events: [PositionEvent]) -> [Double] {
    events.map { Walk.seconds($0.time) ?? -1 }
  }

  @Test(
    arguments: [
      (0.0, [0.0, 10, 20, 30, 40]), (9.999, [0, 10, 20, 30, 40]), (15, [0, 20, 40]), (25, [0, 30]),
      (41, [0]),
    ] as [(Double, [Double])])
  func anUpdateIsToldOncePastTheDistanceFilter(_ filter: Double, _ expected: [Double]) {
    let found = events(
      PositionSettings(distanceFilter: filter), Walk.steady(from: 0, to: 40, seconds: 40))
    #expect(times(found) == expected)
    #expect(found.allSatisfy { $0.kind == .update })
    #expect(found.first?.moved == nil)
    for event in found.dropFirst() { #expect((event.moved ?? 0) >= filter) }
  }

  @Test func nothingIsToldBeyondTheClockNorWithoutAsking() {
    let fixes = Walk.steady(from: 0, to: 40, seconds: 40)
    #expect(times(events(PositionSettings(distanceFilter: 0), fixes, to: 19.9)) == [0, 10])
    #expect(events(PositionSettings(), fixes).isEmpty)
  }

  @Test func significantChangesNeed500MetresAndFiveMinutes() {
    // 5 m/s: 500 m in 100 s, but the next is due after 300 s.
    let settings = PositionSettings(significantDistance: 499.9)
    let found = events(settings, Walk.steady(from: 0, to: 3500, seconds: 700))
    #expect(times(found) == [0, 300, 600])
    // 1 m/s: 500 m take longer than that.
    let slow = events(settings, Walk.steady(from: 0, to: 1100, seconds: 1100))
    #expect(times(slow) == [0, 500, 1000])
    let free = PositionSettings(significantDistance: 499.9, significantInterval: 0)
    #expect(
      times(events(free, Walk.steady(from: 0, to: 3500, seconds: 700))).prefix(3) == [0, 100, 200])
  }

  @Test func theCourseIsThatOfTheWayWhereTheTrackHasNone() {
    // East, then back west.
    let fixes = Walk.fixes([(0, 0), (10, 10), (20, 20), (30, 10), (40, 0)])
    let found = events(PositionSettings(courseFilter: 15), fixes)
    #expect(times(found) == [10, 30])
    #expect(found.map { ($0.course ?? -1).rounded() } == [90, 270])
  }

  @Test func theCourseOfTheTrackCountsUnlessItStandsStill() {
    let read: [(Double, Double?)] = [(350, 2), (5, 2), (20, 2), (180, 0.1), (21, nil)]
    let fixes = read.enumerated().map { index, c in
      Fix(
        time: Walk.time(Double(index)), latitude: 0, longitude: 0, speed: c.1, course: c.0,
        place: .line(index + 1))
    }
    let found = events(PositionSettings(courseFilter: 15), fixes)
    #expect(found.map(\.course) == [350, 5, 20])
    #expect(found.map(\.evidence.number) == [1, 2, 3])
  }

  @Test func theCourseOfTheWayHoldsOnAStraightWalkAndNotForWhoStandsStill() {
    // A metre and a half a second to the east, for twelve seconds; then nothing moves.
    let walk = (0...12).map { (Double($0), 1.5 * Double($0)) }
    let rest = (13...30).map { (Double($0), 18.0) }
    let found = events(PositionSettings(distanceFilter: 0), Walk.fixes(walk + rest))
    let known = found.filter { $0.course != nil }
    #expect(found.count == 31)
    #expect(times(known) == (4...22).map { Double($0) })
    #expect(found.compactMap(\.course).allSatisfy { ($0 - 90).magnitude < 1 })
  }

  @Test func acrossAGapThereIsNoCourse() {
    let fixes = Walk.fixes([(0, 0), (31, 100), (32, 101), (40, 110)])
    #expect(times(events(PositionSettings(courseFilter: 0), fixes)) == [40])
  }

  @Test(arguments: [
    ("distance=50", PositionSettings(distanceFilter: 50)),
    ("distance", PositionSettings(distanceFilter: 0)),
    (
      "course=7.5,significant,distance=0",
      PositionSettings(distanceFilter: 0, significantDistance: 500, courseFilter: 7.5)
    ),
    ("significant=250", PositionSettings(significantDistance: 250)),
  ])
  func whatIsWantedIsWrittenAsKeys(_ text: String, _ settings: PositionSettings) throws {
    #expect(try PositionSettings(text) == settings)
  }

  @Test(arguments: [
    ("", "positions '': is unknown; the keys are distance, significant, course."),
    ("distanc=5", "positions 'distanc=5': distanc: is unknown"),
    ("distance=5,distance=6", "distance: is given twice."),
    ("distance=-1", "distance: has to be 0 to 20000000 metres, not '-1'."),
    ("distance=", "not ''."), ("course=nan", "course: has to be 0 to 180 degrees, not 'nan'."),
  ])
  func aMistakeIsToldWithItsKey(_ text: String, _ sentence: String) {
    let problem = #expect(throws: TextProblem.self) { try PositionSettings(text) }
    #expect(problem?.description.contains(sentence) == true)
  }
}
