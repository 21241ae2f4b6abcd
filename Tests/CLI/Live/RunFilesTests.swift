import Foundation
import Testing

/// What a run writes takes the place of nothing that it reads or writes beside.
@Suite("Files of a run", .timeLimit(.minutes(60))) struct RunFilesTests {
  struct Clash: Sendable, CustomTestStringConvertible {
    let words: String
    let says: String
    var testDescription: String { words }
  }

  private static func clash(_ words: String, _ says: String) -> Clash {
    Clash(words: words, says: says)
  }

  static let clashes = [
    // Found in a folder only when that is looked through.
    clash(
      "replay --speed max -w ev/walk.btsnoop --overwrite ev",
      "beacontrace: --write ev/walk.btsnoop: that is a capture, too; name another file."),
    clash(
      "replay --speed max --plugin p.lua --alerts link.log ev",
      "beacontrace: --alerts link.log: that is a capture, too; name another file."),
    clash(
      "replay -w ev/site.btsnoop --rotate-size 200k --keep 1 ev/site-20260519T100000Z.btsnoop",
      "Error: --write ev/site.btsnoop: --keep could remove ev/site-20260519T100000Z.btsnoop, which "
        + "is a capture; name another file."),
    clash(
      "replay -w ./ev/../ev/site.btsnoop --rotate-time 1h --keep 9 --loop ev",
      "beacontrace: --write ./ev/../ev/site.btsnoop: --keep could remove "
        + "ev/site-20260519T100000Z.btsnoop, which is a capture; name another file."),
    clash(
      "replay -w s.btsnoop --rotate-time 1h --keep 9 --plugin p.lua --alerts "
        + "s-20260519T100000Z.btsnoop ev",
      "Error: --write s.btsnoop: --keep could remove s-20260519T100000Z.btsnoop, which is what "
        + "--alerts writes; name another file."),
    // What rules and settings are read from.
    clash(
      "replay --plugin p.lua --alerts p.lua ev",
      "Error: --alerts p.lua: that is a plugin, too; name another file."),
    clash(
      "replay --plugin p.lua --regions r.txt --alerts ./r.txt ev",
      "Error: --alerts ./r.txt: that is a file of regions, too; name another file."),
    clash(
      "replay --site p.lua --state p.lua ev",
      "Error: --state p.lua: that is a site file, too; name another file."),
    clash(
      "replay --plugin uses.lua --alerts lib.lua ev",
      "beacontrace: --alerts lib.lua: that is a plugin's module, too; name another file."),
    clash(
      "live -i bluetooth0 --plugin p.lua --alerts p.lua",
      "Error: --alerts p.lua: that is a plugin, too; name another file."),
    // Files that are not there yet, in two spellings.
    clash(
      "replay --plugin p.lua --state s --alerts ./s ev",
      "Error: --state s: that is what --alerts writes, too; name another file."),
    clash(
      "replay --plugin p.lua -w z.pcapng --alerts ev/../z.pcapng ev",
      "Error: --alerts ev/../z.pcapng: that is what --write writes, too; name another file."),
    clash(
      "replay --plugin p.lua --state s --alerts s.new ev",
      "Error: --state s: s.new is made beside it, and is what --alerts writes, too; name another "
        + "file."),
    clash(
      "replay --plugin p.lua --exec true --alerts undelivered-alerts.ndjson ev",
      "Error: --undelivered undelivered-alerts.ndjson: that is what --alerts writes, too; name "
        + "another file."),
    clash(
      "replay --plugin p.lua --exec true --alerts dangling --undelivered nowhere ev",
      "Error: --undelivered nowhere: that is what --alerts writes, too; name another file."),
    clash(
      "analyze --case a.sqlite --report ./a.sqlite ev",
      "Error: --report ./a.sqlite: that is what --case writes, too; name another file."),
    clash(
      "analyze --report p.lua --plugin p.lua ev",
      "Error: --report p.lua: that is a plugin, too; name another file."),
    clash(
      "analyze --report ev/walk.btsnoop ev",
      "beacontrace: --report ev/walk.btsnoop: that is a capture, too; name another file."),
    clash(
      "export --to geojson -o walk.gpx --track walk.gpx ev",
      "Error: -o walk.gpx: that is a track, too; name another file."),
    clash(
      "export --to geojson -o r.txt --regions r.txt ev",
      "Error: -o r.txt: that is a file of regions, too; name another file."),
    clash(
      "synth --scenario mine.json --out mine.json",
      "Error: --out mine.json: that is the scenario, too; name another file."),
    clash(
      "synth --out a.pcap --truth ./a.pcap",
      "Error: --truth ./a.pcap: that is what --out writes, too; name another file."),
  ]

  private func contents(_ folder: URL) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where !name.hasSuffix(".lock") {
      found[name] = (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) } ?? []
    }
    return found
  }

  @Test(
    "are each one thing: what would be two is refused, and all is left as it is", arguments: clashes
  )
  func refusals(_ clash: Clash) throws {
    let scratch = try WalkScene().scratch
    let walk = try [UInt8](Data(contentsOf: scratch.folder.appending(path: "walk.btsnoop")))
    try scratch.write("ev/walk.btsnoop", walk)
    try scratch.write("ev/site-20260519T100000Z.btsnoop", walk)
    try scratch.write("p.lua", Array("plugin {}\non(\"enter\", function() end)\n".utf8))
    try scratch.write("lib.lua", Array("return {}\n".utf8))
    try scratch.write(
      "uses.lua",
      Array("plugin {}\nlocal lib = require(\"lib\")\non(\"enter\", function() end)\n".utf8))
    try scratch.write("r.txt", Array("\(WalkScene.beacon)\n".utf8))
    try scratch.write("mine.json", Array("{}".utf8))
    let files = FileManager.default
    for (name, target) in [("link.log", "ev/walk.btsnoop"), ("dangling", "nowhere")] {
      try files.createSymbolicLink(
        atPath: scratch.folder.appending(path: name).path, withDestinationPath: target)
    }
    let before = try contents(scratch.folder)
    let run = try Tool.run(
      clash.words.split(separator: " ").map(String.init), in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.complaints.first == clash.says, "\(run.errors)")
    #expect(try contents(scratch.folder) == before)
  }

  @Test("may be what they are not in the way of: other names, devices, what does not rotate away")
  func allowed() throws {
    let scratch = try WalkScene().scratch
    try scratch.write("p.lua", Array("plugin {}\non(\"enter\", function() end)\n".utf8))
    for words in [
      "--plugin p.lua --exec true --alerts /dev/null --undelivered /dev/null",
      "--write site.btsnoop --rotate-size 1M", "--state s --write s.pcapng",
    ] {
      let run = try Tool.run(
        ["replay", "--speed", "max", "-q", "--no-summary"]
          + words.split(separator: " ").map(String.init) + ["walk.btsnoop"], in: scratch.folder)
      #expect(run.status == 0, "\(words): \(run.errors)")
    }
  }

  @Test("called :memory: are files like others") func memory() throws {
    let scratch = try Scratch()
    try scratch.write("a.log", Captures.read(Captures.h4))
    let run = try Tool.run("analyze", "--case", ":memory:", "a.log", in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let asked = try Tool.run(
      "case", "query", "--format", "csv", ":memory:", "SELECT count(*) FROM captures",
      in: scratch.folder)
    #expect(asked.status == 0 && asked.lines.dropFirst().first?.hasPrefix("1") == true)
  }

  @Test("that cannot grow any more are told, and end no run") func limited() throws {
    let scratch = try WalkScene().scratch
    let run = try Tool.shell(
      """
      ulimit -f 1
      "$TOOL" replay --speed max -q --no-summary -w x.pcapng walk.btsnoop > /dev/null
      """, in: scratch.folder)
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("could not be recorded: file too large"), "\(run.errors)")
  }

  @Test("that go while they are replayed end it with 66") func gone() throws {
    let scratch = try WalkScene().scratch
    let run = try Tool.shell(
      ReplayRunTests.until + """
        "$TOOL" replay --speed max --loop -q --no-summary walk.btsnoop > out & tool=$!
        until_ '[ -s out ]'
        rm walk.btsnoop
        wait $tool
        """, in: scratch.folder)
    #expect(run.status == 66, "\(run.errors)")
    #expect(run.errors.contains("walk.btsnoop: cannot be opened"), "\(run.errors)")
  }

  @Test("that are pipes are not waited for where they would be read twice, or replaced")
  func pipes()
    throws
  {
    let scratch = try WalkScene().scratch
    let run = try Tool.shell(
      """
      mkfifo p.lua state
      "$TOOL" plugin check p.lua; echo $?
      "$TOOL" replay --speed max --state state walk.btsnoop; echo $?
      """, in: scratch.folder)
    #expect(run.lines == ["64", "64"], "\(run.errors)")
    #expect(
      run.complaints.first == "beacontrace: p.lua: is a pipe or a device, no file.", "\(run.errors)"
    )
    #expect(run.errors.contains("it is no file, but a folder, a pipe or a device"))
  }

  @Test(
    "of a run whose rules are slow are whole: it ends when it is told to, and says what was left")
  func slowRules() throws {
    let scratch = try WalkScene().scratch
    try scratch.write(
      "slow.lua",
      Array(
        """
        plugin {}
        on("sighting", function() for i = 1, 1000000 do end end)

        """.utf8))
    let run = try Tool.shell(
      ReplayRunTests.until + """
        "$TOOL" replay --speed max --loop --no-summary -w x.pcapng --plugin slow.lua walk.btsnoop > out & tool=$!
        until_ '[ -s x.pcapng ] && [ $(stat -c %s x.pcapng) -gt 20000 ]'
        kill -TERM $tool
        wait $tool
        """, in: scratch.folder)
    #expect(run.status == 70, "\(run.errors)")
    #expect(
      run.complaints.contains {
        $0.contains(" sightings not judged: the rules were behind when the run was ended.")
      }, "\(run.errors)")
    let info = try JSON(
      Tool.run(["info", "--format", "json", "x.pcapng"], in: scratch.folder).bytes)
    let packets = try #require(info["captures"]?.list?.first?["records"]?["total"]?.int)
    #expect(run.errors.contains("packets to x.pcapng."))
    #expect(packets > 0)
  }
}
