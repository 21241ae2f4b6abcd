import Foundation
import GRDB
import Testing

@testable import CaseStore

/// Cases of older and newer versions.
@Suite("A case's form") struct FormTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A case as a version would have made it that had so many migrations.
  private func make(form: Int) throws -> String {
    let path = scratch.path("\(form).sqlite")
    let database = try DatabaseQueue(path: path)
    try CaseSchema.migrator(upTo: form).migrate(database)
    try database.write { database in
      try CaseSchema.stamp(database, form: form)
      try database.execute(sql: "INSERT INTO observers (name, reports) VALUES ('old', 7)")
    }
    try database.close()
    return path
  }

  @Test(
    "that is older is read in the present one, and the file stays as it is",
    arguments: Array(1..<CaseSchema.form))
  func older(_ form: Int) throws {
    let path = try make(form: form)
    let before = try Data(contentsOf: URL(filePath: path))
    let file = try CaseFile.open(path)
    #expect(try file.rows(ObserverRow.self).map(\.reports) == [7])
    var names: [CaseValue] = []
    try file.forEach(select: "SELECT count(*) FROM visits UNION ALL SELECT count(*) FROM digests") {
      names += $0
    }
    #expect(names == [.int(0), .int(0)])
    #expect(try file.rows(StayRow.self).isEmpty)
    try file.forEach(select: "SELECT entry_why FROM visits") { _ in }
    let isUnsealed = form < CaseSchema.firstSealedForm
    #expect(try CaseCheck.changedTables(path).contains("seal") == !isUnsealed)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(CaseFile.form(of: path) == form)
    #expect(try CaseCheck(path).isSealed == (form < CaseSchema.firstSealedForm ? nil : false))
    #expect(try file.rows(UnreadRow.self).isEmpty && file.sealDigits() == nil)
  }

  @Test("says which tables are others than in an older one") func tablesChanged() {
    #expect(
      CaseSchema.tables(changedSince: 4) == [
        "facts", "unread", "strongest", "fixes", "recordings", "signal_bins", "stays",
        "captures", "observers", "events", "citations", "steps",
        "remarks", "receptions", "damage", "evidence", "frames",
      ])
    #expect(CaseSchema.tables(changedSince: 3).contains("unplaced"))
    #expect(
      CaseSchema.tables(changedSince: 13) == [
        "facts", "remarks", "damage", "stays", "events", "evidence", "frames", "steps",
      ])
    #expect(CaseSchema.tables(changedSince: CaseSchema.form).isEmpty)
  }

  @Test("becomes the present one when the case is added to") func addition() throws {
    let path = try make(form: 1)
    let unfinished = try UnfinishedCase(path)
    try unfinished.begin().insert([ObserverRow(name: "new", reports: 1)])
    try unfinished.finish()
    #expect(CaseFile.form(of: path) == CaseSchema.form)
    #expect(try CaseFile.open(path).rows(ObserverRow.self).map(\.name) == ["new"])
    let check = try CaseCheck(path)
    #expect(check.isSealed == true && check.changedTables.isEmpty && check.faults.isEmpty)
  }

  @Test("that is newer is refused, to be read and to be added to") func newer() throws {
    let path = try make(form: CaseSchema.form)
    let database = try DatabaseQueue(path: path)
    try database.write { try CaseSchema.stamp($0, form: CaseSchema.form + 1) }
    try database.close()
    let before = try Data(contentsOf: URL(filePath: path))
    let problem = #expect(throws: CaseProblem.self) { _ = try CaseFile.open(path) }
    #expect(problem?.what.hasPrefix("a newer beacontrace made this case") == true)
    let unfinished = try UnfinishedCase(path)
    #expect(throws: CaseProblem.self) { _ = try unfinished.begin() }
    unfinished.discard()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("has every table in the list of those that are emptied and sealed") func tables() throws {
    let file = try CaseFile.temporary()
    let there = try file.listings().filter { !$0.isView }.map(\.name)
    #expect(Set(there) == Set(CaseSchema.tables + ["digests", "seal"]))
  }
}
