import Beacons
import CaptureReader
import Foundation
import FrameDecoder
import Regions
import TestSupport
import Testing

/// The real thing against its slow twin, on random streams.
@Suite struct RandomRangingTests {
  /// Another seed or number of rounds: `BEACONTRACE_SEED`, `BEACONTRACE_ROUNDS`.
  static let seed = number("BEACONTRACE_SEED") ?? 20_260_519
  static let rounds = number("BEACONTRACE_ROUNDS") ?? 100

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test(arguments: SmoothingFilter.all)
  func listsAndChangesAreThoseOfTheTwin(_ filter: SmoothingFilter) throws {
    for round in 0..<Self.rounds {
      var random = Seeded(UInt64(bitPattern: Int64(Self.seed + round)))
      let stream = RangingStream(filter, &random)
      var twin = RangingTwin(
        stream.settings, period: stream.period, powers: stream.powers,
        memberships: stream.memberships)
      twin.run(stream.steps)
      let ranger = try stream.ranged(wantsLists: true)
      // The seed of this round alone: with it and one round it comes again.
      let place = "seed \(Self.seed + round), \(filter.name)"
      try #require(stream.changes(of: ranger) == twin.changes, "\(place)")
      let lists = stream.lists(of: ranger)
      try #require(lists.count == twin.lists.count, "\(place)")
      for (found, expected) in zip(lists, twin.lists) {
        try #require(found.isClose(to: expected), "\(place): \(found) instead of \(expected)")
      }
      let changesAlone = try stream.ranged(wantsLists: false)
      try #require(changesAlone.lists.isEmpty)
      try #require(changesAlone.changes == ranger.changes, "\(place)")
      try stream.checkNearest(ranger, twin, place)
    }
  }

  /// Most of the work is left out then.
  @Test(arguments: SmoothingFilter.all, [true, false])
  func approachesAndPowersAreTheSameWithoutChanges(
    _ filter: SmoothingFilter, _ isOnChange: Bool
  ) throws {
    for round in 0..<Self.rounds {
      var random = Seeded(UInt64(bitPattern: Int64(Self.seed + round)))
      let stream = RangingStream(filter, &random, onChange: isOnChange)
      let place = "seed \(Self.seed + round), \(filter.name)"
      let all = try stream.ranged(wantsLists: false)
      let listed = try stream.ranged(wantsLists: true)
      let listsAlone = try stream.ranged(wantsLists: true, wantsChanges: false)
      try #require(listsAlone.lists == listed.lists, "\(place)")
      let neither = try stream.ranged(wantsLists: false, wantsChanges: false)
      for lean in [listsAlone, neither] {
        try #require(lean.changes.isEmpty)
        try #require(lean.unusablePowers == all.unusablePowers, "\(place)")
        for region in 0..<3 {
          let found = lean.nearest(region: region, observer: 0)
          try #require(found == all.nearest(region: region, observer: 0), "\(place)")
        }
      }
    }
  }

  @Test func changesWithListsOnChangeAreThoseOfTheTwin() throws {
    for round in 0..<Self.rounds * 4 {
      var random = Seeded(UInt64(bitPattern: Int64(Self.seed + round)))
      let stream = RangingStream(.last, &random, onChange: true)
      let place = "seed \(Self.seed + round)"
      let ranger = try stream.ranged(wantsLists: true)
      let found = stream.changes(of: ranger)
      for region in 0..<3 {
        for beacon in stream.powers.indices {
          var expected = OnChangeTwin(stream, region: region, beacon: beacon)
          expected.run()
          let mine = found.filter { $0.region == region && $0.beacon == beacon }
          let lines = mine.map {
            OnChangeTwin.Change(time: $0.time, to: $0.to, frame: $0.frames[1])
          }
          try #require(lines == expected.changes, "\(place), region \(region), beacon \(beacon)")
        }
      }
      let moments = Set(found.map { [$0.time, Int64($0.region)] })
      let listed = Set(ranger.lists.map { [$0.time.nanoseconds, Int64($0.region)] })
      try #require(moments == listed, "\(place)")
    }
  }
}

extension TwinList {
  /// The same but for the last digits.
  func isClose(to other: TwinList) -> Bool {
    func close(_ a: Double?, _ b: Double?) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return abs(a - b) <= 1e-9 * max(1, abs(a))
    }
    return time == other.time && region == other.region && entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { a, b in
        a.beacon == b.beacon && a.proximity == b.proximity && a.samples == b.samples
          && close(a.rssi, b.rssi) && close(a.metres, b.metres)
          && close(a.interval?.lowerBound, b.interval?.lowerBound)
          && close(a.interval?.upperBound, b.interval?.upperBound)
      }
  }
}
