import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

/// What follows from an observer's clock must not hang on what else is heard or watched.
@Suite("the observer's clock decides", .timeLimit(.minutes(60))) struct ClockOfObserverTests {
  private static let beacon = Address(0xC000_0000_0001)
  private static let other = Address(0xC000_0000_0002)
  private static let region = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1"

  private static func time(_ seconds: Double) -> Int64 {
    WordingTests.start + Int64((seconds * 1e9).rounded())
  }

  private static func heard(_ at: Double, rssi: Int8 = -60) -> Record {
    Record(
      time(at),
      HCI.advertisingReport(HCI.LegacyReport(beacon, WordingTests.iBeacon(1), rssi: rssi)).h4)
  }

  /// An advertiser that is no beacon.
  private static func somebody(_ at: Double) -> Record {
    WordingTests.heard([2, 1, 6], from: other, at: time(at))
  }

  private static func events(_ records: [Record], _ words: [String], region: String = region) throws
    -> [JSON]
  {
    let scratch = try Scratch()
    try scratch.write("site.pcap", PcapWriter(linkType: 187).file(records))
    let run = try Tool.run(
      ["events", "--format", "ndjson", "--region", region] + words + ["site.pcap"],
      in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return try run.lines.map { try JSON($0) }.filter { $0["region"]?.text == "hall" }
  }

  /// SEMANTICS 2: whoever is heard in a window counts for the grade, and seconds may all end outside.
  @Test("under a duty cycle others who are no beacons count for grades")
  func othersInWindows() throws {
    let records =
      (0...600).map { Self.heard(Double($0) / 10) }
      + (606..<1200).map { Self.somebody(Double($0) / 10) }
    func exit(_ more: [String] = []) throws -> JSON {
      let all = try Self.events(
        records, ["--set", "scan_window=0.5", "--set", "scan_interval=5"] + more)
      return try #require(all.first { $0["type"]?.text == "exit" }, "\(all)")
    }
    let alone = try exit()
    #expect(alone["grade"]?.text == "gone", "\(alone)")
    #expect(alone["others_heard_at"]?.text != nil)
    #expect(
      try exit(["--region", "y=ibeacon:99999999-0405-0607-0809-0a0b0c0d0e0f,exit_after=1"])["grade"]
        == alone["grade"])
  }

  /// SEMANTICS 1: a sighting is handled at the largest time stamp read so far.
  @Test("results of a batch are handled when they are delivered, whatever else is heard")
  func batches() throws {
    let batch = Record(
      Self.time(3.95),
      HCI.batchResults(
        HCI.BatchResult(Self.beacon, rssi: -60, age: 16, data: WordingTests.iBeacon(1))
      ).h4)
    let others = (0..<100).filter { $0 != 39 }.map { Self.somebody(Double($0) / 10) }
    let records = others[..<39] + [batch] + others[39...]
    for more in [[], ["--region", "y=ibeacon:99999999-0405-0607-0809-0a0b0c0d0e0f,exit_after=1"]] {
      let told = try Self.events(Array(records), ["--set", "exit_after=2"] + more)
      #expect(
        told.filter { ["enter", "exit"].contains($0["type"]?.text) }.map {
          $0["time"]?.text.map { String($0.suffix(13)) }
        } == ["03.950000000Z", "05.950000000Z"], "\(told)")
    }
  }

  /// SEMANTICS 3: the list at t0 has a sample of its own.
  @Test("a gate's mean leaves out the sample of the list before")
  func meanOfAGate() throws {
    let records = [
      Self.heard(0, rssi: -85), Self.heard(0.5, rssi: -76), Self.somebody(0.6), Self.somebody(2),
    ]
    let told = try Self.events(
      records, ["--set", "exit_after=9", "--profile", "core-location"],
      region: Self.region + ",min_rssi=-80")
    #expect(told.compactMap { $0["state"]?.text } == ["inside"], "\(told)")
    #expect(told.first?["time"]?.text?.hasSuffix("00.500000000Z") == true)
  }
}
