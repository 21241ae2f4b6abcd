import CaptureReader
import Testing

@testable import Exports

@Suite("A beacon's trace") struct BeaconTraceTests {
  private static let start: Int64 = 1_000_000_000_000_000_000
  /// Seconds behind the start, which a column begins at.
  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: start + Int64(seconds * 1e9))
  }

  private static func trace(_ heard: [(Double, Int8)]) -> BeaconTrace {
    var trace = BeaconTrace(name: "iBeacon 1:2")
    for (seconds, rssi) in heard { trace.hear(at(seconds), rssi: rssi) }
    return trace
  }

  @Test("has the mean of each two seconds, and says where nothing was heard")
  func means() {
    let trace = Self.trace([(0, -60), (1.9, -70), (2, -80), (6.5, 127)])
    #expect(
      trace.levels(until: Self.at(7), count: 5)
        == [.silent, .signal(-65), .signal(-80), .silent, .heard])
    #expect(trace.sightings == 4)
    // The latest one that there is.
    #expect(trace.signal == -80)
  }

  @Test("goes on behind a silence longer than itself with nothing of before")
  func longSilence() {
    let long = Double(BeaconTrace.columns) * 2
    let trace = Self.trace([(0, -60), (long, -50)])
    let levels = trace.levels(until: Self.at(long), count: BeaconTrace.columns)
    #expect(levels.dropLast().allSatisfy { $0 == .silent })
    #expect(levels.last == .signal(-50))
  }

  @Test("keeps columns up to its length, and drops them one by one")
  func ring() {
    let all = (0..<BeaconTrace.columns + 3).map { (place: Int) -> (Double, Int8) in
      (Double(place) * 2, Int8(-40 - place % 50))
    }
    let trace = Self.trace(all)
    let levels = trace.levels(until: Self.at(all.last!.0), count: BeaconTrace.columns + 1)
    #expect(levels == [.silent] + all.suffix(BeaconTrace.columns).map { .signal(Int($0.1)) })
  }

  @Test("takes a report from before the latest one, and begins anew where a clock is set back")
  func backwards() {
    let late = Self.trace([(10, -60), (7, -70)])
    #expect(
      late.levels(until: Self.at(10), count: 3) == [.signal(-70), .silent, .signal(-60)])
    let back = Self.trace([(1000, -60), (0, -70)])
    #expect(back.levels(until: Self.at(0), count: 2) == [.silent, .signal(-70)])
    #expect(back.levels(until: Self.at(1000), count: 2) == [.silent, .silent])
  }

  @Test("knows when a beacon came, or came back after ten seconds")
  func appeared() {
    #expect(Self.trace([(0, -60), (9.9, -60)]).appeared == Self.at(0))
    #expect(Self.trace([(0, -60), (10, -60), (11, -60)]).appeared == Self.at(10))
  }

  @Test("is sorted by ten seconds, not by what was heard last")
  func steady() {
    let trace = Self.trace([(0, -90), (4, -60), (8, -70)])
    let mean: Double = -220 / 3
    #expect(trace.steadySignal(at: Self.at(9)) == mean)
    #expect(trace.steadySignal(at: Self.at(30)) == nil)
  }

  @Test("counts reports without a time and shows none of them")
  func noTime() {
    var trace = BeaconTrace(name: "")
    trace.hear(.none, rssi: -50)
    #expect(trace.sightings == 1 && !trace.last.isKnown && trace.signal == nil)
    #expect(trace.levels(until: .none, count: 2) == [.silent, .silent])
  }
}
