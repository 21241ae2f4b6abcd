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
    var sink = NoSink()
    var analysis = Analysis(recordings.map(\.source))
    return ComparedSide(try analysis.run(into: &sink))
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

  private static let before = [walk("north", north, hour: 8), walk("south", south, hour: 10)]

  private static func later(
    north: [Passed] = north, south: [Passed] = south, until end: Int64 = 400
  ) -> [Recording] {
    [
      walk("north", north, day: 30, hour: 8, until: end),
      walk("south", south, day: 30, hour: 10),
    ]
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
      let once = Self.north.dropLast().map { Passed(minor: $0.minor, times: $0.times, every: 100) }
      let now = [
        Self.walk("north", Array(once), day: 30, hour: 8, filters: filters),
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
