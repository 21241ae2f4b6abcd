import Foundation
import Testing

/// `synth` from outside: what it writes, and what it says to settings that cannot be.
@Suite(.timeLimit(.minutes(60)))
struct SynthTests {
  /// What looks whole is: until then there is what was there before.
  @Test func whatIsUnderWayHasAnotherName() throws {
    let scratch = try Scratch()
    try scratch.write("old.pcapng", Array("before".utf8))
    let run = try Tool.shell(
      """
      "$TOOL" synth --scenario crowd --frames 5000000 --out old.pcapng --truth new.ndjson & tool=$!
      for try in $(seq 400); do
        [ "$(stat -c %s old.pcapng.unfinished 2> /dev/null || echo 0)" -gt 100000 ] && break
        sleep 0.05
      done
      kill -KILL $tool
      wait $tool
      cat old.pcapng; ls
      """, in: scratch.folder)
    #expect(
      run.lines == ["beforenew.ndjson.unfinished", "old.pcapng", "old.pcapng.unfinished"],
      "\(run.errors)")
    let again = try Tool.run(
      "synth", "--frames", "100", "--out", "old.pcapng", "--truth", "new.ndjson", in: scratch.folder
    )
    #expect(again.status == 0, "\(again.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
        == ["new.ndjson", "old.pcapng"])
  }

  @Test(arguments: ["site.btsnoop", "site.pcapng.gz", "site.pcap.zst", "site.pklg"])
  func sightingsAreThoseOfTheTruth(_ name: String) throws {
    let scratch = try Scratch()
    let made = try Tool.run(
      ["synth", "--duration", "20", "--out", name, "--truth", "truth"], in: scratch.folder)
    #expect(made.status == 0)
    let containers = ["btsnoop": "btsnoop", "gz": "pcapng", "zst": "pcap", "pklg": "packetlogger"]
    let container = containers[String(name.split(separator: ".").last ?? "")] ?? ""
    #expect(made.output.isEmpty)
    #expect(made.complaints.count == 2 && made.complaints.last == "Wrote truth.")
    #expect(
      made.complaints.first?.hasPrefix("Wrote \(name), a capture: \(container), link type ")
        == true,
      "\(made.errors)")
    let found = try Tool.run(["sightings", "--format", "ndjson", name], in: scratch.folder)
    #expect(found.status == 0)
    let truth = try String(contentsOf: scratch.folder.appending(path: "truth"), encoding: .utf8)
    #expect(found.lines == Text.lines(truth).filter { $0.hasPrefix("{\"capture\"") })
    #expect(found.lines.count > 50)
  }

  @Test func standardOutput() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      "$TOOL" synth --frames 500 --out - | "$TOOL" info --format json - &&
      "$TOOL" synth --frames 300000 --scenario crowd --out - | head -c 100 | wc -c
      """, in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("\"total\": 500") || run.output.contains("\"total\":500"))
    #expect(run.lines.last?.contains("100") == true)
  }

  /// A printed scenario is the same as the one it was printed from.
  @Test func printedScenario() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      "$TOOL" synth --print-scenario corridor > mine.json &&
      "$TOOL" synth --scenario mine.json --out a.pcap && "$TOOL" synth --scenario corridor \
      --out b.pcap && cmp a.pcap b.pcap
      """, in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.complaints.map { $0.prefix(12) } == ["Wrote a.pcap", "Wrote b.pcap"])
  }

  @Test func listOfScenarios() throws {
    let run = try Tool.run("synth", "--list-scenarios")
    #expect(run.status == 0)
    #expect(
      run.lines.map { $0.prefix { $0 != " " } } == [
        "museum", "corridor", "workshop", "visitors", "crowd",
      ])
  }

  @Test(arguments: [
    ([], "--out is missing: the capture to write."),
    (
      ["--out", "a", "--truth", "a"],
      "--truth a: that is what --out writes, too; name another file."
    ),
    (
      ["--out", "-", "--truth", "-"],
      "--truth -: standard output is what --out writes, too; name another file."
    ),
    (
      ["--out", "a", "--truth", "-", "--keys", "-"],
      "--keys -: standard output is what --truth writes, too; name another file."
    ),
    (["--out", "a", "--frames", "5", "--duration", "5"], "contradict each other."),
    (["--out", "a", "--frames", "0"], "--frames must be 1 at least."),
    (["--out", "a", "--loss", "1.5"], "--loss must be from 0 to 1."),
    (["--out", "a", "--identities", "0"], "--identities must be from 1 to 100000000."),
    (["--out", "a", "--container", "tar"], "there is no container 'tar'; there are: btsnoop,"),
    (
      ["--out", "a", "--link", "1"], "btsnoop cannot hold link type '1'; it can: 1002, 1001, 2001."
    ),
    (["--out", "a", "--damage", "fire"], "there is no damage 'fire'; there are: malformed,"),
    (
      ["--out", "a", "--damage", "crc"], "damage 'crc' cannot be done here: only packets of the air"
    ),
    (
      ["--out", "a.pcap", "--damage", "tail:2"],
      "damage 'tail' can be done once: a capture has one end."
    ),
    (
      ["--out", "a", "--scenario", "zoo"],
      "there is no scenario 'zoo'; there are: museum, corridor, workshop, visitors, crowd, or a JSON file."
    ),
    (["--print-scenario", "zoo"], "there is no scenario 'zoo'"),
  ])
  func wrongSettings(_ words: [String], _ says: String) throws {
    let scratch = try Scratch()
    let run = try Tool.run(["synth"] + words, in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.complaints.first?.hasPrefix("Error: ") == true)
    #expect(run.complaints.first?.contains(says) == true, "\(run.errors)")
    #expect(run.complaints.last?.contains("synth --help' for more information") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
  }

  @Test func missingScenario() throws {
    let scratch = try Scratch()
    let run = try Tool.run("synth", "--scenario", "zoo.json", "--out", "a", in: scratch.folder)
    #expect(run.status == 66)
    #expect(
      run.complaints == [
        "beacontrace: scenario zoo.json: there is no such file, or it cannot be read. "
          + "Check the path."
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
  }

  @Test func wrongScenario() throws {
    let scratch = try Scratch()
    try scratch.write("mine.json", Array(#"{"name": "x", "beacons": [{"name": "a"}]}"#.utf8))
    let run = try Tool.run(
      ["synth", "--scenario", "mine.json", "--out", "a"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints.first == "Error: scenario mine.json: beacons[0].kind is missing.")
  }

  /// A beacon that dies after a fifth of the run: what is to come down later finds no record.
  @Test func damageThatFoundNoRecordIsTold() throws {
    let scratch = try Scratch()
    let beacon = """
      {"name": "a", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1, "minor": 1,
      "at": [1, 1], "interval_ms": 100, "dies_s": 20}
      """
    try scratch.write(
      "die.json", Array(#"{"name": "die", "duration_s": 100, "beacons": [\#(beacon)]}"#.utf8))
    let run = try Tool.run(
      [
        "synth", "--scenario", "die.json", "--out", "q.pcap", "--truth", "q.truth", "--damage",
        "malformed:5,cut:2,junk",
      ], in: scratch.folder)
    #expect(run.status == 0)
    let truth = try String(contentsOf: scratch.folder.appending(path: "q.truth"), encoding: .utf8)
    #expect(Text.lines(truth).count { $0.hasPrefix(#"{"truth":"damage""#) } == 1)
    #expect(
      run.complaints.last
        == "beacontrace: damage: 7 of 8 strikes (malformed 5, cut 2) were not done: from their moment on "
        + "no record was left that could take them.", "\(run.errors)")
    let whole = try Tool.run(
      ["synth", "--scenario", "die.json", "--out", "w.pcap", "--damage", "cut", "--frames", "150"],
      in: scratch.folder)
    #expect(whole.complaints.count == 1, "\(whole.errors)")
  }

  /// A region well written that no beacon has is a room's without times in the truth.
  @Test func regionsWithoutABeaconAreTold() throws {
    let scratch = try Scratch()
    let region = "ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d:7"
    let room = #"{"name": "hall", "corner": [0, 0], "size": [5, 5], "region": "\#(region)"}"#
    try scratch.write(
      "x.json", Array(#"{"name": "x", "crowd": {"identities": 20}, "rooms": [\#(room)]}"#.utf8))
    let run = try Tool.run(
      ["synth", "--scenario", "x.json", "--out", "x.btsnoop", "--truth", "x.truth"],
      in: scratch.folder)
    #expect(run.status == 0)
    #expect(
      run.complaints.last
        == "beacontrace: no beacon of the scenario belongs to the region of room 'hall', \(region): "
        + "the truth has no region_in_range of it.", "\(run.errors)")
  }

  /// A scenario's own damage behind its end is a mistake; behind one that an option sets it is left out.
  @Test func damageBehindTheEnd() throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "late", "duration_s": 60, "damage": [{"kind": "cut", "at_s": 70.5}, {"kind": "tail", "at_s": 99}],
      "crowd": {"identities": 20}}
      """
    try scratch.write("late.json", Array(scenario.utf8))
    let late = ["synth", "--scenario", "late.json", "--out", "a.btsnoop"]
    let run = try Tool.run(late, in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints.first
        == "Error: scenario late.json: damage 'cut' at_s 70.5 must come before the end, duration_s 60."
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).count == 1)
    for option in ["--duration", "--frames"] {
      let cut = try Tool.run(late + [option, "50"], in: scratch.folder)
      #expect(cut.status == 0 && cut.complaints.count == 1, "\(cut.errors)")
      try FileManager.default.removeItem(at: scratch.folder.appending(path: "a.btsnoop"))
    }
  }

  @Test func aCrowdIsAsDenseAsAsked() throws {
    let scratch = try Scratch()
    _ = try scratch.write("few.json", Array(#"{"name": "few", "crowd": {"identities": 20}}"#.utf8))
    func addresses(_ options: [String]) throws -> Int {
      let file = "\(options.last ?? "").btsnoop"
      let settings = ["synth", "--frames", "2000", "--out", file]
      #expect(try Tool.run(settings + options, in: scratch.folder).status == 0)
      let run = try Tool.run(["sightings", "--format", "ndjson", file], in: scratch.folder)
      // Those that are there take turns; some packets are lost.
      return Set(
        run.lines.prefix(20).map { $0.components(separatedBy: "\"address\":")[1].prefix(19) }
      ).count
    }
    #expect(try addresses(["--scenario", "few.json", "--in-range", "5"]) == 5)
    #expect(
      try addresses(["--scenario", "crowd", "--identities", "20", "--in-range", "10"]) == 10)
    let none = try Tool.run(
      ["synth", "--out", "walk.btsnoop", "--in-range", "5"], in: scratch.folder)
    #expect(none.status == 64)
    #expect(none.complaints.first?.hasPrefix("Error: --in-range says how many of a crowd") == true)
  }

  /// The README's examples have names that captures of one's own have, too.
  @Test(arguments: [
    ["--out", "site.btsnoop"], ["--out", "new.btsnoop", "--truth", "site.btsnoop"],
  ])
  func capturesThatAreThereStay(_ words: [String]) throws {
    let scratch = try Scratch()
    let before = try Captures.read(Captures.h4)
    try scratch.write("site.btsnoop", before)
    let run = try Tool.run(["synth"] + words, in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.errors.contains("site.btsnoop is there already, and is a capture; name another file"),
      "\(run.errors)")
    let after = try Data(contentsOf: scratch.folder.appending(path: "site.btsnoop"))
    #expect(Array(after) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).count == 1)
  }

  @Test func outputThatCannotBeWritten() throws {
    let scratch = try Scratch()
    let run = try Tool.run(["synth", "--out", "no/where.pcap"], in: scratch.folder)
    #expect(run.status == 74)
    #expect(
      run.complaints == [
        "beacontrace: no/where.pcap cannot be written: no such file or directory."
      ])
    #expect(try Tool.run(["synth", "--out", "/dev/full"]).status == 74)
  }
}
