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

  /// Tables in the order of `CaseSchema`, then views; not those of the seal, which a case that is still
  /// being made has not.
  package func listings() throws -> [Listing] {
    let views = try CaseFile.temporary().views()
    return try database.read { database in
      let here = Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema"))
      return try (CaseSchema.tables + views).filter { here.contains($0) }.map { name in
        let isView = views.contains(name)
        // Views have an order of their own; a table without row ids lies in that of its key.
        let order = isView || name == "facts" ? "" : " ORDER BY rowid"
        return Listing(
          name: name, isView: isView, columns: try Self.columns(of: name, in: database),
          select: "SELECT * FROM \(name.quotedDatabaseIdentifier)" + order)
      }
    }
  }

  private func views() throws -> [String] {
    try database.read {
      try String.fetchAll(
        $0, sql: "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY rowid")
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
