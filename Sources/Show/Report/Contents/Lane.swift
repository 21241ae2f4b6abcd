import Analysis
import GRDB

/// What held in a region at an observer, span by span.
struct Lane: Sendable {
  enum State: String, CaseIterable, Sendable {
    case inside
    /// Inside as last known, while the receiver was deaf.
    case insideDeaf = "inside-deaf"
    case outside, deaf, unknown

    var isInside: Bool { self == .inside || self == .insideDeaf }
  }

  struct Span: Sendable {
    let from: Int64
    let to: Int64
    let state: State
  }

  let region: Int64
  let observer: Int64
  let isCircle: Bool
  private(set) var spans: [Span]
  /// Whether short spans were put together to fewer.
  private(set) var isSimplified = false

  /// When somebody was inside, deaf or not.
  var stays: [Recorded.Span] {
    spans.reduce(into: []) { found, span in
      guard span.state.isInside else { return }
      if let last = found.last, last.to == span.from {
        found[found.count - 1] = Recorded.Span(from: last.from, to: span.to)
      } else {
        found.append(Recorded.Span(from: span.from, to: span.to))
      }
    }
  }

  /// The lanes that matter most, by region and observer.
  /// - Parameters:
  ///   - alerted: regions with alerts.
  ///   - pieces: of the time that is drawn.
  ///   - deaf: by observer, ascending. The case's spans tell of it only where nobody was inside.
  static func all(
    _ database: Database, _ presences: [Presence], _ pieces: [TimeScale.Piece] = [],
    deaf: [Int64: [Recorded.Span]] = [:], alerted: Set<Int64> = []
  ) throws -> [Lane] {
    let circles = try Int64.fetchSet(
      database, sql: "SELECT id FROM regions WHERE latitude IS NOT NULL")
    let wanted = Presence.choose(Most.lanes, of: presences, alerted: alerted)
    return try wanted.map { presence in
      let spans = try Row.fetchAll(
        database,
        sql: """
          SELECT from_ns, to_ns, state FROM spans WHERE region_id = ? AND observer_id = ?
          ORDER BY from_ns, id
          """, arguments: [presence.region, presence.observer]
      ).map { Span(from: $0[0], to: $0[1], state: State(rawValue: $0[2]) ?? .unknown) }
      // Positions do not hang on what the radio hears.
      let isCircle = circles.contains(presence.region)
      var lane = Lane(
        region: presence.region, observer: presence.observer, isCircle: isCircle,
        spans: isCircle ? spans : Self.marked(spans, deaf[presence.observer] ?? []))
      lane.simplify(to: Most.spansOfLane, pieces)
      return lane
    }
  }

  /// Divides what is inside where the receiver was deaf.
  private static func marked(_ spans: [Span], _ deaf: [Recorded.Span]) -> [Span] {
    guard !deaf.isEmpty else { return spans }
    var marked: [Span] = []
    var next = 0
    for span in spans {
      var at = span.from
      while next < deaf.count, deaf[next].to <= at { next += 1 }
      for silence in deaf[next...] {
        guard span.state == .inside, silence.from < span.to else { break }
        let (from, to) = (max(silence.from, at), min(silence.to, span.to))
        if from > at { marked.append(Span(from: at, to: from, state: .inside)) }
        marked.append(Span(from: from, to: to, state: .insideDeaf))
        at = to
      }
      if at < span.to { marked.append(Span(from: at, to: span.to, state: span.state)) }
    }
    return marked
  }

  /// Makes fewer spans of very many; where pauses are left out, of each stretch by its width.
  private mutating func simplify(to most: Int, _ pieces: [TimeScale.Piece]) {
    let before = spans.count
    guard before > most else { return }
    defer { isSimplified = spans.count < before }
    guard pieces.count > 1 else { return spans = Self.simplified(spans, to: most) }
    var rest = spans[...]
    spans = []
    for piece in pieces {
      // Who is deaf over a pause stays so.
      let part = rest.prefix { $0.to <= piece.to }
      rest = rest.dropFirst(part.count)
      let over = rest.prefix { $0.from < piece.to }
      rest = rest.dropFirst(over.count)
      let room = most * (piece.end - piece.begin) / TimeScale.width
      spans += part.count > room ? Self.simplified(Array(part), to: room) : Array(part)
      spans += over
    }
    spans += rest
  }

  /// Divides spans into pieces of equal length; in each, as much is inside, deaf or not, outside, deaf and
  /// unknown as there was, one behind the other.
  private static func simplified(_ spans: [Span], to most: Int) -> [Span] {
    guard let first = spans.first, let last = spans.last else { return spans }
    let (length, overflow) = last.to.subtractingReportingOverflow(first.from)
    guard !overflow, length > 0 else { return spans }
    let pieces = max(1, most / State.allCases.count)
    let width = max(1, length / Int64(pieces) + 1)
    var shares = [[Int64]](
      repeating: [Int64](repeating: 0, count: State.allCases.count), count: pieces)
    for span in spans {
      var from = max(span.from, first.from)
      let to = min(span.to, last.to)
      let state = State.allCases.firstIndex(of: span.state) ?? 0
      while from < to {
        let piece = Int((from - first.from) / width)
        let end = min(to, first.from + Int64(piece + 1) * width)
        shares[piece][state] += end - from
        from = end
      }
    }
    return joined(shares, from: first.from)
  }

  private static func joined(_ shares: [[Int64]], from start: Int64) -> [Span] {
    var spans: [Span] = []
    var from = start
    for piece in shares {
      for (state, share) in zip(State.allCases, piece) where share > 0 {
        if let last = spans.last, last.state == state {
          spans[spans.count - 1] = Span(from: last.from, to: from + share, state: state)
        } else {
          spans.append(Span(from: from, to: from + share, state: state))
        }
        from += share
      }
    }
    return spans
  }
}
