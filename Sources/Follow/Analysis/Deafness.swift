import CaptureReader
import Regions

/// When an observer is known not to have heard anything.
struct Deafness {
  /// Ascending, disjoint; there may be thousands.
  let spans: [Timeline.Span]

  /// For how long of a time it could hear, nanoseconds.
  func listened(from: Timestamp, to: Timestamp) -> Int64 {
    guard from.isKnown, to.nanoseconds > from.nanoseconds else { return 0 }
    var sum = to.nanoseconds.since(from.nanoseconds)
    for span in spans[first { $0.to.nanoseconds > from.nanoseconds }...] {
      guard span.from.nanoseconds < to.nanoseconds else { break }
      let begin = max(span.from.nanoseconds, from.nanoseconds)
      let end = min(span.to.nanoseconds, to.nanoseconds)
      if end > begin { sum -= end - begin }
    }
    return sum
  }

  /// Those that began before a moment.
  func before(_ moment: Timestamp) -> ArraySlice<Timeline.Span> {
    spans[..<first { $0.from.nanoseconds >= moment.nanoseconds }]
  }

  /// Place of the first span of which something holds that holds of all behind it, too.
  private func first(where holds: (Timeline.Span) -> Bool) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(spans[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
