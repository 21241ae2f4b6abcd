import CaptureReader
import GRDB
import GRDBSQLite

/// SHA-256 over a table's rows in their order: of each value a byte for its type (N, I, R, T, B), then
/// eight bytes, lowest first (an integer; the bits of a double; the length of a text or a blob), then
/// the bytes of the text or blob; of NULL the byte alone. Behind each row a byte 10.
package struct TableDigest: Equatable, Sendable {
  package let name: String
  package let rows: Int
  /// Lower-case hexadecimal.
  package let sha256: String

  /// Of all our tables there are, in their order.
  static func all(_ database: Database) throws -> [TableDigest] {
    try CaseSchema.tables.filter { try database.tableExists($0) }.map {
      try of($0, database)
    }
  }

  /// Of those that can be read.
  static func readable(_ database: Database, without left: Set<String> = []) -> [TableDigest] {
    CaseSchema.tables.filter { !left.contains($0) }.compactMap { table in try? of(table, database) }
  }

  private static let piece = 1 << 20

  @safe private static func of(_ table: String, _ database: Database) throws -> TableDigest {
    let order = table == "facts" ? "name" : "rowid"
    let statement = try database.makeStatement(sql: "SELECT * FROM \(table) ORDER BY \(order)")
    let digest = RunningDigest()
    let raw = unsafe statement.sqliteStatement
    defer { unsafe _ = sqlite3_reset(raw) }
    var bytes: [UInt8] = []
    var rows = 0
    while true {
      let code = unsafe sqlite3_step(raw)
      guard code == SQLITE_ROW else {
        if code == SQLITE_DONE { break }
        let message = unsafe sqlite3_errmsg(database.sqliteConnection).map { text in
          unsafe String(cString: text)
        }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
      }
      rows += 1
      for column in 0..<(unsafe sqlite3_column_count(raw)) {
        unsafe append(raw, column, to: &bytes)
      }
      bytes.append(10)
      if bytes.count >= piece {
        digest.update(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    digest.update(bytes)
    return TableDigest(name: table, rows: rows, sha256: digest.finish())
  }

  @unsafe private static func append(
    _ raw: OpaquePointer, _ column: Int32, to bytes: inout [UInt8]
  ) {
    func number(_ type: StaticString, _ value: UInt64) {
      bytes.append(unsafe type.utf8Start.pointee)
      unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    switch unsafe sqlite3_column_type(raw, column) {
    case SQLITE_INTEGER:
      number("I", UInt64(bitPattern: unsafe sqlite3_column_int64(raw, column)))
    case SQLITE_FLOAT: number("R", (unsafe sqlite3_column_double(raw, column)).bitPattern)
    case SQLITE_NULL: bytes.append(UInt8(ascii: "N"))
    case let type:
      let start = unsafe sqlite3_column_blob(raw, column)
      let count = Int(unsafe sqlite3_column_bytes(raw, column))
      number(type == SQLITE_TEXT ? "T" : "B", UInt64(count))
      if let start = unsafe start {
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
      }
    }
  }
}
