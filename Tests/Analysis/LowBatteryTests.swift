import Analysis
import Beacons
import FrameDecoder
import FrameEncoder
import Testing

/// Whose telemetry says that a battery runs out.
@Suite struct LowBatteryTests {
  private static func found(_ recordings: [Recording]) throws -> [(id: String, millivolts: Int)] {
    var analysis = Analysis(recordings.map(\.source))
    var sink = NoSink()
    let beacons = try analysis.run(into: &sink).statistics.summaries()
    return LowBatteries(beacons).all.map { low in
      (beacons.text(beacons.identity(at: low.place)), low.millivolts)
    }
  }

  private static let one = Address(0xC000_0000_0001)
  private static let other = Address(0xC000_0000_0002)
  private static let plain = Address(0xC000_0000_0003)

  @Test func whatWasToldLastCountsAndTheLowestComesFirst() throws {
    var hall = Recording("hall")
    hall.hear(Recording.iBeacon(1), from: Self.one, at: 0)
    hall.hear(Recording.iBeacon(2), from: Self.other, at: 10)
    hall.hear(Recording.telemetry(millivolts: 2399), from: Self.one, at: 20)
    hall.hear(Recording.telemetry(millivolts: 3000), from: Self.other, at: 30)
    hall.hear(Recording.telemetry(millivolts: 2000), from: Self.plain, at: 40)
    // Another receiver heard the other one later.
    var door = Recording("door")
    door.hear(Recording.telemetry(millivolts: 2100), from: Self.other, at: 50)
    let found = try Self.found([hall, door])
    #expect(found.map(\.millivolts) == [2000, 2100, 2399])
    #expect(found[1].id.hasSuffix(":1:2") && found[2].id.hasSuffix(":1:1"))
  }

  @Test func fullOnesAndThoseThatDoNotMeasureAreNotTold() throws {
    var hall = Recording("hall")
    hall.hear(Recording.iBeacon(1), from: Self.one, at: 0)
    hall.hear(Recording.telemetry(millivolts: 2400), from: Self.one, at: 20)
    hall.hear(Recording.telemetry(millivolts: 0), from: Self.other, at: 30)
    #expect(try Self.found([hall]).isEmpty)
  }

  /// A battery that was changed.
  @Test func aNewOneIsNotTold() throws {
    var hall = Recording("hall")
    hall.hear(Recording.iBeacon(1), from: Self.one, at: 0)
    hall.hear(Recording.telemetry(millivolts: 2000), from: Self.one, at: 20)
    hall.hear(Recording.telemetry(millivolts: 3050), from: Self.one, at: 40)
    #expect(try Self.found([hall]).isEmpty)
  }

  /// It changes its address, and is one all the same.
  @Test func aBeaconOfSeveralAddressesIsToldOnceByTheLatest() throws {
    var hall = Recording("hall")
    for (place, address) in [Self.one, Self.other, Self.plain].enumerated() {
      hall.hear(Recording.iBeacon(1), from: address, at: Int64(place) * 100)
      hall.hear(
        Recording.telemetry(millivolts: 2300 - UInt16(place)), from: address,
        at: Int64(place) * 100 + 10)
    }
    #expect(try Self.found([hall]).map(\.millivolts) == [2298])
    hall.hear(Recording.telemetry(millivolts: 3000), from: Self.plain, at: 500)
    #expect(try Self.found([hall]).isEmpty)
  }
}
