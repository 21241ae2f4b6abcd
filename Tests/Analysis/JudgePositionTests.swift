import CaptureReader
import CaptureWriter
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// Positions that captures carry: what follows from them is told in an order of its own.
@Suite struct JudgePositionTests {
  /// A sniffer that walks north at 5 m/s, past the place of second 100, with its position in every
  /// tenth packet, so that what happened is known late; a second one stands still meanwhile.
  private static func sources() -> [CaptureSource] {
    [("walk", 5.0), ("still", 0.0)].map { name, speed in
      let records = (0..<400).map { step in
        let metres = Double(step) / 2 * speed
        let place = CaptureWriter.Position(
          latitude: 52.5 + metres / 111_195, longitude: 13.25, altitude: 30)
        let packet = Air.packet(Air.legacy(JudgeOrderTests.one, Recording.iBeacon(1)))
        let offset = Int64(step) * 500 + (speed > 0 ? 0 : 250)
        return Record(
          (Recording.start + offset) * 1_000_000,
          AirLink.ppi(
            AirLink.Header(channel: 37, rssi: -60), position: step % 10 == 0 ? place : nil, packet))
      }
      return .bytes(PcapWriter(linkType: 192).file(records), name: name)
    }
  }

  private static func run(_ region: String, markers: [Int64] = [], batch: Int) throws -> JudgedRun {
    var settings = try JudgeOrderTests.settings(region)
    settings.positions = try PositionSettings("distance=100")
    settings.displayMarkers = markers.map {
      Timestamp(nanoseconds: (Recording.start + $0 * 1000) * 1_000_000)
    }
    return try JudgedRun(sources(), settings, batch: batch)
  }

  private static let circle = "yard=circle:\(52.5 + 500 / 111_195.0),13.25,115"

  @Test("The same in batches of any size", arguments: ["", ",notify_entry_state_on_display=yes"])
  func batches(_ option: String) throws {
    let usual = try Self.run(Self.circle + option, markers: [110], batch: 1024)
    let types = usual.log.events.map(\.type)
    #expect(types.count { $0 == .position } > 5)
    #expect(types.count { $0 == .enter } == 1 && types.count { $0 == .exit } == 1)
    for batch in [1, 7, 50] {
      let other = try Self.run(Self.circle + option, markers: [110], batch: batch)
      #expect(zip(usual.log.lines, other.log.lines).first { $0 != $1 } == nil, "\(batch)")
      #expect(usual.log.lines.count == other.log.lines.count)
    }
    #expect(Set(usual.log.events.map(\.id)) == Set(usual.timeline.events.map(\.id)))
  }
}
