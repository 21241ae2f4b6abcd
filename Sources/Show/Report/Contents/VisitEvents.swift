import CaseStore
import GRDB

/// The events with which visits begin and end, of those that the page has.
struct VisitEvents: Sendable {
  private var begins: [StayMoment: Int64] = [:]
  private var ends: [StayMoment: Int64] = [:]

  init(_ database: Database) throws {
    let found = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(StayMoment.columns), time_ns, \(CaseSQL.crossed), type = 'exit', id
        FROM (SELECT * FROM events ORDER BY id LIMIT \(Most.events))
        WHERE type IN ('enter', 'exit', 'state') AND time_ns IS NOT NULL
        """)
    while let row = try found.next() {
      // What is told late, when a display is switched on, began when it was crossed into.
      for time in [row[3], row[4]] as [Int64?] {
        guard let time else { continue }
        let moment = StayMoment(row, time)
        if row[5] {
          ends[moment] = ends[moment] ?? row[6]
        } else {
          begins[moment] = begins[moment] ?? row[6]
        }
      }
    }
  }

  func begin(of stay: StayRow) -> Int64? { stay.sinceNs.flatMap { begins[StayMoment(stay, $0)] } }

  func end(of stay: StayRow) -> Int64? { stay.untilNs.flatMap { ends[StayMoment(stay, $0)] } }
}
