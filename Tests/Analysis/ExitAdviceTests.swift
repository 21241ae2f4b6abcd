import CaptureReader
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// What exit periods come to, worked out by hand.
@Suite("Advice on exit periods") struct ExitAdviceTests {
  private static let second: Int64 = 1_000_000_000
  private static let other = Address(0xC000_0000_0099, isRandom: true)

  /// A beacon heard at seconds, and others twice a second in spans of seconds.
  private static func advice(
    _ heard: [Int64], others: [ClosedRange<Int64>], _ periods: [Int64], region: String = "",
    limits: TimeLimits? = nil
  ) throws -> ExitAdvice {
    var recording = Recording("a")
    for millisecond in stride(from: Int64(0), through: 200_000, by: 250) {
      let moment = millisecond / 1000
      if millisecond % 1000 == 0, heard.contains(moment) {
        recording.hear(Recording.iBeacon(1), from: JudgeOrderTests.one, at: millisecond)
      }
      // No beacon: flags alone.
      if millisecond % 500 == 250, others.contains(where: { $0.contains(moment) }) {
        recording.hear([2, 1, 6], from: other, at: millisecond)
      }
    }
    var settings = try JudgeOrderTests.settings("tag=address:00:00:00:00:00:01\(region)")
    let present = settings.advise(
      periods.map { $0 * second }, returned: 60 * second, limits: limits)
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis([recording.source], options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    return ExitAdvice(result, try #require(result.timeline), settings, present: present)
  }

  private static func figures(_ row: ExitAdvice.Row) -> [Int] {
    [Int(row.period / second), row.exits, row.looksFalse, row.deaf, row.stayedAway, row.notKnown]
  }

  /// Silences of 4 s, 12 s and 100 s, and one of which the end was not recorded.
  @Test("each silence counts at each period as it ended")
  func gaps() throws {
    let advice = try Self.advice(
      [0, 1, 2, 6, 7, 19, 20, 120, 121], others: [0...125], [3, 5, 10, 20, 60, 120])
    let place = try #require(advice.places.first)
    // Period, exits, look false, deaf, stay away, not known.
    #expect(
      place.rows.map(Self.figures) == [
        [3, 4, 2, 0, 1, 1], [5, 2, 1, 0, 1, 0], [10, 2, 1, 0, 1, 0], [20, 1, 0, 0, 1, 0],
        // The exit period that holds now is among them.
        [30, 1, 0, 0, 1, 0],
        // Heard again 40 s behind the exit.
        [60, 1, 1, 0, 0, 0], [120, 0, 0, 0, 0, 0],
      ])
    #expect(place.sightings == 9 && place.present == 30 * Self.second)
    #expect(place.inside == 21 * Self.second)
    #expect(place.shortest == 20 * Self.second && place.steady == 120 * Self.second)
    #expect(place.exact == 12 * Self.second)
    let beacon = try #require(place.beacons.first)
    #expect(beacon.longest == 100 * Self.second)
    // Silences longer than a period that ended within a minute behind it.
    #expect(beacon.silences == [2, 1, 1, 0, 0, 1, 0])
  }

  @Test("a region's own exit period is the one that holds now, and every period is tried on it")
  func ownPeriod() throws {
    let place = try #require(
      Self.advice(
        [0, 1, 2, 6, 7], others: [0...80], [3], region: ",exit_after=5"
      ).places.first)
    #expect(place.present == 5 * Self.second)
    #expect(place.rows.map(\.exits) == [2, 1, 1])
    #expect(place.rows.map(\.looksFalse) == [1, 0, 0])
  }

  @Test(
    "nobody heard is deafness, but where others are rare and the beacon's own loss makes such silences"
  )
  func deafness() throws {
    let heard = (0...10).map(Int64.init) + (30...40).map(Int64.init)
    let among = try Self.advice(heard, others: [0...10, 30...40], [5, 10]).places[0]
    #expect(among.rows.map(Self.figures)[..<2] == [[5, 1, 0, 1, 0, 0], [10, 1, 0, 1, 0, 0]])
    #expect(among.rows[0].gradedDeaf == 1)
    // Of eleven in a row, all heard, none makes twenty seconds by being lost.
    let alone = try Self.advice(heard, others: [], [5, 10]).places[0]
    #expect(alone.rows.map(Self.figures)[..<2] == [[5, 1, 0, 1, 0, 0], [10, 1, 0, 1, 0, 0]])
    #expect(alone.rows[0].gradedDeaf == 1 && alone.beacons[0].longest == Self.second)
    // Who is heard badly anyhow is.
    let badly = (0..<150).filter { [0, 1, 2, 5, 6].contains($0 % 10) }.map { Int64($0) }
    let lossy = try Self.advice(badly, others: [], [3, 5]).places[0]
    #expect(lossy.rows[0].gradedDeaf > 0 && lossy.rows[0].looksFalse == lossy.rows[0].gradedDeaf)
  }

