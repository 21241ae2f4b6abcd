import Foundation
import Testing

/// `--observer`: captures that one observer wrote one after the other.
@Suite("An observer", .timeLimit(.minutes(60))) struct ObserverTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("logs/p1", Captures.read(Captures.h4))
    try scratch.write("logs/p2", Captures.read("museum/btsnoop-h1.btsnoop"))
  }

  private func run(_ words: [String], in folder: String = "logs") throws -> Run {
    try Tool.run(words, in: scratch.folder.appending(path: folder))
  }

  private func query(_ sql: String, _ name: String) throws -> [String] {
    let run = try run(["case", "query", "--format", "csv", name, sql])
    return run.lines.dropFirst().map { $0.replacing("\r", with: "") }
  }

  @Test(
    "has its files by any path that leads to them, also those of folders",
    arguments: [
      ["--observer", "o=p1,p2", "p1", "p2"], ["--observer", "o=./p1,p2", "p1", "./p2"],
      ["--observer", "o=p1,p2", "."], ["--observer", "o=../logs/p1,p2", "../logs"],
      ["--observer", "o=p1", "--observer", "o=p2,./p1", "."],
      ["--observer", "o=.", "."], ["--observer", "o=../logs/", "../logs"],
      ["--observer", "o=../logs", "p1", "./p2"], ["--observer", "o=.,p1", "p1", "p2"],
    ])
  func paths(_ words: [String]) throws {
    let run = try run(
      ["info", "-q", "--format", "json"] + words.filter { !$0.contains("o=") && $0 != "--observer" }
    )
    #expect(run.status == 0, "\(run.errors)")
    let events = try self.run(["events", "--format", "ndjson"] + words)
    #expect(events.status == 0, "\(events.errors)")
    #expect(!events.lines.isEmpty)
    #expect(events.lines.allSatisfy { $0.contains("\"observer\":\"o\"") })
  }

  @Test("has no capture of another") func others() throws {
    let run = try run(["events", "--observer", "a=p1", "--observer", "b=./p1", "p1"])
    #expect(run.status == 64)
    #expect(
      run.errors == "beacontrace: --observer b: 'p1' belongs to the observer a already.\n")
  }

  @Test("has a folder only where something of it is read") func emptyFolder() throws {
    let run = try run(["events", "--observer", "a=..", "--observer", "b=.", "p1"])
    #expect(run.errors == "beacontrace: --observer b: 'p1' belongs to the observer a already.\n")
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "empty"), withIntermediateDirectories: true)
    let empty = try self.run(["events", "--observer", "a=../empty", "p1"])
    #expect(empty.status == 64)
    #expect(
      empty.errors
        == "beacontrace: --observer a: none of the captures is below the folder '../empty'; name it "
        + "among them, too.\n")
  }

  @Test("goes on in what is added to a case", arguments: ["o=p1,p2", "o=p2", "o=./p1,./p2"])
  func addition(_ observer: String) throws {
    let first = try run(["analyze", "-q", "--case", "c.sqlite", "--observer", "o=./p1", "p1"])
    #expect(first.status == 0, "\(first.errors)")
    #expect(
      try query("SELECT 'word ' || word FROM options", "c.sqlite") == ["word --observer=o=p1"])
    let next = try run(["analyze", "-q", "--case", "c.sqlite", "--observer", observer, "p2"])
    #expect(next.status == 0, "\(next.errors)")
    let whole = try run(
      ["analyze", "-q", "--case", "w.sqlite", "--observer", "o=p1,p2", "p1", "p2"])
    #expect(whole.status == 0, "\(whole.errors)")
    let digests = "SELECT name, rows, sha256 FROM digests"
    #expect(try query(digests, "c.sqlite") == query(digests, "w.sqlite"))
    let verify = try run(["case", "verify", "logs/c.sqlite"], in: "")
    #expect(verify.status == 0, "\(verify.output)")
  }

  @Test("is among the options that a case was made with") func told() throws {
    let made = try run(["analyze", "-q", "--case", "c.sqlite", "--observer", "o=p1", "p1"])
    #expect(made.status == 0, "\(made.errors)")
    let other = try run(["analyze", "-q", "--case", "c.sqlite", "--set", "exit_after=10", "p2"])
    #expect(other.status == 64)
    #expect(
      other.errors.contains("it was made with --observer=o=p1, and these options are others"),
      "\(other.errors)")
  }

  /// In a folder and in a file's name, and in the words that a case keeps.
  @Test("has files and folders with commas and equals signs") func commas() throws {
    let phone = "logs/Anna's phone, 2nd=new"
    try scratch.write("\(phone)/p,1.log", Captures.read(Captures.h4))
    try scratch.write("\(phone)/p2.log", Captures.read("museum/btsnoop-h1.btsnoop"))
    let folder = "o=Anna's phone, 2nd=new"
    for words in [[folder], ["\(folder)/p,1.log", "\(folder)/p2.log"]] {
      let options = words.flatMap { ["--observer", $0] }
      let run = try run(["events", "--format", "ndjson"] + options + ["Anna's phone, 2nd=new"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.lines.isEmpty)
      #expect(run.lines.allSatisfy { $0.contains("\"observer\":\"o\"") })
    }
    let made = try run([
      "analyze", "-q", "--case", "c.sqlite", "--observer", folder, "Anna's phone, 2nd=new",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let next = try run(["analyze", "-q", "--case", "c.sqlite", "p2"])
    #expect(next.status == 0, "\(next.errors)")
    let verify = try run(["case", "verify", "c.sqlite"])
    #expect(verify.status == 0, "\(verify.output)")
    #expect(try query("SELECT name FROM observers ORDER BY name", "c.sqlite").contains("o"))
  }

  @Test("of captures of one file name is called by their folders, in whatever order")
  func folders() throws {
    try scratch.write("logs/anna/hci.log", Captures.read(Captures.h4))
    try scratch.write("logs/bert/hci.log", Captures.read("museum/btsnoop-h1.btsnoop"))
    let words = ["events", "--format", "ndjson"]
    let one = try run(words + ["anna", "bert"])
    let other = try run(words + ["bert", "anna"])
    #expect(one.status == 0 && !one.lines.isEmpty)
    #expect(one.lines.contains { $0.contains("\"observer\":\"anna/hci\"") })
    #expect(one.lines.sorted() == other.lines.sorted())
  }

  @Test("keeps its name in a case, whatever is added") func kept() throws {
    try scratch.write("logs/anna/hci.log", Captures.read(Captures.h4))
    try scratch.write("logs/bert/hci.log", Captures.read("museum/btsnoop-h1.btsnoop"))
    let names = "SELECT name, observer FROM captures ORDER BY name"
    for added in ["bert", "anna", "."] {
      let run = try run(["analyze", "-q", "--case", "c.sqlite", added])
      #expect(run.status == 0, "\(run.errors)")
      let found = try query(names, "c.sqlite")
      #expect(found.contains("bert/hci.log,hci"))
      #expect(added == "bert" || found.contains("anna/hci.log,anna/hci"))
      #expect(try query("SELECT name FROM observers", "c.sqlite").contains { $0.hasPrefix("hci") })
      let verify = try self.run(["case", "verify", "c.sqlite"])
      #expect(verify.status == 0, "\(verify.output)")
    }
  }

  @Test("is the one that a case has already, if what is added is said to be of it")
  func joined() throws {
    for (first, second) in [("p1", "p2"), ("p2", "p1")] {
      let name = "\(first).sqlite"
      let made = try run(["analyze", "-q", "--case", name, first])
      #expect(made.status == 0, "\(made.errors)")
      let words = ["analyze", "-q", "--case", name, "--observer", "\(first)=\(second)", second]
      let next = try run(words)
      #expect(next.status == 0, "\(next.errors)")
      #expect(try query("SELECT name FROM observers", name) == [first])
      let verify = try run(["case", "verify", name])
      #expect(verify.status == 0, "\(verify.output)")
    }
  }
}
