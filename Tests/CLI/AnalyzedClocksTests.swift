import Foundation
import Testing

/// What `analyze` says of the clocks of several captures, without being asked.
@Suite("clocks of captures that are analyzed together", .timeLimit(.minutes(60)))
struct AnalyzedClocksTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Two beacons, heard for some minutes.
  /// - Parameters:
  ///   - seed: of what the radio hears.
  ///   - start: by its clock.
  ///   - address: of which the beacons' begin.
  ///   - clone: a beacon more.
  ///   - loss: what part it does not hear.
  private func make(
    _ name: String, seed: Int, start: String = "2026-05-19T10:00:00Z",
    address: String = "c4:a1:00:00:01", seconds: Int = 300, steps: String = "", clone: String = "",
    loss: Double = 0.3
  ) throws {
    let scenario = """
      {"name": "hall", "start": "\(start)", "duration_s": \(seconds), "clock_steps": [\(steps)],
        "radio": {"loss": \(loss), "seed": \(seed)}, "observer": [[0, 1, 0]],
        "beacons": [
          {"name": "a", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
            "minor": 1, "address": "\(address):01", "at": [3, 4], "interval_ms": 300},
          {"name": "b", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
            "minor": 2, "address": "\(address):02", "at": [5, 2], "interval_ms": 500}\(clone)]}
      """
    try scratch.write("\(name).json", Array(scenario.utf8))
    let made = try Tool.run(
      "synth", "--scenario", "\(name).json", "--out", name, in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ words: [String]) throws -> Run {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// The remarks about clocks, of the JSON.
  private func remarks(_ words: [String]) throws -> [JSON] {
    let json = try JSON(try run(["analyze", "--format", "json"] + words).bytes)
    return (json["remarks"]?.list ?? []).filter {
      $0["code"]?.text?.hasPrefix("clocks_") == true
    }
  }

  private static func flat(_ text: String) -> String {
    text.split { " \n".contains($0) }.joined(separator: " ")
  }

  @Test("blames clocks for a clone only where they are not known to agree")
  func clone() throws {
    let clone = """
      , {"name": "copy", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
        "minor": 2, "address": "e1:0d:00:00:01:99", "at": [4, 4], "interval_ms": 500}
      """
    try make("hall.btsnoop", seed: 1, clone: clone)
    try make("pi.pcapng", seed: 2, clone: clone)
    func told(_ captures: [String]) throws -> String {
      Self.flat(try run(["analyze"] + captures).output)
    }
    let several = "1:2 comes from 2 addresses that alternate: several devices or a clone"
    let agreeing = try told(["hall.btsnoop", "pi.pcapng"])
    #expect(agreeing.contains("clocks of these captures agree") && agreeing.contains(several + "."))
    // By a clock that is two minutes behind nobody knows what was at once.
    try make("late.pcapng", seed: 3, start: "2026-05-19T09:58:00Z", clone: clone)
    let apart = try told(["hall.btsnoop", "late.pcapng"])
    #expect(
      apart.contains(several + ", or clocks that disagree ('beacontrace clocks')."), "\(apart)")
  }

  @Test(
    "warns of one that is behind, with what the command says of it, and no more once it is moved")
  func behind() throws {
    try make("hall.btsnoop", seed: 1)
    try make("pi.pcapng", seed: 2, start: "2026-05-19T09:55:00Z")
    let both = ["hall.btsnoop", "pi.pcapng"]
    let remarks = try remarks(both)
    #expect(remarks.map { $0["code"]?.text } == ["clocks_differ"])
    let command = try JSON(try run(["clocks", "--format", "json"] + both).bytes)
    let group = try #require(command["groups"]?.list?.first)
    let other = try #require(group["captures"]?.list?.first)
    #expect(remarks.first?["capture"] == other["capture"])
    let packets = try #require(other["packets"]?.number)
    let isPi = other["capture"]?.text == "pi.pcapng"
    let (own, against) = isPi ? ("pi.pcapng", "hall.btsnoop") : ("hall.btsnoop", "pi.pcapng")
    #expect(
      remarks.first?["text"]?.text?.hasPrefix(
        "The clock of \(own) is 5 min 00.000 s \(isPi ? "behind" : "ahead of") that of \(against), by "
          + "\(Int(packets)) packets that both have:") == true, "\(remarks)")
    let text = try run(["analyze"] + both).output
    #expect(Self.flat(text).contains("! The clock of \(own) is 5 min 00.000 s"), "\(text)")
    let mended = ["--clock", "pi.pcapng=+300s"] + both
    #expect(try self.remarks(mended).map { $0["code"]?.text } == ["clocks_agree"])
    let after = try run(["analyze"] + mended).output
    #expect(
      Self.flat(after).contains(
        "The clocks of these captures agree within 50 ms, by \(Int(packets)) packets that they have in common."
      ), "\(after)")
    #expect(!after.contains("! The clock"))
  }

  @Test("compare warns of it, too, with its side and what mends it") func compared() throws {
    for (day, late) in [("before", 0), ("after", 5)] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: day), withIntermediateDirectories: true)
      for (seed, name) in ["hall", "pi", "store"].enumerated() {
        let minute = name == "pi" ? 10 - late : 10
        try make(
          "\(day)/\(name).btsnoop", seed: seed + 1,
          start: "2026-05-\(day == "after" ? 26 : 19)T10:\(minute < 10 ? "0" : "")\(minute):00Z")
      }
    }
    let told = Self.flat(try run(["compare", "-q", "before", "after"]).output)
    #expect(
      told.contains(
        "! AFTER: The clock of after/pi.btsnoop is 5 min 00.000 s behind"),
      "\(told)")
    #expect(told.contains("(2 of 3 clocks go as that one)"), "\(told)")
    #expect(told.contains("--clock after/pi.btsnoop=+300.000s"), "\(told)")
    #expect(!told.contains("BEFORE: before/"), "\(told)")
    let mended = Self.flat(
      try run(["compare", "-q", "--clock", "after/pi.btsnoop=+300s", "before", "after"]).output)
    #expect(!mended.contains("The clock of"), "\(mended)")
    // And clocks says who it is that differs.
    let clocks = Self.flat(try run(["clocks", "after"]).output)
    #expect(clocks.contains("2 of 3 agree: the clock of after/pi.btsnoop differs."), "\(clocks)")
  }

  @Test("compare says of two that packets do not tell which clock is right") func comparedTwo()
    throws
  {
    for (day, late) in [("before", 0), ("after", 5)] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: day), withIntermediateDirectories: true)
      try make("\(day)/hall.btsnoop", seed: 1, start: "2026-05-19T10:10:00Z")
      try make(
        "\(day)/pi.btsnoop", seed: 2, start: "2026-05-19T10:\(10 - late == 5 ? "05" : "10"):00Z")
    }
    let told = Self.flat(try run(["compare", "-q", "before", "after"]).output)
    #expect(
      told.contains(
        /Which clock is right, packets do not tell; to read it by that of \S+: --clock/),
      "\(told)")
  }

  @Test("events tells of one that is off, once, and of none where they agree") func events() throws
  {
    try make("hall.btsnoop", seed: 1)
    try make("pi.pcapng", seed: 2, start: "2026-05-19T09:55:00Z")
    let both = ["hall.btsnoop", "pi.pcapng"]
    let told = try run(["events"] + both)
    #expect(told.errors.components(separatedBy: "The clock of ").count == 2, "\(told.errors)")
    #expect(told.errors.contains("5 min 00.000 s"))
    let mended = try run(["events", "--clock", "pi.pcapng=+300s"] + both)
    #expect(!mended.errors.contains("The clock of "), "\(mended.errors)")
    #expect(try run(["events", "-q"] + both).errors.isEmpty)
  }

  @Test(
    "names the one that was set and not the two that go on by one another, whatever it is compared with",
    arguments: [-20, 20])
  func setWhileOthersGoOn(_ step: Int) throws {
    // It hears most.
    try make(
      "hall.btsnoop", seed: 1, seconds: 600, steps: "{\"at_s\": 300, \"step_s\": \(step)}",
      loss: 0.05)
    try make("dock.btsnoop", seed: 2, seconds: 600)
    try make("yard.btsnoop", seed: 3, seconds: 600)
    let all = ["hall.btsnoop", "dock.btsnoop", "yard.btsnoop"]
    let told = Self.flat(try run(["clocks"] + all).output)
    #expect(told.contains(/against (dock|yard)\.btsnoop/), "\(told)")
    #expect(told.contains("hall.btsnoop was set while it recorded:"), "\(told)")
    #expect(!told.contains("dock.btsnoop was set") && !told.contains("yard.btsnoop was set"))
    #expect(told.contains("--clock hall.btsnoop=-20.000s,from=") == (step > 0), "\(told)")
    #expect(told.contains("hall.btsnoop was set back while it recorded") == (step < 0), "\(told)")
    #expect(!told.contains("--clock dock") && !told.contains("--clock yard"))
    let remarks = try remarks(all)
    #expect(remarks.map { $0["capture"]?.text } == ["hall.btsnoop"])
    let said = try run(["clocks", "--against", "hall.btsnoop"] + all)
    let words = Self.flat(said.output)
    #expect(
      words.components(separatedBy: "does not keep one difference: hall.btsnoop was set").count
        == 3,
      "\(words)")
    #expect(words.contains("hall.btsnoop was set itself"), "\(words)")
    #expect(words.contains("--against dock.btsnoop.") && !words.contains("--clock"), "\(words)")
    #expect(said.lines.allSatisfy { $0.count <= 80 })
  }

  @Test("tells of captures that were moved alike in one line, in text and on the page")
  func movedTogether() throws {
    try make("hall.btsnoop", seed: 1)
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "site"), withIntermediateDirectories: true)
    _ = try run([
      "replay", "--speed", "max", "-q", "--no-summary", "--write", "site/cap.pcapng",
      "--rotate-time", "1min", "hall.btsnoop",
    ])
    let words = ["analyze", "--report", "x.html", "--clock", "site=+137s", "site"]
    let told = Self.flat(try run(words).output)
    #expect(
      told.contains(
        /cap\S*\.pcapng and \d more: their times are told 2 min 17 s later than they stand in them: --clock says that their clock was wrong\./
      ), "\(told)")
    #expect(told.components(separatedBy: "are told 2 min 17 s later").count == 2, "\(told)")
    let html = try String(contentsOf: scratch.folder.appending(path: "x.html"), encoding: .utf8)
    let known = try #require(
      html.components(separatedBy: "<h3>Worth knowing</h3>").dropFirst().first
    )
    .components(separatedBy: "</ul>")[0]
    #expect(known.components(separatedBy: "are told 2 min 17 s later").count == 2, "\(known)")
    #expect(known.contains("their times are told"))
    let each = Self.flat(try run(["analyze", "--all", "--clock", "site=+137s", "site"]).output)
    #expect(
      each.components(separatedBy: "its times are told 2 min 17 s later").count > 3, "\(each)")
  }

  @Test("tells of a clock that was set while it recorded, and of one that drifts") func changing()
    throws
  {
    try make("hall.btsnoop", seed: 1, seconds: 3900)
    try make("set.pcapng", seed: 2, seconds: 600, steps: #"{"at_s": 450, "step_s": -20}"#)
    let drift = stride(from: 1, to: 3900, by: 3).map { #"{"at_s": \#($0), "step_s": 0.001}"# }
    try make(
      "drifts.pcapng", seed: 3, seconds: 3900, steps: drift.joined(separator: ", "))
    let set = try remarks(["hall.btsnoop", "set.pcapng"])
    #expect(set.map { $0["code"]?.text } == ["clocks_differ"])
    #expect(
      set.first?["text"]?.text?.contains("was set while it recorded: at times it is 20.0") == true,
      "\(set)")
    // What was set back no option mends, and none is promised.
    let how = set.first?["text"]?.text ?? ""
    #expect(
      how.contains("which no --clock option tells apart")
        && !how.contains("has the --clock options"),
      "\(how)")
    let drifting = try remarks(["hall.btsnoop", "drifts.pcapng"])
    #expect(drifting.map { $0["code"]?.text } == ["clocks_differ"])
    #expect(drifting.first?["text"]?.text?.contains("drifts: at times it is 1.") == true)
  }

  @Test("compares receivers where each wrote several captures") func receivers() throws {
    try make("hall.btsnoop", seed: 1)
    try make("door.btsnoop", seed: 2, start: "2026-05-19T11:00:00Z")
    for name in ["hall", "door"] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: "site/\(name)"), withIntermediateDirectories: true)
      _ = try run([
        "replay", "--speed", "max", "-q", "--no-summary", "--write", "site/\(name)/cap.pcapng",
        "--rotate-time", "2min", "\(name).btsnoop",
      ])
    }
    let remarks = try remarks(["--observers", "folder", "site"])
    #expect(remarks.map { $0["code"]?.text } == ["clocks_differ"])
    let text = remarks.first?["text"]?.text ?? ""
    #expect(
      text.contains("The clock of door is 1 h 00 min 00.000 s ahead of that of hall")
        || text.contains("The clock of hall is 1 h 00 min 00.000 s behind that of door"), "\(text)")
  }

  @Test("says that nothing shows how clocks go that hardly heard the same packets") func unknown()
    throws
  {
    try make("hall.btsnoop", seed: 1)
    try make("later.pcapng", seed: 2)
    let shifted = ["--clock", "later.pcapng=+24h", "hall.btsnoop", "later.pcapng"]
    // The same packets, moved by a day: which is found.
    #expect(try remarks(shifted).map { $0["code"]?.text } == ["clocks_differ"])
    try make("other.pcapng", seed: 9, start: "2026-05-20T10:00:00Z", seconds: 120)
    // Of the beacons another day's packets: chance is part of when they are sent.
    let other = try Tool.shell(
      "sed 's/\"interval_ms\": 300/\"interval_ms\": 320/; s/\"interval_ms\": 500/\"interval_ms\": 530/' "
        + "other.pcapng.json > o.json && $TOOL synth --scenario o.json --out o.pcapng",
      in: scratch.folder)
    #expect(other.status == 0)
    #expect(
      try remarks(["hall.btsnoop", "o.pcapng"]).map { $0["code"]?.text } == ["clocks_not_known"])
    #expect(
      try remarks(["hall.btsnoop", "later.pcapng", "o.pcapng"]).map { $0["code"]?.text }
        == ["clocks_not_known"])
    let text = Self.flat(try run(["analyze", "hall.btsnoop", "later.pcapng", "o.pcapng"]).output)
    #expect(
      text.contains("Of the 3 captures that heard somebody 2 go by clocks that can be compared"),
      "\(text)")
    #expect(text.contains("how that of o.pcapng goes by them nothing shows"), "\(text)")
    let compared = Self.flat(
      try run(["clocks", "hall.btsnoop", "later.pcapng", "o.pcapng"]).output)
    #expect(!compared.contains("Their clocks agree"), "\(compared)")
    #expect(
      compared.contains("WARNING: how the clock of o.pcapng goes by these is not known"),
      "\(compared)")
    // Nobody heard what another one did.
    try make("attic.pcapng", seed: 4, address: "c4:a1:00:00:02")
    #expect(try remarks(["hall.btsnoop", "attic.pcapng"]).isEmpty)
  }

  @Test("leaves it to the command where too many have nothing in common") func many() throws {
    let names = (0..<9).map { "c\($0).pcapng" }
    for (number, name) in names.enumerated() {
      try make(name, seed: 1, start: "2026-05-19T1\(number):00:00Z", seconds: 30)
      // Each its own intervals, so that none has the packets of another.
      let made = try Tool.shell(
        "sed 's/\"interval_ms\": 300/\"interval_ms\": \(300 + 7 * number)/; "
          + "s/\"interval_ms\": 500/\"interval_ms\": \(500 + 11 * number)/' \(name).json > x.json "
          + "&& rm -f \(name) && $TOOL synth --scenario x.json --out \(name)", in: scratch.folder)
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(try remarks(names).map { $0["code"]?.text } == ["clocks_not_compared"])
    #expect(try remarks(Array(names[..<8])).map { $0["code"]?.text } == ["clocks_not_known"])
  }

  @Test("a case has it, and comes out the same") func inCase() throws {
    try make("hall.btsnoop", seed: 1)
    try make("pi.pcapng", seed: 2, start: "2026-05-19T09:55:00Z")
    let both = ["hall.btsnoop", "pi.pcapng"]
    let page = try run(["analyze", "--case", "x.sqlite", "--report", "x.html"] + both)
    #expect(page.lines.count { $0.contains("! The clock of") } == 1)
    let row = try run([
      "case", "query", "--format", "csv", "x.sqlite",
      "SELECT code, text FROM remarks WHERE code LIKE 'clocks_%'",
    ])
    #expect(row.lines.count == 2)
    #expect(row.output.contains("clocks_differ"))
    let html = try String(
      contentsOf: scratch.folder.appending(path: "x.html"), encoding: .utf8)
    #expect(html.contains("5 min 00.000 s"))
    let verified = try run(["case", "verify", "x.sqlite"])
    #expect(verified.output.contains("every table comes out the same"))
  }
}
