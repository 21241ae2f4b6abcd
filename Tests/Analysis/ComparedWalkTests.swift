import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// Sites that are walked through, one after the other, each by a receiver of its own.
@Suite struct ComparedWalkTests {
  /// Whom somebody passes, every second, from when to when.
  private struct Passed {
    let minor: UInt16
    var times: Range<Int64>
    var every: Int64 = 1
  }

  /// Twelve beacons of a site, passed one after the other in 335 s, a minute each.
  private static func way(_ minors: Range<UInt16>) -> [Passed] {
    minors.enumerated().map { place, minor in
      Passed(minor: minor, times: (Int64(place) * 25)..<(Int64(place) * 25 + 60))
    }
  }
  private static let north = way(100..<112)
  private static let south = way(200..<212)

  /// - Parameters:
  ///   - end: when the walk is broken off, seconds.
  ///   - hour: of the day.
  private static func walk(
    _ name: String, _ passed: [Passed], day: Int64 = 0, hour: Int64, until end: Int64 = 400,
    filters: Bool = false
  ) -> Recording {
    var recording = Recording(name)
    let start = (day * 24 + hour) * 3_600_000
    if filters { recording.scan(filtersDuplicates: true, at: start) }
    var all: [(time: Int64, minor: UInt16)] = []
    for beacon in passed {
      all += stride(
        from: beacon.times.lowerBound, to: min(end, beacon.times.upperBound), by: Int(beacon.every)
      ).map { ($0 * 1000 + Int64(beacon.minor), beacon.minor) }
    }
    for (time, minor) in all.sorted(by: { $0.time < $1.time }) {
      recording.hear(
        Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)),
        at: start + time)
    }
    return recording
  }

  private static func side(_ recordings: [Recording]) throws -> ComparedSide {
    try ComparedSide(recordings)
  }

  /// As the command does it.
  private static func compare(_ before: [Recording], _ now: [Recording]) throws -> Comparison {
    let (old, new) = (try side(before), try side(now))
    var walks = ShorterWalks(old, new, doubts: [], areNamed: true)
    if var shorter = walks {
      var analysis = Analysis(before.map(\.source))
      _ = try analysis.run(into: &shorter)
      walks = shorter
    }
    return Comparison(before: old, now: new, walks: walks, areNamed: true)
  }

  private static func minor(_ place: Int, _ side: ComparedSide) -> UInt16 {
    UInt16(side.beacons.identity(at: place).byte(18)) << 8
      | UInt16(side.beacons.identity(at: place).byte(19))
  }

  private static func grades(_ found: Comparison) -> [UInt16: Comparison.Missing] {
    Dictionary(
      uniqueKeysWithValues: found.missing.map { (minor($0.place, found.before), $0) })
  }

  private static func hearings(_ found: Comparison) -> [UInt16: [[String]]] {
    var all: [UInt16: [[String]]] = [:]
    for changed in found.changed {
      for case .heardBy(let radios) in changed.changes {
        all[minor(changed.before, found.before)] =
          radios.map { [$0.radio, "\($0.before)", "\($0.now)"] }
      }
    }
    return all
  }

  private static let before = [walk("north", north, hour: 8), walk("south", south, hour: 10)]

  private static func later(
    north: [Passed] = north, south: [Passed] = south, until end: Int64 = 400
  ) -> [Recording] {
    [
      walk("north", north, day: 30, hour: 8, until: end),
      walk("south", south, day: 30, hour: 10),
    ]
  }

  @Test func whoIsHeardAtAnotherSiteIsTold() throws {
    func leaving(_ minor: UInt16, _ way: [Passed]) -> [Passed] { way.filter { $0.minor != minor } }
    let found = try Self.compare(
      Self.before,
      Self.later(
        north: leaving(103, Self.north) + [Passed(minor: 205, times: 100..<160)],
        south: leaving(205, Self.south) + [Passed(minor: 103, times: 200..<260)]))
    #expect(
      Self.hearings(found) == [
        103: [["north", "60", "0"], ["south", "0", "60"]],
        205: [["south", "60", "0"], ["north", "0", "60"]],
      ])
    #expect(found.changed.allSatisfy { $0.swappedPlacesWith != nil })
    #expect(found.same == 22 && found.missing.isEmpty)
    // Not of one whose receiver takes no part, nor where two went each other's way.
    let alone = try Self.compare(
      Self.before,
      [
        Self.walk(
          "south", Self.south + [Passed(minor: 103, times: 200..<260)], day: 30, hour: 10)
      ])
    #expect(Self.hearings(alone).isEmpty)
    #expect(
      Self.hearings(try Self.compare(Self.before, Self.later(north: Self.south, south: Self.north)))
        .isEmpty)
  }

  /// Of two who walk through one site each hears by chance what he hears a few times.
  @Test func whatTwoOfOneSiteHearAFewTimesIsNotTold() throws {
    func hearings(_ count: Int64, inOneSite: Bool) throws -> [UInt16: [[String]]] {
      let (here, there) = (Self.north, inOneSite ? Self.north : Self.south)
      let one = Passed(minor: 5, times: 100..<100 + count)
      return Self.hearings(
        try Self.compare(
          [Self.walk("north", here + [one], hour: 8), Self.walk("south", there, hour: 10)],
          Self.later(north: here, south: there + [one])))
    }
    #expect(try hearings(20, inOneSite: true).isEmpty)
    #expect(try hearings(60, inOneSite: true).count == 1)
    #expect(try hearings(20, inOneSite: false).count == 1)
  }

  @Test func whatAWalkHardlyHearsAnyMoreIsTold() throws {
    func hearings(_ weak: Set<UInt16>) throws -> [UInt16: [[String]]] {
      let north = Self.north.map {
        weak.contains($0.minor) ? Passed(minor: $0.minor, times: $0.times, every: 30) : $0
      }
      return Self.hearings(try Self.compare(Self.before, Self.later(north: north)))
    }
    #expect(try hearings([104]) == [104: [["north", "60", "2"]]])
    // Who went by in a hurry hears all of them less.
    #expect(try hearings(Set(100..<107)).isEmpty)
    #expect(try hearings(Set(100..<105)).isEmpty)
  }

  @Test func ofAWalkThatWasBrokenOffCountsWhatItHadHeardByThen() throws {
    let cut = Self.north.filter { $0.minor != 101 }
    let found = try Self.compare(Self.before, Self.later(north: cut, until: 120))
    let grades = Self.grades(found)
    // In the first 120 s the way leads past five of the twelve.
    #expect(Set(grades.keys) == Set([101] + (105..<112)))
    #expect(grades[101]?.grade == .gone && grades[101]?.expected ?? 0 >= 50)
    #expect(grades[101]?.others == 4 && grades[101]?.othersNow == 4)
    for minor in UInt16(105)..<112 {
      let missing = grades[minor]
      #expect(missing?.grade == .thin && missing?.doubt == .walkShorter, "\(minor)")
      #expect(missing?.inTime?.sightings == 0 && missing?.inTime?.length ?? 0 > 110_000_000_000)
    }
    #expect(Self.hearings(found).isEmpty)
    #expect(found.listenedUnlike.map(\.name) == ["north"])
    // Alone, too.
    let alone = try Self.compare(
      [Self.before[0]], [Self.walk("north", cut, day: 30, hour: 8, until: 120)])
    #expect(Self.grades(alone).filter { $0.value.grade == .gone }.map(\.key) == [101])
    // A whole walk that is as long.
    let whole = Self.grades(try Self.compare(Self.before, Self.later(north: cut)))
    #expect(whole.count == 1 && whole[101]?.grade == .gone)
  }

  /// It hears who is there from its first minute on.
  @Test func ofAReceiverThatStandsStillAShorterRecordingIsAsGood() throws {
    let still = (UInt16(100)..<106).map { Passed(minor: $0, times: 0..<900) }
    let before = [
      Self.walk("north", still + [Passed(minor: 1, times: 500..<900)], hour: 8, until: 900),
      Self.walk("south", Self.south, hour: 10),
    ]
    for length in [Int64(150), 300] {
      let found = try Self.compare(
        before,
        [
          Self.walk("north", still, day: 30, hour: 8, until: length),
          Self.walk("south", Self.south, day: 30, hour: 10),
        ])
      #expect(Self.grades(found)[1]?.grade == .gone, "\(length)")
    }
  }

  @Test func whoIsMissingWhereDuplicatesAreFilteredIsNotGone() throws {
    func missing(filters: Bool) throws -> Comparison.Missing? {
      let once = Self.north.dropLast().map {
        filters ? Passed(minor: $0.minor, times: $0.times, every: 100) : $0
      }
      let end = Passed(minor: 1, times: 330..<335)
      let now = [
        Self.walk("north", Array(once) + [end], day: 30, hour: 8, filters: filters),
        Self.walk("south", Self.south, day: 30, hour: 10),
      ]
      return Self.grades(try Self.compare(Self.before, now))[111]
    }
    let filtered = try missing(filters: true)
    #expect(filtered?.grade == .thin && filtered?.doubt == .duplicatesFiltered)
    #expect(try missing(filters: false)?.grade == .gone)
  }

  @Test func whomAReceiverOfOneSideAloneHearsIsToldAsThat() throws {
    let south = [Self.walk("south", Self.south, day: 30, hour: 10)]
    let lost = try Self.compare(Self.before, south)
    #expect(lost.radios.onlyBefore.map(\.name) == ["north"] && lost.missing.count == 12)
    #expect(
      lost.missing.allSatisfy { $0.doubt == .radioMissing && $0.heardBy == ["north"] })
    let found = try Self.compare(
      [Self.before[1]], Self.later(south: Self.south + [Passed(minor: 5, times: 0..<60)]))
    #expect(found.radios.onlyNow.map(\.name) == ["north"] && found.new.count == 13)
    #expect(found.new.filter { $0.heardBy == ["north"] }.count == 12)
    #expect(found.new.filter(\.heardBy.isEmpty).map { Self.minor($0.place, found.now) } == [5])
  }
}
