import GRDB

/// What became of a region at an observer, by the main profile.
struct Presence: Sendable {
  let region: Int64
  let observer: Int64
  let basis: RegionBasis
  let visits: Int
  /// Nanoseconds inside.
  let inside: Int64
  /// Of these, to the last sightings of visits; nil where that is not known, and of circles.
  let heard: Int64?
  /// Whether there is one visit, from before the first record to behind the last.
  let isThroughout: Bool
  /// Visits that may go on from one before.
  let doubtfulEntries: Int
  /// Visits that were followed at other times than their frames are stamped, and from when to when these are,
  /// nanoseconds.
  let stamped: Stamped?
  struct Stamped: Sendable {
    let visits: Int
    let first: Int64
    let last: Int64
  }
  /// Of the nanoseconds inside, those without a position: a circle is not left then, but who knows.
  let unplaced: Int64
  /// Whether there are times without a position.
  let hasGaps: Bool
  let isOpen: Bool
  let exits: Exits
  /// At the end: inside, outside or unknown.
  let state: String

  /// Where there is no visit: whether there may have been one that nobody could know of.
  var neverIsDoubtful: Bool { state == "unknown" || hasGaps }

  /// How many, and of what grades; those of circles have none.
  struct Exits: Sendable {
    let all: Int
    let gone: Int
    let deaf: Int
    let thin: Int
  }

  /// In order of regions, then observers: of those that were ever inside, or of whom something is
  /// known.
  static func all(_ database: Database, _ positions: Positions) throws -> [Presence] {
    let main = try Int64.fetchOne(database, sql: "SELECT min(id) FROM profiles") ?? 1
    let unplaced = try unplaced(database, positions, profile: main)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        WITH pairs AS (
          SELECT region_id, observer_id FROM stays WHERE profile_id = :main
          UNION SELECT region_id, observer_id FROM states WHERE profile_id = :main
          UNION SELECT region_id, observer_id FROM spans),
        sums AS (
          SELECT region_id, observer_id, count(*) AS visits, sum(coalesce(duration_ns, 0)) AS inside,
            sum(until_ns IS NULL) AS open, sum(until_ns IS NOT NULL) AS exits,
            sum(grade = 'gone') AS gone, sum(grade = 'deaf') AS deaf, sum(grade = 'thin') AS thin,
            sum(last_seen_ns - since_ns) AS heard, count(last_seen_ns) AS known,
            sum(was_inside_already AND until_ns IS NULL) AS throughout,
            sum(entry_why IS NOT NULL) AS doubtful,
            sum(coalesce(first_stamped_ns, last_stamped_ns) IS NOT NULL) AS stamped,
            min(min(coalesce(first_stamped_ns, last_stamped_ns), coalesce(last_stamped_ns, first_stamped_ns)))
              AS first_stamped,
            max(max(coalesce(first_stamped_ns, last_stamped_ns), coalesce(last_stamped_ns, first_stamped_ns)))
              AS last_stamped
          FROM stays WHERE profile_id = :main GROUP BY 1, 2)
        SELECT pairs.region_id, pairs.observer_id, coalesce(visits, 0), coalesce(inside, 0),
          coalesce(open, 0) > 0, coalesce(exits, 0), coalesce(gone, 0), coalesce(deaf, 0),
          coalesce(thin, 0), coalesce(states.state, 'unknown'), coalesce(name, ''),
          coalesce(condition, ''), coalesce(definition, ''), latitude IS NOT NULL,
          CASE WHEN known = visits THEN heard END, coalesce(visits = 1 AND throughout = 1, 0),
          coalesce(doubtful, 0), coalesce(stamped, 0), first_stamped, last_stamped
        FROM pairs
          LEFT JOIN sums USING (region_id, observer_id)
          LEFT JOIN states ON states.region_id = pairs.region_id
            AND states.observer_id = pairs.observer_id AND states.profile_id = :main
          LEFT JOIN regions ON regions.id = pairs.region_id
        ORDER BY 1, 2
        """, arguments: ["main": main])
    var all: [Presence] = []
    while let row = try rows.next() {
      let pair = RangedMoments.Pair(region: row[0], observer: row[1])
      let basis = RegionBasis(
        name: row[10], condition: row[11], definition: row[12], isCircle: row[13])
      all.append(
        Presence(
          region: pair.region, observer: pair.observer, basis: basis, visits: row[2],
          inside: row[3], heard: basis == .positions ? nil : row[14], isThroughout: row[15],
          doubtfulEntries: row[16],
          stamped: (row[17] as Int) > 0
            ? Stamped(visits: row[17], first: row[18], last: row[19]) : nil,
          unplaced: unplaced[pair] ?? 0,
          hasGaps: basis == .positions
            && (!positions.areKept || !positions.gaps(of: pair.observer).isEmpty),
          isOpen: row[4],
          exits: Exits(all: row[5], gone: row[6], deaf: row[7], thin: row[8]), state: row[9]))
    }
    return all
  }

  /// What matters more is shown where not all can be: a region with alerts, then one with exits that are not
  /// proved, then whoever was inside at all.
  private func rank(_ alerted: Set<Int64>) -> Int {
    if visits == 0 { return 3 }
    if alerted.contains(region) { return 0 }
    return exits.deaf + exits.thin > 0 ? 1 : 2
  }

  /// Those that matter most, in their own order.
  /// - Parameter alerted: regions with alerts.
  static func choose(_ most: Int, of presences: [Presence], alerted: Set<Int64>) -> [Presence] {
    guard presences.count > most else { return presences }
    let ranked = presences.indices.sorted {
      (presences[$0].rank(alerted), $0) < (presences[$1].rank(alerted), $1)
    }
    return ranked.prefix(most).sorted().map { presences[$0] }
  }

  /// Nanoseconds that stays in circles go on without a position.
  private static func unplaced(_ database: Database, _ positions: Positions, profile: Int64) throws
    -> [RangedMoments.Pair: Int64]
  {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT region_id, observer_id, since_ns, coalesce(until_ns, observers.to_ns)
        FROM stays
          JOIN regions ON regions.id = region_id
          JOIN observers ON observers.id = observer_id
        WHERE profile_id = ? AND latitude IS NOT NULL AND since_ns IS NOT NULL
          AND coalesce(until_ns, observers.to_ns) IS NOT NULL
        """, arguments: [profile])
    var sums: [RangedMoments.Pair: Int64] = [:]
    while let row = try rows.next() {
      let pair = RangedMoments.Pair(region: row[0], observer: row[1])
      let length = positions.unknown(from: row[2], to: row[3], at: pair.observer)
      let (sum, overflow) = sums[pair, default: 0].addingReportingOverflow(length)
      sums[pair] = overflow ? .max : sum
    }
    return sums
  }
}
