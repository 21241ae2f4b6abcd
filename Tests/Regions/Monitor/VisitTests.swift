import CaptureReader
import Testing

@testable import Regions

private let a = Beacon.iBeacon(1, 1)
private let s = second

@Suite struct VisitTests {
  @Test func visitsSayHowTheyBeganAndEnded() throws {
    let monitor = try Telling(regions: [lobby]).perform([
      .sees(0, a), .sees(5 * s, a), .record(60 * s), .sees(70 * s, a), .sees(71 * s, a),
      .sees(72 * s, a), .record(80 * s), .end(),
    ])
    let left = try #require(monitor.visits.first)
    #expect(monitor.visits.count == 1 && left.wasInsideAlready && !left.isOpen)
    #expect(left.since.nanoseconds == origin && left.until.nanoseconds == origin + 35 * s)
    #expect(left.lastSeen.nanoseconds == origin + 5 * s && left.sightings == 2)
    #expect(left.silence?.grade == .deaf && left.first.frame == 1 && left.last.frame == 2)
    let end = monitor.recording(of: 0).clock
    #expect(left.duration(recordedUntil: end) == 35 * s)
    let open = try #require(monitor.openVisits.first)
    #expect(open.isOpen && !open.wasInsideAlready && open.sightings == 3 && open.silence == nil)
    #expect(open.duration(recordedUntil: end) == 10 * s)
  }

  @Test("The site's view: occupied while any observer is inside")
  func occupancy() throws {
    let happenings: [Happening] = [
      .record(0), .record(0, observer: 1), .record(0, observer: 2), .sees(40 * s, a),
      .sees(60 * s, a, observer: 1), .sees(200 * s, a), .sees(230 * s, a, observer: 1),
      .record(250 * s, observer: 2), .record(250 * s), .end(), .end(observer: 1),
    ]
    let monitor = try Telling(regions: [lobby], observers: 3).perform(happenings)
    let visits = monitor.visits + monitor.openVisits
    let occupied = Occupancy.of(visits) { monitor.recording(of: $0).clock }
    // At the first 40–70, at the second 60–90; then 200–230 and on from 230.
    #expect(occupied.map { ($0.since.nanoseconds - origin) / s } == [40, 200])
    #expect(occupied.map(\.until.isKnown) == [true, false])
    #expect(occupied.first?.until.nanoseconds == origin + 90 * s)
    #expect(occupied.map(\.visits.count) == [2, 2])
    #expect(Set(occupied.flatMap(\.visits)) == Set(visits.indices))
    #expect(Occupancy.of([]) { _ in .none }.isEmpty)
  }

  @Test("What nobody recorded is not occupied: an open stay ends with its recording")
  func betweenRecordings() throws {
    let monitor = try Telling(regions: [lobby], observers: 2).perform([
      .record(0), .sees(1 * s, a), .record(10 * s), .end(), .record(100 * s, observer: 1),
      .sees(101 * s, a, observer: 1), .record(200 * s, observer: 1), .end(observer: 1),
    ])
    let visits = monitor.visits + monitor.openVisits
    let occupied = Occupancy.of(visits) { monitor.recording(of: $0).clock }
    #expect(occupied.map(\.visits.count) == [1, 1])
    #expect(occupied.map(\.until.isKnown) == [false, true])
  }
}
