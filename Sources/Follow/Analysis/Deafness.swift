import CaptureReader
import Regions

/// When an observer is known not to have heard anything.
struct Deafness {
  /// Ascending, disjoint; there may be thousands.
  let spans: [Timeline.Span]

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

  /// Whether all that it did not hear in a time it may have left out; nil where it heard all the time.
  func isOfFilter(from: Timestamp, to: Timestamp) -> Bool? {
    let spans = before(to).filter { $0.to.nanoseconds > from.nanoseconds }
    return spans.isEmpty ? nil : spans.allSatisfy(\.isOfFilter)
  }

  /// Those that began before a moment.
  func before(_ moment: Timestamp) -> ArraySlice<Timeline.Span> {
    spans[..<spans.indices.bisected { spans[$0].from.nanoseconds >= moment.nanoseconds }]
  }
}
