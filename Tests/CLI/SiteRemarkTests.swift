import Foundation
import Testing

/// What an operator is told of a site's beacons and lists without asking.
@Suite("Remarks about a site", .timeLimit(.minutes(60))) struct SiteRemarkTests {
  @Test("a slow beacon makes no region short that others keep")
  func slowBesideOthers() throws {
    let site = try SiteScene()
    try site.record(seconds: 900, extra: [4: "\"interval_ms\": 10000"])
    let slow = try site.words(
      "analyze", "--set", "exit_after=20", "--region", "slow=ibeacon:\(SiteScene.uuid):1:4",
      "site.btsnoop")
    #expect(
      slow.contains("Region slow is left after 20 s without a sighting, but for "), "\(slow)")
    let all = try site.words("analyze", "--set", "exit_after=20", "site.btsnoop")
    #expect(!all.contains("lost packets will look like exits"), "\(all)")
  }

  @Test("a power that is unlike all others of the UUID is told, a few sorts of powers are not")
  func oddPower() throws {
    let site = try SiteScene()
    try site.record(beacons: 14, seconds: 60, extra: [3: "\"measured_power\": -75"])
    let told = try site.words("analyze", "site.btsnoop")
    #expect(
      told.contains(
        "1:3 states -75 dBm, all 13 others of its UUID -59 dBm: unless it is set to send more weakly, "
          + "what is told of its distance is 6.3 times too short."), "\(told)")
    let half = Dictionary(uniqueKeysWithValues: (1...7).map { ($0, "\"measured_power\": -75") })
    try site.record("sorts", beacons: 14, seconds: 60, extra: half)
    #expect(!(try site.words("analyze", "sorts.btsnoop")).contains("others of its UUID"))
  }

  @Test(
    "an interval that is unlike all others of the UUID is told, a few sorts of intervals are not")
  func oddInterval() throws {
    let site = try SiteScene()
    try site.record(beacons: 14, seconds: 300, extra: [3: "\"interval_ms\": 5000"])
    let told = try site.words("analyze", "site.btsnoop")
    #expect(
      told.contains(
        "1:3 sends every 5.0 s, all 13 others of its UUID every 1.0 s: unless that is meant, set it like "
          + "them; it is found later, and a silence of it says less."), "\(told)")
    let half = Dictionary(uniqueKeysWithValues: (1...7).map { ($0, "\"interval_ms\": 5000") })
    try site.record("sorts", beacons: 14, seconds: 300, extra: half)
    #expect(!(try site.words("analyze", "sorts.btsnoop")).contains("others of its UUID"))
    // Of so few of its packets nobody knows its interval.
    try site.record("short", beacons: 14, seconds: 60, extra: [3: "\"interval_ms\": 5000"])
    #expect(!(try site.words("analyze", "short.btsnoop")).contains("others of its UUID"))
  }

  @Test("a beacon that one region is of alone is called by it, and by its identity, too")
  func names() throws {
    let site = try SiteScene()
    try site.record(beacons: 14, seconds: 60, extra: [3: "\"measured_power\": -75"])
    let short = "5a4b…b7e5:1:3"
    func told(_ regions: String...) throws -> String {
      let words = regions.flatMap { ["--region", $0] }
      let run = try Tool.run(["analyze", "-q"] + words + ["site.btsnoop"], in: site.scratch.folder)
      return run.output.replacing(/\s+/, with: " ")
    }
    let whole = "=ibeacon:\(SiteScene.uuid):1:3"
    let room = "room=ibeacon:\(SiteScene.uuid)"
    #expect(try told("desk\(whole)", room).contains("! desk (\(short)) states -75 dBm"))
    // One that has others, too, one of another address, and two of one beacon do not name it.
    #expect(try told(room).contains("! \(short) states"))
    #expect(try told("copy\(whole),address=c4:b0:00:00:99:99").contains("! \(short) states"))
    #expect(try told("desk\(whole)", "near\(whole),within=1").contains("! \(short) states"))
    #expect(try told("desk\(whole),address=c4:b0:00:00:01:03").contains("! desk (\(short)) states"))
    let json = try JSON(
      site.run(
        "analyze", "-q", "--format", "json", "--region", "desk\(whole)", "site.btsnoop"
      ).bytes)
    let odd = json["remarks"]?.list?.first { $0["code"]?.text == "power_unlike_others" }
    #expect(odd?["id"]?.text == "\(SiteScene.uuid):1:3")
    #expect(odd?["text"]?.text?.hasPrefix("desk (") == true)
  }

  @Test("where captures are of several days each line of a beacon has its date")
  func dates() throws {
    let site = try SiteScene()
    try site.record("a", beacons: 1, seconds: 20)
    try site.record("b", beacons: 2, seconds: 20, start: "2026-11-19T09:00:00Z")
    let both = try site.run("analyze", "a.btsnoop", "b.btsnoop").output
    #expect(both.contains("  2026-11-17 09:00:0"), "\(both)")
    #expect(both.contains("  2026-11-19 09:00:0"), "\(both)")
    // Heard on one day alone: the day of the first capture, too.
    #expect(!both.contains(/c4:b0:\S+  09:00/), "\(both)")
    let first = try site.run("analyze", "a.btsnoop").output
    #expect(first.contains(/c4:b0:\S+  09:00/), "\(first)")
  }

  @Test("signals that are all alike give no bounds")
  func noWidth() throws {
    let records = (0..<9).map { second in
      WordingTests.heard(
        WordingTests.iBeacon(1), at: WordingTests.start + Int64(second) * 1_000_000_000)
    }
    let told = try WordingTests.run(records, "analyze").output
    #expect(told.replacing(/\s+/, with: " ").contains("1.1 m (bounds not known)"), "\(told)")
  }

  @Test("a list without a region says so, and one that is not UTF-8 says what it is not")
  func lists() throws {
    let site = try SiteScene()
    try site.record(beacons: 1, seconds: 20)
    try site.scratch.write("empty.txt", Array("# nothing yet\n".utf8))
    let empty = try site.words("analyze", "--regions", "empty.txt", "site.btsnoop")
    #expect(
      empty.contains(
        "! empty.txt names no region: there is one for every UUID and namespace that was heard, as "
          + "without a list."), "\(empty)")
    let latin = Array("Caf".utf8) + [0xE9] + Array("=ibeacon:\(SiteScene.uuid)\n".utf8)
    try site.scratch.write("latin.txt", latin)
    let refused = try site.run("analyze", "--regions", "latin.txt", "site.btsnoop")
    #expect(refused.status == 64)
    #expect(
      refused.errors.contains("latin.txt: line 1: the line is not UTF-8"), "\(refused.errors)")
    let wide: [UInt8] =
      [0xFF, 0xFE]
      + Array("L=ibeacon:\(SiteScene.uuid)\n".utf8).flatMap { byte -> [UInt8] in [byte, 0] }
    try site.scratch.write("wide.txt", wide)
    let sixteen = try site.run("analyze", "--regions", "wide.txt", "site.btsnoop")
    #expect(sixteen.errors.contains("UTF-16: save it as UTF-8"), "\(sixteen.errors)")
    try site.scratch.write("bare.txt", Array(wide.dropFirst(2)))
    let bare = try site.run("analyze", "--regions", "bare.txt", "site.btsnoop")
    #expect(bare.errors.contains("UTF-16: save it as UTF-8"), "\(bare.errors)")
  }

  @Test("a file that is no text is called that, and a capture a capture")
  func binary() throws {
    let site = try SiteScene()
    try site.record(beacons: 1, seconds: 20)
    let picture = Array("\u{7F}PNG\r\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 0]
    try site.scratch.write("real.png", picture)
    for option in ["--regions", "--keys"] {
      let run = try site.run("analyze", option, "real.png", "site.btsnoop")
      #expect(run.status == 64)
      #expect(run.errors.contains("real.png: the file is no text: it holds bytes"), "\(run.errors)")
      let other = try site.run("analyze", option, "site.btsnoop", "site.btsnoop")
      #expect(
        other.errors.contains("that is a capture, too")
          || other.errors.contains("the file is a capture, and no text"), "\(other.errors)")
    }
  }

  @Test("a capture out of a pipe, which gives its bytes once, is called a capture, too")
  func pipedCapture() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      mkfifo '\(scratch.folder.path)/pipe'
      gzip -dc \(Captures.walk) > '\(scratch.folder.path)/pipe' &
      timeout 60 "$TOOL" events --regions '\(scratch.folder.path)/pipe' \(Captures.h4)
      """)
    #expect(run.status == 64)
    #expect(
      run.errors.contains("pipe: the file is a capture, and no text: name it without an option"),
      "\(run.errors)")
  }

  @Test("a comment behind a region is told to need a line of its own")
  func comments() throws {
    let site = try SiteScene()
    try site.record(beacons: 1, seconds: 20)
    try site.scratch.write("list.txt", Array("a=ibeacon:\(SiteScene.uuid):1:1 # lobby\n".utf8))
    let run = try site.run("analyze", "--regions", "list.txt", "site.btsnoop")
    #expect(run.status == 64)
    #expect(run.errors.contains("; a comment needs a line of its own."), "\(run.errors)")
  }

  @Test("who asks analyze for a table is told who writes them")
  func tables() throws {
    let site = try SiteScene()
    try site.record(beacons: 1, seconds: 20)
    let refused = try site.run("analyze", "--format", "csv", "site.btsnoop")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("beacontrace export --to csv"), "\(refused.errors)")
    let written = try site.run("export", "--to", "csv", "-o", "tables", "site.btsnoop")
    #expect(written.errors.contains("visits.csv"), "\(written.errors)")
    for name in ["visits.csv", "beacon_summary.csv"] {
      let path = site.scratch.folder.appending(path: "tables/\(name)").path
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}
