package import GRDB

/// What a case file holds, as tables. Times are nanoseconds since 1970 in UTC in columns that end in
/// `_ns`; NULL is a time that is not known. Distances are in metres, signals in dBm. Numbers that begin
/// with `capture_id`, `beacon_id` and so on are `id` in the table of that name, from 1, in the order in
/// which the run tells them.
///
/// A change is one more migration in a file of its own, and one word here.
package enum CaseSchema {
  /// SQLite's `application_id`: "BcTr".
  package static let applicationID: Int32 = 0x4263_5472

  static let migrations: [CaseMigration] = [
    .findings, .views, .seal, .unplaced, .unread, .recordings, .entries, .names,
    .clocks, .eventIDs, .signalsApart, .receptions, .stayEvents, .damageTimes, .heardTelemetry,
    .stampedStays, .evidenceParts,
  ]

  /// The form that this version writes: the number of migrations, SQLite's `user_version`.
  package static var form: Int { migrations.count }

  /// The form since which cases have a seal.
  static let firstSealedForm = 3

  /// The form since which cases say when it was not known where observers were.
  package static let firstFormWithUnplaced = 4

  /// The form since which ids of events do not go by frame numbers, and enter events say what they leave open.
  package static let firstFormWithTimedIDs = 10

  /// Our tables that hold what was found, in the order of CASE.md; not those of the seal.
  package static let tables = [
    "facts", "options", "files", "captures", "accounting", "damage", "pauses", "problems",
    "remarks",
    "unread", "plugins", "observers", "scan_windows", "deaf", "recordings", "unplaced", "beacons",
    "transmitters", "receptions",
    "hearings",
    "sightings", "profiles", "regions", "stays", "states", "spans", "events", "alerts", "citations",
    "evidence", "steps", "frames", "fixes", "signal_bins", "strongest", "telemetry_bins", "ranging",
  ]

  /// Tables that are others in this form than in an older one; `facts` names the form.
  package static func tables(changedSince form: Int) -> [String] {
    guard form < self.form else { return [] }
    var tables = ["facts"]
    for table in migrations.dropFirst(form).flatMap(\.tables) where !tables.contains(table) {
      tables.append(table)
    }
    return tables
  }

  package static func migrator(upTo form: Int = form) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations.prefix(form) {
      migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
    }
    return migrator
  }

  /// Says that a database is a case of the present form.
  static func stamp(_ database: Database, form: Int = form) throws {
    try database.execute(
      sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(form)")
  }
}

/// One step from one form of the case file to the next.
struct CaseMigration: Sendable {
  /// Never changed once a release has it.
  let name: String
  /// Those that it makes, or gives other columns or contents.
  let tables: [String]
  let sql: String

  init(name: String, tables: [String] = [], sql: String) {
    self.name = name
    self.tables = tables
    self.sql = sql
  }
}
