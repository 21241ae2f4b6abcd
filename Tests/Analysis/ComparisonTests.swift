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
    return try ComparedSide([recording])
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

  // MARK: how well was listened

  /// Beacons that a radio hears, with the signals of that radio.
  private static func recording(
    _ beacons: [Heard], _ name: String, day: Int64 = 0
  ) -> Recording {
    var all: [(time: Int64, beacon: Heard)] = []
    for beacon in beacons {
      all += stride(
        from: beacon.times.lowerBound, to: beacon.times.upperBound, by: Int(beacon.every)
      )
      .map { (day * 86_400_000 + $0 * 1000 + Int64(beacon.minor), beacon) }
    }
    var recording = Recording(name)
    for (time, beacon) in all.sorted(by: { $0.time < $1.time }) {
      recording.hear(
        Recording.iBeacon(beacon.minor, power: beacon.power),
        from: address(beacon.address ?? UInt64(beacon.minor)), at: time, rssi: beacon.rssi)
    }
    return recording
  }

  private static func side(
    _ recordings: [Recording], from: Int64? = nil
  ) throws -> ComparedSide {
    var options = Analysis.Options()
    options.limits = from.map { TimeLimits(from: $0, to: nil) }
    return try ComparedSide(recordings, options)
  }

  private static func some(_ minors: Range<UInt16>, rssi: Int8 = -60) -> [Heard] {
    minors.map { Heard(minor: $0, rssi: rssi) }
  }

  @Test func aClockThatJumpsIsNoListeningAndHidesNoSilence() throws {
    func heard(_ minor: UInt16, until end: Int64) -> [Heard] {
      [
        Heard(minor: minor, times: 0..<600),
        Heard(minor: minor, times: 9000..<end),
      ]
    }
    let all = (UInt16(10)..<14).flatMap { heard($0, until: 10_800) }
    let before = try Self.side([Self.recording(all + heard(1, until: 10_800), "hall")])
    let now = try Self.side([Self.recording(all + heard(1, until: 9600), "hall", day: 7)])
    #expect(abs(now.listened - 2_399_000_000_000) < 2_000_000_000, "\(now.listened)")
    #expect(now.listened == now.result.captures[0].observers[0].scan.listening)
    #expect(now.result.captures[0].observers[0].scan.unrecorded > 8_399_000_000_000)
    let found = Comparison(before: before, now: now)
    guard case .fellSilent = found.changed.first?.changes.first else {
      return #expect(Bool(false), "\(found.changed)")
    }
    #expect(found.changed.count == 1)
  }

  @Test func whoIsHeardByARadioThatIsMissingAloneIsNotGone() throws {
    let common = Self.some(10..<20)
    let near = Self.recording(common, "near")
    let far = Self.recording(common + [Heard(minor: 1)], "far")
    let before = try Self.side([near, far])
    let found = Comparison(
      before: before, now: try Self.side([Self.recording(common, "near", day: 7)]))
    let missing = try #require(found.missing.first)
    #expect(found.missing.count == 1 && missing.grade == .deaf)
    #expect(missing.doubt == .radioMissing && missing.heardBy == ["far"])
    #expect(found.radios.onlyBefore.map(\.name) == ["far"])
    #expect(found.radios.onlyBefore.map(\.beacons) == [11] && found.radios.onlyNow.isEmpty)
    // By itself a missing one of the radio that is there is gone.
    let heard = Comparison(
      before: try Self.side([Self.recording(common + [Heard(minor: 1)], "near"), far]),
      now: try Self.side([Self.recording(common, "near", day: 7)]))
    #expect(heard.missing.map(\.grade) == [.gone])
  }

  /// Files of one radio, one after the other, are one radio whatever their names are.
  @Test func logsThatFollowOneAnotherAreOneRadio() throws {
    let first = Self.recording(Self.some(10..<20), "log1")
    let late = Self.some(10..<20).map { Heard(minor: $0.minor, times: 700..<1400) }
    let second = Self.recording(late + [Heard(minor: 1, times: 700..<1400)], "log2")
    let found = Comparison(
      before: try Self.side([first, second]),
      now: try Self.side([Self.recording(Self.some(10..<20), "log1", day: 7)]))
    #expect(found.missing.map(\.grade) == [.gone] && found.radios.onlyBefore.isEmpty)
  }

  @Test func signalsAreThoseOfTheSameRadio() throws {
    let near = Self.recording(
      Self.some(10..<20).map { Heard(minor: $0.minor, every: 3, rssi: -60) }, "near")
    let far = Self.recording(Self.some(10..<20, rssi: -90), "far")
    let found = Comparison(
      before: try Self.side([near, far]),
      now: try Self.side([Self.recording(Self.some(10..<20, rssi: -60), "near", day: 7)]))
    #expect(found.changed.allSatisfy { $0.changes.allSatisfy { $0.isNoSignal } })
    #expect(found.signals.moved(found).isEmpty)
  }

  @Test func aReceiverThatWasMovedIsToldAndNotItsBeacons() throws {
    let before = Self.some(10..<20) + [Heard(minor: 1)]
    let moved = (UInt16(10)..<20).map { Heard(minor: $0, rssi: $0 % 2 == 0 ? -75 : -45) }
    let found = try Self.compare(before, moved)
    #expect(found.missing.map(\.grade) == [.deaf])
    #expect(found.missing.map(\.doubt) == [.radioMoved])
    #expect(found.changed.isEmpty)
    let shift = try #require(found.signals.moved(found).first?.shift)
    #expect(shift.compared == 10 && shift.stronger == 5 && shift.weaker == 5)
    // One beacon that was moved is a beacon.
    var one = Self.some(10..<20)
    one[0].rssi = -80
    let single = try Self.compare(before, one)
    #expect(single.signals.moved(single).isEmpty && single.changed.count == 1)
    #expect(single.missing.map(\.grade) == [.gone])
  }

  @Test func aCloneWithTheSameAddressIsNoOtherInterval() throws {
    // The second one sends 300 ms behind the first.
    var recording = Recording("hall")
    for second in Int64(0)..<600 {
      for minor in UInt16(10)..<20 {
        recording.hear(
          Recording.iBeacon(minor), from: Self.address(UInt64(minor)),
          at: second * 1000 + Int64(minor))
      }
      for late in second % 3 == 0 ? [Int64(100)] : [100, 370] {
        recording.hear(Recording.iBeacon(1), from: Self.address(1), at: second * 1000 + late)
      }
    }
    let found = Comparison(
      before: try Self.side(Self.some(10..<20) + [Heard(minor: 1)]),
      now: try Self.side([recording]))
    guard case .twoSenders(let interval, let apart) = found.changed.first?.changes.first else {
      return #expect(Bool(false), "\(found.changed)")
    }
    #expect(abs(interval - 1e9) < 4e7 && abs(apart - 2.7e8) < 2e7 && found.changed.count == 1)
    // One that sends faster, and is missed now and then.
    let fast = (0..<2200).filter { $0 % 4 != 3 }.map { Int64($0) * 270 }
    var quick = Recording("hall")
    for time in fast {
      quick.hear(Recording.iBeacon(1), from: Self.address(1), at: time)
    }
    let faster = Comparison(
      before: try Self.side([Heard(minor: 1)]), now: try Self.side([quick]))
    guard case .interval = faster.changed.first?.changes.first else {
      return #expect(Bool(false), "\(faster.changed)")
    }
  }

  @Test func howMuchIsHeardOfABeaconIsKnown() throws {
    let less = Self.some(10..<20).map { Heard(minor: $0.minor, every: 4) }
    let ratio = try #require(try Self.compare(Self.some(10..<20), less).signals.reception?.ratio)
    #expect(abs(ratio - 0.25) < 0.01)
  }

  @Test func whatChangedWithinTheLaterRecordingIsTold() throws {
    let hour: Range<Int64> = 0..<3600
    let others = (UInt16(10)..<20).map { Heard(minor: $0, times: hour) }
    let plain = (UInt16(1)...3).map { Heard(minor: $0, times: hour) }
    let changing = [
      // Moved, told to send less often, and away for a while.
      Heard(minor: 1, times: 0..<2000), Heard(minor: 1, times: 2000..<3600, rssi: -85),
      Heard(minor: 2, times: 0..<2000), Heard(minor: 2, times: 2000..<3600, every: 5),
      Heard(minor: 3, times: 0..<1000), Heard(minor: 3, times: 2000..<3600),
    ]
    let before = try Self.side([Self.recording(others + plain, "hall")])
    let later = Self.recording(others + changing, "hall", day: 7)
    let now = try Self.side([later])
    let from = try #require(now.lastPart).nanoseconds
    let found = Comparison(
      before: before, now: now, lately: try Self.side([later], from: from))
    var told: [Int: [BeaconChange]] = [:]
    for changed in found.changed {
      told[Self.minor(changed.before, before)] = changed.changes + changed.lately
      #expect(changed.lately.isEmpty == (Self.minor(changed.before, before) == 3))
    }
    #expect(told.count == 3 && found.same == 10)
    guard case .signal(-60, -85) = told[1]?.first, case .interval = told[2]?.first,
      case .away(_, let away) = told[3]?.first
    else { return #expect(Bool(false), "\(told)") }
    #expect(abs(away - 1001e9) < 70e9)
    // Unless it is looked for.
    #expect(Comparison(before: before, now: now).changed.count == 1)
  }
}

extension BeaconChange {
  fileprivate var isNoSignal: Bool { if case .signal = self { false } else { true } }
}
