import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// What of a comparison of several radios is the radios' own doing.
@Suite struct ComparedRadioTests {
  private static let hour: Int64 = 3600

  /// Whom a radio hears every second, from when to when.
  private struct Heard {
    let minor: UInt16
    var address: UInt64?
    var times = 0..<ComparedRadioTests.hour
    var rssi: Int8 = -60
  }

  private static func radio(_ name: String, _ beacons: [Heard], day: Int64 = 0) -> Recording {
    var all: [(time: Int64, beacon: Heard)] = []
    for beacon in beacons {
      all += beacon.times.map { ($0 * 1000 + Int64(beacon.minor), beacon) }
    }
    var recording = Recording(name)
    for (time, beacon) in all.sorted(by: { $0.time < $1.time }) {
      recording.hear(
        Recording.iBeacon(beacon.minor),
        from: Address(0xC000_0000_0000 + (beacon.address ?? UInt64(beacon.minor))),
        at: day * 86_400_000 + time, rssi: beacon.rssi)
    }
    return recording
  }

  private static func later(_ name: String, _ beacons: [Heard]) -> Recording {
    radio(name, beacons, day: 7)
  }

  private static func side(_ recordings: [Recording]) throws -> ComparedSide {
    try ComparedSide(recordings)
  }

  private static func compare(_ before: [Recording], _ now: [Recording]) throws -> Comparison {
    Comparison(before: try side(before), now: try side(now))
  }

  private static func some(
    _ minors: Range<UInt16>, until end: Int64 = ComparedRadioTests.hour
  ) -> [Heard] {
    minors.map { Heard(minor: $0, times: 0..<end) }
  }

  @Test func aBeaconThatAnotherRadioHearsNowIsTold() throws {
    let before = [
      Self.radio("north", Self.some(10..<13) + [Heard(minor: 1)]),
      Self.radio("south", Self.some(20..<23)),
    ]
    let moved = Self.later("south", Self.some(20..<23) + [Heard(minor: 1)])
    let found = try Self.compare(before, [Self.later("north", Self.some(10..<13)), moved])
    guard found.changed.count == 1, found.changed[0].changes.count == 1,
      case .heardBy(let radios) = found.changed[0].changes[0]
    else {
      Issue.record("\(found.changed)")
      return
    }
    #expect(radios.map(\.radio) == ["north", "south"])
    #expect(radios.map(\.before) == [3600, 0] && radios.map(\.now) == [0, 3600])
    // Nothing of that where the one is missing.
    #expect(try Self.compare(before, [moved]).changed.isEmpty)
  }

  /// Far away from what it copies.
  @Test func aCopyIsNoChangeOfTheSignalOfWhatIsCopied() throws {
    func signals(_ now: [Heard]) throws -> [BeaconChange] {
      let before = [Heard(minor: 1, times: 0..<600, rssi: -65)]
      return try Self.compare([Self.radio("north", before)], [Self.later("north", now)])
        .changed.flatMap(\.changes).filter { if case .signal = $0 { true } else { false } }
    }
    let copy = Heard(minor: 1, address: 77, times: 0..<600, rssi: -95)
    let copied = try signals([Heard(minor: 1, times: 0..<600, rssi: -65), copy])
    #expect(copied.isEmpty, "\(copied)")
    let weaker = try signals([Heard(minor: 1, times: 0..<600, rssi: -80), copy])
    guard weaker.count == 1, case .signal(let before, let now) = weaker[0] else {
      Issue.record("\(weaker)")
      return
    }
    #expect(before == -65 && now == -80)
  }

  /// Six beacons that stand still, heard well by one; the other one was moved nearer to all of them, or one of them
  /// was turned away from it.
  @Test func aFewSignalsThatARadioWasMovedToAreNoChangesOfTheBeacons() throws {
    func heard(_ rssi: (UInt16) -> Int8) -> [Heard] {
      (10..<16).map { Heard(minor: $0, times: 0..<600, rssi: rssi($0)) }
    }
    func changes(_ now: [Heard]) throws -> [BeaconChange] {
      let near = Self.some(10..<16)
      let before = [Self.radio("a", near), Self.radio("b", heard { _ in -85 })]
      return try Self.compare(before, [Self.later("a", near), Self.later("b", now)]).changed
        .flatMap(\.changes)
    }
    #expect(try changes(heard { _ in -70 }).isEmpty)
    let turned = try changes(heard { $0 == 12 ? -70 : -85 })
    guard turned.count == 1, case .signal(-85, -70) = turned[0] else {
      Issue.record("\(turned)")
      return
    }
  }

