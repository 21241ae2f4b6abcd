import CaptureReader
import FrameEncoder
import Regions
import Synth
import TestSupport
import Testing

@testable import Analysis

/// Intervals, losses and periods that a recording does not tell.
@Suite("What advice does not make up") struct AdviceSoundnessTests {
  private static let second: Int64 = 1_000_000_000
  private static let one = Address(0xC000_0000_0001)

  // MARK: periods

  /// - Parameter numbers: of the profile, `exit_after=5`.
  static func place(
    _ recording: Recording, _ periods: [Int64] = [3, 10], _ numbers: [String] = []
  ) throws -> ExitAdvice.Place {
    var settings = try JudgeOrderTests.settings("tag=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f")
    let overrides = try numbers.map { try ProfileOverride(parsing: $0) }
    settings.profiles = try settings.profiles.map { try $0.with(overrides) }
    let present = settings.advise(periods.map { $0 * second }, returned: 60 * second, limits: nil)
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis([recording.source], options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    let advice = ExitAdvice(result, try #require(result.timeline), settings, present: present)
    return try #require(advice.places.first)
  }

  @Test("no period is advised that nothing tested: one record, scans that are too short")
  func untested() throws {
    var once = Recording("a")
    once.hear(Recording.iBeacon(1), from: Self.one, at: 0)
    let single = try Self.place(once)
    #expect(single.shortest == nil && single.rows.allSatisfy { !$0.isTested })

    var short = Recording("a")
    for minute in 0..<20 as Range<Int64> {
      short.scan(filtersDuplicates: false, at: minute * 60_000)
      for second in 0..<6 as Range<Int64> {
        short.hear(Recording.iBeacon(1), from: Self.one, at: minute * 60_000 + second * 1000 + 10)
      }
      short.scan(filtersDuplicates: false, isOn: false, at: minute * 60_000 + 6000)
    }
    let place = try Self.place(short)
    #expect(place.rows.map(\.deaf) == [19, 19, 19] && place.rows.map(\.looksFalse) == [0, 0, 0])
    #expect(place.shortest == nil && place.steady == nil)
  }

  @Test("periods at whose exits the radio was deaf are none to go back to from a longer one")
  func deafBelow() throws {
    var recording = Recording("a")
    recording.scanInParts(at: 0)
    for period in 0..<100 as Range<Int64> {
      for second in 0..<10 as Range<Int64> {
        for minor in 1...4 as ClosedRange<UInt16> {
          recording.hear(
            Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)),
            at: period * 30_720 + second * 1000 + Int64(minor) * 10)
        }
      }
    }
    let place = try Self.place(recording)
    #expect(place.rows.map(\.deaf) == [99, 99, 0] && place.rows.map(\.looksFalse) == [0, 0, 0])
    #expect(place.rows.map(\.isTested) == [false, false, true])
    #expect(place.shortest == 30 * Self.second && place.steady == 30 * Self.second)
  }

