import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// What is told of the time before an event: whether the radio could hear, and which frames say so.
@Suite(.timeLimit(.minutes(60)))
struct HearingTests {
  private static let beacon = Address(0xC000_0000_0001)
  private static let other = Address(0xC000_0000_0002)
  private static let region = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1"

  private static func time(_ seconds: Double) -> Int64 {
    WordingTests.start + Int64(seconds * 1e9)
  }

  private static func heard(_ at: Double, _ minor: UInt16 = 1, from address: Address = beacon)
    -> Record
  {
    WordingTests.heard(WordingTests.iBeacon(minor), from: address, at: time(at))
  }

  private static func scan(_ on: Bool, _ at: Double) -> [Record] {
    [
      Record(time(at), HCI.setScanEnable(on).h4),
      Record(time(at + 0.001), HCI.commandComplete(0x200C, [0]).h4),
    ]
  }

  private static func others(_ range: Range<Int>) -> [Record] {
    range.map { heard(Double($0) + 0.5, 9, from: other) }
  }

  /// Heard every second up to 20; the scan is off from 21 to 60; heard again at 60.2.
  private static let interrupted =
    (0...20).map { heard(Double($0)) } + scan(false, 21) + scan(true, 60)
    + (60..<70).map { heard(Double($0) + 0.2) }

  /// Heard first at 95; the scan is off from 1 to 90.
  private static let lateStart =
    others(0..<1) + scan(false, 1) + scan(true, 90) + others(90..<100) + [heard(100)]

  private static func id(_ records: [Record], _ type: String) throws -> String {
    let run = try WordingTests.run(
      records, "events", "--format", "ndjson", "--region", region, "--where", "type == \"\(type)\"")
    let line = try #require(run.lines.first, "\(run.errors)")
    return try #require(try JSON(line)["id"]?.text)
  }

  private static func explained(_ records: [Record], _ type: String) throws -> String {
    let run = try WordingTests.run(records, "explain", "--region", region, try id(records, type))
    #expect(run.status == 0, "\(run.errors)")
    return run.output.replacing(/\s+/, with: " ")
  }

