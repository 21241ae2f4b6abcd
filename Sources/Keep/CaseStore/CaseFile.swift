package import GRDB

/// A case: a SQLite database with the tables of `CaseSchema`.
package struct CaseFile: Sendable {
  package let database: DatabaseQueue

  init(_ database: DatabaseQueue) { self.database = database }

  /// An empty case that nobody keeps; what does not fit into memory goes to a file that has no name.
  package static func temporary() throws -> CaseFile {
    // An empty name is SQLite's temporary database: private, spilled to disk, gone when closed.
    try writing("")
  }

  /// A case that is being made, brought to the present form.
  /// - Parameter path: of a file that nobody else looks at: what stands in it while it is written is no
  ///   case.
  static func writing(_ path: String) throws -> CaseFile {
    var configuration = Configuration()
    configuration.label = "beacontrace.case"
    // The order of the rows is ours, and so is what they refer to; the tables say it for analysts.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase {
      try $0.execute(
        sql: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -65536;
          """)
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try CaseSchema.migrator().migrate(database)
    try database.write { try CaseSchema.stamp($0) }
    return CaseFile(database)
  }

  /// Of somebody else, on tables of ours.
  func triggers() throws -> [String] {
    try database.read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
      ).filter { CaseSchema.tables.contains($0[1]) }.map { $0[0] }
    }
  }

  /// A table's rows in their order.
  package func rows<Row: CaseRow>(_: Row.Type) throws -> [Row] {
    try database.read { try Row.order(Column("id")).fetchAll($0) }
  }

  /// A fact of the whole run; nil where it is not known.
  package func fact(_ name: String) throws -> String? {
    try database.read {
      try String.fetchOne(
        $0, sql: "SELECT CAST(value AS TEXT) FROM facts WHERE name = ?",
        arguments: [name])
    }
  }

  /// The digits of the seal, which `case verify` compares with the file; nil of an older case, and of one
  /// that is being made.
  package func sealDigits() throws -> String? { try database.read { try CaseSeal.digits($0) } }

  /// Adds rows to a table, all or none.
  package func insert<Row: CaseRow>(_ rows: some Sequence<Row>) throws {
    try database.write { try $0.add(rows) }
  }

  /// Adds to many tables in one go: all or none, but in a case that is being made, which is thrown away
  /// where this fails.
  package func fill(_ body: (CaseTables) throws -> Void) throws {
    try database.write { try body(CaseTables(database: $0)) }
  }

  /// Empties our tables; what others added to the case stays.
  package func empty() throws {
    try database.write { database in
      for table in CaseSchema.tables { try database.execute(sql: "DELETE FROM \(table)") }
    }
  }

  /// Of each of our tables.
  package func digests() throws -> [TableDigest] { try database.read { try TableDigest.all($0) } }

  /// Says in the case itself what is in it; nothing is added behind that.
  func seal() throws -> CaseSeal.Page {
    try database.write { database in
      try database.execute(sql: "DELETE FROM digests")
      for digest in try TableDigest.all(database) {
        try database.execute(
          sql: "INSERT INTO digests (name, rows, sha256) VALUES (?, ?, ?)",
          arguments: [digest.name, digest.rows, digest.sha256])
      }
      return try CaseSeal.prepare(database)
    }
  }

  /// Whether what was sealed in both is the same; facts say of which form and version it is.
  func saysTheSame(as other: CaseFile) throws -> Bool {
    try database.read { try CaseCheck.sealed($0) }
      == other.database.read { try CaseCheck.sealed($0) }
  }

  /// No access follows.
  package func close() throws { try database.close() }
}

/// The tables of a case while rows are added to them.
package struct CaseTables {
  let database: Database

  /// For many rows; only as long as the tables are lent.
  package func writer(_ table: String) throws -> TableWriter {
    try TableWriter(database, table)
  }

  package func add<Row: CaseRow>(_ rows: some Sequence<Row>) throws {
    try database.add(rows)
  }

  /// Gives the sightings' captures other numbers.
  /// - Parameter numbers: the new one of each by the old ones; of all that any sighting has.
  package func renumberCaptures(_ numbers: [Int64: Int64]) throws {
    try database.execute(sql: "CREATE TEMP TABLE renumbered (old INTEGER PRIMARY KEY, new INTEGER)")
    for (old, new) in numbers where old != new {
      try database.execute(sql: "INSERT INTO renumbered VALUES (?, ?)", arguments: [old, new])
    }
    try database.execute(
      sql: """
        UPDATE sightings SET capture_id = (SELECT new FROM renumbered WHERE old = capture_id)
          WHERE capture_id IN (SELECT old FROM renumbered);
        DROP TABLE renumbered;
        """)
  }

  package func addFact(_ name: String, _ value: (any DatabaseValueConvertible)?) throws {
    try database.execute(
      sql: "INSERT INTO facts (name, value) VALUES (?, ?)",
      arguments: [name, (value as? String).map(ZeroCharacters.shown) ?? value])
  }
}
