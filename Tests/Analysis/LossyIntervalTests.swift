import CaptureReader
import FrameEncoder
import Regions
import Synth
import TestSupport
import Testing

@testable import Analysis

/// Interval and loss of beacons of which most packets are lost, and of radios that filter duplicates.
@Suite("Intervals of who is heard badly") struct LossyIntervalTests {
  private static let second: Int64 = 1_000_000_000
  private static let longest = 90 * second

  /// Seconds of two hours in which a beacon is heard that sends each second.
  private static func heard(percent: Int, seed: UInt64) -> [Int64] {
    var random = SplitMix64(seed: seed)
    return (0..<7200).filter { _ in random.next() % 1000 < UInt64(percent) * 10 }.map { Int64($0) }
  }

  private static func gaps(_ heard: [Int64]) -> BeaconGaps {
    var gaps = BeaconGaps()
    for (one, next) in zip(heard, heard.dropFirst()) where (next - one) * second <= longest {
      gaps.add((next - one) * second)
    }
    return gaps
  }

  @Test(
    "gaps tell the interval or nothing, however much is lost",
    arguments: [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 15, 20, 40])
  func neverWrong(_ percent: Int) {
    for seed in UInt64(1)...60 {
      let learnt = Self.gaps(Self.heard(percent: percent, seed: seed)).learnt()
      if let learnt { #expect(learnt.interval == 1e9, "seed \(seed)") }
      if percent >= 15 { #expect(learnt != nil, "seed \(seed)") }
      if percent <= 5 { #expect(learnt == nil, "seed \(seed)") }
    }
  }

  @Test("where the interval is known the loss is, too", arguments: [1, 2, 3, 5, 10, 30, 60])
  func loss(_ percent: Int) throws {
    for seed in UInt64(1)...10 {
      let heard = Self.heard(percent: percent, seed: seed)
      let missed = try #require(
        Self.gaps(heard).missed(1e9, longest: Self.longest), "seed \(seed)")
      #expect(abs(missed - (1 - Double(percent) / 100)) < 0.02, "seed \(seed): \(missed)")
    }
    // As long as if they ended with those that are counted: anything may be lost.
    var all = BeaconGaps()
    for gap in Int64(1)...90 { all.add(gap * Self.second) }
    #expect(all.missed(1e9, longest: Self.longest) == nil)
  }

  // MARK: several receivers

  private static let one = Address(0xC000_0000_0001)

  private static func recording(
    _ name: String, _ heard: [Int64], filters: Bool = false, telemetryEvery: Int64? = nil
  ) -> Recording {
    var recording = Recording(name)
    recording.scan(filtersDuplicates: filters, at: -10)
    for second in heard {
      if let every = telemetryEvery, second % every == 0 {
        recording.hear(
          Payload.eddystoneTLM(
            millivolts: 3000, temperature: 0, count: UInt32(second), uptime: UInt32(second) * 10),
          from: one, at: second * 1000)
      } else {
        recording.hear(Recording.iBeacon(1), from: one, at: second * 1000)
      }
    }
    return recording
  }

  private static func advice(_ recordings: Recording...) throws -> (
    advice: ExitAdvice, beacons: [String: ExitAdvice.Beacon]
  ) {
    var settings = try JudgeOrderTests.settings("tag=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f")
    let present = settings.advise([3 * second], returned: 60 * second, limits: nil)
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis(recordings.map(\.source), options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    let timeline = try #require(result.timeline)
    let advice = ExitAdvice(result, timeline, settings, present: present)
    var beacons: [String: ExitAdvice.Beacon] = [:]
    for place in advice.places {
      beacons[timeline.observers[place.observer].name] = place.beacons.first
    }
    return (advice, beacons)
  }

  @Test("who hears a beacon badly goes by the interval that another receiver knows")
  func otherReceiver() throws {
    let far = Self.recording("far", Self.heard(percent: 3, seed: 4))
    let alone = try #require(Self.advice(far).beacons["far"])
    #expect(alone.pace == nil && alone.untold == .lossy)
    let near = Self.recording("near", Self.heard(percent: 80, seed: 5))
    let pace = try #require(try Self.advice(far, near).beacons["far"]?.pace)
    #expect(pace.interval == 1e9 && pace.intervalSource == .receiver(1))
    #expect(abs(pace.loss - 0.97) < 0.05 && pace.source == .gaps)
  }

  @Test("who hears a beacon badly goes by the interval that its telemetry tells")
  func telemetry() throws {
    let far = Self.recording("far", Self.heard(percent: 6, seed: 6), telemetryEvery: 5)
    let pace = try #require(try Self.advice(far).beacons["far"]?.pace)
    #expect(pace.interval == 1e9 && pace.intervalSource == .telemetry)
    #expect(abs(pace.loss - 0.94) < 0.02 && pace.source == .counter)
  }

  @Test("a filter of duplicates is no interval, and no loss")
  func filtered() throws {
    let minutes = (Int64(0)..<120).map { $0 * 60 + $0 % 3 }
    let (advice, beacons) = try Self.advice(Self.recording("store", minutes, filters: true))
    #expect(advice.filtering == [0])
    #expect(beacons["store"]?.pace == nil && beacons["store"]?.untold == .filtered)
    let kept = try Self.advice(Self.recording("store", minutes))
    #expect(kept.advice.filtering.isEmpty && kept.beacons["store"]?.untold != .filtered)
  }

  // MARK: summaries

  /// How often the only beacon sends, milliseconds.
  private static func own(_ recordings: Recording...) throws -> Double? {
    var sink = NoSink()
    var analysis = Analysis(recordings.map(\.source))
    let beacons = try analysis.run(into: &sink).statistics.summaries()
    return beacons.first?.ownInterval.map { ($0 / 10_000_000).rounded() * 10 }
  }

  @Test("what a filter lets through is not how often a beacon sends, and other receivers tell that")
  func summaries() throws {
    let minutes = (Int64(0)..<120).map { $0 * 60 }
    let filtered = Self.recording("store", minutes, filters: true)
    #expect(try Self.own(filtered) == nil)
    #expect(try Self.own(Self.recording("store", minutes)) != nil)
    let near = Self.recording("near", Self.heard(percent: 80, seed: 5))
    let own = try #require(try Self.own(filtered, near))
    #expect(abs(own - 1000) <= 40, "\(own)")
  }

  @Test("a beacon of which next to nothing is heard has no interval of its own", arguments: 1...5)
  func nothingOfNothing(_ percent: Int) throws {
    for seed in UInt64(1)...5 {
      #expect(try Self.own(Self.recording("a", Self.heard(percent: percent, seed: seed))) == nil)
    }
  }
}