  @Test("one pause of the recording does not keep a period from being tested")
  func pause() throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, at: -10)
    for second in 0..<300 as Range<Int64> where !(100..<140).contains(second) {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
    }
    let place = try Self.place(recording)
    #expect(place.rows.map(\.deaf) == [1, 1, 1] && place.rows.map(\.looksFalse) == [0, 0, 0])
    #expect(place.shortest == 3 * Self.second && place.beacons[0].longest == Self.second)
  }

  @Test("a silence is as long as it lasts, less the pauses of the recording within")
  func silenceWithPauses() throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, at: -10)
    for second in 0..<700 as Range<Int64>
    where !(150..<190).contains(second) && !(300..<340).contains(second) {
      recording.hear(
        Recording.iBeacon(2), from: Address(0xC000_0000_0002), at: second * 1000 + 300)
      if !(100..<600).contains(second) {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
      }
    }
    let beacons = try Self.place(recording).beacons
    let longest = Dictionary(uniqueKeysWithValues: beacons.map { ($0.sightings, $0.longest) })
    // From 99 to 600 s: 501 s, less two pauses from 149.3 to 190.3 and from 299.3 to 340.3 s.
    #expect(longest == [200: 419 * Self.second, 620: Self.second])
  }

  @Test("a longer period is not tested over pauses that are shorter than it", arguments: [40, 20])
  func pauses(_ length: Int64) throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, at: -10)
    for second in 0..<900 as Range<Int64> where second % (100 + length) < 100 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
      recording.hear(
        Recording.iBeacon(2), from: Address(0xC000_0000_0002), at: second * 1000 + 300)
    }
    // A pause is one from half a minute on.
    let tested = try Self.place(recording, [10, 60]).rows.map(\.isTested)
    #expect(tested == (length == 40 ? [true, false, false] : [true, true, true]))
  }

  @Test("silences of the only beacon, as its loss makes them, are no pauses")
  func ownSilences() throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, at: -10)
    var lots = SplitMix64(seed: 3)
    for slot in 0..<400 as Range<Int64> where lots.next() % 100 < 30 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: slot * 12_000)
    }
    #expect(try Self.place(recording, [30, 400]).rows.map(\.isTested).last == true)
  }

  // MARK: radios that listen a part of the time

  @Test("gaps of a radio that listens a part of the time are no interval, and no loss")
  func partly() throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, interval: 4096, window: 1024, at: -10)
    for second in 0..<600 as Range<Int64> where second % 4 == 0 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
    }
    let place = try Self.place(recording)
    #expect(place.beacons[0].pace == nil && place.beacons[0].untold == .partly)
    #expect(abs((place.share ?? 1) - 0.25) < 0.01)
    #expect(place.beacons[0].longest == 4 * Self.second)
  }

  @Test(
    "a scan with rests listens a part of the time, also where its windows were not captured",
    arguments: [true, false])
  func rests(_ tellsWindows: Bool) throws {
    var recording = Recording("a")
    recording.scanInParts(at: 0, tellsWindows: tellsWindows)
    for tenth in 1..<9000 as Range<Int64> where (tenth * 100) % 30_720 < 10_000 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: tenth * 100)
    }
    let place = try Self.place(recording)
    #expect(abs((place.share ?? 1) - 10 / 30.72) < 0.01)
    #expect(place.beacons[0].pace == nil && place.beacons[0].untold == .partly)
  }

  @Test("what is learnt of a beacon is of the time in which the radio listened all the time")
  func background() throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, interval: 5120, window: 5120, at: -10)
    for second in 0..<1200 as Range<Int64> where second < 600 || second % 5 == 0 {
      if second == 600 {
        recording.scan(filtersDuplicates: false, interval: 5120, window: 512, at: 599_500)
      }
      recording.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
    }
    let beacon = try Self.place(recording).beacons[0]
    #expect(beacon.pace?.interval == 1e9 && beacon.pace?.loss == 0 && beacon.isOfPart)
  }

  @Test("scans that are begun anew with a filter say that duplicates were filtered")
  func filtered() throws {
    var recording = Recording("a")
    for scan in 0..<100 as Range<Int64> {
      recording.scan(filtersDuplicates: true, at: scan * 10_000)
      recording.hear(Recording.iBeacon(1), from: Self.one, at: scan * 10_000 + 500)
      recording.scan(filtersDuplicates: true, isOn: false, at: scan * 10_000 + 9_900)
    }
    #expect(try Self.place(recording).beacons[0].untold == .filtered)
  }

  // MARK: intervals that change

  /// Of a beacon that sends at moments, nanoseconds, of which a part is lost.
  private static func parts(_ times: [Int64], lost percent: UInt64, seed: UInt64) -> GapParts {
    var random = SplitMix64(seed: seed)
    let heard = times.filter { _ in random.next() % 1000 >= percent * 10 }
    var parts = GapParts()
    for (one, next) in zip(heard, heard.dropFirst()) { parts.add(next - one, until: next) }
    return parts
  }

  private static func every(_ milliseconds: Int64, from: Int64, to: Int64) -> [Int64] {
    stride(from: from * second, to: to * second, by: Int(milliseconds) * 1_000_000).map { $0 }
  }

  @Test(
    "of an interval that was changed the loss is that of the time since",
    arguments: [(1000, 3000), (3000, 1000), (1000, 1400)] as [(Int64, Int64)], [5, 40] as [UInt64])
  func changed(_ intervals: (Int64, Int64), _ lost: UInt64) throws {
    let times =
      Self.every(intervals.0, from: 0, to: 3000) + Self.every(intervals.1, from: 3000, to: 6000)
    for seed in UInt64(1)...10 {
      let learnt = Self.parts(times, lost: lost, seed: seed).learnt()
      guard case .known(let own, let change?) = learnt else {
        Issue.record("seed \(seed): \(learnt)")
        continue
      }
      #expect(abs(own.interval / 1e6 - Double(intervals.1)) < 1)
      #expect(abs(own.loss - Double(lost) / 100) < 0.06, "seed \(seed): \(own.loss)")
      #expect(abs(change.before / 1e6 - Double(intervals.0)) < 1)
      #expect(abs(change.since.nanoseconds - 3000 * Self.second) < 30 * Self.second)
      #expect(change.isAtOnce, "seed \(seed)")
    }
  }

  @Test(
    "an interval is not told of the time in which it was a third one for a short while",
    arguments: [0, 20] as [UInt64])
  func between(_ lost: UInt64) throws {
    let times =
      Self.every(1000, from: 0, to: 900) + Self.every(4000, from: 904, to: 1800)
      + Self.every(2000, from: 1802, to: 3600)
    guard case .known(let own, let change?) = Self.parts(times, lost: lost, seed: 1).learnt() else {
      Issue.record("no change")
      return
    }
    #expect(abs(own.interval / 1e6 - 2000) < 1)
    #expect(!change.isAtOnce && change.since.nanoseconds >= 1800 * Self.second)
  }

  @Test("of an interval that was another one for a while, too", arguments: UInt64(1)...5)
  func undone(_ seed: UInt64) throws {
    let times =
      Self.every(1000, from: 0, to: 1200) + Self.every(2000, from: 1200, to: 2400)
      + Self.every(1000, from: 2400, to: 3600)
    guard case .known(let own, _?) = Self.parts(times, lost: 10, seed: seed).learnt() else {
      Issue.record("no change")
      return
    }
    #expect(abs(own.interval / 1e6 - 1000) < 1 && abs(own.loss - 0.1) < 0.06, "\(own)")
  }

  @Test("an interval that grows has no loss")
  func growing() {
    var times: [Int64] = [0]
    while times.last! < 12_000 * Self.second {
      times.append(times.last! + Self.second + times.last! / 12_000)
    }
    let learnt = Self.parts(times, lost: 10, seed: 1).learnt()
    guard case .changed(let first, let last) = learnt else {
      Issue.record("\(learnt)")
      return
    }
    #expect(first < 1.15e9 && last > 1.85e9)
  }

  @Test(
    "a beacon that sends all the time alike has not changed, whatever is lost",
    arguments: [0, 10, 30, 50, 70, 80, 85, 90, 95] as [UInt64])
  func unchanged(_ lost: UInt64) {
    let times = Self.every(1000, from: 0, to: 7200)
    for seed in UInt64(1)...40 {
      switch Self.parts(times, lost: lost, seed: seed).learnt() {
      case .known(_, let change?): Issue.record("seed \(seed): \(change)")
      case .changed(let first, let last): Issue.record("seed \(seed): \(first) \(last)")
      case .known, .unknown: break
      }
    }
  }

  @Test("a second device with the same identity is no other interval", arguments: 1...20)
  func clone(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func device(from: Int64) -> [Int64] {
      var times = [from * Self.second + Int64(random.next() % 1_000_000_000)]
      while times.last! < 3600 * Self.second {
        times.append(times.last! + Self.second + Int64(random.next() % 10_000_000))
      }
      return times
    }
    let times = (device(from: 0) + device(from: 1800)).sorted()
    switch Self.parts(times, lost: 10, seed: seed).learnt() {
    case .known(let own, let change?):
      // As long as both are half an interval apart nobody can tell.
      #expect(own.interval > 0.4e9 && change.before > 0.9e9, "\(own) \(change)")
    case .changed(let first, let last): Issue.record("\(first) \(last)")
    case .known, .unknown: break
    }
  }

  // MARK: counters

  private static func hear(_ counter: inout FrameCounter, at time: Int64) {
    counter.hear(at: time, within: 90 * second)
  }

  @Test("a counter that goes faster than the beacon is heard to send tells no loss; its gaps do")
  func fasterCounter() {
    var (counter, random) = (FrameCounter(), SplitMix64(seed: 7))
    for moment in 0..<2000 as Range<Int64> where random.next() % 10 > 0 {
      Self.hear(&counter, at: moment * Self.second)
      if moment % 10 == 0 {
        counter.tell(
          Int(moment) * 3, uptime: Int(moment) * 10, at: moment * Self.second, stops: 0)
      }
    }
    #expect(counter.fault == .faster && counter.loss == nil && counter.interval == nil)
    #expect(abs((counter.lossByGaps ?? 0) - 0.1) < 0.02)
  }

  @Test("two devices of one address count each for itself, and tell neither interval nor loss")
  func severalCounters() {
    var counter = FrameCounter()
    for moment in 0..<2000 as Range<Int64> {
      Self.hear(&counter, at: moment * Self.second)
      Self.hear(&counter, at: moment * Self.second + Self.second / 3)
      guard moment % 10 == 0 else { continue }
      counter.tell(Int(moment), uptime: Int(moment) * 10, at: moment * Self.second, stops: 0)
      counter.tell(
        90_000 + Int(moment), uptime: 900_000 + Int(moment) * 10,
        at: moment * Self.second + Self.second / 3, stops: 0)
    }
    #expect(counter.fault == .several && counter.loss == nil)
  }

  @Test("a day has no more silences than there is room for")
  func room() {
    let pace = BeaconPace(
      interval: 0.36e9, loss: 0.999, missed: 0.999, source: .counter, gaps: 4000)
    #expect(pace.expectedPerDay(120 * Self.second) <= 720)
    let counted = BeaconPace(interval: 0.36e9, loss: 1, missed: 0, source: .counter, gaps: 4000)
    #expect(counted.expectedPerDay(120 * Self.second) == 720)
  }
}
