import CaseStore
import GRDB

/// The events with which visits begin and end, of those that the page has.
struct VisitEvents: Sendable {
  private struct Key: Hashable {
    let profile: Int64
    let observer: Int64?
    let region: Int64?
    /// Nanoseconds.
    let time: Int64
    let isExit: Bool
  }

  private var rows: [Key: Int64] = [:]

  init(_ database: Database) throws {
    // What is told late, when a display is switched on, began when it was crossed into.
    let found = try Row.fetchCursor(
      database,
      sql: """
        SELECT profile_id, observer_id, region_id, time_ns, type = 'exit', id,
          unixepoch(substr(at, 1, 19)) * 1000000000 + substr(at, 21, 9)
        FROM (
          SELECT *, json ->> 'crossed_at' AS at FROM (SELECT * FROM events ORDER BY id LIMIT \(Most.events))
          WHERE type IN ('enter', 'exit', 'state') AND time_ns IS NOT NULL)
        """)
    while let row = try found.next() {
      let id: Int64 = row[5]
      for time in [row[3], row[6]] as [Int64?] {
        guard let time else { continue }
        let key = Key(
          profile: row[0], observer: row[1], region: row[2], time: time, isExit: row[4])
        if rows[key] == nil { rows[key] = id }
      }
    }
  }

  func begin(of stay: StayRow) -> Int64? { row(stay, stay.sinceNs, isExit: false) }

  func end(of stay: StayRow) -> Int64? { row(stay, stay.untilNs, isExit: true) }

  private func row(_ stay: StayRow, _ time: Int64?, isExit: Bool) -> Int64? {
    time.flatMap {
      rows[
        Key(
          profile: stay.profileId, observer: stay.observerId, region: stay.regionId, time: $0,
          isExit: isExit)]
    }
  }
}
