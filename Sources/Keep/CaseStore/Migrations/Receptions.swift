extension CaseMigration {
  /// How each observer heard each beacon; and one more remark, of the clocks of several captures.
  static let receptions = CaseMigration(
    name: "12 receptions", tables: ["remarks", "receptions"],
    sql: """
      -- How an observer heard a beacon, whatever addresses send it.
      CREATE TABLE receptions (
        id INTEGER PRIMARY KEY, beacon_id INTEGER NOT NULL REFERENCES beacons,
        observer_id INTEGER NOT NULL REFERENCES observers, sightings INTEGER NOT NULL,
        first_ns INTEGER, last_ns INTEGER, median_interval_ms REAL,
        rssi_min INTEGER, rssi_median INTEGER, rssi_max INTEGER);

      CREATE VIEW heard_by AS
        SELECT beacons.id AS beacon, kind, identity, observers.name AS observer, receptions.sightings,
          \(time("receptions.first_ns")) AS first_seen, \(time("receptions.last_ns")) AS last_seen,
          receptions.median_interval_ms, receptions.rssi_min, receptions.rssi_median,
          receptions.rssi_max
        FROM receptions JOIN beacons ON beacons.id = beacon_id
          JOIN observers ON observers.id = observer_id
        ORDER BY receptions.id;
      """)
}
