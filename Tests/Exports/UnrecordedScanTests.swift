import Analysis
import CaptureReader
import CaptureWriter
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
    let observer = try #require(try analysis.run(into: &none).captures.first?.observers.first)
    return ObserverText.info(observer).joined(separator: " ").split(separator: " ").joined(
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
}
