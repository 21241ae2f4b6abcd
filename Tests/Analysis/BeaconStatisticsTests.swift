import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import TestSupport
import Testing

@Suite struct BeaconStatisticsTests {
  static let one = Address(0xC000_0000_0001)
  static let two = Address(0xC000_0000_0002)
  static let three = Address(0xC000_0000_0003)

  @Test func oneIdentityFromSeveralAddresses() throws {
    var hall = Recording("hall")
    for step in 0..<10 {
      hall.hear(Recording.iBeacon(1), from: Self.one, at: Int64(step) * 100, rssi: -50)
      if step % 2 == 0 {
        hall.hear(Recording.iBeacon(1), from: Self.two, at: Int64(step) * 100 + 7, rssi: -90)
      }
    }
    let beacons = try Analysis.result(hall).statistics.summaries()
    let beacon = try #require(beacons.first)
    #expect(beacons.count == 1)
    #expect(beacon.sightings == 15)
    #expect(beacon.sources.map(\.sightings) == [10, 5])
    #expect(beacon.sources.map(\.address.address) == [Self.one.value, Self.two.value])
    #expect(beacon.companions == 0)
    // Gaps are those of each device: nine of 100 ms, four of 200 ms; never 7 ms.
    let interval = try #require(beacon.medianInterval)
    #expect(abs(interval / 1_000_000 - 100) < 5)
    let rssi = try #require(beacon.rssi)
    #expect((rssi.min, rssi.median, rssi.max) == (-90, -50, -50))
    #expect(beacon.first.nanoseconds == Recording.start * 1_000_000)
    #expect(beacon.last.nanoseconds == (Recording.start + 900) * 1_000_000)
  }

  /// Three channels of one advertising event, or what two radios heard of it, are no interval.
  @Test func oneEventOnSeveralChannelsIsNoInterval() throws {
    var hall = Recording("hall")
    for step in 0..<30 {
      for channel in 0..<3 {
        hall.hear(Recording.iBeacon(1), from: Self.one, at: Int64(step) * 500 + Int64(channel))
      }
    }
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    #expect(beacon.sightings == 90)
    let interval = try #require(beacon.medianInterval)
    #expect(abs(interval / 500e6 - 1) < 0.0625)
  }

