package import GRDB

/// When circles were crossed, by the events that tell it.
package struct CircleCrossings: Sendable {
  /// By when the event was decided.
  private var times: [StayMoment: Int64] = [:]

  package init(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(StayMoment.columns), time_ns, \(CaseSQL.crossed) AS crossed FROM events
        WHERE type IN ('enter', 'exit') AND crossed IS NOT NULL AND time_ns IS NOT NULL
          AND region_id IN (SELECT id FROM regions WHERE latitude IS NOT NULL)
        """)
    while let row = try rows.next() { times[StayMoment(row, row[3])] = row[4] }
  }

  package init(_ file: CaseFile) throws {
    self = try file.database.read { try CircleCrossings($0) }
  }

  /// - Parameter decided: when the visit began or ended.
  package func time(_ stay: StayRow, decided: Int64?) -> Int64? {
    decided.flatMap { times[StayMoment(stay, $0)] }
  }

  /// When the observer was where a visit began: at a circle's border, or where somebody was heard first.
  package func placedEntry(_ stay: StayRow) -> Int64? {
    time(stay, decided: stay.sinceNs) ?? stay.sinceNs
  }

  /// When the observer was where a visit ended: where somebody was heard last, or at a circle's border. When an
  /// exit is decided it may be far from there. Nil where the visit goes on.
  package func placedExit(_ stay: StayRow) -> Int64? {
    guard let until = stay.untilNs else { return nil }
    return stay.lastSeenNs ?? time(stay, decided: until) ?? until
  }
}
