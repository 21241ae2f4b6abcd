import Foundation
import GRDB
import Testing

@testable import CaseStore

/// A case while it is made, and the old one in its place.
@Suite("A case that is made") struct UnfinishedCaseTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func make(_ name: String, observers: [String]) throws {
    let unfinished = try UnfinishedCase(scratch.path(name))
    let file = try unfinished.begin()
    try file.insert(observers.map { ObserverRow(name: $0, reports: 0) })
    try unfinished.finish()
  }

  private func observers(_ name: String) throws -> [String] {
    try CaseFile.open(scratch.path(name)).rows(ObserverRow.self).map(\.name)
  }

  @Test("comes into its place at the end, and leaves nothing beside it") func finish() throws {
    try make("a.sqlite", observers: ["north"])
    #expect(try observers("a.sqlite") == ["north"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["a.sqlite"])
    #expect(CaseFile.isCase(scratch.path("a.sqlite")))
  }

  @Test("is not there before its end, nor when it is given up") func discard() throws {
    let path = scratch.path("a.sqlite")
    let unfinished = try UnfinishedCase(path)
    _ = try unfinished.begin()
    #expect(!FileManager.default.fileExists(atPath: path))
    unfinished.discard()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
  }

  @Test("belongs to one run at a time") func lock() throws {
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    let refusal = #expect(throws: CaseProblem.self) {
      _ = try UnfinishedCase(scratch.path("a.sqlite"))
    }
    #expect(refusal?.what == "another run is writing this case")
    unfinished.discard()
    try make("a.sqlite", observers: ["north"])
  }

  @Test("keeps tables of others, and none of our old rows") func addition() throws {
    try make("a.sqlite", observers: ["north"])
    let theirs = try DatabaseQueue(path: scratch.path("a.sqlite"))
    try theirs.write {
      try $0.execute(sql: "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
    }
    try theirs.close()
    try make("a.sqlite", observers: ["south", "east"])
    #expect(try observers("a.sqlite") == ["south", "east"])
    let file = try CaseFile.open(scratch.path("a.sqlite"))
    var notes: [CaseValue] = []
    try file.forEach(select: "SELECT text FROM notes") { notes += $0 }
    #expect(notes == [.text("mine")])
  }

  @Test(
    "replaces no file that is something else",
    arguments: [Data(), Data("notes".utf8), Data(repeating: 0, count: 4096)])
  func foreign(_ bytes: Data) throws {
    try scratch.write(bytes, "a.sqlite")
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    let problem = #expect(throws: CaseProblem.self) { _ = try unfinished.begin() }
    #expect(problem?.what == "this is no case")
    unfinished.discard()
    #expect(try scratch.read("a.sqlite") == bytes)
  }

  @Test("leaves a case alone of which a part is in another file") func parts() throws {
    try make("a.sqlite", observers: ["north"])
    try scratch.write(Data("rest".utf8), "a.sqlite-wal")
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    let problem = #expect(throws: CaseProblem.self) { _ = try unfinished.begin() }
    #expect(problem?.what.contains("a.sqlite-wal") == true)
  }

  @Test("has the same bytes for the same rows") func sameBytes() throws {
    try make("a.sqlite", observers: ["north", "süd"])
    try make("b.sqlite", observers: ["north", "süd"])
    #expect(try scratch.read("a.sqlite") == scratch.read("b.sqlite"))
  }

  @Test("gives way to what somebody has written meanwhile") func meanwhile() throws {
    try make("a.sqlite", observers: ["north"])
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    let file = try unfinished.begin()
    try file.insert([ObserverRow(name: "south", reports: 0)])
    let theirs = try DatabaseQueue(path: scratch.path("a.sqlite"))
    try theirs.write { try $0.execute(sql: "CREATE TABLE notes (text)") }
    try theirs.close()
    let problem = #expect(throws: CaseProblem.self) { try unfinished.finish() }
    #expect(problem?.what == "somebody has written to it while the captures were read")
    unfinished.discard()
    #expect(try observers("a.sqlite") == ["north"])
    #expect(try DatabaseQueue(path: scratch.path("a.sqlite")).read { try $0.tableExists("notes") })
  }

  @Test("is for the same people as the one before") func mode() throws {
    try make("a.sqlite", observers: ["north"])
    let path = scratch.path("a.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try make("a.sqlite", observers: ["south"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try observers("a.sqlite") == ["south"])
  }

  @Test("is not filled where triggers would change what is written") func triggers() throws {
    try make("a.sqlite", observers: ["north"])
    let theirs = try DatabaseQueue(path: scratch.path("a.sqlite"))
    try theirs.write {
      try $0.execute(sql: "CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END")
    }
    try theirs.close()
    let before = try scratch.read("a.sqlite")
    let unfinished = try UnfinishedCase(scratch.path("a.sqlite"))
    let problem = #expect(throws: CaseProblem.self) { _ = try unfinished.begin() }
    #expect(problem?.what == "triggers would change what is written: t")
    unfinished.discard()
    #expect(try scratch.read("a.sqlite") == before)
  }

  @Test("comes to where a link points, whether there is something or not") func links() throws {
    let folder = scratch.folder.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for target in ["elsewhere/b.sqlite", folder.path + "/c.sqlite"] {
      try? FileManager.default.removeItem(atPath: scratch.path("a.sqlite"))
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path("a.sqlite"), withDestinationPath: target)
      for name in ["north", "south"] {
        try make("a.sqlite", observers: [name])
        #expect(try observers("a.sqlite") == [name])
        #expect(
          try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("a.sqlite"))
            == target)
      }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "b.sqlite", "c.sqlite",
      ])
  }
}
