import Foundation
import Testing

/// What is handed over never takes the place of what it is made of.
@Suite("The page") struct ReplacingTests {
  @Test("replaces neither capture nor case") func inputs() throws {
    let scratch = try Scratch()
    let capture = scratch.folder.appending(path: "one.btsnoop")
    let before = Data(try Captures.read(Captures.h4))
    try before.write(to: capture)
    let folder = try Tool.run("analyze", "-q", "--report", capture.path, scratch.folder.path)
    #expect(folder.status == 64)
    #expect(folder.errors.contains("which it is made of; name another file."))
    #expect(try Data(contentsOf: capture) == before)
    let file = scratch.folder.appending(path: "c.sqlite").path
    let both = try Tool.run("analyze", "-q", "--case", file, capture.path)
    #expect(both.status == 0)
    let kept = try Data(contentsOf: URL(filePath: file))
    #expect(try Tool.run("case", "report", "-o", file, file).status == 64)
    #expect(
      try Tool.run("analyze", "-q", "--case", file, "--report", file, capture.path).status == 64)
    #expect(try Data(contentsOf: URL(filePath: file)) == kept)
  }

  @Test("is not made of a case whose rows were changed; triggers are refused") func changed() throws
  {
    let scratch = try Scratch()
    let file = scratch.folder.appending(path: "c.sqlite").path
    #expect(try Tool.run("analyze", "-q", "--case", file, Captures.h4).status == 0)
    let page = scratch.folder.appending(path: "p.html").path
    #expect(try Tool.run("case", "report", "-o", page, file).status == 0)
    let asked = try Tool.shell(
      "command -v sqlite3 && sqlite3 '\(file)' \"CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END\""
    )
    guard asked.status == 0 else {
      print("skipped: there is no sqlite3 to change a case with")
      return
    }
    let added = try Tool.run("analyze", "-q", "--case", file, Captures.h4)
    #expect(added.status != 0)
    #expect(added.errors.contains("triggers would change what is written: t"))
    _ = try Tool.shell("sqlite3 '\(file)' \"UPDATE captures SET crc_failed = 9223372036854775807\"")
    let refused = try Tool.run("case", "report", "-o", page, file)
    #expect(refused.status == 66)
    #expect(refused.errors.contains("changed since it was written: captures"))
  }
}
