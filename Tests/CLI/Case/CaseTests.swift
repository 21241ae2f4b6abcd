import CaptureReader
import Foundation
import GRDB
import Testing

/// Cases through the built tool.
@Suite("A case", .timeLimit(.minutes(60))) struct CaseTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for (name, file) in [("north.log", Captures.h4), ("south.pcap", Captures.air)] {
      try scratch.write(name, Captures.read(file))
    }
  }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private func query(_ sql: String, _ name: String = "site.sqlite") throws -> [String] {
    let run = try run("case", "query", "--format", "csv", name, sql)
    #expect(run.status == 0, "\(run.errors)")
    return Array(run.lines.dropFirst()).map { $0.replacing("\r", with: "") }
  }

  @Test("holds what the other commands tell, and says where it was written") func holds() throws {
    let analyze = try run("analyze", "--case", "site.sqlite", "north.log")
    #expect(analyze.status == 0 && analyze.errors.isEmpty)
    let plain = try run("analyze", "north.log")
    let seal = try query("SELECT substr(mark, -64) FROM seal")[0]
    let sum = try #require(FileDigest.sha256(scratch.folder.appending(path: "site.sqlite").path))
    #expect(
      analyze.output
        == plain.output + "\nWrote site.sqlite.\n  seal     \(seal)\n  SHA-256  \(sum)\n")
    let info = try run("case", "info", "site.sqlite").lines
    #expect(info.contains("              \(seal)") && info.contains("              \(sum)"))
    let facts = try JSON(try run("case", "info", "--format", "json", "site.sqlite").bytes)
    #expect(facts["seal"]?.text == seal && facts["sha256"]?.text == sum)
    let events = try run("events", "--format", "ndjson", "north.log").lines
      .filter { !$0.contains("\"type\":\"proximity\"") }
    let kept = try run(
      "case", "query", "--format", "json", "site.sqlite", "SELECT json FROM events")
    let rows = try JSONSerialization.jsonObject(with: kept.bytes) as? [[String: String]]
    #expect(!events.isEmpty && rows?.compactMap { $0["json"] } == events)
    let input = try #require(Captures.rows.first { $0.file == Captures.h4 }).sha256
    #expect(try query("SELECT name, sha256 FROM captures") == ["north.log,\(input)"])
  }

  @Test("asked of a table that is not there says which there are") func missingTables() throws {
    #expect(try run("analyze", "-q", "--case", "site.sqlite", "north.log").status == 0)
    for (sql, guess) in [
      ("SELECT * FROM visit", "Did you mean 'visits'? "),
      ("visits", "Did you mean 'SELECT * FROM visits'? "),
      ("Visits;", "Did you mean 'SELECT * FROM visits'? "),
      ("evnts", "Did you mean 'SELECT * FROM events'? "), ("SELECT grad FROM visits", ""),
      ("SELECT * FROM nothing_like_it", ""),
    ] {
      let asked = try run("case", "query", "site.sqlite", sql)
      #expect(asked.status == 64 && asked.output.isEmpty)
      #expect(
        asked.complaints.last
          == guess + "'beacontrace case query FILE' lists the tables and their columns.",
        "\(sql): \(asked.errors)")
    }
    let wrong = try run("case", "query", "site.sqlite", "SELECT ((")
    #expect(!wrong.errors.contains("lists the tables"), "\(wrong.errors)")
  }

  @Test("is no page for a terminal") func onATerminal() throws {
    #expect(try run("analyze", "-q", "--case", "site.sqlite", "north.log").status == 0)
    let shown = try TerminalRun([Tool.path, "case", "report", "site.sqlite"], in: scratch)
    #expect(try shown.end() == .status(64))
    let lines = shown.terminal.transcript.joined(separator: " ")
    #expect(lines.contains("not for terminals") && !lines.contains("<html"), "\(lines)")
    #expect(try run("case", "report", "site.sqlite").output.contains("<html"))
  }

  @Test("has the same bytes for the same input, wherever it is made") func sameBytes() throws {
    let options = ["--plugin", "low-battery", "--keep-sightings", "north.log", "south.pcap"]
    #expect(
      try Tool.run(["analyze", "--case", "a.sqlite"] + options, in: scratch.folder).status == 0)
    #expect(
      try Tool.run(["analyze", "--case", "b.sqlite"] + options, in: scratch.folder).status == 0)
    let (a, b) = (
      scratch.folder.appending(path: "a.sqlite"), scratch.folder.appending(path: "b.sqlite")
    )
    #expect(try Data(contentsOf: a) == Data(contentsOf: b))
  }

  @Test("that keeps sightings has as many as sightings tells, and where they belong")
  func sightings() throws {
    #expect(
      try run("analyze", "--case", "site.sqlite", "--keep-sightings", "north.log", "south.pcap")
        .status == 0)
    let lines = try run("sightings", "--format", "csv", "north.log", "south.pcap").lines.dropFirst()
    #expect(try query("SELECT count(*) FROM sightings") == ["\(lines.count)"])
    let told = lines.map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      // capture, frame, report, address, rssi, kind
      return [cells[0], cells[1], cells[2], cells[5], cells[7], cells[10]].joined(separator: ",")
    }
    let kept = try query(
      "SELECT capture, frame, number, address, rssi, kind FROM sighting_list")
    #expect(kept.sorted() == told.sorted())
  }

  @Test("has telemetry by its address, as sightings has it") func telemetry() throws {
    let made = try run("analyze", "-q", "--case", "site.sqlite", "--keep-sightings", "north.log")
    #expect(made.status == 0, "\(made.errors)")
    let told = try run("sightings", "--format", "ndjson", "north.log").lines
      .map { try JSON($0) }.filter { $0["kind"]?.text?.hasSuffix("tlm") == true }
      .map { "\($0["kind"]?.text ?? ""),\($0["id"]?.text ?? "")" }
    let kept = try query(
      "SELECT kind, identity FROM sighting_list WHERE kind LIKE '%tlm' ORDER BY time, frame, number"
    )
    #expect(!told.isEmpty && kept == told)
  }

  @Test("lists its tables for programs, too") func tables() throws {
    _ = try run("analyze", "-q", "--case", "site.sqlite", "north.log")
    let csv = try run("case", "query", "--format", "csv", "site.sqlite")
    #expect(csv.lines.first == "table,type,column\r" && csv.lines.contains("stays,table,grade\r"))
    let json = try run("case", "query", "--format", "ndjson", "site.sqlite")
    #expect(
      json.lines.contains("{\"table\":\"visits\",\"type\":\"view\",\"column\":\"visit\"}"),
      "\(json.output.prefix(300))")
  }

  @Test("that is added to comes to what all captures together come to") func addition() throws {
    #expect(try run("analyze", "--case", "site.sqlite", "north.log").status == 0)
    #expect(try run("analyze", "--case", "site.sqlite", "south.pcap").status == 0)
    #expect(try run("analyze", "--case", "whole.sqlite", "north.log", "south.pcap").status == 0)
    let digests = "SELECT name, rows, sha256 FROM digests"
    #expect(try query(digests) == query(digests, "whole.sqlite"))
    #expect(try query("SELECT name FROM captures") == ["north.log", "south.pcap"])
  }

  @Test("has every event that alerts cite, changes of proximity, too") func cited() throws {
    try scratch.write(
      "near.lua",
      Array(
        """
        on("proximity", { to = "near" }, function(e)
          alert { severity = "info", title = "near", evidence = e }
        end)

        """.utf8))
    let walk = Captures.folder.path + "/museum-walk.btsnoop.gz"
    let rule = ["--plugin", "near.lua", walk]
    let made = try Tool.run(["analyze", "-q", "--case", "near.sqlite"] + rule, in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let cited = try query("SELECT event FROM citations ORDER BY 1", "near.sqlite")
    let kept = "SELECT event FROM events WHERE type = 'proximity' ORDER BY 1"
    #expect(!cited.isEmpty)
    #expect(try query(kept, "near.sqlite") == cited)
    let told = try Tool.run(["events", "-q", "--format", "ndjson"] + rule, in: scratch.folder)
    let near = try told.lines.map { try JSON($0) }.filter {
      $0["type"]?.text == "proximity" && $0["to"]?.text == "near"
    }
    #expect(near.compactMap { $0["id"]?.text }.sorted() == cited)
    let verify = try Tool.run(["case", "verify", "near.sqlite"], in: scratch.folder)
    #expect(verify.status == 0, "\(verify.output)")
    // Ranging lists, too.
    let crowds = try Tool.run(
      [
        "analyze", "-q", "--case", "crowd.sqlite", "--plugin", "zone-crowding", "--set",
        "zone-crowding.more_than=1", "--set", "zone-crowding.within_m=100", walk,
      ], in: scratch.folder)
    #expect(crowds.status == 0, "\(crowds.errors)")
    let lists = try query("SELECT event FROM citations ORDER BY 1", "crowd.sqlite")
    #expect(!lists.isEmpty)
    #expect(
      try query("SELECT event FROM events WHERE type = 'ranging' ORDER BY 1", "crowd.sqlite")
        == lists)
  }

  @Test("reads a capture once that it has already, under any name, and leaves the case as it was")
  func repeated() throws {
    #expect(try run("analyze", "--case", "site.sqlite", "north.log").status == 0)
    let first = try Data(contentsOf: scratch.folder.appending(path: "site.sqlite"))
    try scratch.write("copy.log", Captures.read(Captures.h4))
    let again = try run("analyze", "--case", "site.sqlite", "copy.log")
    #expect(again.status == 0)
    #expect(again.complaints == ["copy.log is in the case already; read once."])
    #expect(again.output.contains("site.sqlite is as it was: nothing was new.\n  seal     "))
    #expect(try Data(contentsOf: scratch.folder.appending(path: "site.sqlite")) == first)
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(!files.contains { $0.contains("unfinished") }, "\(files)")
    // What somebody added is sealed.
    let place = scratch.folder.appending(path: "site.sqlite").path
    let database = try DatabaseQueue(path: place)
    try database.write { try $0.execute(sql: "CREATE TABLE notes (text)") }
    try database.close()
    #expect(
      try run("analyze", "--case", "site.sqlite", "copy.log").output.contains("Wrote site.sqlite."))
    let verify = try run("case", "verify", "site.sqlite")
    #expect(!verify.output.contains("is something else"), "\(verify.output)")
    #expect(try query("SELECT name FROM captures") == ["north.log"])
  }

  @Test("tells once how many captures it has already") func folderTwice() throws {
    try scratch.write("site/a.log", Captures.read(Captures.h4))
    try scratch.write("site/b.log.gz", Captures.read(Captures.walk))
    #expect(try run("analyze", "--case", "site.sqlite", "site").status == 0)
    let again = try run("analyze", "--case", "site.sqlite", "site")
    #expect(again.status == 0)
    #expect(
      again.complaints == [
        "2 captures (site/a.log, …) are in the case already; each read once."
      ])
    #expect(
      try query("SELECT name FROM captures ORDER BY name") == ["site/a.log", "site/b.log.gz"])
    // A new one in it has been named once.
    try scratch.write("site/c.pcap", Captures.read(Captures.air))
    let more = try run("analyze", "--case", "site.sqlite", "site")
    #expect(more.status == 0)
    #expect(more.complaints == again.complaints)
    let twice = try run("analyze", "--case", "site.sqlite", "site", "site")
    #expect(
      twice.complaints == [
        "3 captures (site/a.log, …) are in the case already; each read once.",
        "site: 3 captures in it are named twice; each read once.",
      ])
  }

  @Test("finds its captures beside itself, and among those that are named") func moved() throws {
    #expect(try run("analyze", "--case", "site.sqlite", "north.log").status == 0)
    let elsewhere = try Scratch()
    let path = scratch.folder.appending(path: "site.sqlite").path(percentEncoded: false)
    let south = scratch.folder.appending(path: "south.pcap").path(percentEncoded: false)
    #expect(try Tool.run(["analyze", "--case", path, south], in: elsewhere.folder).status == 0)
    try FileManager.default.moveItem(
      at: scratch.folder.appending(path: "north.log"), to: elsewhere.folder.appending(path: "n"))
    #expect(try run("case", "verify", "site.sqlite").status == 66)
    let verify = try Tool.run(["case", "verify", path, ".", south], in: elsewhere.folder)
    #expect(verify.status == 0, "\(verify.output)")
    #expect(try query("SELECT name FROM captures").first == "north.log")
  }

  @Test("is left as it is where a capture of it has changed or gone, which is named")
  func missing() throws {
    #expect(try run("analyze", "--case", "site.sqlite", "north.log").status == 0)
    let file = scratch.folder.appending(path: "site.sqlite")
    let before = try Data(contentsOf: file)
    try scratch.write("north.log", Captures.read(Captures.h4).dropLast())
    let run = try run("analyze", "--case", "site.sqlite", "south.pcap")
    #expect(run.status == 66)
    #expect(run.errors.contains("its capture north.log is not there any more, or has changed"))
    #expect(try Data(contentsOf: file) == before)
  }

  @Test("refuses options that are not those it was made with") func options() throws {
    let made = ["--set", "exit_after=3", "--keep-sightings"]
    let first = try Tool.run(
      ["analyze", "--case", "site.sqlite"] + made + ["north.log"], in: scratch.folder)
    #expect(first.status == 0)
    let other = try run("analyze", "--case", "site.sqlite", "--set", "exit_after=4", "south.pcap")
    #expect(other.status == 64)
    #expect(other.errors.contains("was made with --set=exit_after=3 --keep-sightings"))
    #expect(try run("analyze", "--case", "site.sqlite", "south.pcap").status == 0)
    #expect(try query("SELECT count(*) > 0 FROM sightings") == ["1"])
    #expect(
      try query("SELECT 'word ' || word FROM options") == [
        "word --set=exit_after=3", "word --keep-sightings",
      ])
  }

  @Test("is not written where an input cannot be read") func unreadable() throws {
    let run = try run("analyze", "--case", "site.sqlite", "north.log", "nothing.log")
    #expect(run.status == 66)
    #expect(run.errors.contains("site.sqlite was not written"))
    #expect(run.output.contains("BEACONS"))
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(names.sorted() == ["north.log", "south.pcap"])
  }

  @Test("does not take the place of a file that is none") func foreign() throws {
    try scratch.write("site.sqlite", Array("notes".utf8))
    let run = try run("analyze", "--case", "site.sqlite", "north.log")
    #expect(run.status == 66)
    #expect(run.errors.contains("site.sqlite: this is no case"))
    #expect(
      try Data(contentsOf: scratch.folder.appending(path: "site.sqlite")) == Data("notes".utf8))
  }

  @Test("has the steps that explain tells, and the cited frames byte for byte") func evidence()
    throws
  {
    #expect(try run("analyze", "--case", "site.sqlite", "north.log").status == 0)
    func words(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let swapped = try run("case", "query", "SELECT 1", "site.sqlite")
    #expect(
      swapped.status == 64 && swapped.errors.contains("The case comes first"), "\(swapped.errors)")
    let events = try query("SELECT event FROM events")
    #expect(!events.isEmpty)
    let beside = try run("explain", events[0], "site.sqlite", "north.log")
    #expect(
      beside.status == 64
        && beside.errors.contains("site.sqlite is a case, which stands by itself"),
      "\(beside.errors)")
    for event in events {
      let told = words(try run("explain", event, "north.log").output)
      let asked = try run(
        "case", "query", "--format", "json", "site.sqlite",
        "SELECT text FROM steps JOIN events ON events.id = event_id "
          + "WHERE event = '\(event)' AND text IS NOT NULL UNION ALL "
          + "SELECT title FROM events WHERE event = '\(event)'")
      let rows = try JSONSerialization.jsonObject(with: asked.bytes) as? [[String: String]] ?? []
      #expect(rows.count > 2)
      for row in rows { #expect(told.contains(words(row["text"] ?? "-")), "\(event)") }
    }
    let capture = try Data(Captures.read(Captures.h4))
    let frames = try query("SELECT bytes FROM frames")
    #expect(!frames.isEmpty)
    for frame in frames {
      let digits = Array(frame)
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      }
      #expect(bytes.count == digits.count / 2 && capture.range(of: Data(bytes)) != nil)
    }
  }
}
