import Foundation
import Testing

/// `beacontrace plugin compare`, from outside.
@Suite("plugin compare", .timeLimit(.minutes(60)))
struct PluginCompareTests {
  /// A rule about everybody who enters, with words of its own.
  static func rule(
    _ alert: String = #"severity = "notice", title = "in", text = "somebody""#,
    on condition: String = "true"
  ) -> String {
    """
    on("enter", function(e)
      if \(condition) then alert { \(alert), evidence = e } end
    end)
    """
  }

  static func folder(_ old: String, _ new: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("old.lua", Array(old.utf8))
    try scratch.write("new.lua", Array(new.utf8))
    return scratch
  }

  static let walk = Captures.folder.appending(path: Captures.walk).path(percentEncoded: false)

  static func compare(_ scratch: Scratch, _ options: String...) throws -> Run {
    try Tool.run(
      ["plugin", "compare"] + options + ["old.lua", "new.lua", walk], in: scratch.folder)
  }

  static func counts(_ run: Run) throws -> [String: Int] {
    let counts = try JSON(run.bytes)["counts"]?.members ?? [:]
    return counts.compactMapValues(\.int)
  }

  @Test("a rule beside itself: status 0, nothing differs") func nothingDiffers() throws {
    let scratch = try Self.folder(Self.rule(), Self.rule())
    let text = try Self.compare(scratch)
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("No difference: "))
    #expect(!text.output.contains("VANISHED"))
    let counts = try Self.counts(Self.compare(scratch, "--format", "json"))
    #expect(counts["same"].map { $0 > 1 } == true)
    #expect(counts.filter { $0.key != "same" }.values.allSatisfy { $0 == 0 })
  }

  /// The new rule's alert, and in what it then differs.
  static let changes: [(alert: String, what: [String])] = [
    (#"severity = "critical", title = "in", text = "somebody""#, ["severity"]),
    (#"severity = "notice", title = "within", text = "somebody""#, ["title"]),
    (#"severity = "notice", title = "in", text = "who?""#, ["text"]),
    (#"severity = "notice", title = "in", text = "somebody", fields = { n = 1 }"#, ["fields"]),
    (#"severity = "info", title = "x""#, ["severity", "title", "text"]),
  ]

  @Test("what an alert says otherwise is named: status 1", arguments: changes)
  func changedAlerts(_ alert: String, _ what: [String]) throws {
    let scratch = try Self.folder(Self.rule(), Self.rule(alert))
    let run = try Self.compare(scratch, "--format", "json")
    #expect(run.status == 1, "\(run.errors)")
    let counts = try Self.counts(run)
    #expect(counts["changed"].map { $0 > 1 } == true)
    #expect([counts["same"], counts["vanished"], counts["appeared"]] == [0, 0, 0])
    for pair in try #require(JSON(run.bytes)["changed"]?.list) {
      #expect(pair["what"]?.list?.compactMap(\.text) == what)
      #expect(pair["old"]?["plugin"] == .text("old"))
      #expect(pair["new"]?["plugin"] == .text("new"))
    }
    let text = try Self.compare(scratch)
    #expect(text.output.contains("CHANGED"))
    for word in what { #expect(text.output.contains("\(word): ")) }
    #expect(text.lines.allSatisfy { $0.count <= 80 })
  }

  @Test("frames that are cited otherwise are a change") func changedEvidence() throws {
    let other = """
      local seen
      on("sighting", function(s) seen = seen or s:copy() end)
      on("enter", function(e) alert { severity = "notice", title = "in", text = "somebody",
        evidence = { e, seen } } end)
      """
    let scratch = try Self.folder(Self.rule(), other)
    let run = try Self.compare(scratch, "--format", "json")
    #expect(run.status == 1, "\(run.errors)")
    let changed = try #require(JSON(run.bytes)["changed"]?.list)
    #expect(!changed.isEmpty, "\(run.output)")
    for pair in changed { #expect(pair["what"]?.list == [.text("evidence")]) }
  }

  /// Three seconds later: the same alert, unless --near says that this is far.
  @Test(
    "alerts at another time are the same up to --near",
    arguments: [([String](), true), (["--near", "3"], true), (["--near", "2.9"], false)])
  func near(_ options: [String], _ isSame: Bool) throws {
    let late = """
      on("enter", function(e)
        after(3, function() alert { severity = "notice", title = "in", text = "somebody",
          evidence = e } end)
      end)
      """
    let scratch = try Self.folder(Self.rule(), late)
    let run = try Tool.run(
      ["plugin", "compare", "--format", "json"] + options + ["old.lua", "new.lua", Self.walk],
      in: scratch.folder)
    #expect(run.status == 1, "\(run.errors)")
    let counts = try Self.counts(run)
    let count = try #require((isSame ? counts["changed"] : counts["vanished"]))
    #expect(count > 1)
    if isSame {
      #expect([counts["vanished"], counts["appeared"]] == [0, 0])
      let changed = try #require(JSON(run.bytes)["changed"]?.list)
      // What a timer tells names no beacon.
      #expect(changed.allSatisfy { $0["what"]?.list == [.text("time"), .text("beacon")] })
    } else {
      #expect(counts["appeared"] == count)
    }
  }

  /// A timer's alert about a beacon that it has kept.
  private static func timer(_ minor: Int, _ words: String = "is at the gate") -> String {
    """
    local seen
    on("sighting", { kind = "ibeacon" }, function(s)
      if s.minor == \(minor) then seen = s:copy() end
    end)
    every(60, function(now)
      if not seen then return end
      alert { title = "pump " .. seen.minor .. " \(words)", evidence = seen, dedupe_key = seen.id }
    end)
    """
  }

  private static func compareAtSite(
    _ old: String, _ new: String, start: String = "2026-11-17T09:00:00Z", _ options: String...
  ) throws -> Run {
    let site = try SiteScene()
    try site.record(seconds: 190, start: start)
    try site.scratch.write("old.lua", Array(old.utf8))
    try site.scratch.write("new.lua", Array(new.utf8))
    return try Tool.run(
      ["plugin", "compare"] + options + ["old.lua", "new.lua", "site.btsnoop"],
      in: site.scratch.folder)
  }

  @Test("timers' alerts about different beacons are different by their dedupe_key")
  func timersOfOtherBeacons() throws {
    let other = try Self.compareAtSite(Self.timer(1), Self.timer(4), "--format", "json")
    #expect(other.status == 1, "\(other.errors)")
    let counts = try Self.counts(other)
    #expect(counts["vanished"].map { $0 > 1 } == true, "\(counts)")
    #expect(counts["vanished"] == counts["appeared"])
    #expect([counts["same"], counts["changed"]] == [0, 0])
    let same = try Self.compareAtSite(
      Self.timer(1), Self.timer(1, "has come"), "--format", "json")
    let changed = try Self.counts(same)
    #expect(changed["changed"] == counts["vanished"])
    #expect([changed["same"], changed["vanished"], changed["appeared"]] == [0, 0, 0])
  }

  @Test("an alert of one dedupe_key that comes much later is the same one") func muchLater() throws
  {
    func rule(_ seconds: Int) -> String {
      """
      local since, seen, told
      on("sighting", { kind = "ibeacon" }, function(s)
        if s.minor == 1 then since, seen = since or s.time, s:copy() end
      end)
      every(10, function(now)
        if told or not since or now - since < \(seconds) then return end
        told = true
        alert {
          title = ("here for %.0f s"):format(now - since), evidence = seen, dedupe_key = seen.id,
        }
      end)
      """
    }
    let run = try Self.compareAtSite(rule(30), rule(60), "--format", "json")
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      try Self.counts(run) == ["same": 0, "vanished": 0, "appeared": 0, "changed": 1],
      "\(run.output)")
    let what = try JSON(run.bytes)["changed"]?.list?.first?["what"]?.list
    #expect(what == [.text("time"), .text("title"), .text("evidence")])
  }

  @Test("over midnight each day is named once") func midnight() throws {
    let run = try Self.compareAtSite(
      Self.timer(1), Self.timer(1, "has come"), start: "2026-11-17T23:58:30Z")
    #expect(run.status == 1, "\(run.errors)")
    let days = run.lines.filter { $0.contains("2026-11-1") && !$0.contains("–") }
    #expect(days == ["2026-11-17, UTC", "2026-11-18"], "\(run.output)")
    let place = try #require(run.lines.firstIndex(of: "2026-11-18"))
    #expect(run.lines[place + 1].hasPrefix("00:00:"), "\(run.output)")
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    // One day alone is named on top.
    let one = try Self.compareAtSite(Self.timer(1), Self.timer(1, "has come"))
    #expect(one.lines.count { $0.contains("2026-11-17") } == 1, "\(one.output)")
  }

  /// Options by which alerts have other ids.
  static let idOptions: [[String]] = [
    ["--observers", "folder"],
    ["--observer", "door=site/door", "--observer", "hall=site/hall"],
    ["--clock", "site=+2h"],
    ["--observers", "folder", "--clock", "site/door=-90s", "--clock", "site/hall=+10s"],
    ["--device", "pump=c4:b0:00:00:01:02", "--regions-per", "beacon", "--set", "exit_after=20"],
  ]

  /// `site` with what two receivers heard, each in a folder.
  static func site() throws -> SiteScene {
    let site = try SiteScene()
    try site.record(seconds: 90)
    let made = try Tool.shell(
      "mkdir -p site/door site/hall && cp site.btsnoop site/door/a.btsnoop && "
        + "cp site.btsnoop site/hall/a.btsnoop", in: site.scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    return site
  }

  @Test("the commands that are printed have the options of the run", arguments: idOptions)
  func printedCommands(_ options: [String]) throws {
    let site = try Self.site()
    for (file, title) in [("old.lua", "in"), ("new.lua", "within")] {
      let rule = """
        on("sighting", { kind = "ibeacon" }, function(s)
          alert { title = "\(title)", evidence = s, once_per = 60 }
        end)
        """
      try site.scratch.write(file, Array(rule.utf8))
    }
    func compare(_ more: String...) throws -> Run {
      try Tool.run(
        ["plugin", "compare"] + more + options + ["old.lua", "new.lua", "site"],
        in: site.scratch.folder)
    }
    let json = try compare("--format", "json")
    #expect(json.status == 1, "\(json.errors)")
    let pair = try #require(JSON(json.bytes)["changed"]?.list?.first)
    let text = try compare().output
    let commands = (text.split(separator: "Why an alert came, by its id:\n").last ?? "")
      .replacing(" \\\n", with: " ").split(separator: "\n")
    try #require(commands.count == 2, "\(text)")
    for (side, command) in zip(["old", "new"], commands) {
      let id = try #require(pair[side]?["id"]?.text)
      let shown = try Tool.shell(
        String(command).replacing("beacontrace", with: "\"$TOOL\"", maxReplacements: 1)
          .replacing("EVENT", with: id), in: site.scratch.folder)
      #expect(shown.status == 0, "\(command): \(shown.errors)")
      #expect(shown.output.contains("plugin \(side)"), "\(command)")
    }
  }

  @Test("alerts that vanish and appear are listed, and explain takes their ids")
  func vanishedAndAppeared() throws {
    let scratch = try Self.folder(
      Self.rule(on: "e.region:sub(1, 4) == 'b940'"), Self.rule(on: "e.region:sub(1, 4) ~= 'b940'"))
    let run = try Self.compare(scratch, "--format", "json")
    #expect(run.status == 1, "\(run.errors)")
    let document = try JSON(run.bytes)
    for (part, plugin) in [("vanished", "old"), ("appeared", "new")] {
      let alerts = try #require(document[part]?.list)
      let id = try #require(alerts.first?["id"]?.text)
      #expect(alerts.allSatisfy { $0["plugin"] == .text(plugin) })
      let explained = try Tool.run(
        ["explain", "--plugin", "\(plugin).lua", id, Self.walk], in: scratch.folder)
      #expect(explained.status == 0, "\(explained.errors)")
      #expect(explained.output.contains("plugin \(plugin)"))
    }
    let text = try Self.compare(scratch, "--all")
    #expect(text.lines.contains("VANISHED  alerts of the old one alone"))
    #expect(text.lines.contains("APPEARED  alerts of the new one alone"))
    #expect(text.output.contains("frame"))
    #expect(text.lines.allSatisfy { $0.count <= 80 || $0.contains(Self.walk) })
    // The command that is printed does what it says.
    let id = try #require(document["vanished"]?.list?.first?["id"]?.text)
    let command = text.output.split(separator: "Why an alert came, by its id:\n").last ?? ""
    let first = command.replacing(" \\\n", with: " ").split(separator: "\n").first ?? ""
    let shown = try Tool.shell(
      String(first).replacing("beacontrace", with: "\"$TOOL\"", maxReplacements: 1)
        .replacing("EVENT", with: id), in: scratch.folder)
    #expect(shown.status == 0, "\(shown.errors)")
  }

  @Test("settings go to the rule that has them, or to one side alone") func settings() throws {
    let words = ["plugin", "compare", "--format", "json"]
    let same = try Tool.run(words + ["beacon-silent", "beacon-silent", Captures.walk])
    #expect(same.status == 0, "\(same.errors)")
    let other = try Tool.run(
      words + [
        "--set-new", "beacon-silent.after_s=20", "beacon-silent", "beacon-silent", Captures.walk,
      ])
    #expect(other.status == 1, "\(other.errors)")
    #expect(try Self.counts(other)["appeared"].map { $0 > 0 } == true)
    let two = try Tool.run(
      words + [
        "--set", "low-battery.below_mv=2900", "low-battery", "cloned-identity", Captures.walk,
      ])
    #expect(two.status == 1, "\(two.errors)")
    #expect(try Self.counts(two) == ["same": 0, "vanished": 1, "appeared": 1, "changed": 0])
    let unknown = try Tool.run(
      words + ["--set", "low-batery.x=1", "low-battery", "cloned-identity", Captures.walk])
    #expect(unknown.status == 64)
  }

  @Test("nothing that a rule saves is left to the next run") func nothingIsLeft() throws {
    let rule = """
      state.runs = (state.runs or 0) + 1
      state.save("runs")
      on("finish", function(e) alert { title = "run " .. state.runs, once_per = 86400 } end)
      """
    let scratch = try Self.folder(rule, rule)
    let run = try Self.compare(scratch, "--format", "json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Self.counts(run) == ["same": 1, "vanished": 0, "appeared": 0, "changed": 0])
  }

  @Test("a rule that fails is told whatever differs: status 70", arguments: ["old", "new"])
  func failures(_ side: String) throws {
    let scratch = try Self.folder(Self.rule(), Self.rule())
    try scratch.write("\(side).lua", Array("on('enter', function(e) error('no') end)".utf8))
    let run = try Self.compare(scratch)
    #expect(run.status == 70)
    #expect(run.complaints.contains { $0.hasPrefix("beacontrace: plugin \(side): ") })
    #expect(run.output.contains("of its calls failed"))
  }

  @Test(
    "says what cannot be compared: status 64",
    arguments: [
      (["old.lua", "new.lua", "-"], "can be read once only"),
      (["nix.lua", "new.lua", "x.pcap"], "nix.lua: cannot be opened"),
      (["old.lua", "low-batery", "x.pcap"], "did you mean 'low-battery'?"),
      (["--near", "-1", "old.lua", "new.lua", "x.pcap"], "--near"),
      (["--local", "--format", "json", "old.lua", "new.lua", "x.pcap"], "--local"),
    ])
  func refused(_ words: [String], _ says: String) throws {
    let scratch = try Self.folder(Self.rule(), Self.rule())
    let run = try Tool.run(["plugin", "compare"] + words, in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test("captures that cannot be read are told once: status 66") func unreadable() throws {
    let scratch = try Self.folder(Self.rule(), Self.rule("title = 'x'"))
    let run = try Tool.run(
      ["plugin", "compare", "old.lua", "new.lua", Self.walk, "nix.pcap"], in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.output.contains("CHANGED"))
    #expect(run.complaints.count { $0.contains("nix.pcap") } == 1)
    let none = try Tool.run(
      ["plugin", "compare", "old.lua", "new.lua", "nix.pcap"], in: scratch.folder)
    #expect(none.status == 66)
    #expect(none.output.isEmpty)
  }
}
