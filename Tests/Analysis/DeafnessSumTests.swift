import CaptureReader
import Testing

@testable import Analysis

/// For how long of a time an observer could hear, at the ends of the scale too: times come from files.
@Suite struct DeafnessSumTests {
  private static func span(_ from: Int64, _ to: Int64) -> Timeline.Span {
    Timeline.Span(from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to))
  }

  private static let least = Int64.min + 1

  @Test(arguments: [
    ([], Int64(10), Int64(50), Int64(40)),
    ([span(0, 20), span(30, 35), span(45, 60)], 10, 50, 20),
    ([span(0, 10), span(50, 60)], 10, 50, 40),
    ([span(0, 60)], 10, 50, 0),
    ([span(10, 50)], 50, 10, 0),
    // Longer than the scale: as long as it can say.
    ([], least, .max, .max),
    ([span(0, 1)], least, .max, .max),
    ([span(least, .max)], least, .max, 0),
    ([span(least, -10), span(10, .max)], least, .max, 20),
    ([span(least + 5, .max - 7)], least, .max, 12),
  ])
  func whatWasListenedIsTheRestOfTheTime(
    _ deaf: [Timeline.Span], _ from: Int64, _ to: Int64, _ listened: Int64
  ) {
    let deafness = Deafness(spans: deaf)
    #expect(
      deafness.listened(from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to))
        == listened)
  }
}
