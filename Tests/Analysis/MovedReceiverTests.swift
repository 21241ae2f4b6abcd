import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// What the other receivers tell where one was moved, and when something changed within the later recording.
@Suite struct MovedReceiverTests {
  private static let hour: Int64 = 3600

  /// Whom a radio hears, how often in seconds, from when to when.
  private struct Heard {
    let minor: UInt16
    var every: Int64 = 1
    var times = 0..<MovedReceiverTests.hour
    /// By second.
    var rssi: @Sendable (Int64) -> Int8 = { _ in -60 }
  }

  private static func radio(_ name: String, _ beacons: [Heard], day: Int64 = 0) -> Recording {
    var all: [(second: Int64, beacon: Heard)] = []
    for beacon in beacons {
      all += stride(
        from: beacon.times.lowerBound, to: beacon.times.upperBound, by: Int(beacon.every)
      ).map { ($0, beacon) }
    }
    var recording = Recording(name)
    for (second, beacon) in all.sorted(by: { ($0.0, $0.1.minor) < ($1.0, $1.1.minor) }) {
      recording.hear(
        Recording.iBeacon(beacon.minor),
        from: Address(0xC000_0000_0000 + UInt64(beacon.minor)),
        at: day * 86_400_000 + second * 1000 + Int64(beacon.minor), rssi: beacon.rssi(second))
    }
    return recording
  }

  private static func later(_ name: String, _ beacons: [Heard]) -> Recording {
    radio(name, beacons, day: 7)
  }

  private static func some(
    _ minors: Range<UInt16>, rssi: @escaping @Sendable (Int64) -> Int8 = { _ in -60 }
  ) -> [Heard] {
    minors.map { Heard(minor: $0, rssi: rssi) }
  }

  private static func side(_ recordings: [Recording]) throws -> ComparedSide {
    try ComparedSide(recordings)
  }

