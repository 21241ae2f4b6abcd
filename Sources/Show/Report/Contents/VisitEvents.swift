import CaseStore
import GRDB

/// The events with which the visits of a page begin and end.
struct VisitEvents: Sendable {
  struct Event: Sendable {
    let row: Int64
    let id: String
  }

  private var begins: [StayMoment: Event] = [:]
  private var ends: [StayMoment: Event] = [:]

  init(_ database: Database, of visits: [StayRow]) throws {
    let wanted = (
      begins: Set(visits.compactMap { stay in stay.sinceNs.map { StayMoment(stay, $0) } }),
      ends: Set(visits.compactMap { stay in stay.untilNs.map { StayMoment(stay, $0) } })
    )
    let found = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(StayMoment.columns), time_ns, \(CaseSQL.crossed), type = 'exit', id, event
        FROM events WHERE type IN ('enter', 'exit', 'state') AND time_ns IS NOT NULL ORDER BY id
        """)
    while let row = try found.next() {
      // What is told late, when a display is switched on, began when it was crossed into.
      for time in [row[3], row[4]] as [Int64?] {
        guard let time else { continue }
        let moment = StayMoment(row, time)
        let isEnd: Bool = row[5]
        guard (isEnd ? wanted.ends : wanted.begins).contains(moment) else { continue }
        let event = Event(row: row[6], id: row[7])
        if isEnd {
          ends[moment] = ends[moment] ?? event
        } else {
          begins[moment] = begins[moment] ?? event
        }
      }
    }
  }

  func begin(of stay: StayRow) -> Event? { stay.sinceNs.flatMap { begins[StayMoment(stay, $0)] } }

  func end(of stay: StayRow) -> Event? { stay.untilNs.flatMap { ends[StayMoment(stay, $0)] } }
}
