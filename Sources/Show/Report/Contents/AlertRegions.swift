import GRDB

/// Where alerts belong: an alert names no region, but its event, those that it cites, or the beacon that it is
/// about may.
struct AlertRegions: Sendable {
  /// By the row of the alert's event; ascending.
  private var regions: [Int64: Set<Int64>] = [:]

  init(_ database: Database) throws {
    let alerts = """
      (SELECT alerts.id, event_id, region_id, transmitter_id
        FROM alerts JOIN events ON events.id = event_id ORDER BY alerts.id LIMIT \(Most.alerts))
      """
    try add(
      database, "SELECT event_id, region_id FROM \(alerts) WHERE region_id IS NOT NULL")
    try add(
      database,
      """
      SELECT a.event_id, cited.region_id FROM \(alerts) AS a
        JOIN citations ON alert_id = a.id JOIN events AS cited ON cited.event = citations.event
        WHERE a.region_id IS NULL AND cited.region_id IS NOT NULL
      """)
    try addBeacons(database, alerts)
  }

  /// Of whom nothing else is known: where their beacon was found.
  private mutating func addBeacons(_ database: Database, _ alerts: String) throws {
    let loose = try Row.fetchAll(
      database,
      sql: """
        SELECT event_id, beacon_id FROM \(alerts) AS a
          JOIN transmitters ON transmitters.id = a.transmitter_id WHERE a.region_id IS NULL
        """
    ).filter { regions[$0[0]] == nil }
    guard !loose.isEmpty else { return }
    var found: [Int64: Set<Int64>] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT DISTINCT beacon_id, region_id FROM (
          SELECT region_id, transmitter_id FROM ranging
          UNION SELECT region_id, nearest_transmitter_id FROM stays
          UNION SELECT region_id, transmitter_id FROM events)
          JOIN transmitters ON transmitters.id = transmitter_id WHERE region_id IS NOT NULL
        """)
    while let row = try rows.next() { found[row[0], default: []].insert(row[1]) }
    for row in loose { regions[row[0]] = found[row[1]] }
  }

  private mutating func add(_ database: Database, _ sql: String) throws {
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() { regions[row[0], default: []].insert(row[1]) }
  }

  /// Regions with alerts.
  var all: Set<Int64> { regions.values.reduce(into: []) { $0.formUnion($1) } }

  /// Ascending; none where it is about none.
  subscript(event: Int64) -> [Int64] { (regions[event] ?? []).sorted() }
}
