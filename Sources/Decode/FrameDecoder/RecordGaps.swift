import CaptureReader

/// When a recording had no record of an observer for so long that nobody knows whether it listened: the
/// machine slept, the clock was set, capturing was stopped.
public struct RecordGaps: Sendable {
  /// Nanoseconds; `to` is behind `from`.
  public struct Span: BitwiseCopyable, Sendable, Equatable {
    public let from: Int64
    public let to: Int64

    public init(from: Int64, to: Int64) {
      self.from = from
      self.to = to
    }

    /// Whether it goes from a time before 2000, which clocks have that were not set yet, to one behind that.
    public var isSetClock: Bool { from < Timestamp.year2000 && to >= Timestamp.year2000 }
  }

  /// Ascending, disjoint; beyond `most` only counted.
  public private(set) var spans: [Span] = []
  public private(set) var notListed = 0
  public static let most = 10_000
  /// A time without a record counts from here on, nanoseconds: the exit period of the usual profile, which
  /// is what makes a radio deaf (SEMANTICS 2, evidence).
  public static let least: Int64 = 30_000_000_000

  /// Those of them, or parts of them, of which the recorder says that nothing was captured; ascending.
  private var stops: [Span] = []
  /// Since when the recorder says that nothing is captured.
  private var uncapturedSince: Int64?

  public init() {}

  /// Those of several captures of one radio.
  /// - Parameter spans: of each, within the time that it covers.
  public init(joining spans: [Span]) {
    for span in spans.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
      join(span.from, span.to, most: .max)
    }
  }

  /// What lies between spans, where it is long enough to count.
  /// - Parameter spans: ascending, disjoint.
  public init(between spans: [Span]) {
    for (one, next) in zip(spans, spans.dropFirst()) { noteRecords(after: one.to, at: next.from) }
  }

  /// No record came in between.
  mutating func noteRecords(after from: Int64, at to: Int64) {
    let (length, overflow) = to.subtractingReportingOverflow(from)
    if overflow || length >= Self.least { add(from, to) }
  }

  mutating func captureEnds(at moment: Int64) { uncapturedSince = uncapturedSince ?? moment }

  mutating func captureBegins(at moment: Int64) {
    if let since = uncapturedSince {
      add(since, moment)
      if moment > since, stops.count < Self.most { stops.append(Span(from: since, to: moment)) }
    }
    uncapturedSince = nil
  }

  private mutating func add(_ from: Int64, _ to: Int64) { join(from, to, most: Self.most) }

  private mutating func join(_ from: Int64, _ to: Int64, most: Int) {
    guard to > from else { return }
    // They come in order nearly always: what the recorder says comes behind its records.
    var place = spans.count
    while place > 0, spans[place - 1].to >= from { place -= 1 }
    var end = place
    var (from, to) = (from, to)
    while end < spans.count, spans[end].from <= to {
      from = min(from, spans[end].from)
      to = max(to, spans[end].to)
      end += 1
    }
    guard end > place || spans.count < most else { return notListed += 1 }
    spans.replaceSubrange(place..<end, with: [Span(from: from, to: to)])
  }

  /// How much of a time they are, nanoseconds.
  public func length(from: Int64, to: Int64) -> Int64 {
    Self.length(of: spans, from: from, to: to)
  }

  /// For how much of a time the recorder says that it captured nothing, nanoseconds.
  func uncaptured(from: Int64, to: Int64) -> Int64 {
    Self.length(of: stops, from: from, to: to)
  }

  private static func length(of spans: [Span], from: Int64, to: Int64) -> Int64 {
    var sum: Int64 = 0
    for span in spans[first(of: spans, endingAfter: from)...] {
      guard span.from < to else { break }
      let (length, overflow) = min(span.to, to).subtractingReportingOverflow(max(span.from, from))
      let (next, isTooLong) = sum.addingReportingOverflow(length)
      if overflow || isTooLong { return .max }
      sum = next
    }
    return sum
  }

  /// A time without them, in parts.
  public func rest(from: Int64, to: Int64) -> [Span] {
    var rest: [Span] = []
    var begin = from
    for span in spans[first(endingAfter: from)...] {
      guard span.from < to else { break }
      if span.from > begin { rest.append(Span(from: begin, to: span.from)) }
      begin = max(begin, span.to)
    }
    if to > begin { rest.append(Span(from: begin, to: to)) }
    return rest
  }

  /// A time in parts without those in which a clock came out of the last century: it was set, and nothing of
  /// that time has passed.
  public func withoutSetClocks(from: Int64, to: Int64) -> [Span] {
    var sets = self
    sets.spans = spans.filter(\.isSetClock)
    return sets.rest(from: from, to: to)
  }

  /// The parts of them that lie in a time.
  public func parts(from: Int64, to: Int64) -> [Span] {
    var parts: [Span] = []
    for span in spans[first(endingAfter: from)...] {
      guard span.from < to else { break }
      parts.append(Span(from: max(span.from, from), to: min(span.to, to)))
    }
    return parts
  }

  private func first(endingAfter moment: Int64) -> Int {
    Self.first(of: spans, endingAfter: moment)
  }

  private static func first(of spans: [Span], endingAfter moment: Int64) -> Int {
    spans.indices.bisected { spans[$0].to > moment }
  }
}
