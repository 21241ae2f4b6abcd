import Foundation
import Testing

/// What changed between two recordings, as it is told.
@Suite(.timeLimit(.minutes(60)))
struct CompareTests {
  private static let counts = "beacons before"

  private static func beacon(
    _ name: String, _ minor: Int, _ more: [String: Any] = [:]
  ) -> [String: Any] {
    var beacon: [String: Any] = [
      "name": name, "kind": "ibeacon", "uuid": "5a4bcfce-174e-4bac-a814-092e77f6b7e5", "major": 1,
      "minor": minor, "address": "c4:b0:00:00:01:0\(minor)", "at": [minor, 2],
      "interval_ms": 1000, "measured_power": -59, "signal_dbm": -59,
    ]
    for (key, value) in more { beacon[key] = value }
    return beacon
  }

  /// A capture of ten minutes; `beacons` as scenarios have them.
  private static func record(
    _ name: String, on day: String, _ beacons: [[String: Any]], window: Int = 100,
    in scratch: Scratch
  ) throws {
    let scenario: [String: Any] = [
      "name": name, "summary": name, "start": "\(day)T08:00:00Z", "duration_s": 600,
      "radio": [
        "exponent": 2.0, "noise_db": 2, "sensitivity_dbm": -96, "loss": 0.1,
      ],
      "rooms": [], "observer": [[0, 0, 0]], "beacons": beacons,
      "scan": ["commands": "legacy", "interval_ms": 100, "window_ms": window, "pauses": []],
    ]
    try scratch.write(
      "\(name).json", [UInt8](try JSONSerialization.data(withJSONObject: scenario)))
    let made = try Tool.run(
      "synth", "--scenario", "\(name).json", "--out", "\(name).btsnoop", in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  /// Two weeks of a site: 1 dead, 2 and 3 swapped, 4 with another power and interval, 5 with another major,
  /// 6 cloned, 8 new.
  private static func weeks() throws -> Scratch {
    let scratch = try Scratch()
    try record(
      "week1", on: "2026-05-11", (1...7).map { beacon("b\($0)", $0) }, in: scratch)
    let now = [
      beacon("b2", 2, ["address": "c4:b0:00:00:01:03"]),
      beacon("b3", 3, ["address": "c4:b0:00:00:01:02"]),
      beacon("b4", 4, ["measured_power": -74, "interval_ms": 3000]),
      beacon("b5", 5, ["major": 9]), beacon("b6", 6), beacon("b7", 7), beacon("b8", 8),
      beacon("clone", 6, ["address": "e7:0d:5c:31:9a:42"]),
    ]
    try record("week2", on: "2026-05-18", now, in: scratch)
    return scratch
  }

  @Test func twoWeeksOfASite() throws {
    let scratch = try Self.weeks()
    let run = try Tool.run("compare", "week1.btsnoop", "week2.btsnoop", in: scratch.folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    for sentence in [
      "7 beacons before, 7 now: 2 missing (1 whose address sends something else now), 2 new, "
        + "4 changed, 1 as before",
      "5a4b…b7e5:1:1 gone: last heard 2026-05-11 08:09:5",
      "of 6 others that its radio heard 5 are heard now",
      "; c4:b0:00:00:01:05 is now 5a4b…b7e5:9:5",
      "; before, that was 5a4b…b7e5:1:5",
      "swapped their addresses, c4:b0:00:00:01:0",
      "5a4b…b7e5:1:6 2 that alternate, before 1 at a time: several devices or a clone; e7:0d:5c:31:9a:42",
      "5a4b…b7e5:1:4 -59 → -74 dBm", "5a4b…b7e5:1:4 1.0 s → 3.0 s",
    ] {
      #expect(words.contains(sentence), "\(sentence)\n\(run.output)")
    }
    #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(run.output)")
  }

  @Test func beaconsAreCalledAsTheSiteCallsThem() throws {
    let scratch = try Self.weeks()
    let uuid = "5a4bcfce-174e-4bac-a814-092e77f6b7e5"
    try scratch.write(
      "site.txt", Array("# the site\nhall=ibeacon:\(uuid)\nhall 1-4=ibeacon:\(uuid):1:4\n".utf8))
    let run = try Tool.run(
      "compare", "--regions", "site.txt", "week1.btsnoop", "week2.btsnoop", in: scratch.folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(words.contains("hall 1-4 (5a4b…b7e5:1:4) -59 → -74 dBm"), "\(run.output)")
    #expect(words.contains("hall (5a4b…b7e5:1:1) gone: last heard"), "\(run.output)")
    #expect(words.contains("is now hall (5a4b…b7e5:9:5)"), "\(run.output)")
    #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(run.output)")
    func changed(_ more: String...) throws -> JSON? {
      let json = try Tool.run(
        ["compare", "--format", "json", "week1.btsnoop", "week2.btsnoop"] + more,
        in: scratch.folder)
      return try JSON(json.bytes)["changed"]?.list?.first { $0["id"]?.text == "\(uuid):1:4" }
    }
    #expect(try changed("--region", "mine=ibeacon:\(uuid):1:4")?["name"]?.text == "mine")
    #expect(try changed() != nil && changed()?["name"] == nil)
    let wrong = try Tool.run(
      "compare", "--region", "x", "week1.btsnoop", "week2.btsnoop", in: scratch.folder)
    #expect(wrong.status == 64)
  }

  @Test func asJSON() throws {
    let scratch = try Self.weeks()
    let words = ["compare", "--format", "json", "week1.btsnoop", "week2.btsnoop"]
    let run = try Tool.run(words, in: scratch.folder)
    let document = try JSON(run.bytes)
    let counts = (document["counts"]?.members ?? [:]).compactMapValues(\.int)
    #expect(
      counts == ["before": 7, "after": 7, "missing": 2, "new": 2, "changed": 4, "same": 1])
    let changes = (document["changed"]?.list ?? []).flatMap { $0["changes"]?.list ?? [] }
    #expect(
      changes.compactMap { $0["what"]?.text }.sorted() == [
        "addresses_at_once", "addresses_swapped", "addresses_swapped", "interval_ms", "power_dbm",
      ])
    let missing = try #require(document["missing"]?.list)
    #expect(missing.allSatisfy { $0["grade"]?.text == "gone" })
    #expect(document["after"]?["receivers"]?.int == 1)
    #expect(try Tool.run(words, in: scratch.folder).bytes == run.bytes)
  }

  @Test func anAddressOfAnotherKindIsTold() throws {
    let scratch = try Scratch()
    try Self.record("fixed", on: "2026-05-11", [Self.beacon("b1", 1)], in: scratch)
    let now = Self.beacon("b1", 1, ["address": "5a:b0:00:00:01:01"])
    try Self.record("private", on: "2026-05-18", [now], in: scratch)
    let captures = ["fixed.btsnoop", "private.btsnoop"]
    let run = try Tool.run(["compare"] + captures, in: scratch.folder)
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains(
        "c4:b0:00:00:01:01 (random static) → 5a:b0:00:00:01:01 (random resolvable)"),
      "\(run.output)")
    #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(run.output)")
    let json = try JSON(
      try Tool.run(["compare", "--format", "json"] + captures, in: scratch.folder).bytes)
    let change = json["changed"]?.list?.first?["changes"]?.list?.first
    #expect(change?["what"]?.text == "address" && change?["before"]?.text == "c4:b0:00:00:01:01")
    #expect(change?["before_type"]?.text == "random_static")
    #expect(change?["after_type"]?.text == "random_resolvable")
  }

  @Test func aCaptureAndItselfDifferInNothing() throws {
    let run = try Tool.run("compare", Captures.walk, Captures.walk)
    #expect(run.status == 0)
    #expect(
      run.lines.contains { $0.contains("0 missing, 0 new, 0 changed") }, "\(run.output)")
    #expect(run.output.contains("is on both sides, byte for byte"))
    #expect(run.lines.allSatisfy { !$0.hasPrefix("MISSING") && !$0.hasPrefix("NEW") })
  }

