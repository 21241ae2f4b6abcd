import CaptureReader
import Regions

/// When an observer is known not to have heard anything.
struct Deafness {
  /// Ascending, disjoint; there may be thousands.
  let spans: [Timeline.Span]
  /// A pause in the recording is among them from here on, nanoseconds.
  let leastGap: Int64
  /// Scans that left out whom they had told of; ascending, disjoint. And since when one does that goes on.
  let filteredScans: [Timeline.Span]
  let filtersSince: Int64?

  init(
    spans: [Timeline.Span], leastGap: Int64 = 0, filteredScans: [Timeline.Span] = [],
    filtersSince: Int64? = nil
  ) {
    (self.spans, self.leastGap) = (spans, leastGap)
    (self.filteredScans, self.filtersSince) = (filteredScans, filtersSince)
  }

  /// For how long of a time it could hear, nanoseconds.
  func listened(from: Timestamp, to: Timestamp) -> Int64 {
    guard from.isKnown, to.nanoseconds > from.nanoseconds else { return 0 }
    var (sum, at) = (Int64(0), from.nanoseconds)
    let first = spans.indices.bisected { spans[$0].to.nanoseconds > from.nanoseconds }
    for span in spans[first...] {
      guard span.from.nanoseconds < to.nanoseconds else { break }
      sum = sum.later(by: max(0, span.from.nanoseconds.since(at)))
      at = max(at, span.to.nanoseconds)
    }
    return sum.later(by: max(0, to.nanoseconds.since(at)))
  }

  /// Until when, behind a moment, a scan leaves out whom it told of then; the moment itself where none does.
  func filtered(after moment: Timestamp) -> Timestamp {
    if let filtersSince, filtersSince <= moment.nanoseconds {
      return Timestamp(nanoseconds: .max)
    }
    let place = filteredScans.indices.bisected {
      filteredScans[$0].to.nanoseconds > moment.nanoseconds
    }
    guard place < filteredScans.count,
      filteredScans[place].from.nanoseconds <= moment.nanoseconds
    else { return moment }
    return filteredScans[place].to
  }

  /// Those that began before a moment.
  func before(_ moment: Timestamp) -> ArraySlice<Timeline.Span> {
    spans[..<spans.indices.bisected { spans[$0].from.nanoseconds >= moment.nanoseconds }]
  }
}
