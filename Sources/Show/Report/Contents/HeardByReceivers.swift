import GRDB

/// What each receiver heard: how many beacons, how many of them that no other did, and its weakest sighting.
struct HeardByReceivers {
  struct Figures {
    let beacons: Int
    let alone: Int
    let sightings: Int
    /// dBm.
    let weakest: Int?
  }

  /// By observer; empty where one heard all of it.
  let byObserver: [Int64: Figures]

  init(_ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT observer_id, count(*), sum(hearers = 1), sum(sightings), min(rssi_min)
        FROM (SELECT *, count(*) OVER (PARTITION BY beacon_id) AS hearers FROM receptions)
        GROUP BY observer_id
        """)
    byObserver = Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (
          row[0] as Int64,
          Figures(beacons: row[1], alone: row[2], sightings: row[3], weakest: row[4])
        )
      })
  }
}
