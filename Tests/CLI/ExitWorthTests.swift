import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

/// What exits are worth, from the capture to the words.
@Suite struct ExitWorthTests {
  private static let start: Int64 = 1_779_184_800_000_000_000
  private static let second: Int64 = 1_000_000_000
  private static let writer = PcapngWriter(
    .little, [PcapngWriter.Interface(linkType: 187, name: "a", resolution: 9)])
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func report(_ half: Int, _ data: [UInt8], _ address: UInt64) -> Record {
    let packet = HCI.advertisingReport(HCI.LegacyReport(Address(address), data, rssi: -60))
    return Record(start + Int64(half) * second / 2, packet.h4, tag: packet.btsnoopFlags)
  }

  private static func beacon(_ half: Int) -> Record {
    report(
      half, Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59),
      0xC000_0000_0001)
  }

  private static func other(_ half: Int) -> Record {
    report(half, [2, 1, 6], 0xC000_0000_0002)
  }

  /// A beacon twice a second for a minute, and somebody else for two.
  /// - Parameters:
  ///   - beacons: half seconds at which the beacon is heard.
  ///   - others: and somebody else.
  ///   - counted: after which half second the recorder counts how many packets it has lost so far.
  private static func packets(
    beacons: [Range<Int>] = [0..<120], others: Range<Int> = 0..<240, lost: [Int: UInt64] = [:],
    counted: [Int: UInt64] = [:]
  ) -> [UInt8] {
    writer.header
      + (0..<240).flatMap { half -> [UInt8] in
        let options = lost[half].map { writer.option(4, $0.le) } ?? []
        return (beacons.contains { $0.contains(half) } ? writer.enhancedPacket(beacon(half)) : [])
          + (others.contains(half) ? writer.enhancedPacket(other(half), options: options) : [])
          + (counted[half].map {
            writer.statistics(
              interface: 0, at: start + Int64(half) * second / 2, options: writer.option(5, $0.le))
          } ?? [])
      }
  }

  private func lines(_ bytes: [UInt8], _ words: String...) throws -> String {
    try scratch.write("a.pcapng", bytes)
    let run = try Tool.run(words + ["a.pcapng"], in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func exitID(_ bytes: [UInt8]) throws -> String {
    let line = try #require(
      try lines(bytes, "events", "--format", "ndjson", "--where", "type == 'exit'").split(
        separator: "\"id\":\""
      ).dropFirst().first)
    return String(line.prefix(16))
  }

  @Test("what packets say was lost in a silence makes it thin, and is told with its frame")
  func lossOfAPacket() throws {
    let bytes = Self.packets(lost: [150: 500])
    let events = try lines(bytes, "events", "--format", "ndjson")
    #expect(events.contains("\"grade\":\"thin\""))
    #expect(events.contains("\"silent_transmitters\":1,\"packets_lost\":500"))
    let story = try lines(bytes, "analyze")
    #expect(story.contains("thin evidence: the recorder lost 500 packets meanwhile"))
    let why = try lines(bytes, "explain", try exitID(bytes))
    #expect(
      why.contains(
        "but 500 packets were lost in that time, by the recorder's own count (10:01:15.000, frame 271)"
      ), "\(why)")
    #expect(why.contains("thin: the beacon may have gone, or have been missed"))
    let before = try lines(Self.packets(lost: [40: 500]), "events", "--format", "ndjson")
    #expect(before.contains("\"grade\":\"gone\"") && !before.contains("thin"))
  }

  /// Last heard at 59.5 s, left at 89.5 s.
  @Test("of several counts those whose time touches the silence are told")
  func severalCounts() throws {
    let bytes = Self.packets(counted: [100: 10, 140: 30, 239: 35])
    let events = try lines(bytes, "events", "--format", "ndjson")
    #expect(
      events.contains("\"grade\":\"thin\"") && events.contains("\"packets_lost\":25"), "\(events)")
    let story = try lines(bytes, "analyze")
    #expect(story.contains("the recorder lost 25 packets at some time until 10:01:59"), "\(story)")
    let none = try lines(Self.packets(counted: [100: 10]), "events", "--format", "ndjson")
    #expect(none.contains("\"grade\":\"gone\""), "\(none)")
  }

  @Test("what a recorder counts when it is done may have been lost in any silence before")
  func lossOfARecording() throws {
    func end(_ count: UInt64) -> [UInt8] {
      Self.writer.statistics(
        interface: 0, at: Self.start + 120 * Self.second, options: Self.writer.option(5, count.le))
    }
    let bytes = Self.packets() + end(100_000)
    let events = try lines(bytes, "events", "--format", "ndjson")
    #expect(events.contains("\"grade\":\"thin\""))
    #expect(events.contains("\"silent_transmitters\":1,\"packets_lost\":100000"))
    let story = try lines(bytes, "analyze")
    #expect(story.contains("left 10:01:29, thin"))
    #expect(
      story.contains("the recorder lost 100 000 packets at some time until 10:02:00"), "\(story)")
    let json = try lines(bytes, "analyze", "--format", "json")
    #expect(json.contains("\"packets_lost\": 100000") || json.contains("\"packets_lost\":100000"))
    let why = try lines(bytes, "explain", try exitID(bytes))
    #expect(
      why.contains(
        "100 000 packets may have been lost in that time, by the recorder's own count (at some time "
          + "until 10:02:00.000, behind frame 360)"), "\(why)")
    // One that is thin for another reason says both; one that lost nothing is as good as before.
    let few =
      Self.packets(beacons: [0..<2], others: 0..<100)
      + Self.writer.statistics(
        interface: 0, at: Self.start + 50 * Self.second,
        options: Self.writer.option(5, UInt64(7).le))
    #expect(try lines(few, "events").contains("thin: the recorder lost 7 packets at some time"))
    #expect(try lines(Self.packets() + end(0), "events").contains("gone"))
  }

  @Test("an exit that is soon taken back is told with how soon")
  func heardAgain() throws {
    let bytes = Self.packets(beacons: [0..<120, 206..<240])
    let story = try lines(bytes, "analyze")
    #expect(story.contains("last 10:00:59; nearest"))
    #expect(story.contains("heard again 13 s later"), "\(story)")
    let why = try lines(bytes, "explain", try exitID(bytes))
    #expect(why.contains("heard again 13 s later, at 10:01:43.000"), "\(why)")
    #expect(why.contains("at most one sighting in twenty would be followed by such a silence"))
    #expect(try !lines(Self.packets(), "analyze").contains("heard again"))
  }

  @Test("where nobody was heard for most of a silence that is said")
  func hardlyAnybody() throws {
    // What the controller says besides is no advertiser.
    let quiet =
      Self.packets(others: 0..<122)
      + (122..<240).flatMap { half -> [UInt8] in
        let packet = HCI.commandComplete(0x1001)
        return Self.writer.enhancedPacket(
          Record(Self.start + Int64(half) * Self.second / 2, packet.h4, tag: packet.btsnoopFlags))
      }
    let story = try lines(quiet, "analyze")
    #expect(story.contains("nobody was heard for the last 29 s of the exit period"), "\(story)")
    let why = try lines(quiet, "explain", try exitID(quiet))
    #expect(why.contains("nobody was heard for the last 29 s of the exit period"))
    #expect(try !lines(Self.packets(), "analyze").contains("nobody was heard"))
  }
}
