package import GRDB
import GRDBSQLite

/// Adds rows to one table, many of them, by one prepared statement: column by column in the table's
/// order, then `end`. Only inside the access to the database that it was made in.
@safe package final class TableWriter {
  private let database: Database
  /// Keeps the statement behind `raw` alive.
  private let statement: Statement
  private let raw: OpaquePointer
  private let columns: Int32
  private var column: Int32 = 0

  /// - Throws: where there is no such table.
  package init(_ database: Database, _ table: String) throws {
    let names = try database.columns(in: table).map { "\"\($0.name)\"" }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    self.database = database
    statement = try database.cachedStatement(
      sql: "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))")
    unsafe raw = statement.sqliteStatement
    columns = Int32(names.count)
  }

  package func int(_ value: Int64?) {
    column += 1
    guard let value else { return null() }
    unsafe _ = sqlite3_bind_int64(raw, column, value)
  }

  package func int(_ value: Int?) { int(value.map { Int64($0) }) }

  package func flag(_ value: Bool) { int(value ? Int64(1) : 0) }

  package func real(_ value: Double?) {
    column += 1
    guard let value, value.isFinite else { return null() }
    unsafe _ = sqlite3_bind_double(raw, column, value)
  }

  func value(_ value: DatabaseValue) {
    switch value.storage {
    case .null: int(Int64?.none)
    case .int64(let number): int(number)
    case .double(let number): real(number)
    case .string(let text): self.text(text)
    case .blob(let data): blob([UInt8](data))
    }
  }

  package func text(_ value: String?) {
    guard let value else { return int(Int64?.none) }
    text(utf8: Array(value.utf8))
  }

  /// - Parameter utf8: a whole text.
  package func text(utf8 text: [UInt8]) {
    column += 1
    let bytes = ZeroCharacters.shown(utf8: text)
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        // SQLite takes no address for NULL: of an empty text there is none.
        guard let start = text.baseAddress else {
          return unsafe _ = sqlite3_bind_text(raw, column, "", 0, Self.copied)
        }
        unsafe _ = sqlite3_bind_text(raw, column, start, Int32(text.count), Self.copied)
      }
    }
  }

  package func blob(_ bytes: [UInt8]) {
    column += 1
    unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else {
        return unsafe _ = sqlite3_bind_zeroblob(raw, column, 0)
      }
      unsafe _ = sqlite3_bind_blob(raw, column, start, Int32(buffer.count), Self.copied)
    }
  }

  /// Adds the row.
  package func end() throws {
    precondition(column == columns, "a row has a value for each column of its table")
    column = 0
    let code = unsafe sqlite3_step(raw)
    unsafe _ = sqlite3_reset(raw)
    guard code == SQLITE_DONE else {
      let message = unsafe sqlite3_errmsg(database.sqliteConnection).map { text in
        unsafe String(cString: text)
      }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }

  private func null() { unsafe _ = sqlite3_bind_null(raw, column) }

  /// SQLite copies the bytes at once.
  private static var copied: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