  @Test func whoAMissingRadioHeardLastIsNotGone() throws {
    func missing(northHears times: Range<Int64>) throws -> Comparison.Missing {
      let before = [
        Self.radio("north", Self.some(10..<14) + [Heard(minor: 1, times: times)]),
        Self.radio("south", Self.some(20..<24) + [Heard(minor: 1, times: 1200..<Self.hour)]),
      ]
      let found = try Self.compare(before, [Self.later("north", Self.some(10..<14))])
      return try #require(
        found.missing.first { found.before.beacons.identity(at: $0.place).byte(19) == 1 })
    }
    let moved = try missing(northHears: 0..<1200)
    #expect(moved.grade == .deaf && moved.doubt == .radioMissing && moved.heardMostBy == "south")
    // Or hardly ever by the one that is there.
    let hardly = try missing(northHears: 3400..<Self.hour)
    #expect(hardly.doubt == .radioMissing && hardly.heardMostBy == "south")
    // The one that is there heard it as long.
    let heard = try missing(northHears: 0..<Self.hour)
    #expect(heard.grade == .gone && heard.doubt == nil && heard.heardMostBy == nil)
  }

  /// Whoever else is missing: of the address that is gone the one that is there had heard enough.
  @Test func anAddressThatAPresentRadioHeardIsGoneWithAnotherRadioMissing() throws {
    let clone = Heard(minor: 10, address: 99)
    let comparison = try Self.compare(
      [
        Self.radio("north", Self.some(10..<14) + [clone]),
        Self.radio("south", Self.some(10..<14)),
      ], [Self.later("north", Self.some(10..<14))])
    let changes = comparison.changed.flatMap(\.changes)
    #expect(
      changes.contains { if case .fewerAddresses(2, 1) = $0 { true } else { false } }, "\(changes)")
    // Where the missing one alone had heard it, nobody knows.
    let unknown = try Self.compare(
      [
        Self.radio("north", Self.some(10..<14)),
        Self.radio("south", Self.some(10..<14) + [clone]),
      ], [Self.later("north", Self.some(10..<14))])
    #expect(
      !unknown.changed.flatMap(\.changes).contains {
        if case .fewerAddresses = $0 { true } else { false }
      })
  }

  @Test func whatARadioThatListensShortlyDoesNotHearIsNoChange() throws {
    let clone = Heard(minor: 10, address: 99)
    let walker = Heard(minor: 1, times: 0..<1200)
    let north = Self.some(10..<14) + [walker]
    let before = [
      Self.radio("north", north),
      Self.radio(
        "south", Self.some(20..<24) + [clone, Heard(minor: 1, times: 1200..<Self.hour)]),
    ]
    func found(southUntil end: Int64) throws -> Comparison {
      try Self.compare(
        before, [Self.later("north", north), Self.later("south", Self.some(20..<24, until: end))])
    }
    let short = try found(southUntil: 900)
    #expect(short.changed.isEmpty, "\(short.changed)")
    #expect(short.listenedUnlike.map(\.name) == ["south"])
    let whole = try found(southUntil: Self.hour)
    #expect(whole.listenedUnlike.isEmpty)
    let changes = whole.changed.flatMap(\.changes)
    #expect(
      changes.contains { if case .fewerAddresses(2, 1) = $0 { true } else { false } }, "\(changes)")
    #expect(
      changes.contains { if case .fellSilent = $0 { true } else { false } }, "\(changes)")
  }

  /// It stood within hearing of both; the other one listens for a quarter of the hour.
  @Test func whatFellSilentAtARadioThatHadHeardItAsLongIsTold() throws {
    let still = Heard(minor: 1)
    let before = [
      Self.radio("north", Self.some(10..<14) + [still]),
      Self.radio("south", Self.some(20..<24) + [still]),
    ]
    let found = try Self.compare(
      before,
      [
        Self.later("north", Self.some(10..<14) + [Heard(minor: 1, times: 0..<1200)]),
        Self.later("south", Self.some(20..<24, until: 900) + [Heard(minor: 1, times: 0..<900)]),
      ])
    let changes = found.changed.flatMap(\.changes)
    #expect(changes.contains { if case .fellSilent = $0 { true } else { false } }, "\(changes)")
  }

  /// What it is known by stands on the other side.
  @Test func whoDiedSoonIsToldAsLongAsItIsKnownToStandThere() throws {
    func changes(_ until: Int64, known: Bool = true) throws -> [BeaconChange] {
      let before = known ? [Heard(minor: 1)] : [Heard(minor: 1, times: 0..<40)]
      return try Self.compare(
        [Self.radio("north", Self.some(10..<14) + before)],
        [Self.later("north", Self.some(10..<14) + [Heard(minor: 1, times: 0..<until)])]
      ).changed.flatMap(\.changes)
    }
    for until in [1, 20, 290, 310, 2000] as [Int64] {
      let found = try changes(until)
      #expect(found.count == 1, "\(until): \(found)")
      #expect(found.contains { if case .fellSilent = $0 { true } else { false } }, "\(until)")
    }
    #expect(try changes(20, known: false).isEmpty)
    // Who is carried past was not there before either.
    let past = try Self.compare(
      [Self.radio("north", Self.some(10..<14) + [Heard(minor: 1)])],
      [Self.later("north", Self.some(10..<14) + [Heard(minor: 1, times: 1800..<1840)])]
    ).changed.flatMap(\.changes)
    #expect(!past.contains { if case .fellSilent = $0 { true } else { false } }, "\(past)")
    #expect(try changes(Self.hour).isEmpty)
  }

  @Test func aBeaconThatIsHardlyHeardAnyMoreIsTold() throws {
    func changes(_ every: Int, others: Int = 1) throws -> [BeaconChange] {
      let before = Self.some(10..<16) + [Heard(minor: 1)]
      var recording = Recording("north")
      for second in 0..<Self.hour {
        let time = 7 * 86_400_000 + second * 1000
        for minor in UInt16(10)..<16 where second % Int64(others) == 0 {
          recording.hear(
            Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)),
            at: time + Int64(minor), rssi: -60)
        }
        // Lost as if by chance.
        if (UInt64(second + 1) &* 0x9E37_79B9_7F4A_7C15) >> 33 % UInt64(every) == 0 {
          recording.hear(
            Recording.iBeacon(1), from: Address(0xC000_0000_0001), at: time, rssi: -60)
        }
      }
      return try Self.compare([Self.radio("north", before)], [recording]).changed.flatMap(\.changes)
    }
    let found = try changes(97)
    #expect(
      found.contains {
        if case .heardBy(let radios) = $0 {
          radios.count == 1 && radios[0].now < 100
        } else {
          false
        }
      },
      "\(found)")
    #expect(!(try changes(1)).contains { if case .heardBy = $0 { true } else { false } })
    // All are: that is the radio's.
    #expect(
      !(try changes(97, others: 30)).contains { if case .heardBy = $0 { true } else { false } })
  }

  /// Whichever radio heard them best: those that the beacon's own one heard.
  @Test func othersAreThoseThatItsRadioHeard() throws {
    func missing(_ more: [String]) throws -> Comparison.Missing {
      // Each radio more hears the same beacons, a little more often.
      let all = Self.some(10..<16)
      let seldom = all.map { Heard(minor: $0.minor, times: 0..<3000) }
      let before =
        [Self.radio("north", seldom + [Heard(minor: 1)])] + more.map { Self.radio($0, all) }
      let now = [Self.later("north", seldom)] + more.map { Self.later($0, all) }
      let found = try Self.compare(before, now)
      return try #require(found.missing.first)
    }
    for more in [[], ["south"], ["south", "west"]] {
      let found = try missing(more)
      #expect(found.others == 6 && found.othersNow == 6 && found.grade == .gone, "\(more)")
    }
  }

  @Test func radiosOfOtherNamesAreKnownToBeTakenAsOne() throws {
    func found(_ names: [String]) throws -> Comparison {
      try Self.compare(
        ["west", "east"].map { Self.radio($0, Self.some(10..<13, until: 60)) },
        names.map { Self.later($0, Self.some(10..<13, until: 60)) })
    }
    #expect(try found(["left", "right"]).radios.areTakenAsOne)
    #expect(try !found(["west", "right"]).radios.areTakenAsOne)
  }

  /// Whoever was carried about in the middle between the radios changed for those that heard him less, too.
  @Test func aSignalThatChangedAtAnotherRadioThanTheNearestIsTold() throws {
    func heard(_ rssi: Int8, _ count: Int64, others: Range<UInt16>) -> [Heard] {
      Self.some(others) + [Heard(minor: 1, times: 0..<count, rssi: rssi)]
    }
    let before = [
      Self.radio("north", heard(-60, 3000, others: 10..<19)),
      Self.radio("south", heard(-70, 1000, others: 20..<29)),
      Self.radio("west", heard(-80, 900, others: 30..<39)),
    ]
    let found = try Self.compare(
      before,
      [
        Self.later("north", heard(-62, 3000, others: 10..<19)),
        Self.later("south", heard(-80, 1000, others: 20..<29)),
        Self.later("west", heard(-65, 900, others: 30..<39)),
      ])
    let changed = try #require(found.changed.first)
    guard found.changed.count == 1, changed.changes.count == 1,
      case .signal(-80, -65) = changed.changes[0]
    else {
      Issue.record("\(found.changed)")
      return
    }
    let radio = try #require(found.signals.radio(of: changed.places, found))
    #expect(radio.name == "west" && radio.before == 900 && radio.now == 900)
    #expect(found.signals.radioName(of: changed.before, found) == "west")
    // Not where it is the radio: all that it hears changed, and of the others it shows best at `south`.
    let moved = try Self.compare(
      before,
      [
        Self.later("north", heard(-62, 3000, others: 10..<19)),
        Self.later("south", heard(-80, 1000, others: 20..<29)),
        Self.later(
          "west",
          Self.some(30..<39).map { Heard(minor: $0.minor, rssi: -90) }
            + [Heard(minor: 1, times: 0..<900, rssi: -65)]),
      ])
    let signal = try #require(moved.changed.first)
    #expect(moved.signals.radioName(of: signal.before, moved) == "south")
    #expect(moved.signals.moved(moved).map(\.name) == ["west"])
  }
}
