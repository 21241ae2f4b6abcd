import Foundation
import Testing

@testable import CaseStore

/// What somebody may ask of a case.
@Suite("A query of a case") struct QueryTests {
  let scratch: Scratch
  let file: CaseFile

  init() throws {
    scratch = try Scratch()
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    try unfinished.begin().insert([ObserverRow(name: "north", reports: 3)])
    try unfinished.finish()
    file = try CaseFile.open(scratch.path("a.sqlite"))
  }

  @Test("finds rows under their columns' names") func rows() throws {
    var names: [String] = []
    var rows: [[CaseValue]] = []
    try CaseQuery(file, "SELECT name, reports AS n, controller, x'00FF', 1.5 FROM observers").run(
      begin: { names = $0 }, row: { rows.append($0) })
    #expect(names[..<3] == ["name", "n", "controller"])
    #expect(rows == [[.text("north"), .int(3), .null, .blob([0, 255]), .real(1.5)]])
  }

  @Test(
    "only reads, and only this file",
    arguments: [
      "DELETE FROM observers", "INSERT INTO facts VALUES (1, 2)", "DROP VIEW visits",
      "ATTACH 'FOLDER/other.sqlite' AS other", "VACUUM INTO 'FOLDER/other.sqlite'",
      "PRAGMA journal_mode = WAL", "PRAGMA user_version = 9", "CREATE TABLE mine (x)",
      "CREATE TEMP TABLE mine (x)", "BEGIN IMMEDIATE", "SELECT 1; DELETE FROM observers",
      "WITH a AS (SELECT 1) UPDATE observers SET reports = 0", "REINDEX", "VACUUM",
    ])
  func readOnly(_ statement: String) throws {
    let before = try scratch.read("a.sqlite")
    let sql = statement.replacing("FOLDER", with: scratch.folder.path(percentEncoded: false))
    // Some of them do nothing at all on a file that can only be read.
    _ = try? CaseQuery(file, sql).run(begin: { _ in }, row: { _ in })
    #expect(try scratch.read("a.sqlite") == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["a.sqlite"])
    #expect(try file.rows(ObserverRow.self).map(\.reports) == [3])
  }

  @Test(
    "that SQLite does not take is refused with its place",
    arguments: [("SELECT frm FROM observers", 7), ("SELECT * FORM observers", 9)])
  func place(_ sql: String, _ place: Int) throws {
    let refusal = #expect(throws: CaseQuery.Refusal.self) {
      try CaseQuery(file, sql).run(begin: { _ in }, row: { _ in })
    }
    #expect(refusal?.place == place)
  }
}