  @Test func oneAddressWithSeveralIdentities() throws {
    var hall = Recording("hall")
    for step in 0..<9 {
      hall.hear(Recording.iBeacon(UInt16(step % 3)), from: Self.one, at: Int64(step) * 100)
    }
    hall.hear(Recording.iBeacon(9), from: Self.two, at: 5)
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.map(\.sightings) == [3, 3, 3, 1])
    #expect(beacons.map(\.companions) == [2, 2, 2, 0])
  }

  /// What two addresses send together is counted once.
  @Test func companionsOfSeveralAddresses() throws {
    var hall = Recording("hall")
    for address in [Self.one, Self.two] {
      for minor in 0..<3 { hall.hear(Recording.iBeacon(UInt16(minor)), from: address, at: 1) }
    }
    hall.hear(Recording.iBeacon(7), from: Self.two, at: 2)
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.map(\.companions) == [3, 3, 3, 3])
  }

  @Test func powersSent() throws {
    var hall = Recording("hall")
    hall.hear(Recording.iBeacon(1, power: -59), from: Self.one, at: 0)
    hall.hear(Recording.iBeacon(1, power: -65), from: Self.one, at: 100)
    hall.hear(Recording.iBeacon(1, power: 12), from: Self.one, at: 200)
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    let power = try #require(beacon.power)
    #expect((power.min, power.max) == (-65, 12))
    #expect(beacon.warnings.contains(.implausiblePower))
  }

  // MARK: Telemetry

  @Test func telemetryIsJoinedToTheIdentityOfItsAddress() throws {
    var hall = Recording("hall")
    hall.hear(Recording.telemetry(millivolts: 3000), from: Self.one, at: 0)
    hall.hear(Recording.eddystone, from: Self.one, at: 100)
    hall.hear(Recording.telemetry(millivolts: 2900, count: 42), from: Self.one, at: 200)
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.map(\.kind) == [.eddystoneUID])
    let telemetry = try #require(beacons.first?.telemetry)
    #expect(beacons.first?.sightings == 1)
    #expect(telemetry.battery == 2900)
    #expect(telemetry.temperature == -384)
    #expect(telemetry.advertisements == 42)
    #expect(telemetry.uptime == 36_000)
    #expect(telemetry.time.nanoseconds == (Recording.start + 200) * 1_000_000)
  }

  @Test func telemetryWithoutAnIdentityStandsForItself() throws {
    var hall = Recording("hall")
    hall.hear(Recording.telemetry(millivolts: 0), from: Self.one, at: 0)
    hall.hear(Recording.eddystone, from: Self.two, at: 100)
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.map(\.kind) == [.eddystoneUID, .eddystoneTLM])
    #expect(beacons[0].telemetry == nil)
    #expect(beacons[1].sightings == 1)
    #expect(beacons[1].power == nil)
    #expect(beacons[1].companions == 0)
    // 0 mV: not measured.
    #expect(beacons[1].telemetry?.battery == nil)
  }

  /// A public and a random address with the same digits are two devices.
  @Test func kindsOfAddressesAreKeptApart() throws {
    var hall = Recording("hall")
    let other = Address(Self.one.value, isRandom: false)
    hall.hear(Recording.eddystone, from: Self.one, at: 0)
    hall.hear(Recording.telemetry(millivolts: 3000), from: other, at: 100)
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.map(\.kind) == [.eddystoneUID, .eddystoneTLM])
  }

  // MARK: Several captures

  @Test func severalObservers() throws {
    var left = Recording("left.btsnoop")
    var right = Recording("right.btsnoop")
    for step in 0..<12 {
      left.hear(Recording.iBeacon(1), from: Self.one, at: Int64(step) * 100, rssi: -40)
      right.hear(Recording.iBeacon(1), from: Self.one, at: Int64(step) * 100 + 3, rssi: -80)
    }
    right.hear(Recording.iBeacon(2), from: Self.two, at: -50, rssi: -80)
    let result = try Analysis.result(left, right)
    let beacons = result.statistics.summaries()
    let beacon = try #require(beacons.first)
    #expect(beacons.map(\.sightings) == [24, 1])
    #expect(beacon.sources.count == 1)
    let heard = beacon.sources[0].heard.map(\.observer).map { result.observers[$0] }
    #expect(Set(heard) == ["left", "right"])
    #expect(beacon.sources[0].firstCapture == 0)
    // Gaps are those that one observer sees.
    let interval = try #require(beacon.medianInterval)
    #expect(abs(interval / 1_000_000 - 100) < 5)
    #expect(result.captures.map(\.name) == ["left.btsnoop", "right.btsnoop"])
  }

  @Test("The first frame is the one of the first time, whichever receiver is named first")
  func firstFrameIsOfTheFirstTime() throws {
    var late = Recording("late.btsnoop")
    var early = Recording("early.btsnoop")
    func seconds(_ range: Range<Int64>) -> [Int64] { range.map { $0 * 1000 } }
    for time in seconds(0..<60) { late.hear(Recording.iBeacon(2), from: Self.two, at: time) }
    for time in seconds(0..<50) { early.hear(Recording.iBeacon(2), from: Self.two, at: time) }
    late.hear(Recording.iBeacon(1), from: Self.one, at: 60_000)
    for time in seconds(50..<90) { early.hear(Recording.iBeacon(1), from: Self.one, at: time) }
    for result in try [Analysis.result(late, early), Analysis.result(early, late)] {
      let beacon = try #require(
        result.statistics.summaries().first {
          $0.first.nanoseconds == (Recording.start + 50_000) * 1_000_000
        })
      let source = beacon.sources[0]
      #expect(beacon.sources.count == 1 && source.sightings == 41)
      #expect(result.captures[source.firstCapture].name == "early.btsnoop")
      #expect(source.firstFrame == 51)
    }
  }

  @Test("The first frame is the one of the first time, where the clock was set back")
  func firstFrameBehindAClockSetBack() throws {
    var hall = Recording("hall")
    for time in [9000, 9500, 4000, 4500] as [Int64] {
      hall.hear(Recording.iBeacon(1), from: Self.one, at: time)
    }
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    #expect(beacon.first.nanoseconds == (Recording.start + 4000) * 1_000_000)
    #expect(beacon.sources[0].firstFrame == 3)
  }

  /// Of captures of one receiver the one that begins first is handed on first where both have a moment.
  @Test("Of one moment in two captures the first frame is that of the one that is named first")
  func firstFrameOfOneMoment() throws {
    var (one, other) = (Recording("one.btsnoop"), Recording("other.btsnoop"))
    other.hear(Recording.iBeacon(2), from: Self.two, at: -500)
    for second in Int64(0)..<5 {
      one.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
      other.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
    }
    var options = Analysis.Options()
    options.observerNames = [0: "pi", 1: "pi"]
    var analysis = Analysis([one.source, other.source], options: options)
    var sink = NoSink()
    let beacon = try #require(try analysis.run(into: &sink).statistics.summaries().first)
    #expect(beacon.sightings == 10 && beacon.sources.count == 1)
    #expect((beacon.sources[0].firstCapture, beacon.sources[0].firstFrame) == (0, 1))
  }

  /// More identities than the tables begin with, from one address: none is lost.
  @Test func manyIdentities() throws {
    var hall = Recording("hall")
    for number in 0..<4000 {
      hall.hear(Recording.iBeacon(UInt16(number)), from: Self.one, at: Int64(number))
    }
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.count == 4000)
    #expect(beacons.allSatisfy { $0.sightings == 1 && $0.companions == 3999 })
  }
}
