import GRDB

/// What became of a region at an observer, by the main profile.
struct Presence: Sendable {
  let region: Int64
  let observer: Int64
  let visits: Int
  /// Nanoseconds inside.
  let inside: Int64
  let isOpen: Bool
  let exits: Int
  /// Of these, what is worth less than "gone".
  let deafExits: Int
  let thinExits: Int
  /// At the end: inside, outside or unknown.
  let state: String

  /// In order of regions, then observers: of those that were ever inside, or of whom something is
  /// known.
  static func all(_ database: Database) throws -> [Presence] {
    let main = try Int64.fetchOne(database, sql: "SELECT min(id) FROM profiles") ?? 1
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH pairs AS (
          SELECT region_id, observer_id FROM stays WHERE profile_id = :main
          UNION SELECT region_id, observer_id FROM states WHERE profile_id = :main
          UNION SELECT region_id, observer_id FROM spans),
        sums AS (
          SELECT region_id, observer_id, count(*) AS visits, sum(coalesce(duration_ns, 0)) AS inside,
            sum(until_ns IS NULL) AS open, sum(until_ns IS NOT NULL) AS exits,
            sum(grade = 'deaf') AS deaf, sum(grade = 'thin') AS thin
          FROM stays WHERE profile_id = :main GROUP BY 1, 2)
        SELECT pairs.region_id, pairs.observer_id, coalesce(visits, 0), coalesce(inside, 0),
          coalesce(open, 0) > 0, coalesce(exits, 0), coalesce(deaf, 0), coalesce(thin, 0),
          coalesce(states.state, 'unknown')
        FROM pairs
          LEFT JOIN sums USING (region_id, observer_id)
          LEFT JOIN states ON states.region_id = pairs.region_id
            AND states.observer_id = pairs.observer_id AND states.profile_id = :main
        ORDER BY 1, 2
        """, arguments: ["main": main])
    return rows.map {
      Presence(
        region: $0[0], observer: $0[1], visits: $0[2], inside: $0[3], isOpen: $0[4],
        exits: $0[5], deafExits: $0[6], thinExits: $0[7], state: $0[8])
    }
  }
}
