import Analysis
import FrameEncoder
import Testing

/// Whether addresses of one identity are in use at the same time, or one after the other.
@Suite struct AddressesAtOnceTests {
  /// Seconds at which each address is heard, and by whom.
  private static func most(_ addresses: [[Int64]], radios: [Int] = []) throws -> Int? {
    var recordings = [Recording("a"), Recording("b")]
    for (number, times) in addresses.enumerated() {
      for time in times {
        recordings[radios.isEmpty ? 0 : radios[number]].hear(
          Recording.iBeacon(1), from: Address(0xC000_0000_0000 + UInt64(number)), at: time * 1000)
      }
    }
    let result =
      try radios.isEmpty
      ? Analysis.result(recordings[0]) : Analysis.result(recordings[0], recordings[1])
    let beacon = try #require(result.statistics.summaries().first)
    return beacon.addressesAtOnce()
  }

  @Test func oneAfterTheOtherAreOneDevices() throws {
    #expect(try Self.most([[0, 10, 20]]) == 1)
    #expect(try Self.most([[0, 10, 20], [21, 30], [31, 40]]) == 1)
    #expect(try Self.most([[0], [1], [2]]) == 1)
  }

  /// One sighting each within a second: which came first may be chance.
  @Test func ofTooFewSightingsNothingIsSaid() throws {
    #expect(try Self.most([[0, 10], [20], [20]]) == nil)
  }

  @Test func thoseThatAreHeardBetweenEachOtherAreSeveral() throws {
    #expect(try Self.most([[0, 10, 20], [5, 15]]) == 2)
    // Heard once, while another one was in use.
    #expect(try Self.most([[0, 20], [10]]) == 2)
    #expect(try Self.most([[0, 20], [10, 30], [25, 40], [18, 19]]) == 3)
  }

  /// Clocks of two radios are seldom the same.
  @Test func ofTwoRadiosOverlapsMustBeLonger() throws {
    #expect(try Self.most([[0, 50], [20, 90]], radios: [0, 1]) == 1)
    #expect(try Self.most([[0, 200], [20, 300]], radios: [0, 1]) == 2)
  }

  /// A copy that begins within the minute by which clocks may differ: each radio hears it among the other's sightings.
  @Test func whatOneOfTwoRadiosHearsAtOnceIsSeveral() throws {
    var (hall, door) = (Recording("hall"), Recording("door"))
    for second: Int64 in 0..<330 {
      for copy in 0..<2 where copy == 0 ? second < 300 : second >= 280 {
        let address = Address(0xC000_0000_0000 + UInt64(copy))
        hall.hear(Recording.iBeacon(1), from: address, at: second * 1000 + Int64(copy) * 300)
        door.hear(Recording.iBeacon(1), from: address, at: second * 1000 + Int64(copy) * 300)
      }
    }
    let beacon = try #require(try Analysis.result(hall, door).statistics.summaries().first)
    #expect(beacon.addressesAtOnce() == 2)
    // The door's clock stepped back by more: the hall's own word is enough.
    #expect(beacon.addressesAtOnce(ClockSteps([0, 80_000_000_000])) == 2)
    #expect(beacon.addressesAtOnce(ClockSteps([80_000_000_000, 80_000_000_000])) == 1)
  }

  @Test func aClockThatSteppedBackMakesNoSecondDevice() throws {
    var hall = Recording("hall")
    for time: Int64 in [0, 100, 130, 140] {
      hall.hear(
        Recording.iBeacon(1), from: Address(0xC000_0000_0000 + UInt64(time / 110)), at: time * 1000)
    }
    hall.hear(Recording.iBeacon(1), from: Address(0xC000_0000_0001), at: 60_000)
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    #expect(beacon.addressesAtOnce() == 2)
    #expect(beacon.addressesAtOnce(ClockSteps([80_000_000_000])) == 1)
  }
}