  @Test("within limits only exits and sightings then count")
  func limits() throws {
    let start = Recording.start * 1_000_000
    let place = try #require(
      Self.advice(
        [0, 1, 2, 6, 7, 19, 20, 120, 121], others: [0...125], [3],
        limits: TimeLimits(from: start + 6 * Self.second, to: start + 30 * Self.second)
      ).places.first)
    #expect(place.rows.map(Self.figures)[0] == [3, 2, 1, 0, 1, 0])
    #expect(place.sightings == 4 && place.inside == 14 * Self.second)
  }

  @Test(
    "the shortest period is as long as the longest silence that is no absence",
    arguments: [
      ([4, 12, 100], 20, 12), ([4, 12, 70], 20, nil), ([4, 12, 72], 20, nil),
      ([4, 12, 73], 20, 12),
      ([12, 12], 20, 12), ([], 20, nil),
    ] as [([Int64], Int64, Int64?)])
  func exact(_ silences: [Int64], _ limit: Int64, _ expected: Int64?) {
    #expect(AdviceMaking.exact(silences, upTo: limit, returned: 60) == expected)
  }

  @Test("a silence needs as many losses as advertisements fit into it")
  func model() {
    let pace = BeaconPace(interval: 1e9, loss: 0.5, missed: 0.5, source: .gaps, gaps: 100)
    #expect(pace.probability(ofSilence: 3 * Self.second) == 0.125)
    #expect(pace.probability(ofSilence: 3 * Self.second - 1) == 0.25)
    #expect(pace.probability(ofSilence: Self.second / 2) == 1)
    #expect(pace.expectedPerDay(3 * Self.second) == 5400)
    // Each fourth is telemetry: of four one, of two one half of the times.
    let sharing = BeaconPace(interval: 1e9, loss: 0.5, missed: 0.625, source: .counter, gaps: 100)
    #expect(sharing.probability(ofSilence: 4 * Self.second) == 0.125)
    #expect(sharing.probability(ofSilence: 2 * Self.second) == 0.375)
  }

  @Test("interval and loss come from gaps that are twice as long")
  func gapsTellLoss() throws {
    var gaps = BeaconGaps()
    for number in 0..<80 { gaps.add(number % 4 == 0 ? 2 * Self.second : Self.second) }
    let learnt = try #require(gaps.learnt())
    #expect(learnt.interval == 1e9 && abs(learnt.loss - 0.2) < 1e-9 && learnt.gaps == 80)
    var few = BeaconGaps()
    for _ in 0..<8 { few.add(Self.second) }
    #expect(few.learnt() == nil)
    few.add(Self.second)
    #expect(few.learnt()?.loss == 0)
  }

  @Test("a beacon that is heard weakly at first has the interval of all its gaps")
  func gapsOfTheWholeTime() throws {
    var gaps = BeaconGaps()
    for number in 0..<100 { gaps.add(Int64(3 + number % 3) * Self.second) }
    for _ in 0..<900 { gaps.add(Self.second) }
    let learnt = try #require(gaps.learnt())
    #expect(learnt.interval == 1e9 && learnt.gaps == 1000)
    #expect(abs(learnt.loss - (1 - 1000.0 / 1299)) < 1e-9)
  }

  @Test("telemetry that is seldom heard counts, as long as something of the address is")
  func seldomTelemetry() {
    var counter = FrameCounter()
    // Twenty of them: gaps tell no interval.
    let heard: Set<Int64> = [
      0, 7, 28, 61, 90, 97, 131, 160, 182, 200, 231, 240, 262, 275, 301, 313, 350, 371, 385, 399,
      400,
    ]
    for second in heard.sorted() {
      counter.hear(at: second * Self.second, within: 90 * Self.second)
      if second % 200 == 0 {
        counter.tell(
          Int(second), uptime: Int(second * 10), at: second * Self.second, stops: 0)
      }
    }
    #expect(counter.loss == 0.95)
  }

  @Test("a beacon's counter tells what was lost, but not across a restart or a stop of the radio")
  func counter() {
    var counter = FrameCounter()
    func tell(_ count: Int, _ uptime: Int, at: Int64, stops: UInt32 = 0) {
      counter.tell(count, uptime: uptime, at: at * Self.second, stops: stops)
    }
    func hear(_ events: Int, until last: Int64) {
      for event in 0..<Int64(events) {
        counter.hear(
          at: (last - Int64(events) + 1 + event) * Self.second, within: 90 * Self.second)
      }
    }
    hear(1, until: 0)
    tell(1000, 100, at: 0)
    #expect(counter.loss == nil)
    hear(15, until: 20)
    tell(1020, 300, at: 20)
    #expect(counter.loss == 0.25)
    // Began anew; while the radio did not listen; away for too long.
    tell(5, 10, at: 40)
    tell(105, 110, at: 50, stops: 1)
    hear(1, until: 150)
    tell(905, 910, at: 150, stops: 1)
    #expect(counter.loss == 0.25)
    // Counts telemetry alone.
    hear(500, until: 160)
    tell(910, 990, at: 160, stops: 1)
    #expect(counter.loss == nil)
  }
}
