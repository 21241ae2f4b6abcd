import CaptureReader
import CaptureWriter
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// What an exit is worth does not depend on how short its period is.
@Suite("Short exit periods") struct ShortExitTests {
  @Test("somebody who is heard between two ticks counts", arguments: ["0.1", "0.25", "1.1"])
  func othersCount(_ period: String) throws {
    var records: [Record] = []
    func hear(_ milliseconds: Int64, _ data: [UInt8], _ address: Address) {
      let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: -60))
      records.append(
        Record(
          (Recording.start + milliseconds) * 1_000_000, packet.h4, tag: packet.btsnoopFlags))
    }
    let other = Address(0xC000_0000_0099, isRandom: true)
    for place in 0..<100 {
      if place < 5 { hear(Int64(place) * 30, Recording.iBeacon(1), JudgeOrderTests.one) }
      // No beacon: flags alone.
      hear(Int64(place) * 30 + 7, [2, 1, 6], other)
    }
    let settings = try JudgeOrderTests.settings(
      "tag=address:00:00:00:00:00:01,exit_after=\(period)")
    var options = Analysis.Options()
    options.follow = settings
    let source = CaptureSource.bytes(BtsnoopWriter(datalink: 1002).file(records), name: "a")
    var analysis = Analysis([source], options: options)
    var none = NoSink()
    let timeline = try #require(try analysis.run(into: &none).timeline)
    let silence = try #require(timeline.events.first { $0.type == .exit }?.silence)
    #expect(silence.othersHeard.isKnown && silence.grade == .thin)
    #expect(silence.recordGap == 0)
  }
}
