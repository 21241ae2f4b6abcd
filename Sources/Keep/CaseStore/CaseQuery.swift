import GRDB
import GRDBSQLite

/// One statement of somebody's own over a case; it may read, and nothing else.
package struct CaseQuery {
  /// What SQLite does not take, and where.
  package struct Refusal: Error {
    /// As SQLite says it.
    package let what: String
    /// Byte of the statement; nil where it is not known.
    package let place: Int?
  }

  private let file: CaseFile
  private let sql: String

  package init(_ file: CaseFile, _ sql: String) {
    self.file = file
    self.sql = sql
  }

  /// Hands over what it finds, row by row.
  /// - Parameter begin: takes the columns' names, before the first row.
  /// - Throws: `Refusal`, and what the closures throw.
  package func run(
    begin: ([String]) throws -> Void, row: ([CaseValue]) throws -> Void
  ) throws {
    try file.database.read { database in
      do {
        let statement = try database.makeStatement(sql: sql)
        guard statement.isReadonly else {
          throw Refusal(
            what: "only what reads is taken: a case is never changed by a query", place: nil)
        }
        try begin(statement.columnNames)
        let rows = try Row.fetchCursor(statement)
        while let found = try rows.next() { try row(found.databaseValues.map { CaseValue($0) }) }
      } catch let error as DatabaseError {
        throw Refusal(
          what: Self.words(error), place: Self.place(database))
      }
    }
  }

  private static func words(_ error: DatabaseError) -> String {
    let message = error.message ?? "error \(error.resultCode.rawValue)"
    if message.hasPrefix("Multiple statements found") { return "one statement at a time is taken" }
    return message.hasPrefix("too many attached databases")
      ? "other databases cannot be opened from a case" : message
  }

  private static func place(_ database: Database) -> Int? {
    let offset = unsafe sqlite3_error_offset(database.sqliteConnection)
    return offset < 0 ? nil : Int(offset)
  }
}
