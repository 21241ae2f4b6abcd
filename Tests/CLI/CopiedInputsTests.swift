import Foundation
import Testing

/// A file that is another one of the run once more, byte for byte, is no new evidence.
@Suite("The same file twice", .timeLimit(.minutes(60))) struct CopiedInputsTests {
  private let site: SiteScene
  private var folder: URL { site.scratch.folder }

  init() throws {
    site = try SiteScene()
    try site.record("door", beacons: 2, seconds: 90)
    let bytes = try Data(contentsOf: folder.appending(path: "door.btsnoop"))
    for name in ["one/a.btsnoop", "two/a.btsnoop", "two/copy.btsnoop"] {
      try site.scratch.write(name, [UInt8](bytes))
    }
  }

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: folder) }

  private static let told = "two/copy.btsnoop is two/a.btsnoop once more, byte for byte: left out."

  @Test(
    "is left out by every command that reads captures, which says so",
    arguments: [
      ["events", "--format", "csv"], ["sightings", "--format", "csv"], ["devices", "--each"],
      ["advise", "--format", "json"], ["export", "--to", "timesketch"],
    ])
  func leftOut(_ command: [String]) throws {
    let alone = try run(command + ["two/a.btsnoop"])
    let twice = try run(command + ["two/a.btsnoop", "two/copy.btsnoop"])
    #expect(alone.status == 0 && !alone.bytes.isEmpty, "\(alone.errors)")
    #expect(twice.complaints.first == Self.told, "\(twice.errors)")
    guard command[0] != "advise" && command[0] != "export" else { return }
    #expect(twice.bytes == alone.bytes)
    #expect(try run(command + ["-q", "two/a.btsnoop", "two/copy.btsnoop"]).errors.isEmpty)
  }

  @Test("is moved by its own --clock alone, where it is the other side of a comparison")
  func comparedWithItself() throws {
    func begin(_ words: [String]) throws -> String? {
      let run = try run(["compare", "--format", "json", "-q", "one/a.btsnoop"] + words)
      return try JSON(run.bytes)["before"]?["from"]?.text
    }
    let plain = try begin(["two/a.btsnoop"])
    #expect(plain != nil)
    #expect(try begin(["two/a.btsnoop", "--clock", "two/a.btsnoop=+1h"]) == plain)
    let none = try run(["analyze", "one/a.btsnoop", "--clock", "two/a.btsnoop=+1h"])
    #expect(none.status == 64 && none.errors.contains("none of the captures"), "\(none.errors)")
  }

  @Test("is told by analyze, its document, its page and its case, which is verified with it")
  func kept() throws {
    let words = ["analyze", "--case", "c.sqlite", "--report", "c.html", "two"]
    let made = try run(words)
    #expect(made.status == 0, "\(made.errors)")
    let flat = made.output.replacing(/\s+/, with: " ")
    let sentence =
      "two/copy.btsnoop is the same file as two/a.btsnoop, byte for byte: left out, so that nothing counts twice."
    #expect(flat.contains("! " + sentence), "\(made.output)")
    let document = try JSON(try run(["analyze", "-q", "--format", "json", "two"]).bytes)
    #expect(document["captures"]?.list?.count == 1)
    let other = try #require(document["passed_over"]?.list?.first)
    #expect(other["file"]?.text == "two/copy.btsnoop" && other["code"]?.text == "same_capture")
    let page = try String(contentsOf: folder.appending(path: "c.html"), encoding: .utf8)
    #expect(page.contains("<li><b>two/copy.btsnoop</b>: is the same file as two/a.btsnoop"))
    let rows = try run([
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT name, sha256 IS NULL FROM unread UNION ALL SELECT name, 2 FROM captures",
    ]).lines.dropFirst().map { $0.replacing("\r", with: "") }
    #expect(rows == ["two/copy.btsnoop,0", "two/a.btsnoop,2"])
    let verified = try run(["case", "verify", "c.sqlite"])
    #expect(verified.status == 0, "\(verified.output)")
    #expect(verified.output.contains("two/copy.btsnoop: unchanged"))
    // Added once more it is nothing new.
    #expect(try run(["analyze", "--case", "c.sqlite", "two", "one"]).status == 0)
    #expect(try run(["case", "verify", "c.sqlite"]).status == 0)
  }

  @Test("is read twice where somebody says that two receivers wrote it")
  func receivers() throws {
    for words in [
      ["--observers", "folder", "one", "two/a.btsnoop"],
      ["--observer", "x=one/a.btsnoop", "--observer", "y=two/a.btsnoop", "one", "two/a.btsnoop"],
    ] {
      let run = try run(["analyze", "--all"] + words)
      #expect(run.errors.isEmpty, "\(run.errors)")
      let flat = run.output.replacing(/\s+/, with: " ")
      #expect(
        flat.contains("is the same capture as one/a.btsnoop, byte for byte, and read all the same"))
    }
  }

  @Test("may be named as one of its receiver's, and says which of them is read")
  func named() throws {
    for words in [
      ["--observer", "x=two/a.btsnoop,two/copy.btsnoop", "two"],
      ["--observer", "x=two,one", "two", "one"],
      ["--clock", "two=+1h", "--observer", "x=two", "two"],
    ] {
      let run = try run(["events", "--format", "csv"] + words)
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        run.complaints.first?.hasPrefix("two/copy.btsnoop is two/a.btsnoop once more") == true)
      #expect(run.output.contains(",x,"), "\(run.output)")
    }
    // Who is called something comes before what lies about.
    let loose = try run(["events", "--observer", "x=two/copy.btsnoop", "two"])
    #expect(
      loose.complaints.first?.hasPrefix("two/a.btsnoop is two/copy.btsnoop once more") == true)
  }

  @Test("is shown by info, which says whose copy it is, and shared like the others")
  func shown() throws {
    let info = try run(["info", "two"])
    #expect(info.errors.isEmpty)
    #expect(
      info.lines.contains(
        "  copy        of two/a.btsnoop, byte for byte: a run over both leaves it out"))
    #expect(info.lines.contains("  copies      1 capture, counted here like the others"))
    let document = try JSON(try run(["info", "--format", "json", "two"]).bytes)
    let copies = document["captures"]?.list?.map { $0["copy_of"]?.text }
    #expect(copies == [nil, "two/a.btsnoop"])
    let shared = try run(["share", "--into", "out", "two"])
    #expect(shared.status == 0, "\(shared.errors)")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "out").path(percentEncoded: false))
    #expect(files.count == 2)
  }

  @Test("is not what only begins alike") func others() throws {
    var bytes = [UInt8](try Data(contentsOf: folder.appending(path: "two/copy.btsnoop")))
    bytes[bytes.count - 1] ^= 1
    try site.scratch.write("two/copy.btsnoop", bytes)
    let run = try run(["events", "two"])
    #expect(!run.errors.contains("left out"), "\(run.errors)")
  }
}