  @Test func aSideThatHardlyListenedIsNamed() throws {
    let scratch = try Self.weeks()
    try Self.record("short", on: "2026-05-25", [Self.beacon("b7", 7)], in: scratch)
    let quiet = try Tool.run("compare", "week1.btsnoop", "short.btsnoop", in: scratch.folder)
    #expect(quiet.output.contains("! AFTER heard "), "\(quiet.output)")
    #expect(quiet.output.contains("  deaf: last heard"))
    let back = try Tool.run("compare", "week2.btsnoop", "week1.btsnoop", in: scratch.folder)
    #expect(back.output.contains("named the other way round?"))
  }

  /// Folders, and several captures with --after between the sides, are the same sides.
  @Test func severalCapturesAreASide() throws {
    let scratch = try Self.weeks()
    let made = try Tool.shell(
      "mkdir old new; cp week1.btsnoop old/a.btsnoop; cp week2.btsnoop new/a.btsnoop; "
        + "gzip -c week2.btsnoop > new/notes.txt; echo x > new/x.txt", in: scratch.folder)
    #expect(made.status == 0)
    let folders = try Tool.run(
      "compare", "-q", "--format", "json", "old", "new", in: scratch.folder)
    #expect(folders.status == 0)
    let named = try Tool.run(
      "compare", "--format", "json", "old/a.btsnoop", "--after", "new/a.btsnoop", "new/notes.txt",
      in: scratch.folder)
    let counts = try JSON(folders.bytes)["counts"]
    #expect(try JSON(named.bytes)["counts"] == counts && counts != nil)
    #expect(try JSON(named.bytes)["after"]?["captures"]?.list?.count == 2)
  }

