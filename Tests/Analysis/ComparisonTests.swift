import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import Testing

/// What changed between two recordings.
@Suite struct ComparisonTests {
  /// How one beacon is heard.
  private struct Heard {
    var minor: UInt16
    var address: UInt64?
    var times = 0..<Int64(600)
    var every: Int64 = 1
    var power: Int8 = -59
    var rssi: Int8 = -60
    var millivolts: UInt16?
  }

  private static func address(_ number: UInt64) -> Address {
    Address(number < 1 << 32 ? 0xC000_0000_0000 + number : number)
  }

  private static func side(
    _ beacons: [Heard], day: Int64 = 0, name: String = "hall"
  ) throws -> ComparedSide {
    var all: [(time: Int64, data: [UInt8], address: Address, rssi: Int8)] = []
    for beacon in beacons {
      let from = address(beacon.address ?? UInt64(beacon.minor))
      let data = Recording.iBeacon(beacon.minor, power: beacon.power)
      let start = day * 86_400_000 + Int64(beacon.minor)
      for time in stride(
        from: beacon.times.lowerBound, to: beacon.times.upperBound, by: Int(beacon.every))
      {
        all.append((start + time * 1000, data, from, beacon.rssi))
      }
      if let millivolts = beacon.millivolts {
        all.append((start + 5, Recording.telemetry(millivolts: millivolts), from, beacon.rssi))
      }
    }
    var recording = Recording(name)
    for (time, data, from, rssi) in all.sorted(by: { $0.time < $1.time }) {
      recording.hear(data, from: from, at: time, rssi: rssi)
    }
    return ComparedSide(try Analysis.result(recording))
  }

  private static func compare(_ before: [Heard], _ now: [Heard]) throws -> Comparison {
    Comparison(before: try side(before), now: try side(now, day: 7))
  }

  private static func minor(_ place: Int, _ side: ComparedSide) -> Int {
    Int(side.beacons.identity(at: place).byte(19))
  }

  private static let steady = (UInt16(10)..<16).map { Heard(minor: $0) }

  /// The changes of the only beacon that has some.
  private static func change(_ before: Heard, _ now: Heard) throws -> [BeaconChange] {
    let found = try compare(steady + [before], steady + [now])
    #expect(found.missing.isEmpty && found.new.isEmpty)
    #expect(found.changed.count + found.same == 7 && found.changed.count <= 1)
    return found.changed.first?.changes ?? []
  }

  @Test func aRecordingAndItselfDifferInNothing() throws {
    let side = try Self.side(Self.steady + [Heard(minor: 1, millivolts: 3000)])
    let found = Comparison(before: side, now: side)
    #expect(found.missing.isEmpty && found.new.isEmpty && found.changed.isEmpty)
    #expect(found.same == 7 && found.countBefore == 7 && found.countNow == 7)
  }

  @Test func whoIsMissingAndWhoIsNewIsTold() throws {
    let found = try Self.compare(
      Self.steady + [Heard(minor: 1)], Self.steady + [Heard(minor: 2)])
    let missing = try #require(found.missing.first)
    #expect(found.missing.count == 1 && Self.minor(missing.place, found.before) == 1)
    #expect(missing.grade == .gone && missing.others == 6 && missing.othersNow == 6)
    #expect(missing.successors.isEmpty)
    #expect(found.new.map { Self.minor($0.place, found.now) } == [2])
    #expect(found.same == 6)
  }

  @Test func whereTheOthersAreMissingTooTheRadioMayBe() throws {
    let found = try Self.compare(Self.steady, [Heard(minor: 11), Heard(minor: 12)])
    #expect(found.missing.map(\.grade) == Array(repeating: .deaf, count: 4))
    #expect(found.missing.allSatisfy { $0.others == 5 && $0.othersNow == 2 })
  }

  @Test func whoWasHeardSeldomMayBeMissingByChance() throws {
    let seldom = Heard(minor: 1, every: 100)
    let found = try Self.compare(Self.steady + [seldom], Self.steady)
    #expect(found.missing.map(\.grade) == [.thin])
    // It was heard often, and is listened for ten seconds.
    let short = (UInt16(10)..<16).map { Heard(minor: $0, times: 0..<9) }
    let shortly = try Self.compare(Self.steady + [Heard(minor: 1)], short)
    #expect(shortly.missing.map(\.grade) == [.thin])
    #expect((shortly.missing.first?.expected ?? 99) < 10)
  }

