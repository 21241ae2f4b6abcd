import Foundation
import Testing

/// `beacontrace plugin stress`, from outside.
@Suite("plugin stress", .timeLimit(.minutes(60)))
struct PluginStressTests {
  /// One beacon, each half second for five minutes, and another one beside it.
  static let scenario = """
    {"name": "steady", "duration_s": 300, "observer": [[0, 0, 0]],
     "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
       "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 500},
       {"name": "other", "kind": "altbeacon", "at": [2, 2], "interval_ms": 500,
       "id": "2f234454cf6d4a0fadf2f4911ba9ffa600050001"}]}
    """

  /// Silence of three seconds is an alarm: nothing where everything is heard, much where little is.
  static let hasty = """
    local last
    on("sighting", { kind = "ibeacon" }, function(s)
      if last and s.time - last > 3 then alert { title = "silent", evidence = s } end
      last = s.time
    end)
    """

  /// As many alerts as sightings.
  static let each = """
    on("sighting", { kind = "ibeacon" }, function(s)
      alert { title = "heard at " .. s.frame, evidence = s }
    end)
    """

  static func folder(_ rule: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("rule.lua", Array(rule.utf8))
    try scratch.synthesize("steady", scenario)
    return scratch
  }

  static func stress(_ scratch: Scratch, _ options: String...) throws -> Run {
    try Tool.run(
      ["plugin", "stress"] + options + ["rule.lua", "steady.btsnoop"], in: scratch.folder)
  }

  static let lossAlone = ["--duplicates", "none", "--delay", "none"]

  private static func runs(_ run: Run) throws -> [JSON] {
    try #require(try JSON(run.bytes)["runs"]?.list)
  }