  @Test func whatCannotBeReadIsTold() throws {
    let scratch = try Self.weeks()
    try scratch.write("notes.txt", Array("hello\n".utf8))
    let none = try Tool.run("compare", "week1.btsnoop", "notes.txt", in: scratch.folder)
    #expect(none.status == 66 && none.output.isEmpty)
    #expect(none.errors.hasPrefix("beacontrace: notes.txt: "), "\(none.errors)")
    let some = try Tool.run(
      "compare", "week1.btsnoop", "--after", "week2.btsnoop", "gone.btsnoop", in: scratch.folder)
    #expect(some.status == 66 && some.output.contains(Self.counts))
    #expect(some.errors.contains("gone.btsnoop"))
  }

  @Test func damageIsToldWithTheSide() throws {
    let scratch = try Self.weeks()
    let hurt = try Tool.shell(
      "dd if=/dev/urandom of=week2.btsnoop bs=1 count=3000 seek=100000 conv=notrunc 2>&1",
      in: scratch.folder)
    #expect(hurt.status == 0)
    let run = try Tool.run("compare", "week1.btsnoop", "week2.btsnoop", in: scratch.folder)
    #expect(run.status == 65 && run.output.contains("! AFTER: week2.btsnoop: damaged at byte "))
    let json = try Tool.run(
      "compare", "--format", "json", "week1.btsnoop", "week2.btsnoop", in: scratch.folder)
    let codes = try JSON(json.bytes)["remarks"]?.list?.compactMap { $0["code"]?.text }
    #expect(codes?.contains("damage_skipped") == true, "\(codes ?? [])")
  }

