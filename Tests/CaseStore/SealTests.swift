import CaptureWriter
import Foundation
import GRDB
import Testing

@testable import CaseStore

/// What was changed in a case is noticed.
@Suite("The seal of a case") struct SealTests {
  let scratch: Scratch
  let bytes: Data

  init() throws {
    scratch = try Scratch()
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    let file = try unfinished.begin()
    try file.insert((1...400).map { ObserverRow(name: "radio number \($0)", reports: $0) })
    try file.insert([
      EventRow(event: "00000000000000aa", type: "exit", title: "a title to look for", json: "{}"),
      EventRow(event: "00000000000000ab", type: "enter", title: "", json: "{}"),
    ])
    try unfinished.finish()
    bytes = try scratch.read("a.sqlite")
  }

  private func check(_ bytes: Data) throws -> CaseCheck {
    try scratch.write(bytes, "b.sqlite")
    return try CaseCheck(scratch.path("b.sqlite"))
  }

  @Test("holds where nothing was changed") func unchanged() throws {
    let check = try check(bytes)
    #expect(check.isSealed == true)
    #expect(check.faults.isEmpty && check.changedTables.isEmpty)
    #expect(check.digests.map(\.name) == CaseSchema.tables)
  }

  @Test("names what somebody added, and takes none of it for a change of ours") func additions()
    throws
  {
    #expect(try check(bytes).additions.isEmpty)
    let queue = try DatabaseQueue(path: scratch.path("b.sqlite"))
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE notes (words TEXT UNIQUE);
          CREATE VIEW long AS SELECT * FROM visits;
          CREATE INDEX by_title ON events (title);
          CREATE TRIGGER noted AFTER INSERT ON notes BEGIN SELECT 1; END
          """)
    }
    try queue.close()
    let check = try CaseCheck(scratch.path("b.sqlite"))
    #expect(check.isSealed == false)
    #expect(check.faults.isEmpty && check.changedTables.isEmpty)
    #expect(check.additions == ["table notes", "view long", "index by_title", "trigger noted"])
  }

  @Test("notices one changed byte wherever it is") func anyByte() throws {
    for place in stride(from: 0, to: bytes.count, by: 997) {
      var changed = bytes
      changed[place] ^= 0x20
      // What cannot be opened any more is noticed, too.
      guard let check = try? check(changed) else { continue }
      #expect(check.isSealed != true, "byte \(place)")
    }
  }

  @Test(
    "names the table of a changed row",
    arguments: [
      ("radio number 17", "observers"), ("a title to look for", "events"),
      ("00000000000000ab", "events"),
    ])
  func byName(_ words: String, _ table: String) throws {
    // Where a word stands in an index, too, the row comes first or last: both are tried.
    var named: Set<String> = []
    var from = bytes.startIndex
    while let found = bytes[from...].range(of: Data(words.utf8)) {
      var changed = bytes
      changed[found.lowerBound] ^= 0x01
      named.formUnion(try check(changed).changedTables)
      from = found.upperBound
    }
    #expect(named == [table])
  }

  @Test("names the table of an index that hides a row, where the file was sealed anew, too")
  func hiddenRow() throws {
    try scratch.write(bytes, "c.sqlite")
    let file = try CaseFile.writing(scratch.path("c.sqlite"))
    try file.database.writeWithoutTransaction { database in
      let sql = try #require(
        try String.fetchOne(
          database, sql: "SELECT sql FROM sqlite_schema WHERE name = 'events_by_event'"))
      try database.execute(
        sql: """
          DROP INDEX events_by_event;
          CREATE INDEX events_by_event ON events (event) WHERE id <> 2;
          PRAGMA writable_schema = ON;
          """)
      try database.execute(
        sql: "UPDATE sqlite_schema SET sql = ? WHERE name = 'events_by_event'", arguments: [sql])
      try database.execute(sql: "PRAGMA writable_schema = OFF")
    }
    try file.close()
    #expect(try CaseCheck.changedTables(scratch.path("c.sqlite")) == ["events"])
    #expect(try !CaseCheck(scratch.path("c.sqlite")).faults.isEmpty)
  }

  @Test("names the table from which a row was taken, and not the others") func missingRow() throws {
    try scratch.write(bytes, "c.sqlite")
    let file = try CaseFile.writing(scratch.path("c.sqlite"))
    try file.database.write { try $0.execute(sql: "DELETE FROM events WHERE id = 2") }
    try file.close()
    let check = try CaseCheck(scratch.path("c.sqlite"))
    #expect(check.isSealed == false)
    #expect(check.changedTables == ["events"])
  }

  @Test(
    "tells quickly what was changed, kept sightings, too, and takes tables of others for none of that",
    arguments: [
      ("CREATE TABLE notes (text)", []), ("DELETE FROM events WHERE id = 2", ["events"]),
      ("INSERT INTO sightings VALUES (1, 1, 1, 0, 1, NULL, NULL, NULL)", ["sightings"]),
      ("DELETE FROM digests WHERE name = 'stays'", ["stays"]), ("DROP TABLE digests", ["digests"]),
      ("DELETE FROM seal", ["seal"]), ("CREATE VIEW mine AS SELECT 1", []),
      ("DROP VIEW visits; CREATE VIEW visits AS SELECT 1 AS visit", ["visits"]),
    ])
  func quickly(_ sql: String, _ tables: [String]) throws {
    #expect(try CaseCheck.changedTables(scratch.path("a.sqlite")) == [])
    try scratch.write(bytes, "d.sqlite")
    let file = try CaseFile.writing(scratch.path("d.sqlite"))
    try file.database.write { try $0.execute(sql: sql) }
    try file.close()
    #expect(try CaseCheck.changedTables(scratch.path("d.sqlite")) == tables)
  }

  @Test(
    "that somebody made anew does not hide what was changed",
    arguments: [
      ("UPDATE observers SET reports = 0 WHERE id = 3", ["observers"]),
      ("DELETE FROM digests WHERE name = 'events'; UPDATE events SET title = 'x'", ["events"]),
      ("DROP VIEW visits; CREATE VIEW visits AS SELECT 1 AS visit, 'forged' AS region", ["visits"]),
      (
        "ALTER TABLE stays RENAME TO mine; CREATE VIEW stays AS SELECT *, id AS rowid FROM mine",
        ["stays"]
      ),
    ])
  func sealedAnew(_ sql: String, _ tables: [String]) throws {
    try scratch.write(bytes, "e.sqlite")
    let path = scratch.path("e.sqlite")
    let file = try CaseFile.writing(path)
    let page = try file.database.write { database in
      try database.execute(sql: "PRAGMA legacy_alter_table = ON; \(sql)")
      return try CaseSeal.prepare(database)
    }
    try file.close()
    try CaseSeal.close(try DiskFile(path, isWritten: true), page)
    let check = try CaseCheck(path)
    #expect(check.isSealed == true && check.changedTables.contains(tables[0]))
    let opened = try CaseFile.inspected(path)
    #expect(opened.changed.contains(tables[0]))
  }

  @Test("covers no rows that lie beside the case, and such a case is refused by all that read it")
  func beside() throws {
    let path = scratch.path("a.sqlite")
    // Somebody else's program, which leaves what it wrote in a file of its own.
    let theirs = try DatabaseQueue(path: path)
    try theirs.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try theirs.close()
    let sealed = try scratch.read("a.sqlite")
    let open = try DatabaseQueue(path: path)
    try open.writeWithoutTransaction { database in
      try database.execute(
        sql: "PRAGMA wal_autocheckpoint = 0; UPDATE observers SET name = 'forged'")
    }
    let rest = try scratch.read("a.sqlite-wal")
    #expect(!rest.isEmpty)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link.sqlite"), withDestinationPath: path)
    for name in [path, scratch.path("link.sqlite")] {
      for read in [
        { _ = try CaseFile.open(name) }, { _ = try CaseFile.inspected(name) },
        { _ = try CaseCheck(name) }, { _ = try CaseCheck.changedTables(name) },
      ] as [() throws -> Void] {
        let problem = #expect(throws: CaseProblem.self, performing: read)
        #expect(problem?.isChanged == true && problem?.what.contains("a.sqlite-wal") == true)
        #expect(problem?.remedy.contains("copy") == true)
      }
    }
    try open.close()
    try scratch.write(sealed, "b.sqlite")
    try scratch.write(Data("a journal".utf8), "b.sqlite-journal")
    #expect(throws: CaseProblem.self) { _ = try CaseFile.open(scratch.path("b.sqlite")) }
  }

  @Test("of a case that is read is the file alone, and nothing comes to lie beside it")
  func alone() throws {
    for name in ["a %41?#.sqlite", "b.sqlite"] {
      try scratch.write(bytes, name)
      // What a program that uses such files calls its database, and no such file is there.
      let theirs = try DatabaseQueue(path: scratch.path(name))
      try theirs.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try theirs.close()
      try scratch.write(Data(), name + "-wal")
      let before = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
      let opened = try CaseFile.inspected(scratch.path(name))
      #expect(try opened.file.rows(ObserverRow.self).count == 400 && opened.changed.isEmpty)
      #expect(try CaseCheck(scratch.path(name)).changedTables.isEmpty)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == before)
    }
  }

  @Test("is looked at again when all was read") func meanwhile() throws {
    let opened = try CaseFile.inspected(scratch.path("a.sqlite"))
    try opened.checkEnd()
    try scratch.write(bytes + Data([0]), "a.sqlite")
    let problem = #expect(throws: CaseProblem.self) { try opened.checkEnd() }
    #expect(problem?.what == "somebody has written to it while it was read")
  }

  @Test("tells texts, numbers and NULL apart") func types() throws {
    var sums: Set<String> = []
    let values = [
      "NULL", "0", "0.0", "''", "'0'", "x''", "x'30'", "1", "'1'", "'N'", "'I'", "-1",
    ]
    for value in values {
      let file = try CaseFile.temporary()
      try file.database.write {
        try $0.execute(sql: "INSERT INTO facts (name, value) VALUES ('a', \(value))")
      }
      sums.insert(try #require(try file.digests().first { $0.name == "facts" }).sha256)
    }
    #expect(sums.count == values.count)
  }
}

extension CaseCheck {
  /// Of a file.
  static func changedTables(_ path: String) throws -> [String] {
    try CaseFile.reader(path).read { try changedTables($0) }
  }
}
