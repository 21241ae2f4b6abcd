import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// A beacon that is missing because its address sends something that is none.
@Suite(.timeLimit(.minutes(60)))
struct ComparedRefusalTests {
  private static let broken = Payload.manufacturer(0x004C, [0x02, 0x14] + [UInt8](0..<21))

  /// Beacons 1 to 4, each from an address of its own, every second.
  private static func side(_ day: Int64, _ first: [UInt8]...) -> [UInt8] {
    let records = (0..<600).flatMap { second in
      let time = WordingTests.start + (day * 86_400 + Int64(second)) * 1_000_000_000
      let first = first.map { WordingTests.heard($0, from: Address(0xC000_0000_0C01), at: time) }
      return first
        + (2...4 as ClosedRange<UInt16>).map { minor in
          WordingTests.heard(
            WordingTests.iBeacon(minor), from: Address(0xC000_0000_0C00 + UInt64(minor)),
            at: time + Int64(minor) * 1_000_000)
        }
    }
    return PcapWriter(linkType: 187).file(records)
  }

  @Test func whatItsAddressSendsNowIsTold() throws {
    let scratch = try Scratch()
    try scratch.write("before.pcap", Self.side(0, WordingTests.iBeacon(1)))
    try scratch.write("now.pcap", Self.side(7, Self.broken))
    try scratch.write("both.pcap", Self.side(0, WordingTests.iBeacon(1), Self.broken))
    func run(_ words: String...) throws -> Run {
      try Tool.run(["compare", "-q"] + words, in: scratch.folder)
    }
    let told = try run("before.pcap", "now.pcap").output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      told.contains(
        "; c0:00:00:00:0c:01 claims now to send an iBeacon 600 times and does not (ibeacon_bad_length)"
      ), "\(told)")
    let json = try JSON(run("--format", "json", "before.pcap", "now.pcap").bytes)
    let refused = json["missing"]?.list?.first?["refused_now"]?.list
    #expect(refused?.count == 1 && refused?.first?["count"]?.int == 600)
    #expect(refused?.first?["address"]?.text == "c0:00:00:00:0c:01")
    #expect(refused?.first?["code"]?.text == "ibeacon_bad_length")
    // It did that before, too: that is no reason.
    #expect(!(try run("both.pcap", "now.pcap").output.contains("claims now")))
  }
}
