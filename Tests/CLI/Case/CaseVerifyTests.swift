import Foundation
import GRDB
import Testing

/// `case verify` through the built tool.
@Suite("case verify", .timeLimit(.minutes(60))) struct CaseVerifyTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("north.log", Captures.read(Captures.h4))
    try scratch.write(
      "door.lua",
      Array(
        "on(\"enter\", function(e) alert { severity = \"info\", title = \"in\", evidence = e } end)\n"
          .utf8))
    try scratch.write(
      "regions.txt",
      Array(
        "tag=address:c4:a1:00:00:04:01\nany=ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d\n".utf8))
    let made = try Tool.run(
      [
        "analyze", "--case", "site.sqlite", "--plugin", "door.lua", "--regions", "regions.txt",
        "--keep-sightings", "north.log",
      ], in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  private func verify(_ name: String = "site.sqlite") throws -> Run {
    try Tool.run(["case", "verify", name], in: scratch.folder)
  }

  private func change(_ name: String, at place: Int) throws {
    let file = scratch.folder.appending(path: name)
    var bytes = try Data(contentsOf: file)
    bytes[place] ^= 0x01
    try bytes.write(to: file)
  }

  @Test("says that everything is the same where it is") func same() throws {
    let run = try verify()
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("as it was sealed"))
    #expect(run.output.contains("every event is derived again"))
    #expect(run.output.contains("every table comes out the same"))
  }

  @Test("says of a file that is named, and none of the case's, that it was not checked")
  func strangers() throws {
    try scratch.write("page.html", Array("<!doctype html>".utf8))
    // A rule and a list are checked where they were.
    let words = [
      "case", "verify", "site.sqlite", "page.html", "north.log", "door.lua", "regions.txt",
    ]
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(
      run.output.contains("named, too  page.html: none of the case's files, and NOT CHECKED"),
      "\(run.output)")
    #expect(run.output.contains("case report -o - CASE | cmp - PAGE"), "\(run.output)")
    #expect(!run.output.contains("north.log: none"), "\(run.output)")
    let json = try Tool.run(words + ["--format", "json"], in: scratch.folder)
    #expect(try JSON(Data(json.output.utf8))["not_of_case"]?.list?.map(\.text) == ["page.html"])
  }

  /// Each has to be in the case's own options: a run without it comes to something else.
  @Test(
    "runs again with the option that the case was made with, and so does adding",
    arguments: [
      ["--regions-per", "beacon"], ["--profile", "core-location"], ["--set", "exit_after=7"],
      ["--distance-model", "abl"], ["--keep-bad-crc"], ["--no-regions"], ["--clock", "+2h"],
      ["--regions", "regions.txt"], ["--region", "a=address:c4:a1:00:00:04:01"],
    ])
  func options(_ words: [String]) throws {
    let made = try Tool.run(
      ["analyze", "--case", "one.sqlite"] + words + ["north.log"], in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let run = try verify("one.sqlite")
    #expect(run.status == 0, "\(run.output)")
    func regions() throws -> String {
      try Tool.run(
        "case", "query", "one.sqlite", "SELECT DISTINCT region FROM events ORDER BY 1",
        in: scratch.folder
      ).output
    }
    let before = try regions()
    try scratch.write("south.log", Captures.read(Captures.h4))
    let added = try Tool.run("analyze", "--case", "one.sqlite", "south.log", in: scratch.folder)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try regions() == before)
  }

  @Test(
    "names an input with one changed byte",
    arguments: [("north.log", 2000), ("door.lua", 5), ("regions.txt", 1)])
  func input(_ name: String, _ place: Int) throws {
    try change(name, at: place)
    let run = try verify()
    #expect(run.status == 65, "\(run.output)")
    #expect(run.lines.contains { $0.contains(name) && $0.hasSuffix("CHANGED") }, "\(run.output)")
  }

  @Test("names an input that is gone", arguments: ["north.log", "door.lua", "regions.txt"])
  func missing(_ name: String) throws {
    try FileManager.default.removeItem(at: scratch.folder.appending(path: name))
    let run = try verify()
    #expect(run.status == 66)
    #expect(run.lines.contains { $0.contains(name) && $0.hasSuffix("MISSING") }, "\(run.output)")
  }

  @Test("names what somebody added, and that nothing else changed the file") func additions() throws
  {
    let queue = try DatabaseQueue(path: scratch.folder.appending(path: "site.sqlite").path)
    try queue.write {
      try $0.execute(sql: "CREATE TABLE notes (words); CREATE VIEW mine AS SELECT 1")
    }
    try queue.close()
    func words(_ run: Run) -> String { run.output.replacing(/\s+/, with: " ") }
    let changed = try verify()
    #expect(changed.status == 65)
    #expect(words(changed).contains("file CHANGED since it was sealed"))
    #expect(
      words(changed).contains(
        "with the rows that were sealed: what was written to the file since is something else"),
      "\(changed.output)")
    #expect(
      words(changed).contains(
        "added table notes: not of beacontrace, and no digest covers it view mine: not of beacontrace"
      ),
      "\(changed.output)")
    // As CASE.md has it: a capture that it has already, and the file is sealed with them.
    let sealed = try Tool.run(
      ["analyze", "-q", "--case", "site.sqlite", "north.log"], in: scratch.folder)
    #expect(sealed.status == 0, "\(sealed.errors)")
    let again = try verify()
    #expect(again.status == 0, "\(again.output)")
    #expect(
      words(again).contains("table notes: not of beacontrace; as it was when the file was sealed"),
      "\(again.output)")
  }

  @Test("names a table with another row, and the event that does not follow") func table() throws {
    let other = try renameAnEvent()
    let run = try verify()
    #expect(run.status == 65)
    #expect(
      run.lines.contains { $0.contains("CHANGED: ") && $0.contains("events") }, "\(run.output)")
    #expect(run.output.contains(other))
    #expect(run.output.contains("NOT derived again"))
  }

  @Test("names an event that says something else than what follows") func anotherWord() throws {
    let file = scratch.folder.appending(path: "site.sqlite")
    var bytes = try Data(contentsOf: file)
    // The state of one event, in its JSON.
    let place = try #require(bytes.range(of: Data("\"state\":\"inside\"".utf8)))
    bytes.replaceSubrange(place, with: Data("\"state\":\"unknow\"".utf8))
    try bytes.write(to: file)
    let run = try verify()
    #expect(run.status == 65)
    #expect(!run.output.contains("every event is derived again"), "\(run.output)")
    #expect(run.output.contains("SOMETHING ELSE is derived of 1 event: "), "\(run.output)")
  }

  @Test("knows events of a form again whose ids went by frame numbers") func formerIDs() throws {
    let file = scratch.folder.appending(path: "site.sqlite")
    _ = try renameAnEvent()
    var bytes = try Data(contentsOf: file)
    let fact = Data("form".utf8)
    // SQLite's `user_version`, the last of four bytes.
    let place = try #require(bytes.range(of: fact + [bytes[63]]))
    bytes.replaceSubrange(place, with: fact + [9])
    try bytes.write(to: file)
    let run = try verify()
    #expect(run.output.contains("every event is derived again"), "\(run.output)")
    #expect(!run.output.contains("NOT derived again"))
    #expect(run.output.contains("the case is of the form 9"))
  }

  /// - Returns: what an event of the case is called now.
  private func renameAnEvent() throws -> String {
    let file = scratch.folder.appending(path: "site.sqlite")
    var bytes = try Data(contentsOf: file)
    let ids = try Tool.run(
      ["case", "query", "--format", "csv", "site.sqlite", "SELECT event FROM events LIMIT 1"],
      in: scratch.folder)
    let id = try #require(ids.lines.last?.prefix(16))
    // In the row and in the index by it.
    var other = Array(id.utf8)
    other[15] = other[15] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    var from = bytes.startIndex
    while let found = bytes[from...].range(of: Data(id.utf8)) {
      bytes.replaceSubrange(found, with: other)
      from = found.upperBound
    }
    try bytes.write(to: file)
    return String(decoding: other, as: UTF8.self)
  }

  /// `case verify --format json`, with its exit status.
  private func findings(_ status: Int32) throws -> [String: Any] {
    let run = try Tool.run(
      ["case", "verify", "--format", "json", "site.sqlite"], in: scratch.folder)
    #expect(run.status == status, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: run.bytes) as? [String: Any])
  }

  private static func states(_ inputs: Any?) -> [String: String] {
    let inputs = inputs as? [[String: Any]] ?? []
    let pairs = inputs.compactMap { input -> (String, String)? in
      guard let name = (input["capture"] ?? input["file"]) as? String else { return nil }
      return (input["state"] as? String).map { (name, $0) }
    }
    return Dictionary(pairs) { $1 }
  }

  @Test("tells programs that everything is the same") func sameInJSON() throws {
    let found = try findings(0)
    #expect(found["verdict"] as? String == "same")
    #expect(found["file"] as? String == "as_sealed")
    #expect(Self.states(found["captures"]) == ["north.log": "same"])
    #expect(Self.states(found["files"]) == ["door.lua": "same", "regions.txt": "same"])
    let analysis = try #require(found["analysis"] as? [String: Any])
    #expect(analysis["state"] as? String == "same")
    let events = try Tool.run(
      ["case", "query", "--format", "csv", "site.sqlite", "SELECT count(*) FROM events"],
      in: scratch.folder)
    let counted = events.lines.last?.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect((analysis["events"] as? Int).map(String.init) == counted)
    #expect(analysis["tables"] as? Int == found["tables"] as? Int)
  }

  @Test("tells programs what is missing, and what differs") func differencesInJSON() throws {
    try FileManager.default.moveItem(
      at: scratch.folder.appending(path: "door.lua"),
      to: scratch.folder.appending(path: "door.old"))
    let missing = try findings(66)
    #expect(missing["verdict"] as? String == "incomplete")
    #expect(Self.states(missing["files"])["door.lua"] == "missing")
    #expect((missing["analysis"] as? [String: Any])?["state"] as? String == "not_made")
    try FileManager.default.moveItem(
      at: scratch.folder.appending(path: "door.old"),
      to: scratch.folder.appending(path: "door.lua"))

    let other = try renameAnEvent()
    let changed = try findings(65)
    #expect(changed["verdict"] as? String == "different")
    #expect(changed["file"] as? String == "changed")
    #expect((changed["tables_changed"] as? [String])?.contains("events") == true)
    let analysis = try #require(changed["analysis"] as? [String: Any])
    #expect(analysis["state"] as? String == "different")
    #expect(analysis["events_missing"] as? [String] == [other])
    #expect((analysis["events_new"] as? [String])?.count == 1)
  }

  @Test("writes nothing") func readOnly() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
    let before = try Data(contentsOf: scratch.folder.appending(path: "site.sqlite"))
    #expect(try verify().status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == names)
    #expect(try Data(contentsOf: scratch.folder.appending(path: "site.sqlite")) == before)
  }

  @Test("finds what came from standard input beside the case, and among the files that are named")
  func stream() throws {
    let other = scratch.folder.appending(path: "other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    let made = try Tool.run(
      "analyze", "-q", "--case", "other/piped.sqlite", "-",
      input: scratch.folder.path + "/north.log", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let missing = try verify("other/piped.sqlite")
    #expect(missing.status == 66)
    #expect(missing.lines.contains { $0.contains("-: MISSING") }, "\(missing.output)")
    let nowhere = try Tool.run(
      ["case", "verify", "other/piped.sqlite", "nowhere.log"], in: scratch.folder)
    #expect(nowhere.status == 66)
    #expect(nowhere.errors.contains("nowhere.log: there is no such file or folder."))
    let found = try Tool.run(
      ["case", "verify", "other/piped.sqlite", "north.log"], in: scratch.folder)
    #expect(found.status == 0, "\(found.output)")
    #expect(found.output.contains("every table comes out the same"))
    try FileManager.default.copyItem(
      at: scratch.folder.appending(path: "north.log"), to: other.appending(path: "renamed.log"))
    let beside = try verify("other/piped.sqlite")
    #expect(beside.status == 0, "\(beside.output)")
    try FileManager.default.moveItem(
      at: other.appending(path: "piped.sqlite"),
      to: scratch.folder.appending(path: "piped.sqlite"))
    let alone = try Tool.run(
      "analyze", "-q", "--case", "piped.sqlite", Captures.folder.path + "/" + Captures.h4,
      in: scratch.folder)
    #expect(alone.status == 0, "\(alone.errors)")
    // A second one would stand in the first one's place.
    let second = try Tool.run(
      "analyze", "-q", "--case", "piped.sqlite", "north.log", "-",
      input: scratch.folder.path + "/north.log", in: scratch.folder)
    #expect(second.status == 66)
    #expect(second.errors.contains("came from standard input already"), "\(second.errors)")
  }

  @Test("is not led astray by what could not be read then", arguments: ["a.pcap", "z.pcap"])
  func unreadable(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "day"), withIntermediateDirectories: false)
    try scratch.write("day/\(name)", BadInputTests.ethernet)
    try scratch.write("day/north.log", Captures.read(Captures.h4))
    let made = try Tool.run(
      ["analyze", "-q", "--case", "day.sqlite", "--keep-sightings", "day"], in: scratch.folder)
    #expect(made.status == 66, "\(made.errors)")
    let run = try verify("day.sqlite")
    #expect(run.status == 0, "\(run.output)")
    let found = try Tool.run(
      [
        "case", "query", "--format", "csv", "day.sqlite",
        "SELECT id, (SELECT count(*) FROM sightings WHERE capture_id = id) > 0 FROM captures",
      ], in: scratch.folder)
    #expect(found.lines.dropFirst() == ["1,1\r"], "\(found.output)")
  }

  @Test("takes no file of the same name for one that is missing") func sameName() throws {
    for (day, capture) in [("day1", Captures.h4), ("day2", "museum/pcap-187-hci.pcap")] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: day), withIntermediateDirectories: false)
      try scratch.write("\(day)/hci.log", Captures.read(capture))
    }
    let made = try Tool.run(
      ["analyze", "-q", "--case", "day1/days.sqlite", "day1/hci.log", "day2/hci.log"],
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let file = scratch.folder.appending(path: "day2/hci.log")
    try FileManager.default.removeItem(at: file)
    let missing = try verify("day1/days.sqlite")
    #expect(missing.status == 66, "\(missing.output)")
    #expect(missing.lines.contains { $0.hasSuffix("day2/hci.log: MISSING") }, "\(missing.output)")
    // Beside the case it is found by what it holds.
    try scratch.write("day1/hci.log", Captures.read("museum/pcap-187-hci.pcap"))
    try scratch.write("day1/other.log", Captures.read(Captures.h4))
    let found = try Tool.run(
      ["case", "verify", "day1/days.sqlite", "day1/other.log"], in: scratch.folder)
    #expect(found.status == 0, "\(found.output)")
    let words = "day1/hci.log: another file is there now; unchanged as day1/other.log"
    let text = found.lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    #expect(text.contains(words), "\(found.output)")
  }
}
