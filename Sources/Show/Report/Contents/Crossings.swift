import CaseStore
import GRDB

/// When circles were crossed, by the events that tell it.
struct Crossings: Sendable {
  /// By when the event was decided.
  private var times: [StayMoment: Int64] = [:]

  init(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(StayMoment.columns), time_ns, \(CaseSQL.crossed) AS crossed FROM events
        WHERE type IN ('enter', 'exit') AND crossed IS NOT NULL AND time_ns IS NOT NULL
          AND region_id IN (SELECT id FROM regions WHERE latitude IS NOT NULL)
        """)
    while let row = try rows.next() { times[StayMoment(row, row[3])] = row[4] }
  }

  /// - Parameter decided: when the visit began or ended.
  func time(_ stay: StayRow, decided: Int64?) -> Int64? {
    decided.flatMap { times[StayMoment(stay, $0)] }
  }
}
