import Synth
import Testing

@testable import Analysis

/// How clocks of captures are found by the packets that they have in common.
@Suite struct ClockComparisonTests {
  private static let second: Int64 = 1_000_000_000

  /// Beacons that advertise at an interval and up to 10 ms more, as the specification has it.
  private struct Site {
    var intervals: [Int64] = [100, 250, 320, 500, 1000]
    var length: Int64 = 600
    var chance: Int64 = 10_000_000

    func sent(_ seed: UInt64) -> [UInt64: [Int64]] {
      var random = SplitMix64.stream(seed: seed, 1)
      var sent: [UInt64: [Int64]] = [:]
      for (number, interval) in intervals.enumerated() {
        var time = Int64(random.below(1_000_000_000))
        while time < length * second {
          sent[UInt64(number), default: []].append(time)
          time += interval * 1_000_000
          if chance > 0 { time += Int64(random.below(Int(chance))) }
        }
      }
      return sent
    }
  }

  /// What a radio makes of it: a share of the packets, times that tremble, by a clock of its own.
  private struct Ear {
    var seed: UInt64
    var loss = 0.4
    /// Nanoseconds, up to.
    var tremble = 1_000_000
    var ahead: Int64 = 0
    var ppm = 0.0
    var from: Int64 = 0
    var to: Int64 = 1_000_000
    /// When its clock is set, and by how much.
    var set: (at: Int64, by: Int64)?

    func hear(_ sent: [UInt64: [Int64]]) -> ArrivalLog {
      var random = SplitMix64.stream(seed: seed, 2)
      var heard: [UInt64: [Int64]] = [:]
      for advertiser in sent.keys.sorted() {
        for time in sent[advertiser] ?? [] where time >= from * second && time < to * second {
          let isHeard = random.fraction() >= loss
          let late = Int64(random.below(tremble + 1))
          guard isHeard else { continue }
          var clock = time + late + ahead + Int64(Double(time) * ppm / 1e6)
          if let set, time >= set.at { clock += set.by }
          heard[advertiser, default: []].append(clock)
        }
      }
      return ArrivalLog(heard)
    }
  }

  private static func compare(_ ears: [Ear], _ site: Site = Site(), seed: UInt64 = 1)
    -> ClockComparison
  {
    let sent = site.sent(seed)
    return ClockComparison(ears.map { $0.hear(sent) }, against: 0)
  }

  private static let year = 365 * 86_400 * second

  @Test(arguments: [
    0, 3_000_000, -250_000_000, 7_203_214_000_000, -3_600 * second, 56 * year, -56 * year,
  ])
  func theDifferenceIsFoundWhateverItIs(ahead: Int64) throws {
    let found = Self.compare([Ear(seed: 1), Ear(seed: 2, ahead: ahead)])
    let capture = try #require(found.groups.first?.captures.first)
    #expect(abs(capture.ahead - ahead) < 1_000_000)
    #expect(capture.track.pieces.count == 1)
    #expect(found.alone.isEmpty)
  }

  /// Files of one recorder of which each begins with the end of the one before, and one that is shorter.
  @Test(arguments: [600, 520]) func filesThatHaveTheirEndsAloneInCommonAreCompared(end: Int64)
    throws
  {
    let sent = Site(intervals: [320, 500, 1000, 1000], length: 1200).sent(1)
    let ears = [
      Ear(seed: 1, loss: 0, tremble: 0, from: 0, to: end),
      Ear(seed: 1, loss: 0, tremble: 0, from: end - 20, to: 1180),
    ]
    for order in [ears, ears.reversed()] {
      let found = ClockComparison(order.map { $0.hear(sent) }, against: nil)
      let capture = try #require(found.groups.first?.captures.first)
      #expect(abs(capture.ahead) < 1_000_000 && found.alone.isEmpty)
    }
  }

  @Test(arguments: [-80.0, -11, 0.5, 20, 150])
  func aDriftIsMeasured(ppm: Double) throws {
    let found = Self.compare(
      [Ear(seed: 1), Ear(seed: 2, ahead: -90 * Self.second, ppm: ppm)], Site(length: 3600))
    let piece = try #require(found.groups.first?.captures.first?.track.pieces.first)
    let rate = try #require(piece.rate)
    #expect(abs(rate * 1e6 - ppm) < 0.5)
    let last = try #require(piece.points.last)
    #expect(last.time > 3400 * Self.second)
  }

