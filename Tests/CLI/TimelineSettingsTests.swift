import Foundation
import Testing

/// Settings of a timeline that cannot be: 64, one sentence that says what is allowed, and no events.
@Suite(.timeLimit(.minutes(60)))
struct TimelineSettingsTests {
  private static let uuid = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"

  /// What is given, and what is said of it.
  private static let wrong: [([String], String)] = [
    (["--profile", "phone"], "unknown profile 'phone'; known are site, core-location,"),
    (["--profile", "site,site"], "profile 'site' is named twice; name each once."),
    (
      ["--region", "x=ibeacon:\(uuid)::5"],
      "region 'x': minor 5 without major; write ibeacon:UUID[:MAJOR[:MINOR]]"
    ),
    (["--region", "x=ibeacon:2f234454-cf6d"], "UUID '2f234454-cf6d' is malformed; write 32 hex"),
    (["--region", "x=ibeacon:\(uuid):70000"], "major '70000' is not a number from 0 to 65535;"),
    (
      ["--region", "x=ibeacon:\(uuid),exit_after=-3"],
      "region 'x': exit_after '-3' is negative; write seconds as 10"
    ),
    (["--region", "x=ibeacon:\(uuid),colour=3"], "unknown key 'colour'; known are address,"),
    (["--region", "x=circle:95,13.4,30"], "latitude '95' is not a number from -90"),
    (["--region", "x=circle:52.5,13.4,-3"], "radius '-3' is not a number from 1"),
    (["--region", "door"], "region 'door' has no name; write NAME=KIND:SPEC"),
    (["--set", "exit_after=-3"], "exit_after '-3' is negative; write seconds as 10"),
    (["--set", "exit_after"], "'exit_after' sets nothing; write --set exit_after=20."),
    (["--set", "patience=3"], "unknown setting 'patience'"),
    (["--set", "site.patience=3"], "unknown setting 'patience'"),
    (
      ["--set", "core-location.exit_after=3"],
      "'core-location.exit_after' is of a profile that this run does not have; name it with --profile, or leave "
        + "'core-location.' out."
    ),
    (["--region", "x=decoder:foo"], "region 'x': there is no decoder 'foo'; name the plugin"),
    (["--positions", "distance=-4"], "distance: has to be 0 to"),
    (["--region", "a=ibeacon:\(uuid),immediate_below=10"], "region 'a': immediate_below is above"),
    (["--region", "a=ibeacon:\(uuid),within=near,leave_within=1"], "leave_within 1.0 is below"),
    (["--set", "ranging_period=100000s"], "allowed is 0.001 s to 86400 s"),
    (["--subscribe", "nothing"], "nothing: is unknown; the keys are namespace, type,"),
    (["--observer", "a"], "--observer 'a' names no files; write --observer phone=first.log"),
    (["--observer", "a=b.log"], "'b.log' is none of the captures; name it among them, too."),
    (
      ["--region", "x=ibeacon:\(uuid)", "--regions-per", "beacon"],
      "--regions-per beacon is for runs without a region, and there is 'x'; leave --regions-per out"
    ),
    (["--regions-per", "room"], "Please provide one of 'uuid' and 'beacon'."),
    (["--distance-model", "ruler"], "Please provide one of 'path-loss' and 'abl'."),
  ]

  @Test(arguments: wrong)
  func wrongSettings(_ words: [String], _ says: String) throws {
    // Which files there are is known only when the captures have been looked at.
    let expect = words[0] == "--observer" ? expectOneLine : expectOneSentence
    for command in ["events", "analyze"] {
      let run = try Tool.run([command] + words + [Captures.h4])
      try expect(run, says)
    }
    try expect(
      try Tool.run(["explain", "0123456789abcdef"] + words + [Captures.h4]), says)
  }

  @Test(arguments: [
    (
      "--track",
      #"<gpx version="1.1"><trk><trkseg><trkpt lat="52.5" lon="13.4"/></trkseg></trk></gpx>"#,
      "line 1, trkpt: none of the 1 track points has a time; without times they cannot be put"
    ),
    ("--track", "52.5 13.4\n", "is no track: neither GPX (XML) nor NMEA 0183"),
    ("--messages", "{\"beacon\": 5}\n", "line 1, "),
    ("--messages", "tea\n", "line 1: is no JSON object;"),
    ("--markers", "when,what\n2026-05-19T10:00:00Z,display_on\n", "line 1"),
    ("--markers", "time,kind\nnoon,display_on\n", "line 2"),
  ])
  func wrongFiles(_ option: String, _ text: String, _ says: String) throws {
    let scratch = try Scratch()
    let file = try scratch.write("wrong", Array(text.utf8))
    let run = try Tool.run(["events", option, file.path(percentEncoded: false), Captures.h4])
    try expectOneLine(run, says)
    #expect(run.complaints.first?.contains("wrong: ") == true, "\(run.errors)")
  }

