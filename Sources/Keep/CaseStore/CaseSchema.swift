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

  static let migrations: [CaseMigration] = [CaseMigration.findings, .views]

  package static func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
    }
    return migrator
  }
}

/// One step from one form of the case file to the next.
struct CaseMigration: Sendable {
  /// Never changed once a release has it.
  let name: String
  let sql: String
}
