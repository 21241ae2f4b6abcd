extension CaseMigration {
  /// What an analyst asks for first; times as text.
  static let views = CaseMigration(
    name: "2 views",
    sql: """
      \(visits())
      CREATE VIEW beacon_summary AS
        SELECT beacons.id AS beacon, kind, identity, beacons.sightings,
          \(time("beacons.first_ns")) AS first_seen, \(time("beacons.last_ns")) AS last_seen,
          median_interval_ms, rssi_min, rssi_median, rssi_max, power_max AS power, power_at_m,
          count(transmitters.id) AS transmitters, group_concat(address, ' ') AS addresses,
          battery_mv, temperature_c, beacons.warnings
        FROM beacons LEFT JOIN transmitters ON transmitters.beacon_id = beacons.id
        GROUP BY beacons.id ORDER BY beacons.id;
      CREATE VIEW timeline AS
        SELECT events.id AS place, \(time("time_ns")) AS time, type, regions.name AS region,
          observers.name AS observer, profiles.name AS profile, state, grade, events.title, event
        FROM events
          LEFT JOIN regions ON regions.id = region_id
          LEFT JOIN observers ON observers.id = observer_id
          LEFT JOIN profiles ON profiles.id = profile_id
        ORDER BY events.id;
      \(sightingList(identity: "beacons.identity"))
      """)

  /// - Parameter identity: the column of that name.
  static func sightingList(identity: String) -> String {
    """
    CREATE VIEW sighting_list AS
      SELECT \(time("time_ns")) AS time, captures.name AS capture, frame, number,
        observers.name AS observer, hearings.kind, \(identity), address, rssi, power, channel
      FROM sightings
        JOIN hearings ON hearings.id = hearing_id
        JOIN observers ON observers.id = observer_id
        JOIN captures ON captures.id = capture_id
        LEFT JOIN transmitters ON transmitters.id = transmitter_id
        LEFT JOIN beacons ON beacons.id = beacon_id;
    """
  }

  /// - Parameters:
  ///   - entry: further columns of stays, each behind a comma.
  ///   - events: the same, at the end.
  static func visits(entry: String = "", events: String = "") -> String {
    """
    CREATE VIEW visits AS
      SELECT stays.id AS visit, profiles.name AS profile, regions.name AS region,
        observers.name AS observer, \(time("since_ns")) AS since, was_inside_already,
        \(time("until_ns")) AS until, round(duration_ns / 1e9, 3) AS duration_s,
        \(time("last_seen_ns")) AS last_seen, stays.sightings, grade, why\(entry),
        \(time("nearest_ns")) AS nearest_at, nearest_m, nearest_min_m, nearest_max_m,
        captures.name AS first_capture, first_frame, later.name AS last_capture, last_frame\(events)
      FROM stays
        JOIN profiles ON profiles.id = profile_id
        JOIN regions ON regions.id = region_id
        JOIN observers ON observers.id = observer_id
        LEFT JOIN captures ON captures.id = first_capture_id
        LEFT JOIN captures AS later ON later.id = last_capture_id
      ORDER BY profile_id, since_ns, stays.id;
    """
  }

  /// A time in nanoseconds as RFC 3339 with nine decimals; `CaseSQL.nanoseconds` is the way back.
  static func time(_ column: String) -> String {
    // Of a time before 1970 the nanoseconds count from the second before, too.
    let second = "(\(column) - ((\(column) % 1000000000) + 1000000000) % 1000000000) / 1000000000"
    let rest = "((\(column) % 1000000000) + 1000000000) % 1000000000"
    return "strftime('%Y-%m-%dT%H:%M:%S', \(second), 'unixepoch') || printf('.%09dZ', \(rest))"
  }
}
