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
  /// As the rows are now; those that cannot be read are left out.
  package let digests: [TableDigest]

  /// - Throws: where the file cannot be read as a database at all.
  package init(_ path: String) throws {
    try CaseFile.check(path)
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let found = try database.read { database in
      let said = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
      let hasSeal = try database.tableExists("seal") && database.tableExists("digests")
      let digests = TableDigest.readable(database)
      let sealed = try hasSeal ? Self.sealed(database) : []
      return (
        faults: said == ["ok"] ? [] : said, page: try hasSeal ? CaseSeal.page(database) : nil,
        digests: digests,
        changed: hasSeal ? Self.changed(sealed, digests) + (try Self.changedViews(database)) : []
      )
    }
    try database.close()
    faults = found.faults
    digests = found.digests
    changedTables = found.changed
    do throws(DiskFile.Refusal) {
      let file = try DiskFile(DiskFile.resolved(path), isWritten: false)
      isSealed = if let page = found.page { try CaseSeal.holds(file, page) } else { nil }
    } catch {
      throw CaseProblem(path, error.what, remedy: "Mend what is said.")
    }
  }

  /// What a view says has no digest: it is what this form makes it.
  fileprivate static func changedViews(_ database: Database) throws -> [String] {
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") == CaseSchema.form else {
      return []
    }
    func views(_ database: Database) throws -> [(name: String, sql: String)] {
      try Row.fetchAll(
        database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY rowid"
      ).map { ($0[0], $0[1]) }
    }
    let here = Dictionary(try views(database).map { ($0.name, $0.sql) }) { first, _ in first }
    let ours = try CaseFile.temporary().database.read { try views($0) }
    return ours.filter { here[$0.name] != $0.sql }.map(\.name)
  }

  fileprivate static func sealed(_ database: Database) throws -> [TableDigest] {
    try Row.fetchAll(database, sql: "SELECT name, rows, sha256 FROM digests").map { row in
      TableDigest(
        name: String.fromDatabaseValue(row[0]) ?? "", rows: Int.fromDatabaseValue(row[1]) ?? -1,
        sha256: String.fromDatabaseValue(row[2]) ?? "")
    }
  }

  fileprivate static func changed(_ sealed: [TableDigest], _ now: [TableDigest]) -> [String] {
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
  /// Whoever is told something out of a case is told this, too, so it has to be quick: where the seal of
  /// the file holds, nothing else is looked at, and that is one digest over its bytes (a tenth of a second
  /// for a million kept sightings). Row by row goes what was touched: changed, or given tables of
  /// somebody's own, which are none of ours.
  package static func changedTables(_ path: String) throws -> [String] {
    try CaseFile.check(path)
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let page = try database.read { try $0.tableExists("seal") ? CaseSeal.page($0) : nil }
    do throws(DiskFile.Refusal) {
      let file = try DiskFile(DiskFile.resolved(path), isWritten: false)
      if let page, try CaseSeal.holds(file, page) { return [] }
    } catch {
      throw CaseProblem(path, error.what, remedy: "Mend what is said.")
    }
    return try database.read { database in
      guard try database.tableExists("digests") else {
        // An older beacontrace sealed nothing.
        let form = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        return form < CaseSchema.firstSealedForm ? [] : ["digests"]
      }
      return changed(try sealed(database), TableDigest.readable(database))
        + (try changedViews(database))
    }
  }
}
