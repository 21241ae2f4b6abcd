import GRDB

/// What a case file says of itself, and whether that holds.
package struct CaseCheck: Sendable {
  /// What SQLite's `integrity_check` complains about; nothing where all is well.
  package let faults: [String]
  /// Nil: an older case, without one.
  package let isSealed: Bool?
  /// Our tables whose rows are not those that were sealed, or cannot be read.
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
        digests: digests, changed: hasSeal ? Self.changed(sealed, digests) : []
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

extension CaseFile {
  /// Our tables whose rows are not those that were sealed; sightings, which may be many, are not looked
  /// at.
  package func changedTables() throws -> [String] {
    let many: Set<String> = ["sightings"]
    return try database.read { database in
      guard try database.tableExists("digests") else { return [] }
      let sealed = try CaseCheck.sealed(database).filter { !many.contains($0.name) }
      guard !sealed.isEmpty else { return [] }
      let now = TableDigest.readable(database, without: many)
      return CaseCheck.changed(sealed, now).filter { !many.contains($0) }
    }
  }
}
