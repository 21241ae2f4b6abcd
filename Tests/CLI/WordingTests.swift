import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Sentences and rows for little, for one, and for what belongs together.
@Suite(.timeLimit(.minutes(60)))
struct WordingTests {
  static let address = Address(0xC000_0000_0001)
  static let start: Int64 = 1_779_184_800_000_000_000

  static func heard(
    _ data: [UInt8], from address: Address = address, at time: Int64 = start
  ) -> Record {
    Record(time, HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: -60)).h4)
  }

  static func iBeacon(_ minor: UInt16) -> [UInt8] {
    Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: minor, power: -59)
  }

  static func run(_ records: [Record], _ words: String...) throws -> Run {
    let scratch = try Scratch()
    try scratch.write("site.pcap", PcapWriter(linkType: 187).file(records))
    return try Tool.run(words + ["site.pcap"], in: scratch.folder)
  }

  // MARK: The end of time

  @Test("A record at the last moment there is comes to an end with rules, timers and a page")
  func lastMoment() throws {
    let scratch = try Scratch()
    let records = [
      Self.heard(Self.iBeacon(1), at: Self.start), Self.heard(Self.iBeacon(2), at: .max),
    ]
    let writer = PcapngWriter(
      .little, [PcapngWriter.Interface(linkType: 187, name: "a", resolution: 9)])
    try scratch.write("both.pcapng", writer.file(records))
    try scratch.write("last.pcapng", writer.file([records[1]]))
    try scratch.write(
      "rule.lua",
      Array(
        """
        plugin { version = "1.0", about = "Counts" }
        on("sighting", function(s) every(1, function(now) end) alert { title = "heard" } end)
        """.utf8))
    let commands = [
      "analyze --plugin rule.lua --report page.html", "advise", "compare last.pcapng",
      "plugin stress rule.lua", "plugin compare rule.lua rule.lua", "replay --speed max",
    ]
    for file in ["both.pcapng", "last.pcapng"] {
      for command in commands {
        let run = try Tool.shell(
          "timeout -s KILL 60 \"$TOOL\" \(command) \(file) > /dev/null; echo $?", in: scratch.folder
        )
        #expect(run.lines == ["0"], "\(command) \(file): \(run.errors)")
      }
    }
  }

  // MARK: None and one

  @Test func nothingRecorded() throws {
    let story = try Self.run([], "analyze")
    #expect(story.status == 0)
    #expect(
      story.output.hasPrefix("site.pcap\n  pcap, HCI H4\n  0 records, 24 bytes, sha256 "))
    #expect(story.output.contains("\n\nBEACONS  none"))
    #expect(!story.output.contains("no times"))
    let facts = try Self.run([], "info")
    #expect(
      facts.lines.map { $0.prefix(13) } == [
        "site.pcap", "  container  ", "  sha256     ", "  link type  ", "  records    ",
      ])
  }

  @Test func oneRecord() throws {
    let records = [Self.heard(Self.iBeacon(1))]
    let story = try Self.run(records, "analyze")
    #expect(story.output.contains("\n  1 record, "))
    let facts = try Self.run(records, "info")
    #expect(facts.output.contains("(HCI H4), 1 record\n"))
    #expect(facts.output.contains("\n  to  "))
    #expect(!facts.output.contains("lasts"))
  }

  @Test func oneTime() throws {
    let early = try Self.run([Self.heard(Self.iBeacon(1), at: 100_000_000_000)], "analyze")
    #expect(
      early.output.contains("! the clock was not set: 1 time lies before 2000 (first at frame 1);"))
    let both = [5, 6].map { Self.heard(Self.iBeacon(1), at: $0 * 1_000_000_000) }
    #expect(try Self.run(both, "analyze").output.contains(": 2 times lie before 2000"))
  }

  // MARK: Several identities of one address

  static let other = Address(0xC000_0000_0002)

  static func remarks(_ records: [Record]) throws -> [JSON] {
    let document = try JSON(try run(records, "analyze", "--format", "json").bytes)
    return try #require(document["remarks"]?.list)
      .filter { $0["code"]?.text == "several_identities" }
  }

  @Test func oneRemarkPerAddress() throws {
    let found = try Self.remarks([3, 1, 2, 1].map { Self.heard(Self.iBeacon($0)) })
    #expect(
      found.map { $0["text"]?.text } == [
        "c0:00:00:00:00:01 sends 3 identities: 0001…0e0f:1:1, 0001…0e0f:1:2, 0001…0e0f:1:3."
      ])
    #expect(found.first?["id"]?.text == "00010203-0405-0607-0809-0a0b0c0d0e0f:1:1")
    #expect(found.first?["kind"]?.text == "ibeacon")
  }

  @Test func whatWasSetUpAnewIsTold() throws {
    func heard(_ minor: UInt16, _ seconds: Range<Int64>) -> [Record] {
      seconds.map { Self.heard(Self.iBeacon(minor), at: Self.start + $0 * 1_000_000_000) }
    }
    let anew = try Self.remarks(heard(4, 0..<20) + heard(40, 21..<60)).first?["text"]?.text ?? ""
    #expect(
      anew.hasPrefix(
        "c0:00:00:00:00:01 sent 2 identities, one after the other: 0001…0e0f:1:4 until ")
        && anew.contains(", 0001…0e0f:1:40 from "), "\(anew)")
    let few = try Self.remarks(heard(4, 0..<9) + heard(40, 21..<60)).first?["text"]?.text ?? ""
    #expect(few.contains(" sends 2 identities: "), "\(few)")
  }

  @Test func recordsOutOfOrderAreNoClockThatWasSet() throws {
    func told(_ back: Int64) throws -> String {
      let records = (0..<20).map { second in
        let late = second % 5 == 4 ? 1_000_000_000 + back : 0
        return Self.heard(Self.iBeacon(1), at: Self.start + Int64(second) * 1_000_000_000 - late)
      }
      return try Self.run(records, "analyze").output.replacing(/\s+/, with: " ")
    }
    let order = try told(300_000_000)
    #expect(
      order.contains("! 4 times a record is earlier than the one before it, by up to 300 ms")
        && order.contains("out of order, or the clock stepped back by as much."), "\(order)")
    #expect(try told(5_000_000_000).contains("! the clock steps back 4 times, by up to 5 s"))
  }

  @Test func timesBefore2000InAnAndroidLogMayBeItsFault() throws {
    let scratch = try Scratch()
    let records = (0..<3).map { second in
      let packet = HCI.advertisingReport(
        HCI.LegacyReport(Self.address, Self.iBeacon(1), rssi: -60))
      return Record(
        Int64(second + 1_000) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    try scratch.write("hci.log", BtsnoopWriter(datalink: 1002).file(records))
    let told = try Tool.run("analyze", "hci.log", in: scratch.folder).output
      .replacing(/\s+/, with: " ")
    #expect(
      told.contains("the clock was not set, or Android's log has wrong times, as 32-bit devices"),
      "\(told)")
  }

  @Test func addressesThatSendTheSame() throws {
    let found = try Self.remarks(
      [Self.address, Self.other].flatMap { address in
        (1...6).map { Self.heard(Self.iBeacon($0), from: address) }
      })
    #expect(
      found.map { $0["text"]?.text } == [
        "c0:00:00:00:00:01 and 1 other send 6 identities: 0001…0e0f:1:1, 0001…0e0f:1:2, "
          + "0001…0e0f:1:3, 0001…0e0f:1:4 and 2 more."
      ])
  }

  @Test func oneIdentityEach() throws {
    #expect(
      try Self.remarks([
        Self.heard(Self.iBeacon(1)), Self.heard(Self.iBeacon(1), from: Self.other),
        Self.heard(Self.iBeacon(2), from: Address(0xC000_0000_0003)),
      ]).isEmpty)
  }

  // MARK: Names from the file

  /// Nothing that a capture names itself reaches the terminal as an escape.
  @Test(arguments: [
    ["analyze"], ["info"], ["info", "--format", "json"], ["analyze", "--format", "json"],
    ["sightings"], ["sightings", "--format", "ndjson"], ["sightings", "--format", "csv"],
    ["events", "--format", "ndjson"], ["events", "--format", "csv"],
  ])
  func namesOfInterfaces(_ command: [String]) throws {
    let writer = PcapngWriter(
      .little,
      ["\u{1B}[31mred\u{7F}", "plain"].map { PcapngWriter.Interface(linkType: 187, name: $0) })
    let bytes = (0...1).reduce(into: writer.header) { bytes, number in
      bytes += writer.enhancedPacket(Self.heard(Self.iBeacon(1)), interface: number)
    }
    let scratch = try Scratch()
    try scratch.write("site.pcapng", bytes)
    let run = try Tool.run(command + ["site.pcapng"], in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.output.contains("[31mred"))
    #expect(run.output.contains("site/plain"))
    #expect(!run.output.utf8.contains { $0 == 0x1B || $0 == 0x7F })
  }

  // MARK: Broken advertising data

  @Test func muchBrokenAdvertisingDataIsToldAndLittleIsNot() throws {
    let broken = (0..<4).map { Self.heard([2, 1, 6, 9, 0xFF], at: Self.start + Int64($0)) }
    let whole = (4..<100).map { Self.heard(Self.iBeacon(1), at: Self.start + Int64($0)) }
    let much = try Self.run(broken + whole[..<20], "analyze").output.replacing(/\s+/, with: " ")
    #expect(
      much.contains("4 of 24 reports have broken advertising data (first frame 1): a structure is"),
      "\(much)")
    #expect(!(try Self.run(broken + whole, "analyze").output.contains("broken advertising")))
  }

  // MARK: Addresses and distances

  private static func addresses(_ spans: [ClosedRange<Int64>], isRandom: Bool) throws -> String {
    let records = spans.enumerated().flatMap { number, seconds in
      seconds.map { second in
        heard(
          iBeacon(1), from: Address(0xC000_0000_0010 + UInt64(number), isRandom: isRandom),
          at: start + second * 1_000_000_000)
      }
    }
    return try run(records, "analyze").output.replacing(/\s+/, with: " ")
  }

  @Test func publicAddressesAreNotChanged() throws {
    let inTurn = try Self.addresses([0...9, 20...29], isRandom: false)
    #expect(
      inTurn.contains(
        "2 addresses one after the other, all public: several devices in turn, or a clone"),
      "\(inTurn)")
    let short = try Self.addresses([0...0, 0...0], isRandom: false)
    #expect(short.contains("2 addresses, all public: several devices or a clone"), "\(short)")
  }

  @Test func ofTooFewSightingsNoOrderIsTold() throws {
    let told = try Self.addresses([0...0, 0...0], isRandom: true)
    #expect(
      told.contains("2 addresses, and too little to tell whether they alternate: "), "\(told)")
    let inTurn = try Self.addresses([0...9, 20...29], isRandom: true)
    #expect(
      inTurn.contains("one after the other: one device that changes its address"), "\(inTurn)")
    // Two phones with one app, or one phone whose address is another one now.
    let phones = (0..<2).flatMap { number in
      let address = Address(0x4A00_0000_0010 + UInt64(number))
      return (0..<20).map { second in
        let time = Self.start + Int64(number * 1800 + second) * 1_000_000_000
        return Self.heard(Self.iBeacon(1), from: address, at: time)
      }
    }
    let both = try Self.run(phones, "analyze").output.replacing(/\s+/, with: " ")
    #expect(
      both.contains("one device that changes its address, or several in turn"), "\(both)")
  }

  @Test func whatIsNearerThanAnySignalTellsIsNoFigure() throws {
    let records = (0..<9).map { second in
      Record(
        Self.start + Int64(second) * 1_000_000_000,
        HCI.advertisingReport(HCI.LegacyReport(Self.address, Self.iBeacon(1), rssi: 10)).h4)
    }
    let told = try Self.run(records, "analyze").output
    #expect(told.contains("nearest 1:1, under 0.1 m"), "\(told)")
  }

  @Test func anExitPeriodIsTooShortForWhatIsHeardSeldom() throws {
    let records = (0..<40).flatMap { step in
      [
        Self.heard(Self.iBeacon(1), at: Self.start + Int64(step) * 15_000_000_000),
        Self.heard([2, 1, 6], at: Self.start + Int64(step) * 15_000_000_000 + 1),
      ]
    }
    let told = try Self.run(records, "analyze").output.replacing(/\s+/, with: " ")
    #expect(
      told.contains("its beacons, all together, were heard only every 14.8 s or so: ")
        && told.contains("lost packets will look like exits"), "\(told)")
  }

  /// A night in which nobody recorded, and a radio that is far away, are no reason.
  @Test func anExitPeriodIsJudgedByWhoHeardTheRegionBestWhileItRecorded() throws {
    let scratch = try Scratch()
    func write(_ name: String, _ seconds: StrideTo<Int>) throws {
      let records = seconds.map {
        Self.heard(Self.iBeacon(1), at: Self.start + Int64($0) * 1_000_000_000)
      }
      try scratch.write(name, BtsnoopWriter(datalink: 1002).file(records))
    }
    try write("near.btsnoop", stride(from: 0, to: 600, by: 1))
    try write("far.btsnoop", stride(from: 0, to: 600, by: 15))
    let near = try Tool.run(["analyze", "near.btsnoop", "far.btsnoop"], in: scratch.folder)
    #expect(!near.output.contains("lost packets will look like exits"), "\(near.output)")
    try write("evening.btsnoop", stride(from: 0, to: 600, by: 15))
    try write("morning.btsnoop", stride(from: 36_000, to: 36_600, by: 15))
    let day = try Tool.run(
      [
        "analyze", "--observer", "hall=evening.btsnoop,morning.btsnoop", "evening.btsnoop",
        "morning.btsnoop",
      ],
      in: scratch.folder
    ).output.replacing(/\s+/, with: " ")
    #expect(
      day.contains("but for 19 min its beacons, all together, were heard only every"), "\(day)")
  }
}