  @Test func whatWasScannedAndWhatWasListenedAreTwoThings() throws {
    let scratch = try Scratch()
    let beacons = (1...3).map { Self.beacon("b\($0)", $0) }
    try Self.record("part", on: "2026-05-11", beacons, window: 10, in: scratch)
    let words = ["part.btsnoop", "part.btsnoop"]
    let run = try Tool.run(["compare"] + words, in: scratch.folder)
    let text = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(text.contains("scanning for 10 min 0"), "\(run.output)")
    #expect(text.contains(", listened 1 min 00 s of that, "), "\(run.output)")
    let side = try JSON(
      try Tool.run(["compare", "--format", "json"] + words, in: scratch.folder).bytes)["after"]
    let analyzed = try Tool.run("analyze", "--format", "json", "part.btsnoop", in: scratch.folder)
    let scan = try JSON(analyzed.bytes)["captures"]?.list?.first?["observers"]?.list?.first?["scan"]
    #expect(scan?["listening_s"] == side?["scanned_s"] && scan?["listening_s"] != nil)
    #expect(scan?["listened_s"] == side?["listened_s"] && scan?["listened_s"] != nil)
    let told = try Tool.run("analyze", "part.btsnoop", in: scratch.folder).output
    #expect(
      told.split { " \n".contains($0) }.joined(separator: " ").contains(
        "listening for 1 min 00 s of 10 min"), "\(told)")
  }

  @Test func whatComesThroughAPipeIsReadTwice() throws {
    let scratch = try Self.weeks()
    let file = try Tool.run("compare", "week1.btsnoop", "week2.btsnoop", in: scratch.folder)
    let run = try Tool.shell(
      "cat week2.btsnoop | \(Tool.path) compare week1.btsnoop <(cat)", in: scratch.folder)
    let rest = { (run: Run) in run.lines.dropFirst(6).map { $0 } }
    #expect(rest(file).count > 5 && rest(run) == rest(file), "\(run.output)")
  }

  @Test(arguments: [
    (["week1"], "Two sides are compared"), (["a", "b", "c"], "Two sides are compared"),
    (["-", "-"], "Standard input (-) can be read once only."),
    (["-", "--after", "-"], "Standard input (-) can be read once only."),
    (["--local", "--format", "json", "a", "b"], "--local is for what people read"),
  ])
  func wrongWords(_ words: [String], _ says: String) throws {
    let run = try Tool.run(["compare"] + words)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  /// Two phones, of whose logs every one has the same name.
  @Test func phonesAreKnownByTheirFolders() throws {
    let scratch = try Scratch()
    let both = (1...8).map { Self.beacon("b\($0)", $0) }
    try Self.record("one", on: "2026-05-11", both + [Self.beacon("b9", 9)], in: scratch)
    try Self.record("other", on: "2026-05-11", both, in: scratch)
    try Self.record("later", on: "2026-05-18", both, in: scratch)
    func copy(_ name: String, _ path: String) throws {
      let file = scratch.folder.appending(path: "\(name).btsnoop")
      try scratch.write(path, [UInt8](try Data(contentsOf: file)))
    }
    try copy("one", "before/anna/btsnoop_hci.log")
    try copy("other", "before/bert/btsnoop_hci.log")
    try copy("later", "after/bert/btsnoop_hci.log")
    try copy("later", "unnamed/btsnoop_hci.log")
    for now in ["after", "after/bert", "after/bert/btsnoop_hci.log"] {
      let run = try Tool.run("compare", "--format", "json", "before", now, in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("Observer anna/btsnoop_hci (heard 9 beacons) of BEFORE"))
      #expect(
        run.output.contains("\"grade\":\"deaf\",\"doubt\":\"radio_missing\""), "\(run.output)")
      #expect(!run.output.contains("radio_new") && !run.output.contains("\"gone\""))
    }
    let unnamed = try Tool.run("compare", "before", "unnamed", in: scratch.folder)
    let words = unnamed.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains(
        "anna/btsnoop_hci, bert/btsnoop_hci of BEFORE and btsnoop_hci of AFTER have one file name, and their "
          + "folders do not say which is which"))
    #expect(words.contains("alone, which has no known counterpart now") && !words.contains("gone:"))
  }

  /// Two receivers, whose files have a date in their names; one beacon was moved away from both.
  @Test func whichReceiverIsMeantIsTold() throws {
    let scratch = try Scratch()
    let all = (1...4).map { Self.beacon("b\($0)", $0) }
    let moved = Array(all.dropLast()) + [Self.beacon("b4", 4, ["at": [90, 2]])]
    for (day, beacons, folder) in [
      ("2026-05-11", all, "before"), ("2026-05-18", moved, "after"),
    ] {
      for name in ["west", "east"] {
        try Self.record("\(name)-\(day)", on: day, beacons, in: scratch)
        var made = [UInt8](
          try Data(contentsOf: scratch.folder.appending(path: "\(name)-\(day).btsnoop")))
        // Copies, byte for byte, would be left out.
        if name == "east" { made[made.count - 1] ^= 1 }
        try scratch.write("\(folder)/\(name)-\(day).btsnoop", made)
        if folder == "after" { try scratch.write("other/\(name)2.btsnoop", made) }
      }
    }
    let run = try Tool.run("compare", "before", "after", in: scratch.folder)
    let line = run.lines.first { $0.contains(" dBm at ") } ?? ""
    #expect(line.contains("5a4b…b7e5:1:4") && line.contains(" dBm at east"), "\(run.output)")
    #expect(!run.output.contains("No receiver has one name"))
    let json = try JSON(
      try Tool.run("compare", "--format", "json", "before", "after", in: scratch.folder).bytes)
    let changes = (json["changed"]?.list ?? []).flatMap { $0["changes"]?.list ?? [] }
    let signal = changes.first { $0["what"]?.text == "rssi_median_dbm" }
    #expect(signal?["observer"]?.text?.hasPrefix("east") == true, "\(changes)")
    let other = try Tool.run("compare", "before", "other", in: scratch.folder)
    #expect(other.output.contains("! No receiver has one name on both sides"), "\(other.output)")
  }

  /// It was with the other receiver in the end, which is not there now.
  @Test func whoWasHeardLastByAMissingReceiverIsNotGone() throws {
    let scratch = try Scratch()
    let all = (1...4).map { Self.beacon("b\($0)", $0) }
    var leaving = Self.beacon("b9", 9)
    leaving["at"] = nil
    leaving["path"] = [[0, 1, 1], [200, 1, 1], [210, 90000, 1], [600, 90000, 1]]
    try Self.record("west", on: "2026-05-11", all + [leaving], in: scratch)
    try Self.record("east", on: "2026-05-11", all + [Self.beacon("b9", 9)], in: scratch)
    let before = try Tool.shell(
      "mkdir before after; mv west.btsnoop east.btsnoop before", in: scratch.folder)
    #expect(before.status == 0)
    try Self.record("west", on: "2026-05-18", all, in: scratch)
    try #require(
      try Tool.shell("mv west.btsnoop after", in: scratch.folder).status == 0)
    let run = try Tool.run("compare", "before", "after", in: scratch.folder)
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(words.contains("5a4b…b7e5:1:9 deaf: last heard"), "\(run.output)")
    #expect(words.contains("last, or most often, heard by east"), "\(run.output)")
    let json = try Tool.run("compare", "--format", "json", "before", "after", in: scratch.folder)
    let missing = try JSON(json.bytes)["missing"]?.list?.first
    #expect(missing?["heard_most_by"]?.text?.hasPrefix("east") == true, "\(json.output)")
  }
}
