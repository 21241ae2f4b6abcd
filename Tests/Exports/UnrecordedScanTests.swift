import Analysis
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import TestSupport
import Testing

@testable import Exports

/// What people read of scans in which nothing was recorded for a while.
@Suite struct UnrecordedScanTests {
  private static let start: Int64 = 1_779_184_800

  private static func capture(_ packets: [(second: Int64, packet: HCIPacket)]) -> CaptureSource {
    let records = packets.map {
      Record((start + $0.second) * 1_000_000_000, $0.packet.h4, tag: $0.packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: "a")
  }

  private static func text(_ packets: [(second: Int64, packet: HCIPacket)]) throws -> String {
    var analysis = Analysis([capture(packets)])
    var none = NoSink()
    let facts = try #require(try analysis.run(into: &none).captures.first)
    let observer = try #require(facts.observers.first)
    return ObserverText.info(observer, of: facts).joined(separator: " ").split(separator: " ")
      .joined(
        separator: " ")
  }

  private static func scan(_ isOn: Bool, at second: Int64) -> [(second: Int64, packet: HCIPacket)] {
    [
      (second, HCI.setScanEnable(isOn, filterDuplicates: false)),
      (second, HCI.commandComplete(0x200C, [0])),
    ]
  }

  private static func reports(_ seconds: ClosedRange<Int64>) -> [(second: Int64, packet: HCIPacket)]
  {
    let report = HCI.advertisingReport(
      HCI.LegacyReport(
        Address(0xC4A1_0000_0401),
        Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59), rssi: -60))
    return seconds.map { ($0, report) }
  }

  @Test("The longest of several times without a record is one within a scan")
  func betweenScans() throws {
    let text = try Self.text(
      Self.scan(true, at: 0) + Self.reports(1...100) + Self.scan(false, at: 101)
        + Self.scan(true, at: 500) + Self.reports(501...530) + Self.reports(580...600))
    #expect(text.contains(", 50 s of it without any record (10:08:50–10:09:40)"), "\(text)")
    let more = try Self.text(
      Self.scan(true, at: 0) + Self.reports(1...100) + Self.scan(false, at: 101)
        + Self.scan(true, at: 500) + Self.reports(501...530) + Self.reports(580...600)
        + Self.reports(640...650))
    #expect(
      more.contains(", 1 min 30 s of it without any record (the longest time 10:08:50–10:09:40)"),
      "\(more)")
  }

  /// What an adapter of the kernel's monitor gives.
  private static func adapter(
    _ adapter: UInt16, _ packets: [(second: Int64, packet: HCIPacket)]
  ) -> [(second: Int64, record: Record)] {
    packets.map { second, packet in
      let flags = BtsnoopWriter.monitorFlags(adapter: adapter, opcode: packet.monitorOpcode)
      return (second, Record((start + second) * 1_000_000_000, packet.bytes, tag: flags))
    }
  }

  @Test("Of a receiver whose records end before its capture does the rest is without any")
  func oneOfTwoEnds() throws {
    for (last, isTold) in [(Int64(300), true), (570, false)] {
      let both =
        Self.adapter(0, Self.scan(true, at: 0) + Self.reports(1...600))
        + Self.adapter(1, Self.scan(true, at: 0) + Self.reports(1...last))
      let records = both.enumerated().sorted {
        ($0.element.second, $0.offset) < ($1.element.second, $1.offset)
      }.map(\.element.record)
      let source = CaptureSource.bytes(BtsnoopWriter(datalink: 2001).file(records), name: "a")
      var analysis = Analysis([source])
      var none = NoSink()
      let result = try analysis.run(into: &none)
      let facts = try #require(result.captures.first)
      try #require(facts.observers.count == 2)
      let rest = "\((600 - last) / 60) min 00 s of it without any record (10:05:00–10:10:00)"
      let info = ObserverText.info(facts.observers[1], of: facts).joined(separator: " ")
      #expect(info.split(separator: " ").joined(separator: " ").contains(rest) == isTold, "\(info)")
      let words = Remarks.recordsEnded(facts).map(\.text)
      #expect(
        words
          == (isTold
            ? [
              "nothing came from a/hci1 after 10:05:00, while others of its capture went on for 5 min 00 s: "
                + "what stands as 'still inside' of it was so then."
            ] : []))
    }
  }

  @Test("A record without a time at the end, or one that tells of the scan, happens at the clock")
  func untimed() throws {
    let packets = Self.scan(true, at: 0) + Self.reports(1...300) + Self.scan(false, at: 301)
    // The times of single records are hours too late: the end of the enable, the last report, the end of the disable.
    for place in [1, 301, 303] {
      var wrong = packets
      wrong[place].second += 7200
      // Somebody has to contradict it.
      wrong.append((302, packets[5].packet))
      let text = try Self.text(wrong)
      #expect(text.contains("scanning 10:00:00–10:05:01,"), "\(place): \(text)")
    }
  }

  @Test("Where no record has a time, who was heard is not denied")
  func noTimes() throws {
    let beacon = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
    let packet = HCI.advertisingReport(
      HCI.LegacyReport(Address(0xC4A1_0000_0401), beacon, rssi: -60))
    let writer = PcapngWriter(.little, [.init(linkType: 187, resolution: 9)])
    let bytes = writer.header + writer.simplePacket(Record(0, packet.h4))
    let source = CaptureSource.bytes(bytes, name: "a")
    var census = AdvertiserCensus()
    try census.read(source, options: .init())
    #expect(
      CensusText(style: Style(colour: false)).lines([], census)
        == ["DEVICES   nobody was heard at a time that is known: 1 report has none"])
    var options = Analysis.Options()
    options.follow = FollowSettings()
    var analysis = Analysis([source], options: options)
    var none = NoSink()
    let text = AnalysisText(style: Style(colour: false), showsAll: false).lines(
      try analysis.run(into: &none))
    #expect(text.contains("  none: no record has a time by which it could be followed"), "\(text)")
  }
}