  @Test func aClockThatWasSetHasAPieceForEachPart() throws {
    let found = Self.compare([
      Ear(seed: 1),
      Ear(
        seed: 2, ahead: -7200 * Self.second,
        set: (at: 200 * Self.second, by: 7200 * Self.second + 286_000_000)),
    ])
    let pieces = try #require(found.groups.first?.captures.first?.track.pieces)
    #expect(pieces.map { (Double($0.ahead) / 1e6).rounded() } == [-7_200_000, 286])
    let ends = try #require(pieces.first?.points.last)
    #expect(ends.time < 200 * Self.second)
  }

  /// At a wrong difference that is near some intervals of a beacon its packets lie side by side, too.
  @Test(
    arguments: zip(
      [1.0, 2, 5, 10, -3, 20.4, 0.4, 1],
      [
        [300, 500], [1000, 1000], [500, 1000], [1000, 1000], [300, 500], [100, 200], [500, 1000],
        [500, 1000],
      ] as [[Int64]]))
  func aStepBecomesNoDrift(_ step: Double, _ intervals: [Int64]) throws {
    let by = Int64(step * 1e9)
    let found = Self.compare(
      [
        Ear(seed: 4, loss: 0.3),
        Ear(seed: 5, loss: 0.3, set: (at: 3000 * Self.second, by: by)),
      ], Site(intervals: intervals, length: 4800))
    let pieces = try #require(found.groups.first?.captures.first?.track.pieces)
    for point in pieces.flatMap(\.points) {
      let isBefore = point.last < 3000 * Self.second
      #expect(isBefore || point.first >= 3000 * Self.second - 2_000_000)
      #expect(abs(point.ahead - (isBefore ? 0 : by)) < 3_000_000)
    }
    // Both sides are there, up to the very packets.
    try #require(pieces.count == 2)
    #expect(pieces[0].last > 2980 * Self.second && pieces[1].first < 3020 * Self.second)
  }

  /// By a clock that drifts a third one is told as it is.
  @Test func theWayThroughAnotherTakesItsDriftAlong() throws {
    let found = Self.compare(
      [
        Ear(seed: 1, from: 0, to: 1250), Ear(seed: 2, ppm: -60, from: 100, to: 2500),
        Ear(seed: 3, ahead: 10 * Self.second, from: 1350, to: 2600),
      ], Site(length: 2700))
    let captures = try #require(found.groups.first?.captures)
    #expect(captures.map(\.through) == [0, 1])
    let last = try #require(captures.last?.track.pieces.first)
    for point in last.points { #expect(abs(point.ahead - 10 * Self.second) < 8_000_000) }
    #expect(abs((last.rate ?? 0) * 1e6) < 5)
  }

  @Test func packetsOfAnotherDayAreNoneInCommon() {
    for seed in UInt64(1)...3 {
      let logs = [
        Ear(seed: 1).hear(Site().sent(seed)), Ear(seed: 2).hear(Site().sent(seed + 100)),
      ]
      let found = ClockComparison(logs, against: nil)
      #expect(found.groups.isEmpty, "seed \(seed)")
      #expect(found.alone.map(\.advertisers) == [5, 5])
    }
  }

  @Test func afterSoManyFruitlessPairsNoMoreIsLookedFor() {
    let logs = (UInt64(1)...4).map { Ear(seed: $0).hear(Site(length: 300).sent(100 * $0)) }
    #expect(ClockComparison(logs, against: nil, mostFruitless: 6).isComplete)
    let short = ClockComparison(logs, against: nil, mostFruitless: 5)
    #expect(!short.isComplete)
    #expect(short.alone.map(\.place) == [0, 1, 2, 3])
    // What has something in common is no search in vain.
    let same = (UInt64(1)...4).map { Ear(seed: $0).hear(Site().sent(1)) }
    let found = ClockComparison(same, against: nil, mostFruitless: 0)
    #expect(found.isComplete)
    #expect(found.groups.map(\.captures.count) == [3])
  }

  /// Those that were made at one time by their clocks come first, and the others are not forgotten.
  @Test func groupsOfClocksThatAreHoursOffAreJoined() throws {
    let logs = [
      Ear(seed: 1), Ear(seed: 2), Ear(seed: 3, ahead: 7200 * Self.second),
      Ear(seed: 4, ahead: 7200 * Self.second),
    ].map { $0.hear(Site().sent(1)) }
    let found = ClockComparison(logs, against: nil, mostFruitless: 32)
    #expect(found.isComplete && found.groups.count == 1)
    let ahead = (found.groups.first?.captures ?? []).map { ($0.place, $0.ahead) }
    let all = Dictionary(uniqueKeysWithValues: ahead)
    let own = all.first { $0.key < 2 }?.value ?? 0
    let others = all.filter { $0.key >= 2 }.map(\.value)
    // By the clock of whichever heard most.
    if found.groups[0].against < 2 {
      #expect(abs(own) < 50_000_000)
      #expect(others.count == 2 && others.allSatisfy { abs($0 - 7200 * Self.second) < 50_000_000 })
    } else {
      #expect(
        all.filter { $0.key < 2 }.values.allSatisfy { abs($0 + 7200 * Self.second) < 50_000_000 })
    }
  }

