import Foundation
import Testing

/// The files beside the captures that a case was made with, through the built tool: all that was found comes of them, too.
@Suite("Files beside a case's captures", .timeLimit(.minutes(60))) struct SideFileTests {
  let scratch: Scratch
  /// The folder of the case.
  private let home: URL
  private static let uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
  private static let texts = [
    "regions.txt": "any=ibeacon:\(uuid)\n",
    "door.lua": """
    local words = require("words")
    pcall(require, "extra")
    on("enter", function(e) alert { severity = "info", title = words.title, evidence = e } end)

    """,
    "words.lua": "return { title = \"in\" }\n",
    "site.lua": "region \"tag\" { address = \"c4:a1:00:00:04:01\" }\n",
    "markers.csv": "time,kind\n2026-05-19T10:00:01Z,display_on\n",
    "messages.ndjson":
      "{\"beacon\": \"ibeacon:\(uuid):1:1\", \"namespace\": \"shop\", \"type\": \"offer\", \"content\": \"tea\"}\n",
    "keys.txt": "watch=irk:ec0234a357c8ad05341010a60a397d9b\n",
    "walk.gpx": """
    <gpx version="1.1"><trk><trkseg><trkpt lat="52.6" lon="13.4"><time>2026-05-19T10:00:00Z</time></trkpt>
    <trkpt lat="52.6" lon="13.4"><time>2026-05-19T10:00:05Z</time></trkpt></trkseg></trk></gpx>

    """,
  ]
  private static let options = [
    "--regions", "regions.txt", "--plugin", "door.lua", "--site", "site.lua", "--markers",
    "markers.csv",
    "--messages", "messages.ndjson", "--keys", "keys.txt", "--track", "walk.gpx",
  ]
  static let names = [
    ("regions.txt", "file of regions"), ("door.lua", "plugin"), ("words.lua", "plugins' module"),
    ("site.lua", "site file"), ("markers.csv", "file of markers"),
    ("messages.ndjson", "file of messages"),
    ("keys.txt", "file of keys"), ("walk.gpx", "track"),
  ]

  init() throws {
    scratch = try Scratch()
    home = scratch.folder.appending(path: "b")
    for (name, text) in Self.texts { try scratch.write("b/\(name)", Array(text.utf8)) }
    try scratch.write("b/north.log", Captures.read(Captures.h4))
    try scratch.write("b/south.pcap", Captures.read(Captures.air))
    let made = try Tool.run(
      ["analyze", "-q", "--case", "c.sqlite"] + Self.options + ["north.log"], in: home)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func add(_ words: String..., to name: String = "c.sqlite", in folder: URL) throws -> Run {
    try Tool.run(["analyze", "-q", "--case", name] + words, in: folder)
  }

  private func bytes() throws -> Data { try Data(contentsOf: home.appending(path: "c.sqlite")) }

  private func query(_ sql: String) throws -> String {
    let run = try Tool.run("case", "query", "--format", "csv", "c.sqlite", sql, in: home)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func words(_ run: Run) -> String { run.output.replacing(/\s+/, with: " ") }

  @Test(
    "that are others now are not taken for a case, be it for a new capture or for its own",
    arguments: names)
  func changed(_ name: String, _ what: String) throws {
    let before = try bytes()
    let text = try #require(Self.texts[name]) + "\n"
    try scratch.write("b/\(name)", Array(text.utf8))
    for capture in ["north.log", "south.pcap"] {
      let run = try add(capture, in: home)
      #expect(run.status == 66)
      #expect(
        run.errors.hasPrefix(
          "beacontrace: c.sqlite: its \(what) \(name) is another file now. Bring the file back as it was"
        ),
        "\(run.errors)")
    }
    // Named anew it is another option than the case's.
    let named = try Tool.run(
      ["analyze", "-q", "--case", "c.sqlite"] + Self.options + ["south.pcap"], in: home)
    #expect(named.status == 66 && named.errors.contains("is another file now"), "\(named.errors)")
    #expect(try bytes() == before)
  }

  @Test("that are gone are told as what a run cannot do without", arguments: names)
  func gone(_ name: String, _ what: String) throws {
    let before = try bytes()
    try FileManager.default.removeItem(at: home.appending(path: name))
    let run = try add("south.pcap", in: home)
    #expect(run.status == 64)
    #expect(
      run.errors.hasPrefix("beacontrace: c.sqlite: its \(what) \(name) is not there any more"),
      "\(run.errors)")
    #expect(try bytes() == before)
  }

  @Test("are found beside the case from another folder, whatever has their names there")
  func otherFolder() throws {
    let sql = "SELECT role, name, sha256 FROM files"
    let (files, events) = try (query(sql), query("SELECT event, json FROM events"))
    for name in Self.texts.keys { try scratch.write(name, Array("# a stranger\n".utf8)) }
    let verify = try Tool.run("case", "verify", "b/c.sqlite", in: scratch.folder)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    let added = try add("b/south.pcap", to: "b/c.sqlite", in: scratch.folder)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try query(sql) == files)
    let ofNorth = try query("SELECT event, json FROM events WHERE instr(json, 'north')")
    #expect(ofNorth == events)
    // The stranger, named: what it says is not what the case says.
    let stranger = try add(
      "--regions", "regions.txt", "b/south.pcap", to: "b/c.sqlite", in: scratch.folder)
    #expect(stranger.status == 64)
    #expect(
      stranger.errors.contains(
        "its file of regions regions.txt is as it was at b/regions.txt, and the one that is named is another file"
      ),
      "\(stranger.errors)")
  }

  @Test("may be named by other paths that lead to the same bytes") func otherPaths() throws {
    let options = Self.options.map { $0.hasPrefix("--") ? $0 : "b/\($0)" }
    let added = try Tool.run(
      ["analyze", "-q", "--case", "b/c.sqlite"] + options + ["b/south.pcap"], in: scratch.folder)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try !query("SELECT word FROM options").contains("b/"))
    let other = try add(
      "--regions", "b/keys.txt", "b/south.pcap", to: "b/c.sqlite", in: scratch.folder)
    #expect(
      other.status == 64 && other.errors.contains("these options are others"), "\(other.errors)")
  }

  @Test("are found under another name by their SHA-256, which is told") func otherName() throws {
    try FileManager.default.moveItem(
      at: home.appending(path: "regions.txt"), to: home.appending(path: "old.txt"))
    let moved = try Tool.run("case", "verify", "c.sqlite", in: home)
    #expect(moved.status == 0, "\(moved.output)")
    #expect(
      words(moved).contains("regions regions.txt: not there any more; unchanged as old.txt"),
      "\(moved.output)")
    try scratch.write("b/regions.txt", Array("tag=address:c4:a1:00:00:04:01\n".utf8))
    let replaced = try Tool.run("case", "verify", "c.sqlite", in: home)
    #expect(
      words(replaced).contains(
        "regions regions.txt: another file is there now; unchanged as old.txt"),
      "\(replaced.output)")
    let added = try Tool.run("analyze", "--case", "c.sqlite", "south.pcap", in: home)
    #expect(added.status == 0)
    #expect(
      added.errors.contains(
        "beacontrace: c.sqlite: its file of regions regions.txt is another file now; old.txt is as it was, and is read."
      ), "\(added.errors)")
    #expect(try query("SELECT DISTINCT region FROM visits").contains("any"))
    #expect(try query("SELECT name FROM files").contains("regions.txt"))
  }

  @Test("are looked for where case verify is told to, rules with their modules") func named() throws
  {
    for name in ["keys.txt", "door.lua", "words.lua"] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: "there"), withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: home.appending(path: name), to: scratch.folder.appending(path: "there/\(name)"))
    }
    let missing = try Tool.run("case", "verify", "c.sqlite", in: home)
    #expect(missing.status == 66, "\(missing.output)")
    let found = try Tool.run(
      "case", "verify", "c.sqlite", "../there/keys.txt", "../there/door.lua", in: home)
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    #expect(
      words(found).contains("keys keys.txt: not there any more; unchanged as ../there/keys.txt"))
    #expect(
      words(found).contains(
        "module words.lua: not there any more; unchanged as ../there/words.lua"), "\(found.output)")
  }

  @Test("are taken from where their options say that they are now") func namedForAdding() throws {
    for name in Self.texts.keys {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: "there"), withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: home.appending(path: name), to: scratch.folder.appending(path: "there/\(name)"))
    }
    let files = try query("SELECT * FROM files")
    let options = Self.options.map { $0.hasPrefix("--") ? $0 : "../there/\($0)" }
    let added = try Tool.run(
      ["analyze", "-q", "--case", "c.sqlite"] + options + ["south.pcap"], in: home)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try query("SELECT * FROM files") == files)
  }

  @Test("of rules are those that they took, and no more") func moreModules() throws {
    let before = try bytes()
    try scratch.write("b/extra.lua", Array("return {}\n".utf8))
    let run = try add("south.pcap", in: home)
    #expect(run.status == 66)
    #expect(run.errors.contains("its plugins took extra.lua, too"), "\(run.errors)")
    #expect(try bytes() == before)
  }

  @Test("that came through pipes are known by what came through them") func pipes() throws {
    let list = "any=ibeacon:\(Self.uuid)"
    func add(_ list: String, _ capture: String) throws -> Run {
      try Tool.shell(
        "\"$TOOL\" analyze -q --case p.sqlite --keys <(echo watch=irk:ec0234a357c8ad05341010a60a397d9b) "
          + "--regions <(echo \(list)) \(capture)", in: home)
    }
    for name in Self.texts.keys {
      try FileManager.default.removeItem(at: home.appending(path: name))
    }
    let made = try add(list, "north.log")
    #expect(made.status == 0, "\(made.errors)")
    let rows = try Tool.run(
      "case", "query", "--format", "csv", "p.sqlite", "SELECT role, bytes FROM files", in: home
    ).lines.map { $0.replacing("\r", with: "") }
    #expect(rows == ["role,bytes", "regions,\(list.utf8.count + 1)", "keys,43"])
    let added = try add(list, "south.pcap")
    #expect(added.status == 0, "\(added.errors)")
    let other = try add(list + ":1", "south.pcap")
    #expect(other.status == 66 && other.errors.contains("is another file now"), "\(other.errors)")
    // As with standard input.
    try scratch.write("there/list", Array("\(list)\n".utf8))
    try scratch.write("there/k", Array("watch=irk:ec0234a357c8ad05341010a60a397d9b\n".utf8))
    #expect(try Tool.run("case", "verify", "p.sqlite", in: home).status == 66)
    let verify = try Tool.run("case", "verify", "p.sqlite", "../there/list", "../there/k", in: home)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
  }

  @Test("that hold the same are one each of those that are named") func equalBytes() throws {
    let list = Array("any=ibeacon:\(Self.uuid)\n".utf8)
    for name in ["b/one.txt", "b/two.txt", "there/two.txt", "there/three.txt"] {
      try scratch.write(name, list)
    }
    func add(_ one: String, _ other: String, _ capture: String) throws -> Run {
      try Tool.run(
        "analyze", "-q", "--case", "e.sqlite", "--regions", one, "--regions", other, capture,
        in: home)
    }
    let made = try add("one.txt", "two.txt", "north.log")
    #expect(made.status == 0, "\(made.errors)")
    let added = try add("../there/three.txt", "../there/two.txt", "south.pcap")
    #expect(added.status == 0, "\(added.errors)")
  }

  @Test("that came through pipes and were kept as empty ones are taken, which is told")
  func emptyPipes() throws {
    // As earlier versions kept all of them.
    let made = try Tool.shell(
      "\"$TOOL\" analyze -q --case p.sqlite --regions <(:) north.log", in: home)
    #expect(made.status == 0, "\(made.errors)")
    let added = try Tool.shell(
      "\"$TOOL\" analyze --case p.sqlite --regions <(cat regions.txt) south.pcap", in: home)
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("whether it is the same nobody knows"), "\(added.errors)")
  }
}
