import CaseStore
import GRDB

/// When circles were crossed, by the events that tell it.
struct Crossings: Sendable {
  private struct Key: Hashable {
    let profile: Int64
    let observer: Int64?
    let region: Int64?
    /// Nanoseconds; when the event was decided.
    let decided: Int64
  }

  private var times: [Key: Int64] = [:]

  init(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT profile_id, observer_id, region_id, time_ns,
          unixepoch(substr(at, 1, 19)) * 1000000000 + substr(at, 21, 9)
        FROM (
          SELECT *, json ->> 'crossed_at' AS at FROM events
          WHERE type IN ('enter', 'exit')
            AND region_id IN (SELECT id FROM regions WHERE latitude IS NOT NULL))
        WHERE at IS NOT NULL AND time_ns IS NOT NULL
        """)
    while let row = try rows.next() {
      let key = Key(profile: row[0], observer: row[1], region: row[2], decided: row[3])
      times[key] = row[4]
    }
  }

  /// - Parameter decided: when the visit began or ended.
  func time(_ stay: StayRow, decided: Int64?) -> Int64? {
    decided.flatMap {
      times[
        Key(
          profile: stay.profileId, observer: stay.observerId, region: stay.regionId, decided: $0)]
    }
  }
}
