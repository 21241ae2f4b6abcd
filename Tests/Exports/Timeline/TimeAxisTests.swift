import CaptureReader
import Testing

@testable import Exports

@Suite struct TimeAxisTests {
  private static let start = TimelineScene.start

  @Test(arguments: [
    (871.0, 40, "10:00        10:05         10:10"),
    (60.0, 60, "10:00:00       10:00:15       10:00:30       10:00:45"),
    (3.0, 60, "10:00:00            10:00:01            10:00:02"),
    (7200.0, 40, "10:00     10:30     11:00     11:30"),
    (-0.4, 40, "10:00        10:05        10:10"),
    (144_000.0, 60, "   12:00    18:00    05-20    06:00    12:00    18:00"),
    (864_000.0, 60, "2026-05-19     2026-05-22                    2026-05-27"),
    (0.0, 20, "10:00:00"),
  ])
  func labelsStandWhereTheirTimesAre(seconds: Double, cells: Int, expected: String) {
    // A fraction before the full minute: the label is that of the minute that follows.
    let span =
      seconds < 0
      ? StateLine.Span(from: Self.start + Int64(seconds * 1e9), to: Self.start + 900_000_000_000)
      : StateLine.Span(from: Self.start, to: Self.start + max(1, Int64(seconds * 1e9)))
    let line = TimeAxis.line(span, cells: cells)
    #expect(line == expected)
  }

  @Test(arguments: 1...200)
  func neverLongerThanTheCells(cells: Int) {
    for (from, to) in [
      (Self.start, Self.start + 1), (Self.start - 1, Self.start + 900_000_000_000),
      (Int64.min + 1, Int64.max), (Int64.max - 1, .max), (Int64.min + 1, .min + 2), (0, .max),
    ] {
      let line = TimeAxis.line(StateLine.Span(from: from, to: to), cells: cells)
      #expect(line.count <= cells)
    }
  }
}