  @Test func oneBeaconIsEnough() throws {
    for seed in UInt64(1)...5 {
      let found = Self.compare(
        [Ear(seed: 1), Ear(seed: 2, ahead: 5 * Self.second)], Site(intervals: [300]), seed: seed)
      let capture = try #require(found.groups.first?.captures.first)
      #expect(abs(capture.ahead - 5 * Self.second) < 1_000_000)
    }
  }

  /// One beacon of another day is as regular as that of this one: no difference stands out.
  @Test func oneBeaconOfAnotherDayIsNotEnough() {
    for seed in UInt64(1)...4 {
      let site = Site(intervals: [300])
      let logs = [
        Ear(seed: 1, loss: 0).hear(site.sent(seed)),
        Ear(seed: 2, loss: 0).hear(site.sent(seed + 100)),
      ]
      #expect(ClockComparison(logs, against: nil).groups.isEmpty, "seed \(seed)")
    }
  }

  /// Without the chance of the specification every interval looks like the next one.
  @Test func beaconsThatAreTooRegularTellNothing() {
    let found = Self.compare(
      [Ear(seed: 1), Ear(seed: 2, ahead: 5 * Self.second)],
      Site(intervals: [100, 200], chance: 0))
    #expect(found.groups.isEmpty)
    #expect(found.alone.count == 2)
  }

  @Test func timesThatTrembleAreEnoughWhereThereAreSeveralBeacons() throws {
    let found = Self.compare([
      Ear(seed: 1), Ear(seed: 2, tremble: 5_000_000, ahead: 61 * Self.second),
    ])
    let capture = try #require(found.groups.first?.captures.first)
    #expect(abs(capture.ahead - 61 * Self.second) < 4_000_000)
  }

  @Test func aShortCaptureIsFoundInALongOne() throws {
    let site = Site(length: 7200)
    let found = Self.compare(
      [Ear(seed: 1), Ear(seed: 2, ahead: 1000 * Self.second, from: 5000, to: 5090)], site)
    let capture = try #require(found.groups.first?.captures.first)
    #expect(abs(capture.ahead - 1000 * Self.second) < 1_000_000)
    let from = try #require(capture.track.pieces.first?.points.first)
    #expect((5000...5090).contains(from.time / Self.second))
  }

  /// Two that have nothing in common are compared by way of a third.
  @Test func capturesAreComparedByWayOfOthers() throws {
    let found = Self.compare([
      Ear(seed: 1, from: 0, to: 250), Ear(seed: 2, ahead: 3 * Self.second, from: 100, to: 500),
      Ear(seed: 3, ahead: 10 * Self.second, from: 350, to: 600),
    ])
    let captures = try #require(found.groups.first?.captures)
    #expect(captures.map { ($0.ahead + 500_000_000) / Self.second } == [3, 10])
    #expect(captures.map(\.through) == [0, 1])
  }

  @Test func emptyCapturesAndStrangersAreNamed() {
    let sent = Site().sent(1)
    let stranger = ArrivalLog([99: (0..<200).map { $0 * 700_000_000 }])
    let found = ClockComparison(
      [Ear(seed: 1).hear(sent), ArrivalLog([:]), Ear(seed: 2).hear(sent), stranger], against: nil)
    #expect(found.groups.map(\.captures.count) == [1])
    #expect(found.alone.map(\.place) == [1, 3])
    #expect(found.alone.map(\.hasHeard) == [false, true])
    #expect(found.alone.map(\.advertisers) == [0, 0])
  }

