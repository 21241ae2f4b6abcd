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
  /// When nobody at all was heard; ascending, disjoint. And until when that is known: while a run goes on until
  /// somebody was heard last, of a whole recording until its end.
  let quiet: [Timeline.Span]
  let quietKnownUntil: Timestamp

  init(
    spans: [Timeline.Span], leastGap: Int64 = 0, filteredScans: [Timeline.Span] = [],
    filtersSince: Int64? = nil, quiet: [Timeline.Span] = [], quietKnownUntil: Timestamp = .none
  ) {
    (self.spans, self.leastGap) = (spans, leastGap)
    (self.filteredScans, self.filtersSince) = (filteredScans, filtersSince)
    (self.quiet, self.quietKnownUntil) = (quiet, quietKnownUntil)
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

  /// For how long behind a moment the scan of then leaves out whom it told of, up to an end, nanoseconds.
  func leftOut(after moment: Timestamp, until end: Timestamp) -> Int64 {
    let (from, to) = (moment.nanoseconds, end.nanoseconds)
    if let filtersSince, filtersSince <= from { return max(0, to.since(from)) }
    let place = filteredScans.indices.bisected { filteredScans[$0].to.nanoseconds > from }
    guard place < filteredScans.count, filteredScans[place].from.nanoseconds <= from else {
      return 0
    }
    return max(0, min(filteredScans[place].to.nanoseconds, to).since(from))
  }

  /// Whether a scan that filters duplicates was on at any time before a moment.
  func filters(before moment: Timestamp) -> Bool {
    filtersSince.map { $0 < moment.nanoseconds } ?? false
      || filteredScans.first.map { $0.from.nanoseconds < moment.nanoseconds } ?? false
  }

  /// Until when nobody at all is heard behind a moment at which nobody is, but not behind an end.
  func nobodyHeard(after moment: Timestamp, until end: Timestamp) -> Timestamp {
    let (from, to) = (moment.nanoseconds, end.nanoseconds)
    // Nobody since: it goes on.
    if from > quietKnownUntil.nanoseconds { return end }
    let place = quiet.indices.bisected { quiet[$0].to.nanoseconds > from }
    guard place < quiet.count, quiet[place].from.nanoseconds <= from else { return moment }
    return Timestamp(nanoseconds: max(from, min(quiet[place].to.nanoseconds, to)))
  }

  /// Those that began before a moment.
  func before(_ moment: Timestamp) -> ArraySlice<Timeline.Span> {
    spans[..<spans.indices.bisected { spans[$0].from.nanoseconds >= moment.nanoseconds }]
  }
}
