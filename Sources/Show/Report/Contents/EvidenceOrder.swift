import CaseStore
import GRDB

/// Whose evidence a page shows first, as it may not have room for all: what an analyst has to prove.
struct EvidenceOrder {
  /// Events by their rows, each once: of alerts, of doubtful exits and entries, of what is listed, of visits.
  private(set) var all: [Int64] = []
  /// Those that the page lists.
  let alerts: [Int64]
  let events: [Int64]
  /// Exits and entries.
  let doubtful: Set<Int64>

  init(_ contents: Contents, _ database: Database) throws {
    alerts = contents.alerts.rows.map(\.eventId)
    events = try Int64.fetchAll(
      database, sql: "SELECT id FROM events ORDER BY id LIMIT \(Most.events)")
    let visits = contents.visits.rows.flatMap { stay in
      [contents.visitEvents.begin(of: stay)?.row, contents.visitEvents.end(of: stay)?.row]
        .compactMap { $0 }
    }
    var known: Set<Int64> = []
    let doubtful = try Self.doubtful(database)
    self.doubtful = Set(doubtful)
    for id in alerts + doubtful + events + visits where known.insert(id).inserted { all.append(id) }
  }

  /// Exits that are worth less than "gone", and entries of which a visit says why they are not proved.
  private static func doubtful(_ database: Database) throws -> [Int64] {
    let stays = try StayRow.filter(sql: "entry_why IS NOT NULL AND since_ns IS NOT NULL")
      .order(sql: "id").limit(Most.events).fetchAll(database)
    let moments = Set(stays.compactMap { stay in stay.sinceNs.map { StayMoment(stay, $0) } })
    let entries = moments.isEmpty ? "" : " OR type IN ('enter', 'state')"
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(StayMoment.columns), time_ns, id, type = 'exit' FROM events
        WHERE time_ns IS NOT NULL
          AND (type = 'exit' AND grade IS NOT NULL AND grade <> 'gone'\(entries))
          AND EXISTS (SELECT 1 FROM steps WHERE event_id = events.id)
        ORDER BY id
        """)
    var found: [Int64] = []
    while found.count < Most.events, let row = try rows.next() {
      if row[5] || moments.contains(StayMoment(row, row[3])) { found.append(row[4]) }
    }
    return found
  }
}