  @Test func anExitNamesTheFramesThatSwitchedScanning() throws {
    let told = try Self.explained(Self.interrupted, "exit")
    #expect(
      told.contains(
        "no: the scan was off for 28.999 s of that time (switched off in frame 23, on again in frame 25)"
      ),
      "\(told)")
  }

  @Test func anEntryBehindDeafnessSaysThatItMayBeNone() throws {
    let told = try Self.explained(Self.interrupted, "enter")
    #expect(told.contains("left at 10:00:50.000 (deaf)"), "\(told)")
    #expect(
      told.contains(
        "was the radio listening? known for 0.199 s only after 10:00:20.000, and it takes 30 s to leave; deaf "
          + "10:00:21.001–10:01:00.001 (switched off in frame 23, on again in frame 25)"), "\(told)"
    )
    #expect(told.contains("this is an entry; but it may never have left"), "\(told)")
  }

  /// Heard up to 10, and left; then the scan is off from 60 to 100, and at 100.2 it is there.
  private static let cameUnheard =
    (0...10).map { heard(Double($0)) } + others(11..<60) + scan(false, 60) + scan(true, 100)
    + (100..<110).map { heard(Double($0) + 0.2) }

  @Test func anEntryRightBehindDeafnessSaysThatItMayHaveBeenEarlier() throws {
    let told = try Self.explained(Self.cameUnheard, "enter")
    #expect(told.contains("left at 10:00:40.000 (gone)"), "\(told)")
    #expect(
      told.contains(
        "was the radio listening? known for 0.199 s only after 10:01:00.001; deaf 10:01:00.001–10:01:40.001 "
          + "(switched off in frame "), "\(told)")
    #expect(
      told.contains(
        "this is an entry; but it may have come before, when the radio may not have been able to hear"
      ),
      "\(told)")
    let words = try WordingTests.run(Self.cameUnheard, "analyze", "--region", Self.region).output
      .replacing(/\s+/, with: " ")
    #expect(
      words.contains(
        "may have come before: after 10:01:00 the radio is known to have heard for 199 ms only;"),
      "\(words)")
    let run = try WordingTests.run(
      Self.cameUnheard, "analyze", "--format", "json", "--region", Self.region)
    #expect(run.output.contains(/"entry_doubt": ?"may_have_come_before"/))
    #expect(run.output.contains(/"unheard_since": ?"2026-05-19T10:01:00.001/))
  }

  /// What a visit leaves open is what its event says, whoever is told: at once, to a rule, or behind all.
  @Test(
    arguments: zip(
      [interrupted, cameUnheard], ["may_never_have_left", "may_have_come_before"]))
  func theEventOfAnEntrySaysItAsItsVisitDoes(_ records: [Record], _ doubt: String) throws {
    let scratch = try Scratch()
    try scratch.write("site.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
    try scratch.write(
      "doubt.lua",
      Array(
        """
        plugin { version = "1.0", about = "Entries that are not proved" }
        on("enter", { entry_doubt = "\(doubt)" }, function(e)
          alert { title = e.entry_doubt .. " " .. e.unheard_since .. " " .. e.listened_before_s }
        end)
        """.utf8))
    func run(_ words: String...) throws -> Run {
      try Tool.run(words + ["--region", Self.region, "site.btsnoop"], in: scratch.folder)
    }
    let analysis = try JSON(try run("analyze", "--format", "json").bytes)
    let stays = try #require(analysis["timeline"]?["stays"]?.list)
    let stay = try #require(stays.first { $0["entry_doubt"] != nil })
    #expect(stay["entry_doubt"]?.text == doubt)
    let figures = ["entry_doubt", "unheard_since", "listened_before_s"].map { stay[$0] }
    for words in [
      ["events"], ["events", "--plugin", "doubt.lua"], ["replay", "--speed", "max"],
    ] {
      let told = try Tool.run(
        words + ["--format", "ndjson", "--region", Self.region, "site.btsnoop"], in: scratch.folder)
      let events = try told.lines.map { try JSON($0) }.filter { $0["type"]?.text == "enter" }
      let doubted = events.filter { $0["entry_doubt"] != nil }
      #expect(doubted.count == 1, "\(words): \(told.output)\(told.errors)")
      #expect(
        ["entry_doubt", "unheard_since", "listened_before_s"].map { doubted.first?[$0] } == figures)
    }
    let alerts = try run("events", "--plugin", "doubt.lua").lines.filter { $0.contains(" alert ") }
    #expect(alerts.count == 1 && alerts[0].contains(doubt), "\(alerts)")
    let table = try run("events", "--format", "csv").lines
    #expect(table.first?.contains(",entry_doubt,unheard_since,listened_before_s") == true)
    #expect(table.contains { $0.contains(",enter,") && $0.contains(",\(doubt),2026-05-19T10:") })
    #expect(!table.contains { $0.contains(",exit,") && $0.contains(doubt) })
  }

  /// A third of the exit period listened to, or less than one of deafness: the entry is where it is.
  @Test(arguments: [(60.0, 100.0, 111.0), (75.0, 100.0, 100.2)])
  func deafnessLongBeforeAnEntryOrOfSecondsIsNotNamed(_ off: Double, _ on: Double, _ at: Double)
    throws
  {
    let others = (11..<60).map { Self.heard(Double($0) + 0.5, 9, from: Self.other) }
    let between = Self.others(Int(on)..<Int(at))
    let late = Self.others(60..<Int(off))
    let records =
      (0...10).map { Self.heard(Double($0)) } + others + late + Self.scan(false, off)
      + Self.scan(true, on) + between + [Self.heard(at)]
    let told = try Self.explained(records, "enter")
    #expect(told.contains("this is an entry") && !told.contains("but it may"), "\(told)")
  }

  /// In a region of several beacons, one of them heard for five seconds of every forty.
  @Test(arguments: [1, 2])
  func whoGoesFromOneBeaconToTheNextComesAndGoes(_ beacons: Int) throws {
    let away = Payload.iBeacon(
      uuid: [UInt8](repeating: 7, count: 16), major: 1, minor: 9, power: -59)
    let records = (0..<6).flatMap { visit in
      (0..<40).map { second in
        let at = Double(40 * visit + second)
        return second < 6
          ? Self.heard(at, UInt16(1 + visit % beacons))
          : WordingTests.heard(away, from: Self.other, at: Self.time(at))
      }
    }
    let told = try WordingTests.run(
      records, "analyze", "--region", "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f")
    let isTold = told.output.replacing(/\s+/, with: " ").contains(
      "by the same beacon within its exit")
    #expect(isTold == (beacons == 1), "\(told.output)")
  }

  @Test func anEntryBehindALongSilenceThatWasListenedToIsProved() throws {
    let records =
      (0...20).map { Self.heard(Double($0)) } + Self.scan(false, 21) + Self.scan(true, 60)
      + Self.others(60..<100) + [Self.heard(100)]
    let told = try Self.explained(records, "enter")
    #expect(told.contains("the state was outside: this is an entry"))
    #expect(!told.contains("was the radio listening?") && !told.contains("but it may"))
    let story = try WordingTests.run(records, "analyze", "--region", Self.region)
    #expect(!story.output.contains("may never have left"))
  }

  @Test func outsideWithoutListeningIsNoProof() throws {
    let told = try Self.explained(Self.lateStart, "state")
    #expect(
      told.contains(
        "was the radio listening? for 0.501 s of that time only; deaf 10:00:01.000–10:01:30.001 (switched off "
          + "in frame 3, on again in frame 5)"), "\(told)")
    #expect(told.contains("it may have been inside all the same, and not been heard"), "\(told)")
    let entry = try Self.explained(Self.lateStart, "enter")
    #expect(entry.contains("but it may have been inside before"), "\(entry)")
  }

  @Test func visitsSayIt() throws {
    let words = try WordingTests.run(Self.interrupted, "analyze", "--region", Self.region).output
      .replacing(/\s+/, with: " ")
    #expect(
      words.contains(
        "10 sightings, last 10:01:09; may never have left: after 10:00:20 the radio is known to have heard for "
          + "199 ms only;"
      ),
      "\(words)")
  }

  @Test func casesAndWhatIsMadeOfThemSayIt() throws {
    let scratch = try Scratch()
    try scratch.write("a.pcap", PcapWriter(linkType: 187).file(Self.interrupted))
    func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }
    let made = try run("analyze", "-q", "--region", Self.region, "--case", "a.sqlite", "a.pcap")
    #expect(made.status == 0, "\(made.errors)")
    let why = "may never have left: after 10:00:20 the radio is known to have heard for 199 ms only"
    let asked = try run(
      "case", "query", "--format", "csv", "a.sqlite",
      "SELECT listened_before_ns / 1000000, heard_before_ns < since_ns, v.entry_why FROM stays JOIN visits v ON id = visit"
    )
    #expect(asked.lines.map { $0.replacing("\r", with: "") }.suffix(2) == [",,", "199,1,\(why)"])
    let told = try run("export", "--to", "timesketch", "a.sqlite").lines.map { try JSON($0) }
    let entry = try #require(told.first { $0["event_type"]?.text == "enter" })
    #expect(entry["message"]?.text?.hasSuffix(": \(why)") == true)
    #expect(entry["entry_why"]?.text == why)
    let page = try run("case", "report", "a.sqlite").output
    #expect(page.contains(">\(why)</small>") && page.contains(" it \(why)."))
  }

  @Test func staysSayForHowLongItWasListened() throws {
    let run = try WordingTests.run(
      Self.interrupted, "analyze", "--format", "json", "--region", Self.region)
    let stays = try #require(try JSON(run.output)["timeline"]?["stays"]?.list)
    #expect(stays.map { $0["listened_before_s"]?.number } == [nil, 0.199])
  }

  /// A radio that hardly listened cannot say that nobody was there.
  @Test func neverIsNotSaidOfWhatWasHardlyListenedTo() throws {
    let absent = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:7"
    let records = Self.others(0..<10) + Self.scan(false, 11) + Self.scan(true, 90)
    let deaf = try WordingTests.run(records + Self.others(90..<91), "analyze", "--region", absent)
    #expect(deaf.output.contains("hall  not known"), "\(deaf.output)")
    let heard = try WordingTests.run(records + Self.others(90..<120), "analyze", "--region", absent)
    #expect(heard.output.contains("hall  never"), "\(heard.output)")
  }

  @Test func aLostMessageBehindDeafnessSaysNothing() throws {
    let scratch = try Scratch()
    try scratch.write("site.pcap", PcapWriter(linkType: 187).file(Self.interrupted))
    let message =
      #"{"beacon":"ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1","namespace":"site","type":"text","content":"text:hello"}"#
    try scratch.write("m.ndjson", Array((message + "\n").utf8))
    let events = try Tool.run(
      [
        "events", "--messages", "m.ndjson", "--format", "ndjson", "--where",
        "type == \"message_lost\"", "site.pcap",
      ],
      in: scratch.folder)
    let line = try #require(events.lines.first, "\(events.errors)")
    let id = try #require(try JSON(line)["id"]?.text)
    let told = try Tool.run(
      ["explain", "--messages", "m.ndjson", id, "site.pcap"], in: scratch.folder
    )
    .output.replacing(/\s+/, with: " ")
    #expect(told.contains("this says nothing about the beacon"), "\(told)")
  }
}
