import Foundation
import GRDB

/// A value as SQLite has it.
package enum CaseValue: Equatable, Sendable {
  case null
  case int(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

// Reading what may be too much to be held at once. Nothing that is handed over here may read the case
// itself: one connection reads one thing at a time.
extension CaseFile {
  /// Hands over a table's rows one after another.
  /// - Parameter order: columns, as SQL has them behind ORDER BY.
  package func forEach<Row: CaseRow>(
    _: Row.Type, order: String = "id", _ body: (Row) throws -> Void
  ) throws {
    try database.read { database in
      let rows = try Row.order(sql: order).fetchCursor(database)
      while let row = try rows.next() { try body(row) }
    }
  }

  /// Hands over what a SELECT finds, row by row.
  package func forEach(select sql: String, _ body: ([CaseValue]) throws -> Void) throws {
    try database.read { database in
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() {
        try body(row.databaseValues.map { CaseValue($0) })
      }
    }
  }

  /// How many rows a table has.
  package func count<Row: CaseRow>(_: Row.Type) throws -> Int {
    try database.read { try Row.fetchCount($0) }
  }

  /// A table or a view of ours, with its columns; tables that somebody has added are not among them.
  package struct Listing: Equatable, Sendable {
    package let name: String
    package let isView: Bool
    package let columns: [String]
    /// What reads it, in its order.
    package let select: String
  }

  /// Tables, then views, in the order in which `CaseSchema` makes them; those that an older case lacks
  /// are left out.
  package func listings() throws -> [Listing] {
    let ours = try CaseFile.temporary().listed()
    let here = Set(try listed().map(\.name))
    return ours.filter { here.contains($0.name) }
  }

  private func listed() throws -> [Listing] {
    let found = """
      SELECT m.name, m.type = 'view', l.wr FROM sqlite_schema m
        JOIN pragma_table_list l ON l.name = m.name AND l.schema = 'main'
        WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND m.name <> 'grdb_migrations'
        ORDER BY m.type, m.rowid
      """
    return try database.read { database in
      try Row.fetchAll(database, sql: found).map { row in
        let name: String = row[0]
        let isView: Bool = row[1]
        let lacksRowID: Bool = row[2]
        // Views have an order of their own; a table without row ids lies in that of its key.
        let order = isView || lacksRowID ? "" : " ORDER BY rowid"
        return Listing(
          name: name, isView: isView,
          columns: try Self.columns(of: name, in: database),
          select: "SELECT * FROM \(name.quotedDatabaseIdentifier)" + order)
      }
    }
  }

  private static func columns(of table: String, in database: Database) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
  }
}

extension CaseValue {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .int(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .blob([UInt8](data))
    }
  }

  package var int: Int64? { if case .int(let number) = self { number } else { nil } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  /// Of a whole number, too.
  package var real: Double? {
    switch self {
    case .real(let number): number
    case .int(let number): Double(number)
    default: nil
    }
  }
}
