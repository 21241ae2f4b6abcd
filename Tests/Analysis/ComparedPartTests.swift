import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// What changed within the later of two recordings, and in recordings that are short.
@Suite struct ComparedPartTests {
  /// Whom a radio hears every second, from when to when.
  private struct Heard {
    let minor: UInt16
    let times: [Range<Int64>]
    var power: Int8 = -59
  }

  private static func recording(
    _ name: String, _ beacons: [Heard], day: Int64 = 0, step: Int64 = 1
  ) -> Recording {
    var all: [(time: Int64, beacon: Heard)] = []
    for beacon in beacons {
      for times in beacon.times {
        all += stride(from: times.lowerBound, to: times.upperBound, by: Int(step))
          .map { ($0 * 1000 + Int64(beacon.minor), beacon) }
      }
    }
    var recording = Recording(name)
    for (time, beacon) in all.sorted(by: { $0.time < $1.time }) {
      recording.hear(
        Recording.iBeacon(beacon.minor, power: beacon.power),
        from: Address(0xC000_0000_0000 + UInt64(beacon.minor)), at: day * 86_400_000 + time,
        rssi: -60)
    }
    return recording
  }

  private static func some(_ minors: Range<UInt16>, _ times: Range<Int64>) -> [Heard] {
    minors.map { Heard(minor: $0, times: [times]) }
  }

  private static func side(_ recordings: [Recording], from: Timestamp? = nil) throws -> ComparedSide
  {
    var options = Analysis.Options()
    options.limits = from.map { TimeLimits(from: $0.nanoseconds, to: nil) }
    return try ComparedSide(recordings, options)
  }

  /// With the last quarter of the later side.
  private static func compare(_ before: [Recording], _ now: [Recording]) throws -> Comparison {
    let (before, all) = (try side(before), try side(now))
    return Comparison(
      before: before, now: all, lately: try all.lastPart.map { try side(now, from: $0) })
  }

  /// Two radios that hear three beacons each; one more is heard by `north`, and later by `south`.
  private static func moved(_ length: Int64) throws -> Comparison {
    let moved = [Heard(minor: 1, times: [0..<length])]
    return try compare(
      [
        recording("north", some(10..<13, 0..<length) + moved),
        recording("south", some(20..<23, 0..<length)),
      ],
      [
        recording("north", some(10..<13, 0..<length), day: 7),
        recording("south", some(20..<23, 0..<length) + moved, day: 7),
      ])
  }

  @Test func ofRecordingsOfFiveMinutesItIsToldWhoIsHeardElsewhere() throws {
    let found = try Self.moved(300)
    guard found.changed.count == 1, case .heardBy(let radios) = found.changed[0].changes.first
    else {
      Issue.record("\(found.changed)")
      return
    }
    #expect(radios.map(\.before) == [300, 0] && radios.map(\.now) == [0, 300])
    #expect(found.tooShortToStand.isEmpty)
  }

  @Test func ofShorterOnesItIsToldThatNothingIsSaidOfIt() throws {
    let found = try Self.moved(120)
    #expect(found.changed.isEmpty)
    #expect(found.tooShortToStand == ["north", "south"])
  }

  /// - Parameter before: when the beacon that `south` hears in the last quarter was heard by `north`.
  private static func movedLate(before times: [Range<Int64>]) throws -> Comparison {
    let hour: Int64 = 3600
    return try compare(
      [
        recording("north", some(10..<13, 0..<hour) + [Heard(minor: 1, times: times)]),
        recording("south", some(20..<23, 0..<hour)),
      ],
      [
        recording(
          "north", some(10..<13, 0..<hour) + [Heard(minor: 1, times: [0..<2520])], day: 7),
        recording(
          "south", some(20..<23, 0..<hour) + [Heard(minor: 1, times: [2520..<hour])], day: 7),
      ])
  }

