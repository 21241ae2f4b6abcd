import CaseStore
import Testing

@testable import Cases

/// Which fixes a case keeps where there are more than it has room for.
@Suite("Fixes that are kept") struct FixThinningTests {
  private static let second: Int64 = 1_000_000_000

  /// A fix every so many seconds, by row numbers that count on.
  private static func track(
    _ seconds: StrideTo<Int>, file: Int64 = 1, observer: Int64? = nil, gapAt: Int? = nil
  ) -> [FixRow] {
    seconds.map { time in
      FixRow(
        source: "track", observerId: observer, fileId: file, number: time,
        timeNs: Int64(time) * second, latitude: 1, longitude: 2, gapBefore: time == gapAt)
    }
  }

  private static func recording(_ from: Int64, _ to: Int64, of observer: Int64 = 1) -> RecordingRow
  {
    RecordingRow(observerId: observer, fromNs: from * second, toNs: to * second)
  }

  private static func moment(_ seconds: Int64, of observer: Int64? = 1) -> PlacedMoment {
    PlacedMoment(observer: observer, time: seconds * second)
  }

  @Test("lie within a recording, half a minute and the next fix beyond it") func recordings() {
    let thinning = FixThinning(
      most: 100, recordings: [Self.recording(1000, 1100), Self.recording(5000, 5010)], moments: [])
    let result = thinning.thinned(Self.track(stride(from: 0, to: 10_000, by: 10)))
    #expect(
      result.rows.map(\.number)
        == Array(stride(from: 960, through: 1140, by: 10))
        + Array(stride(from: 4960, through: 5050, by: 10)))
    #expect(result.outside == 1000 - result.rows.count)
    // Nobody is shown to have gone straight from one recording to the next.
    #expect(result.rows.filter { $0.gapBefore == true }.map(\.number) == [4960])
  }

  @Test("of a receiver's own track lie within its own recordings") func ownRecordings() {
    let thinning = FixThinning(
      most: 100, recordings: [Self.recording(100, 200), Self.recording(1000, 1100, of: 2)],
      moments: [])
    let rows =
      Self.track(stride(from: 0, to: 2000, by: 50), file: 1, observer: 2)
      + Self.track(stride(from: 0, to: 2000, by: 50), file: 2)
    let kept = thinning.thinned(rows).rows
    #expect(
      kept.filter { $0.fileId == 1 }.map(\.number)
        == Array(stride(from: 950, through: 1150, by: 50)))
    #expect(
      kept.filter { $0.fileId == 2 }.map(\.number)
        == Array(stride(from: 50, through: 250, by: 50))
        + Array(stride(from: 950, through: 1150, by: 50)))
  }

  @Test("are all of a capture's, and all where nobody recorded") func captures() {
    var rows = Self.track(stride(from: 0, to: 100, by: 10))
    for place in rows.indices { rows[place].source = "capture" }
    let thinning = FixThinning(most: 10, recordings: [Self.recording(1000, 1100)], moments: [])
    #expect(thinning.thinned(rows).rows.count == 10)
    let nobody = FixThinning(most: 10, recordings: [], moments: [])
    #expect(nobody.thinned(Self.track(stride(from: 0, to: 100, by: 10))).outside == 0)
  }

  @Test("are those around moments, and of the others evenly fewer") func moments() {
    let thinning = FixThinning(
      most: 100, recordings: [Self.recording(0, 10_000)],
      moments: [Self.moment(3333), Self.moment(7777)])
    let result = thinning.thinned(Self.track(stride(from: 0, to: 10_000, by: 10)))
    let numbers = Set(result.rows.map(\.number))
    #expect(numbers.isSuperset(of: [3330, 3340, 7770, 7780]))
    #expect(result.rows.count <= 100 && result.rows.count > 80)
    #expect(result.outside == 0 && result.crowdedOut == 0)
    // What was thinned out is no gap.
    #expect(!result.rows.contains { $0.gapBefore == true })
  }

  @Test("around a moment are on the own way and on that of all, not on another one's")
  func ways() {
    let thinning = FixThinning(
      most: 40, recordings: [Self.recording(0, 2000), Self.recording(0, 2000, of: 2)],
      moments: [Self.moment(1005, of: 2)])
    let rows =
      Self.track(stride(from: 0, to: 2000, by: 10), file: 1, observer: 1)
      + Self.track(stride(from: 0, to: 2000, by: 10), file: 2, observer: 2)
      + Self.track(stride(from: 0, to: 2000, by: 10), file: 3)
    let kept = thinning.thinned(rows).rows
    let around = kept.filter { [1000, 1010].contains($0.number) }
    #expect(around.filter { $0.fileId != 1 }.map(\.fileId) == [2, 2, 3, 3])
    #expect(around.filter { $0.fileId == 1 }.count < 2)
  }

  @Test("around moments are bounded, the most important first") func bounded() {
    let thinning = FixThinning(
      most: 40, recordings: [Self.recording(0, 10_000)],
      moments: (0..<100).map { Self.moment(9905 - 100 * $0) })
    let result = thinning.thinned(Self.track(stride(from: 0, to: 10_000, by: 10)))
    #expect(result.rows.count <= 40)
    #expect(result.crowdedOut == 90)
    #expect(Set(result.rows.map(\.number)).isSuperset(of: [9900, 9910, 9000, 9010]))
  }

  @Test("have a gap where one was thinned out between them") func gap() {
    let thinning = FixThinning(most: 10, recordings: [], moments: [])
    let rows = Self.track(stride(from: 0, to: 1000, by: 10), gapAt: 550)
    let kept = thinning.thinned(rows).rows
    #expect(kept.map(\.number) == Array(stride(from: 0, to: 1000, by: 100)))
    #expect(kept.filter { $0.gapBefore == true }.map(\.number) == [600])
  }

  @Test("are told") func remark() {
    func kept(
      _ rows: Int, outside: Int = 0, crowdedOut: Int = 0, isAroundMoments: Bool = true
    ) -> FixThinning.Result {
      FixThinning.Result(
        rows: Array(Self.track(stride(from: 0, to: rows, by: 1))), outside: outside,
        crowdedOut: crowdedOut, isAroundMoments: isAroundMoments)
    }
    // Those that captures carry are made fewer as they are read, wherever visits end.
    #expect(
      CaseFilling.remark(kept(5, isAroundMoments: false), of: 8)
        == "5 of 8 positions are kept, evenly; the events were told by all of them.")
    #expect(CaseFilling.remark(kept(5), of: 5) == nil)
    #expect(
      CaseFilling.remark(kept(5, outside: 3), of: 8)
        == "5 of 8 positions are kept; 3 lie outside all recordings and are left out; "
        + "the events were told by all of them.")
    #expect(
      CaseFilling.remark(kept(5, crowdedOut: 2), of: 8)
        == "5 of 8 positions are kept, evenly, with those around ends of visits and around the "
        + "strongest signals; there was no room for those around 2 more of these; "
        + "the events were told by all of them.")
  }
}
