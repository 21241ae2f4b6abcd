import CaptureWriter
import GRDB

/// What a case file says of itself, and whether that holds.
package struct CaseCheck: Sendable {
  /// What SQLite's `integrity_check` complains about; nothing where all is well.
  package let faults: [String]
  /// Nil: an older case, without one.
  package let isSealed: Bool?
  /// Our tables whose rows are not those that were sealed, or cannot be read; and views that are not ours
  /// any more.
  package let changedTables: [String]
  /// What somebody has added to the file, such as `table notes`: no digest covers it.
  package let additions: [String]
  /// As the rows are now; those that cannot be read are left out.
  package let digests: [TableDigest]

  /// - Throws: where the file cannot be read as a database at all.
  package init(_ path: String) throws {
    let database = try CaseFile.reader(path)
    let found = try database.read { database in
      let said = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
      let hasSeal = try database.tableExists("seal") && database.tableExists("digests")
      let isOlder = try Self.form(database) < CaseSchema.firstSealedForm
      let digests = TableDigest.readable(database)
      return (
        faults: said == ["ok"] ? [] : said, page: try hasSeal ? CaseSeal.page(database) : nil,
        isOlder: isOlder && !hasSeal, digests: digests,
        changed: try Self.changed(database, digests), additions: try Self.additions(database)
      )
    }
    try database.close()
    faults = found.faults
    digests = found.digests
    changedTables = found.changed
    additions = found.additions
    do throws(DiskFile.Refusal) {
      let file = try DiskFile(DiskFile.resolved(path), isWritten: false)
      isSealed =
        if let page = found.page { try CaseSeal.holds(file, page) } else {
          found.isOlder ? nil : false
        }
    } catch {
      throw CaseProblem(path, error.what, remedy: "Mend what is said.")
    }
  }

  private static func form(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  private static func changed(_ database: Database, _ digests: [TableDigest]) throws -> [String] {
    guard try database.tableExists("digests") else {
      // An older beacontrace sealed nothing.
      return try form(database) < CaseSchema.firstSealedForm ? [] : ["digests"]
    }
    var names = changed(try sealed(database), digests)
    for name in try changedShapes(database) where !names.contains(name) { names.append(name) }
    if !names.contains("seal"), try CaseSeal.digits(database) == nil { names.append("seal") }
    return names
  }

  /// What a view says has no digest, and what calls itself a table may be a view: each is what its form
  /// makes it.
  private static func changedShapes(_ database: Database) throws -> [String] {
    func shapes(_ database: Database) throws -> [(name: String, words: [String])] {
      try Row.fetchAll(
        database,
        sql: """
          SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND sql IS NOT NULL
            ORDER BY rowid
          """
      ).map { ($0[0], [$0[1], $0[2]]) }
    }
    let here = Dictionary(try shapes(database).map { ($0.name, $0.words) }) { first, _ in first }
    let empty = try DatabaseQueue()
    try CaseSchema.migrator(upTo: form(database)).migrate(empty)
    return try empty.read { try shapes($0) }.filter { here[$0.name] != $0.words }.map(\.name)
  }

  /// Tables, views, indexes and triggers that the case's form does not make, in the order in which they were made.
  private static func additions(_ database: Database) throws -> [String] {
    // Indexes without a text come with their tables.
    func things(_ database: Database) throws -> [String] {
      try String.fetchAll(
        database,
        sql: "SELECT type || ' ' || name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    }
    let empty = try DatabaseQueue()
    try CaseSchema.migrator(upTo: form(database)).migrate(empty)
    let ours = Set(try empty.read { try things($0) })
    return try things(database).filter { !ours.contains($0) }
  }

  /// Of each table, as the case has it.
  static func sealed(_ database: Database) throws -> [TableDigest] {
    try Row.fetchAll(database, sql: "SELECT name, rows, sha256 FROM digests").map { row in
      TableDigest(
        name: String.fromDatabaseValue(row[0]) ?? "", rows: Int.fromDatabaseValue(row[1]) ?? -1,
        sha256: String.fromDatabaseValue(row[2]) ?? "")
    }
  }

  private static func changed(_ sealed: [TableDigest], _ now: [TableDigest]) -> [String] {
    let names = CaseSchema.tables.filter { name in
      now.first { $0.name == name } != sealed.first { $0.name == name }
    }
    let unknown = sealed.map(\.name).filter { !CaseSchema.tables.contains($0) }
    return names + (unknown.isEmpty ? [] : ["digests"])
  }
}

extension CaseCheck {
  /// Our tables whose rows are not those that were sealed, and views that say something else: nothing where
  /// the case is as it was.
  ///
  /// Whoever is told something out of a case is told this, too. The seal of the file does not stand in for
  /// it: whoever has changed a row can seal the file anew, and digests in the case may still tell. It costs
  /// a SHA-256 over all rows (a tenth of a second for 130 000 kept sightings). What is asked for may come out of
  /// an index, which has no digest: one that does not hold what its table does counts as a changed table.
  static func changedTables(_ database: Database) throws -> [String] {
    var names = try changed(database, TableDigest.readable(database))
    for name in try tablesOfBrokenIndexes(database) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  private static func tablesOfBrokenIndexes(_ database: Database) throws -> [String] {
    let faults = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
    guard faults != ["ok"] else { return [] }
    let indexes = try Row.fetchAll(
      database, sql: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY rowid")
    return indexes.filter { row in
      let name: String = row[0]
      return faults.contains { $0.hasSuffix("index \(name)") }
    }.map { $0[1] }
  }
}
