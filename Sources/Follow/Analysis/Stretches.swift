/// The time of a run without the long pauses in which nobody recorded: stretches, drawn beside each other.
///
/// The rule, which help and README tell: recordings of all observers with no more than an hour between
/// them are one stretch. The pause between two is left out where it is longer than one of the two, or
/// than both.
package struct Stretches: Equatable, Sendable {
  package struct Span: Equatable, Sendable {
    /// Nanoseconds since 1970; `to` is not before `from`.
    package let from: Int64
    package let to: Int64

    package init(from: Int64, to: Int64) {
      self.from = from
      self.to = to
    }

    /// Nanoseconds, as many as 64 bits hold.
    package var length: Int64 { Stretches.length(from, to) }
  }

  /// Ascending, with a pause that is left out between two; empty where nothing was recorded.
  package let spans: [Span]

  /// Pauses that are not longer are never left out: nanoseconds.
  package static let longestPause: Int64 = 3_600_000_000_000

  /// How many are drawn where there is room for all: the longest pauses are left out, shorter ones drawn.
  package static let most = 50

  /// - Parameters:
  ///   - recorded: when somebody recorded, in any order.
  ///   - most: so many stretches at most; of pauses that could be left out the longest are.
  package init(_ recorded: [Span], most: Int = Self.most) {
    let joined = Self.joined(recorded)
    let cuts = Self.cuts(joined, most: most)
    var spans: [Span] = []
    var begin = 0
    for end in cuts + [joined.count - 1] where end >= begin {
      spans.append(Span(from: joined[begin].from, to: joined[end].to))
      begin = end + 1
    }
    self.spans = spans
  }

  /// Those with no longer pause than an hour between them are one.
  private static func joined(_ recorded: [Span]) -> [Span] {
    var joined: [Span] = []
    for span in recorded.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
      if let last = joined.last, length(last.to, span.from) <= longestPause {
        joined[joined.count - 1] = Span(from: last.from, to: max(last.to, span.to))
      } else {
        joined.append(span)
      }
    }
    return joined
  }

  /// Behind which of them a pause is left out, ascending.
  private static func cuts(_ joined: [Span], most: Int) -> [Int] {
    let pauses = joined.indices.dropLast().map { place in
      (place: place, length: length(joined[place].to, joined[place + 1].from))
    }
    let long = pauses.filter { pause in
      pause.length > min(joined[pause.place].length, joined[pause.place + 1].length)
    }
    return long.sorted { ($1.length, $0.place) < ($0.length, $1.place) }
      .prefix(max(0, most - 1)).map(\.place).sorted()
  }

  private static func length(_ from: Int64, _ to: Int64) -> Int64 {
    let (length, overflow) = to.subtractingReportingOverflow(from)
    return overflow ? .max : length
  }

  /// What of it lies in a part of the time.
  package func clipped(from: Int64, to: Int64) -> [Span] {
    spans.filter { $0.to > from && $0.from < to }
      .map { Span(from: max($0.from, from), to: min($0.to, to)) }
  }

  /// Divides a width among the stretches: to each the least, the rest by their lengths.
  /// - Parameters:
  ///   - width: in steps, no less than all of `least` together.
  ///   - least: of each stretch, in steps.
  /// - Returns: of each stretch; together the width.
  package static func shares(_ spans: [Span], of width: Int, least: [Int]) -> [Int] {
    let rest = Int128(width - least.reduce(0, +))
    let total = spans.reduce(Int128(0)) { $0 + Int128($1.length) }
    guard let last = spans.indices.last else { return [] }
    var (shares, before, given) = (least, Int128(0), Int128(0))
    for (place, span) in spans.enumerated() {
      before += Int128(span.length)
      // Counted from the beginning, so that nothing is lost to rounding.
      let until = total > 0 ? rest * before / total : place == last ? rest : 0
      shares[place] += Int(until - given)
      given = until
    }
    return shares
  }
}
