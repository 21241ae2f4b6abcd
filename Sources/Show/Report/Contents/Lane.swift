import GRDB

/// What held in a region at an observer, span by span.
struct Lane: Sendable {
  enum State: String, CaseIterable, Sendable {
    case inside, outside, deaf, unknown
  }

  struct Span: Sendable {
    let from: Int64
    let to: Int64
    let state: State
  }

  let region: Int64
  let observer: Int64
  private(set) var spans: [Span]
  /// Whether short spans were put together to fewer.
  private(set) var isSimplified = false

  /// The first lanes, regions with a visit before others; and how many there are.
  static func all(_ database: Database, _ presences: [Presence]) throws -> [Lane] {
    let wanted = presences.sorted {
      ($0.visits == 0 ? 1 : 0, $0.region, $0.observer)
        < ($1.visits == 0 ? 1 : 0, $1.region, $1.observer)
    }.prefix(Most.lanes).sorted { ($0.region, $0.observer) < ($1.region, $1.observer) }
    return try wanted.map { presence in
      let spans = try Row.fetchAll(
        database,
        sql: """
          SELECT from_ns, to_ns, state FROM spans WHERE region_id = ? AND observer_id = ?
          ORDER BY from_ns, id
          """, arguments: [presence.region, presence.observer]
      ).map { Span(from: $0[0], to: $0[1], state: State(rawValue: $0[2]) ?? .unknown) }
      var lane = Lane(region: presence.region, observer: presence.observer, spans: spans)
      lane.simplify(to: Most.spansOfLane)
      return lane
    }
  }

  /// Puts the shortest spans into their neighbours until there are few enough; a stay inside is the
  /// last to go.
  private mutating func simplify(to most: Int) {
    guard spans.count > most else { return }
    isSimplified = true
    let lengths = spans.map { $0.state == .inside ? ($0.to - $0.from) * 4 : $0.to - $0.from }
    let least = lengths.sorted(by: >)[most / 2]
    var kept: [Span] = []
    for (span, length) in zip(spans, lengths) {
      guard let last = kept.last else {
        kept.append(span)
        continue
      }
      if length >= least && last.state != span.state {
        kept.append(span)
      } else {
        kept[kept.count - 1] = Span(from: last.from, to: span.to, state: last.state)
      }
    }
    spans = kept
  }
}