  @Test func whoIsHeardElsewhereInTheLastQuarterIsToldAsOfIt() throws {
    let found = try Self.movedLate(before: [0..<3600])
    let changed = try #require(found.changed.first { !$0.lately.isEmpty })
    guard case .heardBy(let radios) = changed.lately.first else {
      Issue.record("\(changed.lately)")
      return
    }
    #expect(radios.map(\.radio) == ["north", "south"])
    // What was heard in an hour by what was listened to in a quarter of one.
    #expect(radios.map(\.before) == [900, 0] && radios.map(\.now) == [0, 900])
  }

  @Test func whoCameAndWentBeforeMayBeAnywhereInTheLastQuarter() throws {
    let found = try Self.movedLate(before: [0..<900, 1800..<2700])
    #expect(!found.changed.contains { !$0.lately.isEmpty })
  }

  /// Forty minutes, a pause of five hours, four minutes: in two files, or in one.
  @Test(arguments: [false, true])
  func aPowerThatChangedWithinTheLaterSideIsTheOneOfItsEnd(isOneFile: Bool) throws {
    let parts = [0..<Int64(2400), 20_400..<Int64(20_640)]
    func files(_ powers: [Int8], day: Int64) -> [Recording] {
      let heard = zip(parts, powers).map { part, power in
        Self.some(10..<16, part) + [Heard(minor: 1, times: [part], power: power)]
      }
      if isOneFile { return [Self.recording("hall", heard.flatMap { $0 }, day: day)] }
      return zip(["a", "b"], heard).map { Self.recording("hall-\($0)", $1, day: day) }
    }
    let found = try Self.compare(files([-59, -59], day: 0), files([-59, -75], day: 7))
    let changed = try #require(found.changed.first)
    guard found.changed.count == 1, changed.changes.isEmpty, changed.lately.count == 1,
      case .power(let before, let now) = changed.lately[0]
    else {
      Issue.record("\(found.changed)")
      return
    }
    #expect(before == (-59, -59) && now == (-75, -75))
    // The last quarter begins in the pause between them; nothing is true of that.
    let (from, part) = (try #require(found.latelyFrom), try #require(found.now.lastPart))
    let first = try #require(parts.last).lowerBound
    func second(_ time: Timestamp) -> Int64 {
      (time.nanoseconds - found.now.first.nanoseconds) / 1_000_000_000
    }
    #expect(second(part) < first && second(from) == first)
  }

  /// One that sends both all along has not changed within the later side, nor one that never sent what it did before.
  @Test(arguments: [[-59, -75], [-75, -59]] as [[Int8]])
  func powersInTurnAreNoChangeWithinTheLaterSide(_ powers: [Int8]) throws {
    let hour: Range<Int64> = 0..<3600
    func side(_ powers: [Int8], day: Int64) -> [Recording] {
      [
        Self.recording(
          "hall",
          Self.some(10..<16, hour)
            + powers.enumerated().flatMap { place, power in
              stride(from: Int64(place), to: 3600, by: powers.count).map {
                Heard(minor: 1, times: [$0..<$0 + 1], power: power)
              }
            }, day: day)
      ]
    }
    for before: Int8 in [-59, -65] {
      let found = try Self.compare(side([before], day: 0), side(powers, day: 7))
      let changed = try #require(found.changed.first)
      guard found.changed.count == 1, changed.lately.isEmpty,
        case .power(_, let now) = changed.changes.first
      else {
        Issue.record("\(found.changed)")
        continue
      }
      #expect(now == (-75, -59))
    }
  }

  @Test func aPowerThatItDoesNotHaveAnyMoreAtTheEndIsThatOfTheWhole() throws {
    func power(_ powers: [Int8]) -> [Recording] {
      [
        Self.recording(
          "hall",
          Self.some(10..<16, 0..<1200)
            + powers.enumerated().map {
              Heard(minor: 1, times: [(Int64($0) * 600)..<(Int64($0 + 1) * 600)], power: $1)
            })
      ]
    }
    let found = try Self.compare(power([-59, -59]), power([-75, -59]))
    guard let changed = found.changed.first, case .power(_, let now) = changed.changes.first else {
      Issue.record("\(found.changed)")
      return
    }
    #expect(now == (-75, -59) && changed.lately.isEmpty)
  }
}
