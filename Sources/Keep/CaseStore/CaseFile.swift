package import GRDB

/// A case: a SQLite database with the tables of `CaseSchema`.
package struct CaseFile: Sendable {
  package let database: DatabaseQueue

  init(_ database: DatabaseQueue) { self.database = database }

  /// An empty case that nobody keeps; what does not fit into memory goes to a file that has no name.
  package static func temporary() throws -> CaseFile {
    var configuration = Configuration()
    configuration.label = "beacontrace.case"
    // An empty name is SQLite's temporary database: private, spilled to disk, gone when closed.
    let database = try DatabaseQueue(path: "", configuration: configuration)
    try CaseSchema.migrator().migrate(database)
    return CaseFile(database)
  }

  /// A table's rows in their order.
  package func rows<Row: CaseRow>(_: Row.Type) throws -> [Row] {
    try database.read { try Row.order(Column("id")).fetchAll($0) }
  }

  /// A fact of the whole run; nil where it is not known.
  package func fact(_ name: String) throws -> String? {
    try database.read {
      try String.fetchOne($0, sql: "SELECT value FROM facts WHERE name = ?", arguments: [name])
    }
  }

  /// Adds rows to a table, all or none.
  package func insert<Row: CaseRow>(_ rows: some Sequence<Row>) throws {
    try database.write { database in
      for row in rows { try row.insert(database) }
    }
  }
}