  @Test("a rule that takes chance for silence invents alerts under loss") func invents() throws {
    let scratch = try Self.folder(Self.hasty)
    let run = try Self.stress(scratch, "--format", "json")
    #expect(run.status == 0, "\(run.errors)")
    let document = try JSON(run.bytes)
    #expect(document["rule"]?["alerts"]?.int == 0)
    let runs = try Self.runs(run)
    #expect(runs.count == 15)
    for row in runs {
      let new = try #require(row["new"]?.int)
      let loss = row["disturbance"] == .text("loss") ? row["level"]?.number ?? 0 : 0
      // A third is lost: six in a row are, once in a while.
      if loss != 30 { #expect(loss > 30 ? new > 0 : new == 0, "\(row)") }
      #expect(row["lost"]?.int == 0)
    }
    let first = try #require(document["first"]?.list)
    #expect(first.map { $0["disturbance"]?.text } == ["loss", "duplicates", "delay"])
    let place = try #require(first[0]["new"]?.int)
    #expect(place == runs.firstIndex { $0["new"]?.int != 0 })
    let (level, seed) = (try #require(runs[place]["level"]?.int), place % 3 + 1)
    #expect(first[1...].allSatisfy { $0["new"] == .null })
    let text = try Self.stress(scratch)
    #expect(text.output.contains("  new alerts      from \(level) % on (seed \(seed)): "))
    #expect(text.lines.allSatisfy { $0.count <= 80 })
  }

  /// Every seed loses about as many as it is told to, and at more loss what it lost at less, too.
  @Test("losses are of the size that is asked for, and grow with it") func losses() throws {
    let scratch = try Self.folder(Self.each)
    let run = try Tool.run(
      ["plugin", "stress", "--format", "json", "--near", "0", "--loss", "10,30,60,100"]
        + Self.lossAlone + ["rule.lua", "steady.btsnoop"], in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let all = try #require(try JSON(run.bytes)["rule"]?["alerts"]?.int)
    #expect(all > 500)
    for row in try Self.runs(run) {
      let (kept, lost) = (try #require(row["kept"]?.int), try #require(row["lost"]?.int))
      let level = try #require(row["level"]?.number) / 100
      #expect(kept + lost == all)
      #expect(row["new"]?.int == 0)
      #expect(row["moved"]?.int == 0)
      #expect(abs(Double(lost) / Double(all) - level) < 0.08, "\(row)")
      if level == 1 { #expect(kept == 0) }
    }
  }

  @Test("what is heard twice is told twice") func duplicates() throws {
    let scratch = try Self.folder(Self.each)
    for (percent, share) in [("25", 0.25), ("100", 1.0)] {
      let run = try Self.stress(
        scratch, "--format", "json", "--loss", "none", "--delay", "none", "--duplicates", percent,
        "--near", "0")
      let all = try #require(try JSON(run.bytes)["rule"]?["alerts"]?.int)
      for row in try Self.runs(run) {
        #expect(row["kept"]?.int == all)
        let new = try #require(row["new"]?.int)
        #expect(abs(Double(new) / Double(all) - share) < 0.08, "\(row)")
      }
    }
  }

  @Test("what comes later is there, at other times") func delays() throws {
    let scratch = try Self.folder(Self.each)
    for (near, isKept) in [("0.2", true), ("0", false)] {
      let run = try Self.stress(
        scratch, "--format", "json", "--loss", "none", "--duplicates", "none", "--delay", "200",
        "--near", near)
      let all = try #require(try JSON(run.bytes)["rule"]?["alerts"]?.int)
      for row in try Self.runs(run) {
        // The title names the frame, which may be another one now.
        let kept = try #require(row["kept"]?.int) + #require(row["changed"]?.int)
        #expect(isKept ? kept == all : kept < all / 10, "\(row)")
      }
    }
  }

  /// Every container and link type: what is advertising is known in each of them.
  @Test("where everything is lost nothing is heard", arguments: Captures.smallRows)
  func everythingIsLost(_ row: IndexRow) throws {
    let scratch = try Scratch()
    try scratch.write(
      "rule.lua",
      Array("on('sighting', function(s) alert { title = 'x', evidence = s } end)".utf8))
    let capture = Captures.folder.appending(path: row.file).path(percentEncoded: false)
    let run = try Tool.run(
      ["plugin", "stress", "--format", "json", "--loss", "100", "--seeds", "1"] + Self.lossAlone
        + ["rule.lua", capture], in: scratch.folder)
    let document = try JSON(run.bytes)
    let heard = row.sightings.values.reduce(0, +)
    #expect(document["rule"]?["alerts"]?.int.map { $0 > 0 } == (heard > 0), "\(run.errors)")
    #expect(document["runs"]?.list?.first?["kept"]?.int == 0, "\(run.output)")
    #expect(document["runs"]?.list?.first?["new"]?.int == 0)
  }

  @Test("the same seed gives the same bytes, another one others") func deterministic() throws {
    let scratch = try Self.folder(Self.each)
    for format in ["json", "text"] {
      let runs = try (0..<2).map { _ in try Self.stress(scratch, "--format", format) }
      #expect(runs[0].status == 0)
      #expect(runs[0].bytes == runs[1].bytes)
      #expect(try Self.stress(scratch, "--format", format, "--seed", "9").bytes != runs[0].bytes)
    }
    // A seed does not depend on those before it.
    let several = try Self.runs(Self.stress(scratch, "--format", "json", "--loss", "30"))
    let alone = try Self.runs(
      Self.stress(scratch, "--format", "json", "--loss", "30", "--seed", "3", "--seeds", "1"))
    #expect(several[2] == alone[0])
  }

  /// What fails only where something is missing.
  static let failing: [(body: String, limit: String, says: String)] = [
    ("error('a gap')", "error", "a gap"),
    ("while true do end", "instructions", "instructions"),
    ("return ('x'):rep(100000000)", "string", "a string of more than"),
  ]

  @Test("a rule that fails under loss alone is found, and the command shows it", arguments: failing)
  func failures(_ body: String, _ limit: String, _ says: String) throws {
    let rule = """
      local last
      on("sighting", { kind = "ibeacon" }, function(s)
        local gap = last and s.time - last or 0
        last = s.time
        if gap > 2.2 then \(body) end
      end)
      """
    let scratch = try Self.folder(rule)
    let run = try Self.stress(scratch, "--format", "json", "--loss", "10,30,60")
    #expect(run.status == 70, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let document = try JSON(run.bytes)
    #expect(document["rule"]?["errors"] == .object([:]))
    let place = try #require(document["first"]?.list?.first?["failed"]?.int)
    let rows = try Self.runs(run)
    #expect(rows[..<place].allSatisfy { $0["errors"] == .object([:]) })
    let found = rows[place]
    #expect(found["errors"]?[limit]?.int.map { $0 > 0 } == true, "\(found)")
    #expect(found["first_error"]?.text?.contains(says) == true, "\(found)")

    let text = try Self.stress(scratch)
    #expect(text.status == 70)
    #expect(text.output.contains(says))
    let level = try #require(found["level"]?.int)
    let commands = (text.output.split(separator: "that differ:\n").last ?? "")
      .replacing(" \\\n", with: " ").split(separator: "\n")
    let command = try #require(
      commands.first { $0.contains("--loss \(level) ") && $0.contains("--seeds 1 ") })
    let again = try Tool.shell(
      String(command).replacing("beacontrace", with: "\"$TOOL\"", maxReplacements: 1),
      in: scratch.folder)
    #expect(again.status == 70, "\(command): \(again.errors)")
    #expect(again.output.contains(says))
  }

  @Test("nothing of one run is left to the next") func nothingIsLeft() throws {
    let scratch = try Self.folder(
      """
      state.runs = (state.runs or 0) + 1
      state.save("runs")
      on("finish", function(e) alert { title = "run " .. state.runs, once_per = 86400 } end)
      """)
    let run = try Self.stress(scratch, "--format", "json", "--near", "0")
    #expect(run.status == 0, "\(run.errors)")
    for row in try Self.runs(run) {
      #expect([row["kept"]?.int, row["held_back"]?.int] == [1, 0], "\(row)")
    }
  }

  @Test("alerts that are there and say something else are changed, not kept")
  func changes() throws {
    let counting = """
      local count = 0
      on("sighting", { kind = "ibeacon" }, function() count = count + 1 end)
      every(60, function() alert { title = count .. " so far", severity = "notice" } end)
      """
    let scratch = try Self.folder(counting)
    let options = Self.lossAlone + ["--loss", "30", "--seeds", "1"]
    let run = try Tool.run(
      ["plugin", "stress", "--format", "json"] + options + ["rule.lua", "steady.btsnoop"],
      in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let document = try JSON(run.bytes)
    let all = try #require(document["rule"]?["alerts"]?.int)
    let row = try #require(try Self.runs(run).first)
    #expect(all > 2)
    #expect(row["changed"]?.int == all)
    #expect([row["kept"], row["moved"], row["lost"], row["new"]].map { $0?.int } == [0, 0, 0, 0])
    #expect(row["first_changed"]?["changes"]?.list == [.text("title")])
    #expect(document["first"]?.list?.first?["changed"]?.int == 0)
    let text = try Tool.run(
      ["plugin", "stress"] + options + ["rule.lua", "steady.btsnoop"], in: scratch.folder)
    #expect(text.output.contains("alerts changed  from 30 % on (seed 1): "))
    #expect(text.output.contains("so far, now '"))
    #expect(text.lines.allSatisfy { $0.count <= 80 })
  }

  @Test("an alert of one dedupe_key that comes later is moved, whatever its title") func moved()
    throws
  {
    let scratch = try Self.folder(
      """
      local count, first, last, told = 0
      on("sighting", { kind = "ibeacon" }, function(s)
        count, first, last = count + 1, first or s.time, s:copy()
      end)
      every(10, function(now)
        if told or count < 100 then return end
        told = true
        alert {
          title = ("a hundred in %.0f s"):format(now - first), evidence = last, dedupe_key = last.id,
        }
      end)
      """)
    let options = Self.lossAlone + ["--loss", "30", "--seeds", "1"]
    let run = try Tool.run(
      ["plugin", "stress", "--format", "json"] + options + ["rule.lua", "steady.btsnoop"],
      in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let row = try #require(try Self.runs(run).first)
    let counts = ["kept", "changed", "moved", "lost", "new"].map { row[$0]?.int }
    #expect(counts == [0, 0, 1, 0, 0], "\(run.output)")
    #expect(row["first_moved"]?["title"]?.text?.hasPrefix("a hundred in ") == true)
    let text = try Tool.run(
      ["plugin", "stress"] + options + ["rule.lua", "steady.btsnoop"], in: scratch.folder)
    let words = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(/a hundred in \d+ s, now \d\d:\d\d:\d\d 'a hundred in \d+ s'/), "\(words)")
  }

  @Test(
    "the command of a run has its options", arguments: PluginCompareTests.idOptions)
  func commandOfARun(_ options: [String]) throws {
    let site = try PluginCompareTests.site()
    try site.scratch.write("rule.lua", Array(Self.each.utf8))
    let run = try Tool.run(
      ["plugin", "stress", "--format", "json", "--seeds", "1", "--loss", "30"] + Self.lossAlone
        + options + ["rule.lua", "site"], in: site.scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let row = try #require(try Self.runs(run).first)
    #expect(row["first_lost"]?["id"]?.text != nil, "\(row)")
    let words = try #require(row["command"]?.list).compactMap(\.text)
    let again = try Tool.run(
      Array(words.dropFirst()) + ["--format", "json"], in: site.scratch.folder)
    #expect(again.status == 0, "\(words): \(again.errors)")
    #expect(try Self.runs(again) == [row], "\(words)")
  }

  @Test("one run alone lists the alerts that differ") func oneRun() throws {
    let scratch = try Self.folder(Self.hasty)
    let run = try Tool.run(
      ["plugin", "stress", "--loss", "60", "--seeds", "1"] + Self.lossAlone
        + ["rule.lua", "steady.btsnoop"], in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.lines.contains("NEW"))
    #expect(run.lines.contains { $0.hasSuffix(" warning silent") })
    #expect(!run.output.contains("One run alone"))
  }

  @Test(
    "says what cannot be tried: status 64",
    arguments: [
      ["--loss", "110"], ["--loss", "0"], ["--loss", "x"], ["--loss", ""], ["--delay", "20000"],
      ["--seeds", "0"], ["--loss", "none", "--duplicates", "none", "--delay", "none"],
      ["--seed", "18446744073709551615"], ["--set", "x.y=1"],
    ])
  func refused(_ words: [String]) throws {
    let scratch = try Self.folder(Self.each)
    let run = try Tool.run(
      ["plugin", "stress"] + words + ["rule.lua", "steady.btsnoop"], in: scratch.folder)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
