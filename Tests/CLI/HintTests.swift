import CaptureWriter
import Foundation
import Testing

/// What `analyze` tells beside its findings, so that nobody concludes the wrong thing from them.
@Suite(.timeLimit(.minutes(60)))
struct HintTests {
  private static let walk = Captures.folder.appending(path: Captures.walk).path
  private static let gate = "x=address:c4:a1:00:00:04:02"
  private static func point(_ east: Double, _ time: String) -> String {
    "<trkpt lat=\"52.5\" lon=\"\(east)\"><time>2026-05-19T\(time)Z</time></trkpt>"
  }

  /// One text, whatever lines it is broken into.
  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  @Test func theSameCaptureTwiceIsTold() throws {
    let scratch = try Scratch()
    try scratch.write("a.btsnoop", Captures.read(Captures.h4))
    try scratch.write("b.btsnoop", Captures.read(Captures.h4))
    let run = try Tool.run("analyze", "--all", "a.btsnoop", "b.btsnoop", in: scratch.folder)
    #expect(
      Self.words(run.output).contains(
        "! b.btsnoop is the same file as a.btsnoop, byte for byte: left out")
    )
  }

  @Test func aCaptureWithoutARecordIsTold() throws {
    let scratch = try Scratch()
    try scratch.write("empty.btsnoop", Array(try Captures.read(Captures.h4)[..<16]))
    let run = try Tool.run("analyze", "empty.btsnoop", in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.lines.contains("  ! it holds no record: there is its header alone."))
    let usual = try Tool.run("analyze", Captures.h4)
    #expect(!usual.output.contains("no record"))
  }

  @Test func aCaptureThatDidNotGoOnIsTold() throws {
    let scratch = try Scratch()
    var stream = PcapngStream([
      PcapngWriter.Interface(linkType: 201, name: "bluetooth1", resolution: 9)
    ])
    var bytes = stream.header
    let start: Int64 = 1_779_184_800_000_000_000
    stream.append(.off(interface: 0, nanoseconds: start), to: &bytes)
    try scratch.write("down.pcapng", bytes)
    let down = try Tool.run("analyze", "down.pcapng", in: scratch.folder)
    #expect(
      Self.words(down.output).contains(
        "! capturing stopped at 2026-05-19 10:00:00 UTC, and did not go on."), "\(down.output)")
    stream.append(.on(interface: 0, nanoseconds: start + 5_000_000_000), to: &bytes)
    stream.append(.off(interface: 0, nanoseconds: start + 60_000_000_000), to: &bytes)
    try scratch.write("again.pcapng", bytes)
    let again = try Tool.run("analyze", "again.pcapng", in: scratch.folder)
    #expect(
      Self.words(again.output).contains(
        "capturing stopped 2 times, the last time to the end, for 5 s altogether"),
      "\(again.output)")
  }

  @Test func aSentenceHasOneFullStop() throws {
    let scratch = try Scratch()
    let cut = "<gpx version=\"1.1\"><trk><trkseg>" + Self.point(13.4, "10:01:00") + "<trkpt la"
    try scratch.write("cut.gpx", Array(cut.utf8))
    let run = try Tool.run(
      "events", "--region", "y=circle:52.5,13.4,50", "--track", "cut.gpx", Self.walk,
      in: scratch.folder)
    #expect(run.status == 65 && !run.errors.isEmpty)
    #expect(
      !run.errors.contains("..") && run.complaints.allSatisfy { $0.hasSuffix(".") }, "\(run.errors)"
    )
  }

  /// A folder with a capture and what somebody made of it must not count it twice without a word.
  @Test(arguments: ["gzip -c walk.btsnoop > copy.gz", "zstd -q walk.btsnoop -o copy.zst"])
  func aPackedCopyIsTold(command: String) throws {
    let scratch = try Scratch()
    let walk = Captures.folder.appending(path: "museum-walk.btsnoop.gz").path(percentEncoded: false)
    let made = try Tool.shell(
      "gzip -dc '\(walk)' > walk.btsnoop; \(command)", in: scratch.folder)
    guard made.status == 0 else {
      print("skipped: \(command): \(made.errors)")
      return
    }
    let run = try Tool.run("analyze", ".", in: scratch.folder)
    let words = Self.words(run.output)
    #expect(
      words.contains("seems to be a copy of ") && words.contains("it has as many reports (17 779)"),
      "\(run.output)")
    #expect(!words.contains("overlap"))
  }

  @Test func aCopyInAnotherContainerIsTold() throws {
    let run = try Tool.run("analyze", "museum/btsnoop-h1.btsnoop", "museum/pcap-187-hci.pcap")
    #expect(
      Self.words(run.output).contains(
        "museum/pcap-187-hci.pcap seems to be a copy of museum/btsnoop-h1.btsnoop in another form"),
      "\(run.output)")
  }

  /// Somebody put another UUID in: that is no copy, and worth a word.
  @Test func aCaptureThatWasChangedIsNotTakenForACopy() throws {
    let scratch = try Scratch()
    let bytes = try Captures.read(Captures.h4)
    var changed = bytes
    let uuid: [UInt8] = [0xB9, 0x40, 0x7F, 0x30]
    let places = changed.indices.dropLast(3).filter { Array(bytes[$0..<$0 + 4]) == uuid }
    #expect(!places.isEmpty)
    for place in places { changed[place] = 0xDE }
    try scratch.write("a.btsnoop", bytes)
    try scratch.write("b.btsnoop", changed)
    let run = try Tool.run("analyze", "--all", "a.btsnoop", "b.btsnoop", in: scratch.folder)
    let words = Self.words(run.output)
    #expect(words.contains("b.btsnoop looks like a.btsnoop, and its bytes are others"), "\(words)")
    #expect(!words.contains("copy"))
  }

  /// What two radios heard at the same time is not one capture twice.
  @Test func otherPacketsOfTheSameTimeAreNoCopy() throws {
    let scratch = try Scratch()
    for (name, seed) in [("a", "1"), ("b", "2")] {
      let made = try Tool.run(
        "synth", "--out", "\(name).btsnoop", "--seed", seed, "--duration", "60", in: scratch.folder)
      #expect(made.status == 0, "\(made.errors)")
    }
    let run = try Tool.run("analyze", "a.btsnoop", "b.btsnoop", in: scratch.folder)
    #expect(!run.output.contains("copy of") && !run.output.contains("looks like"), "\(run.output)")
  }

  @Test func capturesOfOneObserverThatOverlapAreTold() throws {
    let scratch = try Scratch()
    for (name, seed) in [("a.btsnoop", "1"), ("b.btsnoop", "2")] {
      let made = try Tool.run(
        "synth", "--out", name, "--seed", seed, "--duration", "60", in: scratch.folder)
      #expect(made.status == 0)
    }
    let files = ["a.btsnoop", "b.btsnoop"]
    let one = try Tool.run(
      ["analyze", "--observer", "x=a.btsnoop,b.btsnoop"] + files, in: scratch.folder)
    let sentence =
      /a.btsnoop and b.btsnoop are said to be of one observer, x, and overlap for (59|60|1 min) .*; they share no packets/
    #expect(Self.words(one.output).contains(sentence), "\(one.output)")
    let two = try Tool.run(["analyze"] + files, in: scratch.folder)
    #expect(!two.output.contains("overlap for"))
  }

  @Test func entriesThatWaitForADisplayThatNobodySwitchedOnAreTold() throws {
    let region = Self.gate + ",notify_entry_state_on_display=yes"
    let run = try Tool.run("analyze", "--region", region, Captures.walk)
    let sentence = "no marker says that it was (--markers): no entry is told."
    #expect(Self.words(run.output).contains(sentence))
    let usual = try Tool.run("analyze", "--region", Self.gate, Captures.walk)
    #expect(!usual.output.contains("--markers"))
  }

  /// A year too early, or in a zone of others: that is no reason to tell nothing without a word.
  @Test func markersOutsideTheRecordingAreTold() throws {
    let scratch = try Scratch()
    let times = ["2025-05-19T10:02:00Z", "2026-05-19T10:02:00Z", "2026-05-19T10:02:00-02:00"]
    let rows = times.map { $0 + ",display_on\n" }
    try scratch.write("all.csv", Array(("time,kind\n" + rows.joined()).utf8))
    try scratch.write("inside.csv", Array(("time,kind\n" + rows[1]).utf8))
    let region = Self.gate + ",notify_entry_state_on_display=yes"
    let sentence =
      "2 of 3 display markers lie outside the recording, which runs from 2026-05-19 09:59:59 UTC to "
      + "2026-05-19 10:15:00 UTC: nothing is told then. Their times have to be of the capture's time, "
      + "with their zone."
    for command in ["events", "analyze"] {
      let run = try Tool.run(
        command, "--region", region, "--markers", "all.csv", Self.walk, in: scratch.folder)
      #expect(run.status == 0)
      #expect(Self.words(run.output + run.errors).contains(sentence), "\(run.errors)")
      let inside = try Tool.run(
        command, "--region", region, "--markers", "inside.csv", Self.walk, in: scratch.folder)
      #expect(!Self.words(inside.output + inside.errors).contains("display markers"))
    }
  }

  @Test func circlesOfCapturesWithoutPositionsAreTold() throws {
    let circle = "yard=circle:52.5,13.4,115"
    let words = ["--region", circle, Captures.walk]
    let sentence =
      "nothing can be told of the circle yard: the captures hold no positions, and no track says where "
      + "they were made (--track)."
    let events = try Tool.run(["events"] + words)
    #expect(events.status == 0 && events.errors == "beacontrace: \(sentence)\n", "\(events.errors)")
    #expect(Self.words(try Tool.run(["analyze"] + words).output).contains(sentence))
    let scene = try WalkScene()
    let placed = try Tool.run(
      "events", "--region", circle, "--track", "walk.gpx", "walk.btsnoop", in: scene.scratch.folder)
    #expect(placed.errors.isEmpty, "\(placed.errors)")
    // A sniffer's own positions.
    let own = try Tool.run("events", "--region", circle, "museum/pcap-192-ppi-gps.pcap")
    #expect(!own.errors.contains("--track"), "\(own.errors)")
  }

  @Test(arguments: [
    ("on(\"start\", function() mark(\"display_on\") end)", false),
    ("on(\"enter\", function() end)", true),
  ])
  func rulesThatSwitchTheDisplayOnAreAsGoodAsMarkers(rule: String, isTold: Bool) throws {
    let scratch = try Scratch()
    try scratch.write("rule.lua", Array(rule.utf8))
    let region = Self.gate + ",notify_entry_state_on_display=yes"
    let run = try Tool.run(
      "analyze", "--region", region, "--plugin", "rule.lua", Self.walk, in: scratch.folder)
    #expect(Self.words(run.output).contains("no entry is told.") == isTold, "\(run.errors)")
  }

  @Test func aTrackThatIsCutAndEndsEarlyIsTold() throws {
    let scratch = try Scratch()
    let start =
      "<gpx version=\"1.1\"><trk><trkseg>" + Self.point(13.4, "10:01:00")
      + Self.point(13.41, "10:01:20")
    try scratch.write("cut.gpx", Array(start.utf8))
    try scratch.write("whole.gpx", Array((start + "</trkseg></trk></gpx>").utf8))
    for (name, status) in [("cut.gpx", Int32(65)), ("whole.gpx", 0)] {
      let run = try Tool.run(
        "analyze", "--region", "y=circle:52.5,13.4,50", "--track", name, Self.walk,
        in: scratch.folder)
      #expect(run.status == status, "\(run.errors)")
      #expect(Self.words(run.output).contains("before the recording does: where the observer was"))
    }
  }

  /// Nineteen of twenty packets are lost of a beacon that never goes away.
  @Test func entriesThatFollowExitsByChanceAreTold() throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "still", "duration_s": 3600, "radio": {"loss": 0.95}, "observer": [[0, 0, 0]],
       "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 500},
         {"name": "other", "kind": "altbeacon", "at": [2, 2], "interval_ms": 100,
         "id": "2f234454cf6d4a0fadf2f4911ba9ffa600050001"}]}
      """
    try scratch.synthesize("still", scenario)
    let run = try Tool.run("analyze", "still.btsnoop", in: scratch.folder)
    let sentence = /within its exit period, (\d+) times: .*exit_after=(\d+) makes one visit/
    let words = Self.words(run.output)
    let found = try #require(try sentence.firstMatch(in: words), "\(run.output)")
    // With the period that it names there is none of that.
    let longer = try Tool.run(
      "analyze", "--set", "exit_after=\(found.2)", "still.btsnoop", in: scratch.folder)
    #expect(!longer.output.contains("entered again"))
  }

  /// Where a longer period shows longer silences, which look like chance then, it names one that is long enough
  /// for those, too.
  @Test(arguments: [0.97, 0.98])
  func thePeriodThatIsNamedEndsTheMatter(_ loss: Double) throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "weak", "duration_s": 7200, "observer": [[0, 0, 0]],
       "radio": {"loss": \(loss)},
       "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 1000},
         {"name": "other", "kind": "altbeacon", "at": [2, 2], "interval_ms": 100,
         "id": "2f234454cf6d4a0fadf2f4911ba9ffa600050001"}]}
      """
    try scratch.synthesize("weak", scenario)
    let run = try Tool.run("analyze", "weak.btsnoop", in: scratch.folder)
    let sentence = /exit_after=(\d+) makes one visit/
    let found = try #require(
      try sentence.firstMatch(in: Self.words(run.output)), "\(run.output)")
    let longer = try Tool.run(
      "analyze", "--set", "exit_after=\(found.1)", "weak.btsnoop", in: scratch.folder)
    #expect(!longer.output.contains("entered again"), "\(longer.output)")
  }

  @Test func positionsThatLieTooFarApartAreTold() throws {
    let scratch = try Scratch()
    let minutes = (0..<15).map { Self.point(13.5, "10:\($0 < 10 ? "0" : "")\($0):00") }
    let track = "<gpx version=\"1.1\"><trk><trkseg>" + minutes.joined() + "</trkseg></trk></gpx>"
    try scratch.write("t.gpx", Array(track.utf8))
    let run = try Tool.run(
      "analyze", "--region", "y=circle:52.5,13.4,50", "--track", "t.gpx", Self.walk,
      in: scratch.folder)
    let sentence = "Positions lie more than 30 s apart 14 times, up to 60 s:"
    #expect(Self.words(run.output).contains(sentence), "\(run.output)")
    let row = run.lines.first { $0.hasPrefix("y  ") } ?? ""
    #expect(row.contains("not known") && !row.contains("░") && !row.contains("▒"), "\(row)")
  }

  @Test func clocksThatStepBackAreToldByAllThatFollow() throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "steps", "duration_s": 60, "clock_steps": [{"at_s": 30, "step_s": -3600}],
       "observer": [[0, 0, 0]],
       "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 500}]}
      """
    try scratch.synthesize("s", scenario)
    let events = try Tool.run("events", "s.btsnoop", in: scratch.folder)
    #expect(events.errors.contains("s.btsnoop: the clock steps back once, by up to 59 min"))
    let replay = try Tool.run(
      "replay", "--speed", "max", "--no-summary", "-q", "s.btsnoop", in: scratch.folder)
    #expect(replay.errors.contains("s: its clock stepped back by 59 min"), "\(replay.errors)")
    let story = Self.words(try Tool.run("analyze", "s.btsnoop", in: scratch.folder).output)
    #expect(
      story.contains("clock: times of s.btsnoop step back, by up to 59 min"), "\(story)")
    let ids = try Tool.run("events", "-q", "--format", "csv", "s.btsnoop", in: scratch.folder)
    let id = try #require(ids.lines.dropFirst().first?.prefix(16))
    let why = try Tool.run("explain", String(id), "s.btsnoop", in: scratch.folder)
    #expect(
      Self.words(why.output).contains(
        "its clock s.btsnoop: the clock steps back once, by up to 59 min"),
      "\(why.output)")
    let quiet = try Tool.run("events", "-q", "s.btsnoop", in: scratch.folder)
    #expect(quiet.errors.isEmpty)
  }

  @Test func visitsOfCirclesHaveTheirCrossings() throws {
    let scene = try WalkScene()
    let run = try Tool.run(
      "analyze", "--region", WalkScene.circle, "--track", "walk.gpx", "walk.btsnoop",
      in: scene.scratch.folder)
    #expect(run.output.contains(/crossed (inwards|outwards) 10:0\d:\d\d/), "\(run.output)")
  }

  @Test func alertsNameTheirReceiverWhereThereAreSeveral() throws {
    let scratch = try Scratch()
    let rule =
      "on(\"state\", { state = \"inside\" }, function(e) alert { title = \"there\", evidence = e } end)"
    try scratch.write("rule.lua", Array(rule.utf8))
    let captures = ["museum/btsnoop-h4.btsnoop", "museum/btsnoop-h1.btsnoop"].map {
      Captures.folder.appending(path: $0).path
    }
    let words = ["analyze", "--plugin", "rule.lua"]
    let two = try Tool.run(words + captures, in: scratch.folder)
    #expect(two.output.contains("there (rule) at btsnoop-h4"), "\(two.output)")
    #expect(two.output.contains("there (rule) at btsnoop-h1"))
    let one = try Tool.run(words + [captures[0]], in: scratch.folder)
    #expect(one.output.contains("there (rule)") && !one.output.contains("there (rule) at"))
  }

  @Test func sightingsThatAProfilePassesOverAreTold() throws {
    let air = "museum/pcap-251-air.pcap"
    let run = try Tool.run("analyze", "--profile", "site,abl-legacy", air)
    let sentence = "34 of 34 sightings have no RSSI: abl-legacy passes over these"
    #expect(Self.words(run.output).contains(sentence), "\(run.output)")
    let usual = try Tool.run("analyze", air)
    #expect(!usual.output.contains("have no RSSI"))
  }

  @Test func messagesAreCountedAndEventsHasThem() throws {
    let scratch = try Scratch()
    let message =
      "{\"beacon\":\"ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d:1:1\",\"namespace\":\"a\","
      + "\"type\":\"b\",\"content\":\"text:hello\"}\n"
    try scratch.write("m.ndjson", Array(message.utf8))
    let words = ["--messages", "m.ndjson", Self.walk]
    let shown = try Tool.run(["analyze"] + words, in: scratch.folder)
    let events = try Tool.run(["events", "--format", "csv"] + words, in: scratch.folder)
    let found = events.lines.count { $0.contains(",message_found,") }
    let lost = events.lines.count { $0.contains(",message_lost,") }
    #expect(found > 0)
    #expect(Self.words(shown.output).contains("message found \(found) · message lost \(lost)"))
  }

  /// Its beacons are heard all the time, only weaker.
  @Test func anExitBehindAGateDoesNotSayThatNothingWasHeard() throws {
    let region = "n=ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d,min_rssi=-60"
    let events = try Tool.run("events", "--format", "csv", "--region", region, Captures.walk)
    let exit = try #require(events.lines.first { $0.contains(",exit,") && $0.contains(",gone,") })
    let id = String(exit.prefix { $0 != "," })
    let told = Self.words(try Tool.run("explain", "--region", region, id, Captures.walk).output)
    #expect(told.contains("nothing from this region that passed its gate"), "\(told)")
    #expect(told.contains("gone from the region, not from the radio's reach"), "\(told)")
  }

  @Test func whatFollowsNothingTakesNoRegions() throws {
    let run = try Tool.run("analyze", "--no-regions", "--region", Self.gate, Captures.h4)
    #expect(run.status == 64)
    #expect(run.errors.contains("--no-regions follows nothing"), "\(run.errors)")
  }
}