  @Test(
    "A number may be that of one profile of several; a rule that is called like a profile has its own"
  )
  func numbersOfOneProfile() throws {
    func periods(_ words: String...) throws -> [Double?] {
      let run = try Tool.run(["analyze", "--format", "json"] + words + [Captures.h4])
      #expect(run.status == 0, "\(run.errors)")
      let profiles = try #require(try JSON(run.output)["timeline"]?["profiles"]?.list)
      return profiles.map { $0["exit_after_s"]?.number }
    }
    #expect(try periods("--set", "site.exit_after=9") == [9])
    #expect(
      try periods(
        "--profile", "site,core-location", "--set", "core-location.exit_after=7", "--set",
        "exit_after=20") == [20, 7])
    let scratch = try Scratch()
    let file = try scratch.write(
      "site.lua",
      Array(
        """
        local period = option "exit_after" { default = 5 }
        on("start", function() print("own", period) end)
        """.utf8))
    let rule = file.path(percentEncoded: false)
    #expect(try periods("--plugin", rule, "--set", "site.exit_after=8") == [30])
    let run = try Tool.run(["events", "--plugin", rule, "--set", "site.exit_after=8", Captures.h4])
    #expect(run.errors.contains("own\t8") || run.errors.contains("own 8"), "\(run.errors)")
  }

  @Test func anEventThatIsNotThere() throws {
    try expectOneSentence(
      try Tool.run("explain", "00", Captures.h4), "'00' is no id of an event: these have 16 digits")
    try expectOneLine(
      try Tool.run("explain", "0000000000000000", Captures.h4),
      "no event 0000000000000000 in this capture with these settings;")
  }

  @Test func regionsStandInAFileOneOnALine() throws {
    let scratch = try Scratch()
    let lines = [
      "# the hall", "", "  hall=ibeacon:\(Self.uuid)\t", "tag=address:c4:a1:00:00:04:01",
    ]
    let file = try scratch.write("site", Array(lines.joined(separator: "\n").utf8))
    let path = file.path(percentEncoded: false)
    let read = try Tool.run("events", "--format", "ndjson", "--regions", path, Captures.walk)
    let typed = try Tool.run(
      "events", "--format", "ndjson", "--region", "hall=ibeacon:\(Self.uuid)", "--region",
      "tag=address:c4:a1:00:00:04:01", Captures.walk)
    #expect(read.status == 0 && read.output.contains("\"region\":\"tag\""))
    #expect(read.output == typed.output)
    try scratch.write("site", Array((lines + ["tag=bluecon:1"]).joined(separator: "\n").utf8))
    let run = try Tool.run("events", "--regions", path, Captures.walk)
    try expectOneLine(run, "site: line 5: region 'tag': unknown kind 'bluecon'")
  }

  /// What is found out later: without the usage, which is right.
  private func expectOneLine(_ run: Run, _ says: String) throws {
    #expect(run.status == 64, "\(says)")
    #expect(run.output.isEmpty)
    #expect(run.complaints.count == 1)
    let first = try #require(run.complaints.first)
    #expect(first.hasPrefix("beacontrace: ") && first.contains(says), "\(first)")
  }

  /// The results stand all the same.
  @Test func aTrackOfAnotherYearIsToldWithBothTimes() throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "walk.nmea", Array("$GPRMC,100000,A,5231.200,N,01324.300,E,0.0,0.0,190520,,*13\r\n".utf8))
    let run = try Tool.run([
      "analyze", "-q", "--track", file.path(percentEncoded: false), Captures.walk,
    ])
    #expect(run.status == 64)
    #expect(run.output.contains("REGIONS"))
    #expect(run.complaints.count == 1)
    let told = try #require(run.complaints.first)
    for part in ["walk.nmea: ", "2020-05-19 10:00:00", "2026-05-19 09:59:59", "share no moment"] {
      #expect(told.contains(part), "\(told)")
    }
  }

  private func expectOneSentence(_ run: Run, _ says: String) throws {
    #expect(run.status == 64, "\(says)")
    #expect(run.output.isEmpty)
    let first = try #require(run.complaints.first)
    #expect(first.hasPrefix("Error: ") && first.contains(says), "\(first)")
    #expect(run.complaints.count { $0.hasPrefix("Error: ") } == 1)
    #expect(run.complaints.last?.contains("--help' for more information") == true)
  }
}