  /// With the last quarter of the later side, and the moments of its intervals.
  private static func compare(_ before: [Recording], _ now: [Recording]) throws -> Comparison {
    let (before, all) = (try side(before), try side(now))
    var moments = IntervalMoments(all)
    var options = Analysis.Options()
    options.comparesBeacons = true
    options.limits = TimeLimits(from: try #require(all.lastPart).nanoseconds, to: nil)
    var analysis = Analysis(now.map(\.source), options: options)
    let lately = ComparedSide(try analysis.run(into: &moments))
    return Comparison(before: before, now: all, lately: lately, moments: moments)
  }

  private static func minor(_ place: Int, _ side: ComparedSide) -> Int {
    let id = side.beacons.text(side.beacons.identity(at: place))
    return Int(id.split(separator: ":").last ?? "") ?? 0
  }

  private static func changed(_ minor: Int, _ found: Comparison) -> Comparison.Changed? {
    found.changed.first { Self.minor($0.before, found.before) == minor }
  }

  private static func isSilent(_ found: Comparison) -> Bool {
    found.changed.contains {
      $0.changes.contains { if case .fellSilent = $0 { true } else { false } }
    }
  }

  /// In its last quarter, too: there less counts as a change, so that it is most signals no more.
  @Test func whatAReceiverHearsThatWasMovedIsNoChangeOfItsLastQuarter() throws {
    let north = Self.some(10..<13)
    let found = try Self.compare(
      [
        Self.radio("north", north),
        Self.radio(
          "south", Self.some(20..<28) { Int8($0 % 17) - 68 } + Self.some(28..<30)),
      ],
      [Self.later("north", north), Self.later("south", Self.some(20..<30) { _ in -67 })])
    #expect(found.signals.moved(found).map(\.name) == ["south"])
    #expect(found.changed.isEmpty, "\(found.changed)")
    #expect(found.signalsLately?.moved(found).isEmpty == true)
  }

  /// 1 was carried from `north` to `south`, 2 the other way, 3 is heard by `north` by chance.
  @Test func whatTheOthersHearIsToldBesideAReceiverThatWasMoved() throws {
    let found = try Self.compare(
      [
        Self.radio(
          "north", Self.some(10..<13) + [Heard(minor: 1), Heard(minor: 3, every: 60)]),
        Self.radio(
          "south",
          Self.some(20..<30) + [Heard(minor: 1, every: 120), Heard(minor: 2), Heard(minor: 3)]),
      ],
      [
        Self.later(
          "north",
          Self.some(10..<13)
            + [Heard(minor: 1, every: 200), Heard(minor: 2), Heard(minor: 3, every: Self.hour)]),
        Self.later(
          "south",
          Self.some(20..<30) { _ in -75 }
            + [1, 2, 3].map { Heard(minor: $0, rssi: { _ in -75 }) }),
      ])
    #expect(found.signals.moved(found).map(\.name) == ["south"])
    #expect(found.changed.map { Self.minor($0.before, found.before) }.sorted() == [1, 2])
    for (minor, before, now) in [(1, 3600, 18), (2, 0, 3600)] {
      guard case .heardBy(let radios) = Self.changed(minor, found)?.changes.first else {
        Issue.record("\(minor): \(found.changed)")
        continue
      }
      #expect(radios.map(\.radio) == ["north"])
      #expect(radios.map(\.before) == [before] && radios.map(\.now) == [now])
    }
  }

  /// What both recordings know of it is enough: who was never missed for longer than a second is silent.
  @Test func whoFellSilentShortlyBeforeTheEndIsTold() throws {
    func isTold(until end: Int64, every: Int64 = 1) throws -> Bool {
      Self.isSilent(
        try Self.compare(
          [Self.radio("north", Self.some(10..<14) + [Heard(minor: 1, every: every)])],
          [
            Self.later(
              "north", Self.some(10..<14) + [Heard(minor: 1, every: every, times: 0..<end)])
          ]))
    }
    #expect(try isTold(until: Self.hour - 150))
    #expect(!(try isTold(until: Self.hour - 30)))
    #expect(!(try isTold(until: Self.hour - 150, every: 30)))
  }

  @Test func whoWentToAReceiverThatEndsSoonerIsNotSilent() throws {
    let north = Self.some(10..<14)
    let end = Self.hour - 150
    let found = try Self.compare(
      [Self.radio("north", north + [Heard(minor: 1)]), Self.radio("south", Self.some(20..<24))],
      [
        Self.later("north", north + [Heard(minor: 1, times: 0..<end - 30)]),
        Self.later(
          "south",
          (20..<24).map { Heard(minor: $0, times: 0..<end) }
            + [Heard(minor: 1, times: (end - 30)..<end)]),
      ])
    #expect(!Self.isSilent(found), "\(found.changed)")
  }

  /// 1 sends less often from the middle on, 2 more often, 3 was another one all day.
  @Test func theMomentOfAnotherIntervalIsTold() throws {
    let half = Self.hour / 2
    let others = Self.some(10..<14)
    let found = try Self.compare(
      [
        Self.radio(
          "north",
          others + [Heard(minor: 1), Heard(minor: 2, every: 4), Heard(minor: 3)])
      ],
      [
        Self.later(
          "north",
          others + [
            Heard(minor: 1, times: 0..<half), Heard(minor: 1, every: 4, times: half..<Self.hour),
            Heard(minor: 2, every: 4, times: 0..<half), Heard(minor: 2, times: half..<Self.hour),
            Heard(minor: 3, every: 4),
          ])
      ])
    for minor in [1, 2] {
      let changed = try #require(Self.changed(minor, found), "\(found.changed)")
      #expect((changed.changes + changed.lately).contains { $0.sort == .interval })
      let since = try #require(changed.intervalSince, "\(minor)")
      let second = (since.nanoseconds - found.now.first.nanoseconds) / 1_000_000_000
      #expect(abs(second - half) <= 4, "\(minor): \(second)")
    }
    let always = try #require(Self.changed(3, found))
    #expect(always.changes.contains { $0.sort == .interval } && always.intervalSince == nil)
  }

  /// That one is too short to be known by itself, and looks like a mixture of the two.
  @Test(arguments: [(1, 4, 2), (4, 1, 2), (4, 2, 1), (2, 1, 4)] as [(Int64, Int64, Int64)])
  func theMomentIsNotThatOfAThirdIntervalBetweenTheTwo(
    _ first: Int64, _ short: Int64, _ last: Int64
  )
    throws
  {
    let quarter = Self.hour / 4
    let others = Self.some(10..<14)
    let found = try Self.compare(
      [Self.radio("north", others + [Heard(minor: 1, every: first)])],
      [
        Self.later(
          "north",
          others + [
            Heard(minor: 1, every: first, times: 0..<quarter),
            Heard(minor: 1, every: short, times: quarter..<2 * quarter),
            Heard(minor: 1, every: last, times: 2 * quarter..<Self.hour),
          ])
      ])
    let changed = try #require(Self.changed(1, found), "\(found.changed)")
    #expect((changed.changes + changed.lately).contains { $0.sort == .interval })
    if let since = changed.intervalSince {
      let second = (since.nanoseconds - found.now.first.nanoseconds) / 1_000_000_000
      #expect(abs(second - 2 * quarter) <= 4, "\(second)")
    }
  }

  /// Any of the others might be the one.
  @Test func manyThatWentEachWayAreNobodysPlaces() throws {
    func side(_ isLater: Bool) -> [Recording] {
      func some(_ minors: Range<UInt16>, isHere: Bool) -> [Heard] {
        minors.map { Heard(minor: $0, every: 30, times: 0..<(isHere ? Self.hour : 1)) }
      }
      let day: Int64 = isLater ? 7 : 0
      return [
        Self.radio(
          "north",
          Self.some(10..<16) + some(100..<200, isHere: !isLater) + some(200..<300, isHere: isLater),
          day: day),
        Self.radio(
          "south",
          Self.some(20..<26) + some(100..<200, isHere: isLater) + some(200..<300, isHere: !isLater),
          day: day),
      ]
    }
    let found = try Self.compare(side(false), side(true))
    #expect(found.changed.count == 200)
    #expect(found.changed.allSatisfy { $0.swappedPlacesWith == nil })
  }

  /// Each way at a time of its own: it is not the one for the other.
  @Test(arguments: [(0, 1200), (1200, 0), (600, 2000), (2000, 2000)] as [(Int64, Int64)])
  func twoThatWentAtOtherTimesChangedNoPlaces(_ one: Int64, _ other: Int64) throws {
    func side(_ isLater: Bool) -> [Recording] {
      func left(_ minor: UInt16, _ moment: Int64) -> Heard {
        Heard(minor: minor, times: 0..<(isLater ? max(1, moment) : Self.hour))
      }
      func came(_ minor: UInt16, _ moment: Int64) -> Heard {
        Heard(minor: minor, times: isLater ? moment..<Self.hour : 0..<1)
      }
      let day: Int64 = isLater ? 7 : 0
      return [
        Self.radio(
          "north", Self.some(10..<16) + [left(1, one), came(2, other)], day: day),
        Self.radio(
          "south", Self.some(20..<26) + [came(1, one), left(2, other)], day: day),
      ]
    }
    let found = try Self.compare(side(false), side(true))
    #expect(found.changed.count == 2)
    let with = found.changed.compactMap { $0.swappedPlacesWith }.count
    #expect(with == (one == other ? 2 : 0))
  }

  /// 1 and 2, and nobody where a third one went the same way; within the later side, too, soon after its beginning, when
  /// the whole tells of it, and behind its middle.
  @Test(arguments: [0, 300, 1200, 2400] as [Int64], [false, true])
  func twoThatChangedPlacesAreTold(at moment: Int64, withThird: Bool) throws {
    func side(_ isLater: Bool) -> [Recording] {
      func beacon(_ minor: UInt16, isHere: Bool) -> Heard {
        guard isLater else { return Heard(minor: minor, times: 0..<(isHere ? hour : 1)) }
        return Heard(minor: minor, times: isHere ? 0..<max(1, moment) : moment..<hour)
      }
      let third = withThird ? [UInt16(3)] : []
      let (north, south) = (
        ([1] + third).map { beacon($0, isHere: true) } + [beacon(2, isHere: false)],
        ([1] + third).map { beacon($0, isHere: false) } + [beacon(2, isHere: true)]
      )
      let day: Int64 = isLater ? 7 : 0
      return [
        Self.radio("north", Self.some(10..<16) + north, day: day),
        Self.radio("south", Self.some(20..<26) + south, day: day),
      ]
    }
    let hour = Self.hour
    let found = try Self.compare(side(false), side(true))
    for (minor, other) in [(1, 2), (2, 1)] {
      let changed = try #require(Self.changed(minor, found), "\(found.changed)")
      #expect((changed.changes + changed.lately).contains { $0.sort == .radios })
      let with = changed.swappedPlacesWith.map { Self.minor($0, found.before) }
      #expect(with == (withThird ? nil : other))
    }
  }
}
