import GRDB

/// Lanes of circles: what held is not known where the position is not, be it that a stay goes on there
/// because nobody saw its end. A deaf radio hides nothing here, whatever the case has.
struct CircleLanes {
  private let positions: Positions
  private let circles: Set<Int64>
  /// When it was first known whether it is inside.
  private var known: [RangedMoments.Pair: Int64] = [:]

  init(_ database: Database, _ positions: Positions) throws {
    self.positions = positions
    circles = try Int64.fetchSet(
      database, sql: "SELECT id FROM regions WHERE latitude IS NOT NULL")
    guard !circles.isEmpty else { return }
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH main AS (SELECT coalesce(min(id), 1) FROM profiles)
        SELECT region_id, observer_id, min(moment) FROM (
          SELECT region_id, observer_id, time_ns AS moment FROM events
            WHERE type = 'state' AND profile_id = (SELECT * FROM main)
          UNION ALL SELECT region_id, observer_id, until_ns FROM stays
            WHERE profile_id = (SELECT * FROM main))
        WHERE moment IS NOT NULL AND region_id IN (SELECT id FROM regions WHERE latitude IS NOT NULL)
          AND observer_id IS NOT NULL
        GROUP BY 1, 2
        """)
    for row in rows { known[RangedMoments.Pair(region: row[0], observer: row[1])] = row[2] }
  }

  func isCircle(_ region: Int64) -> Bool { circles.contains(region) }

  func spans(_ spans: [Lane.Span], _ pair: RangedMoments.Pair) -> [Lane.Span] {
    let known = self.known[pair] ?? .max
    var line = Line()
    for span in spans {
      // Of thinned fixes the gaps are not known: there the case knows more.
      let isDrawnAnew =
        span.state == .deaf || (span.state == .unknown && !positions.isThinned)
      guard isDrawnAnew else {
        line.add(span.from, span.to, span.state)
        continue
      }
      // Beside stays, which are spans of their own, it is outside from then on.
      let edge = min(max(known, span.from), span.to)
      line.add(span.from, edge, .unknown)
      line.add(edge, span.to, .outside)
    }
    return line.unknown(in: positions.gaps(of: pair.observer)).spans
  }

  /// Spans that touch are one where they are of one state.
  private struct Line {
    private(set) var spans: [Lane.Span] = []

    mutating func add(_ from: Int64, _ to: Int64, _ state: Lane.State) {
      guard from < to else { return }
      if let last = spans.last, last.state == state, last.to == from {
        spans[spans.count - 1] = Lane.Span(from: last.from, to: to, state: state)
      } else {
        spans.append(Lane.Span(from: from, to: to, state: state))
      }
    }

    /// - Parameter gaps: ascending.
    func unknown(in gaps: [Positions.Gap]) -> Line {
      var line = Line()
      var next = 0
      for span in spans {
        var at = span.from
        while next < gaps.count, gaps[next].from < span.to {
          let begin = max(gaps[next].from, at)
          let end = min(gaps[next].to, span.to)
          if begin < end {
            line.add(at, begin, span.state)
            line.add(begin, end, .unknown)
            at = end
          }
          guard gaps[next].to <= span.to else { break }
          next += 1
        }
        line.add(at, span.to, span.state)
      }
      return line
    }
  }
}
