extension CaseMigration {
  /// How inputs were of which nothing was read, when beacons were heard best, where tracks have gaps, and
  /// who met whom.
  static let unread = CaseMigration(
    name: "5 unread", tables: ["unread", "strongest", "fixes"],
    sql: """
      -- Files in folders of which nothing was read, as they were; kind: problem or passed_over. bytes:
      -- NULL of what is no file; sha256: NULL of what could not be read, or was too much.
      CREATE TABLE unread (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER, sha256 TEXT);
      -- When a beacon was heard best, the first time, to the microsecond; of those that have bins.
      CREATE TABLE strongest (
        id INTEGER PRIMARY KEY, beacon_id INTEGER NOT NULL REFERENCES beacons,
        time_ns INTEGER NOT NULL, rssi INTEGER NOT NULL);
      -- 1: nobody knows the way from the fix before it, of those that are kept, to this one.
      ALTER TABLE fixes ADD COLUMN gap_before INTEGER;

      """ + meetings)

  /// Two visits at one observer, or in one region, that have a time in common. Of two that have, one
  /// begins while the other one lasts: with the visits in the order of their beginnings nothing else is
  /// looked at.
  private static let meetings = """
    CREATE INDEX stays_by_observer ON stays (profile_id, observer_id, since_ns);
    CREATE INDEX stays_by_region ON stays (profile_id, region_id, since_ns);
    CREATE INDEX deaf_by_observer ON deaf (observer_id, from_ns, to_ns);
    CREATE VIEW meetings AS
      WITH pairs AS (
        \(pairs(at: "observer_id", of: "region_id"))
        UNION ALL
        \(pairs(at: "region_id", of: "observer_id")))
      SELECT profiles.name AS profile, regions.name AS region, observers.name AS observer,
        others.name AS other_region, elsewhere.name AS other_observer,
        \(time("begin_ns")) AS since, \(time("end_ns")) AS until,
        round((end_ns - begin_ns) / 1e9, 3) AS duration_s,
        CASE WHEN heard_ns >= begin_ns THEN \(time("heard_ns")) END AS both_heard_until,
        \(deaf("pairs.observer_id")) AS deaf_s, \(deaf("pairs.other_observer_id")) AS other_deaf_s,
        visit, other_visit
      FROM pairs
        JOIN profiles ON profiles.id = profile_id
        JOIN regions ON regions.id = region_id
        JOIN observers ON observers.id = observer_id
        JOIN regions AS others ON others.id = other_region_id
        JOIN observers AS elsewhere ON elsewhere.id = other_observer_id;

    """

  /// - Parameters:
  ///   - same: the column that two visits have in common.
  ///   - different: the one in which they differ.
  private static func pairs(at same: String, of different: String) -> String {
    func end(_ stay: String) -> String { "\(stay).since_ns + \(stay).duration_ns" }
    func heard(_ stay: String) -> String { "coalesce(\(stay).last_seen_ns, \(end(stay)))" }
    return """
      SELECT a.profile_id, a.id AS visit, b.id AS other_visit, a.region_id, a.observer_id,
          b.region_id AS other_region_id, b.observer_id AS other_observer_id,
          b.since_ns AS begin_ns, min(\(end("a")), \(end("b"))) AS end_ns,
          min(\(heard("a")), \(heard("b"))) AS heard_ns
        FROM stays AS a JOIN stays AS b
          ON b.profile_id = a.profile_id AND b.\(same) = a.\(same)
            AND b.since_ns >= a.since_ns AND b.since_ns < \(end("a"))
            AND (b.since_ns > a.since_ns OR b.id > a.id) AND b.\(different) <> a.\(different)
      """
  }

  /// Seconds of a pair's time in which an observer is known to have been deaf. Its deaf times lie one
  /// behind the other: the search begins with the last one that began before that time.
  private static func deaf(_ observer: String) -> String {
    """
    round((SELECT coalesce(sum(min(d.to_ns, end_ns) - max(d.from_ns, begin_ns)), 0)
          FROM deaf AS d WHERE d.observer_id = \(observer) AND d.from_ns < end_ns
            AND d.to_ns > begin_ns AND d.from_ns >= coalesce((SELECT max(p.from_ns)
              FROM deaf AS p WHERE p.observer_id = \(observer) AND p.from_ns <= begin_ns), begin_ns))
          / 1e9, 3)
    """
  }
}