  @Test func aBeaconThatSendsAnotherIdentityIsFollowed() throws {
    let found = try Self.compare(
      Self.steady + [Heard(minor: 1)], Self.steady + [Heard(minor: 2, address: 1)])
    let missing = try #require(found.missing.first)
    #expect(missing.successors.map { Self.minor($0.place, found.now) } == [2])
    let new = try #require(found.new.first)
    #expect(new.predecessors.map { Self.minor($0.place, found.before) } == [1])
  }

  @Test func twoThatSwappedTheirAddressesAreTold() throws {
    let found = try Self.compare(
      Self.steady + [Heard(minor: 1), Heard(minor: 2)],
      Self.steady + [Heard(minor: 1, address: 2), Heard(minor: 2, address: 1)])
    #expect(found.missing.isEmpty && found.new.isEmpty && found.changed.count == 2)
    for changed in found.changed {
      guard case .swapped(let other, let from, let to) = changed.changes.first else {
        Issue.record("\(changed)")
        continue
      }
      #expect(Self.minor(changed.before, found.before) + Self.minor(other, found.before) == 3)
      #expect(from != to && changed.changes.count == 1)
    }
  }

  @Test func anotherAddressIsTold() throws {
    let changes = try Self.change(Heard(minor: 1), Heard(minor: 1, address: 99))
    guard case .otherAddress(let from, let to) = changes.first else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(from.address == 0xC000_0000_0001 && to.address == 0xC000_0000_0063)
    #expect(changes.count == 1)
  }

  /// Resolvable private addresses last a quarter of an hour.
  @Test func privateAddressesAreOthersEachTime() throws {
    let before = try Self.side([Heard(minor: 1, address: UInt64(0x4000_0000_0001))])
    let now = try Self.side([Heard(minor: 1, address: UInt64(0x4000_0000_0002))])
    #expect(Comparison(before: before, now: now).changed.isEmpty)
  }

  @Test func severalAddressesAtOnceAreToldApartFromSeveralInTurn() throws {
    let before = Self.steady + [Heard(minor: 1)]
    let clone = try Self.compare(before, before + [Heard(minor: 1, address: 99)])
    guard case .moreAddresses(1, 2, let added) = clone.changed.first?.changes.first else {
      return #expect(Bool(false), "\(clone.changed)")
    }
    #expect(added.map(\.address) == [0xC000_0000_0063])
    let turns = try Self.compare(
      before,
      Self.steady + [
        Heard(minor: 1, times: 0..<300), Heard(minor: 1, address: 99, times: 300..<600),
      ])
    guard case .changesAddress(2) = turns.changed.first?.changes.first else {
      return #expect(Bool(false), "\(turns.changed)")
    }
  }

  @Test func powerIntervalSignalAndBatteryAreCompared() throws {
    var plain = Heard(minor: 1)
    var other = plain
    other.power = -74
    guard case .power((-59, -59), (-74, -74)) = try Self.change(plain, other).first else {
      return #expect(Bool(false))
    }
    other = plain
    other.every = 5
    guard case .interval(let slow, let slower) = try Self.change(plain, other).first else {
      return #expect(Bool(false))
    }
    #expect(abs(slow - 1e9) < 4e7 && abs(slower - 5e9) < 2e8)
    other = plain
    other.rssi = -66
    guard case .signal(-60, -66) = try Self.change(plain, other).first else {
      return #expect(Bool(false))
    }
    other.rssi = -65
    #expect(try Self.change(plain, other).isEmpty)
    plain.millivolts = 2980
    other = plain
    other.millivolts = 2150
    // An hour of uptime, a week later.
    let changes = try Self.change(plain, other)
    guard changes.count == 2, case .battery(2980, 2150) = changes[0],
      case .restarted(let time) = changes[1]
    else { return #expect(Bool(false), "\(changes)") }
    #expect(time.nanoseconds / 1_000_000 == Recording.start + 7 * 86_400_000 - 3_600_000 + 6)
  }

  /// A few sightings have a median of their own.
  @Test func signalsOfFewSightingsAreNotCompared() throws {
    #expect(
      try Self.change(Heard(minor: 1, every: 20), Heard(minor: 1, every: 20, rssi: -80)).isEmpty)
  }

  @Test func whoFellSilentIsTold() throws {
    let hour = (UInt16(10)..<13).map { Heard(minor: $0, times: 0..<3600) }
    let before = try Self.side(hour + [Heard(minor: 1, times: 0..<3600)])
    let now = try Self.side(hour + [Heard(minor: 1, times: 0..<1200)], day: 7)
    let found = Comparison(before: before, now: now)
    guard case .fellSilent = found.changed.first?.changes.first else {
      return #expect(Bool(false), "\(found.changed)")
    }
    #expect(found.changed.count == 1)
  }
}