  /// Two minutes of the second one are not what the first one heard then, as where they were copied there.
  @Test func aWhileOfOtherPacketsIsTold() throws {
    let site = Site(length: 900)
    let others = site.sent(9)
    let minutes = 300 * Self.second..<420 * Self.second
    let mixed = site.sent(1).mapValues { $0.filter { !minutes.contains($0) } }
      .merging(others.mapValues { $0.filter(minutes.contains) }) { $0 + $1 }
    for ahead in [0, 5 * Self.second, -7200 * Self.second] {
      let logs = [
        Ear(seed: 1).hear(site.sent(1)), Ear(seed: 2, ahead: ahead, ppm: 30).hear(mixed),
      ]
      for against in [0, 1] {
        let comparison = ClockComparison(logs, against: against)
        let track = try #require(comparison.groups.first?.captures.first).track
        #expect(track.pieces.count == 1 && track.unshared.count == 1, "\(track.unshared)")
        let stretch = try #require(track.unshared.first)
        let shift = against == 0 ? 0 : ahead
        #expect(abs(stretch.first - shift - minutes.lowerBound) < 15 * Self.second)
        #expect(abs(stretch.last - shift - minutes.upperBound) < 15 * Self.second)
        #expect(stretch.shared * 4 < stretch.packets && (45...75).contains(stretch.usually))
      }
    }
  }

  /// Who hears hardly anything has hardly anything in common, and who hears badly all the time no less than ever.
  @Test(arguments: [(1, 0.4), (20, 0.4), (1, 0.3)])
  func aWhileInWhichOneHearsLittleIsNone(kept: Int, loss: Double) throws {
    let site = Site(length: 900)
    let minutes = 300 * Self.second..<420 * Self.second
    let thinned = site.sent(1).mapValues { times in
      times.enumerated().filter { !minutes.contains($0.element) || $0.offset % kept == 0 }
        .map(\.element)
    }
    let logs = [
      Ear(seed: 1, loss: loss).hear(site.sent(1)), Ear(seed: 2, loss: loss).hear(thinned),
    ]
    let comparison = ClockComparison(logs, against: 0)
    let track = try #require(comparison.groups.first?.captures.first).track
    #expect(track.unshared.isEmpty, "\(track.unshared)")
  }

  /// For two minutes one hears some of the beacons alone, the other one the others: each as many as ever.
  @Test func beaconsThatPartAreNone() throws {
    let site = Site(intervals: [100, 100, 110, 110, 120, 120], length: 900)
    let minutes = 300 * Self.second..<420 * Self.second
    func hearing(_ part: Int) -> [UInt64: [Int64]] {
      var sent = site.sent(1)
      for number in sent.keys where Int(number) % 2 != part {
        sent[number] = sent[number]?.filter { !minutes.contains($0) }
      }
      return sent
    }
    let logs = [Ear(seed: 1).hear(hearing(0)), Ear(seed: 2).hear(hearing(1))]
    let comparison = ClockComparison(logs, against: 0)
    let track = try #require(comparison.groups.first?.captures.first).track
    #expect(track.unshared.isEmpty, "\(track.unshared)")
  }

  /// Times at the ends of what can be told: nothing traps.
  @Test func timesAtTheEndsOfTimeAreTaken() {
    let ends = (0..<100).map { Int64.max - Int64($0) * 137_000_000 }
    let begins = (0..<100).map { Int64.min + Int64($0) * 151_000_000 }
    let found = ClockComparison(
      [ArrivalLog([1: ends]), ArrivalLog([1: begins]), ArrivalLog([1: ends + begins])],
      against: nil)
    #expect(found.groups.count + found.alone.count > 0)
    let limit = Int64.max / 100 * 44
    let both = [Int64(0), 1].map { offset -> ArrivalLog in
      let late = (0..<50).map { limit - (Int64($0) * 7 + offset) * 131_000_000 }
      let early = (0..<50).map { -limit + (Int64($0) * 5 + offset) * 157_000_000 }
      return ArrivalLog([1: late + early])
    }
    #expect(ClockComparison(both, against: nil).alone.count <= 2)
  }
}
