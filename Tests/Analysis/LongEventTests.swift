import CaptureReader
import FrameEncoder
import Synth
import TestSupport
import Testing

@testable import Analysis

/// Advertising events whose channels are far apart: up to 10 ms from one to the next (Core, Vol 6 Part B 4.4.2).
@Suite("Long advertising events") struct LongEventTests {
  /// When packets are heard, milliseconds.
  /// - Parameters:
  ///   - interval: milliseconds, to which up to 10 are added by chance.
  ///   - step: milliseconds from one channel to the next.
  ///   - loss: of each channel, percent.
  private static func heard(
    _ interval: Int64, step: Int64, loss: [UInt64], seed: UInt64 = 7, events: Int = 600
  ) -> [Int64] {
    var (times, random, time) = ([Int64](), SplitMix64(seed: seed), Int64(0))
    for _ in 0..<events {
      for (channel, loss) in loss.enumerated() where random.next() % 100 >= loss {
        times.append(time + Int64(channel) * step)
      }
      time += interval + Int64(random.next() % 11)
    }
    return times
  }

  private static func recording(_ times: [Int64], day: Int64 = 0) -> Recording {
    var hall = Recording("hall")
    for time in times {
      hall.hear(
        Recording.iBeacon(1), from: Address(0xC000_0000_0001), at: day * 86_400_000 + time)
    }
    return hall
  }

  static let losses: [[UInt64]] = [[0, 0, 0], [30, 30, 30], [20, 50, 80], [10, 100, 10]]

  @Test(
    "their beacon's interval is from the first packet to the first one, whatever is lost",
    arguments: [100, 350, 1022] as [Int64], losses)
  func interval(_ interval: Int64, _ loss: [UInt64]) throws {
    // Where nothing is heard of 38 a gap of 20 ms might be an interval of that.
    for step in [3, 5, 8, 10] as [Int64] where step < 10 || loss[1] < 100 {
      let hall = Self.recording(Self.heard(interval, step: step, loss: loss))
      let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
      let sent = Double(interval + 5)
      let own = try #require(beacon.ownInterval, "\(step) ms") / 1e6
      #expect(abs(own / sent - 1) < 1.0 / 16, "\(step) ms: \(own)")
      let median = try #require(beacon.medianInterval) / 1e6
      #expect(abs(median / sent - 1) < 1.0 / 16, "\(step) ms: \(median)")
    }
  }

  @Test("what is lost of them is no other interval") func compared() throws {
    for interval in [100, 350, 1022] as [Int64] {
      let before = Self.heard(interval, step: 8, loss: [0, 0, 0], seed: 1)
      let now = Self.heard(interval, step: 8, loss: [30, 30, 30], seed: 2)
      let comparison = Comparison(
        before: try ComparedSide([Self.recording(before)]),
        now: try ComparedSide([Self.recording(now, day: 1)]))
      #expect(comparison.changed.flatMap(\.changes).isEmpty, "\(interval) ms")
    }
  }

  private static func learnt(_ times: [Int64]) -> (interval: Double, loss: Double, gaps: Int)? {
    var (events, gaps) = (HeardEvents(), BeaconGaps())
    for time in times {
      if let gap = events.hear(at: time * 1_000_000) { gaps.add(gap.interval) }
    }
    return gaps.learnt()
  }

  @Test("their loss is that of events", arguments: [100, 350, 1022] as [Int64])
  func loss(_ interval: Int64) throws {
    for step in [3, 5, 8, 10] as [Int64] {
      let times = Self.heard(interval, step: step, loss: [30, 30, 30])
      let learnt = try #require(Self.learnt(times), "\(step) ms")
      #expect(abs(learnt.interval / 1e6 - Double(interval + 5)) < 1, "\(step) ms: \(learnt)")
      #expect(abs(learnt.loss - 0.027) < 0.02, "\(step) ms: \(learnt)")
    }
  }

  @Test("advice takes their channels together") func advised() throws {
    let times = Self.heard(350, step: 8, loss: [30, 30, 30])
    var settings = try JudgeOrderTests.settings("tag=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f")
    let present = settings.advise([3_000_000_000], returned: 60_000_000_000, limits: nil)
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis([Self.recording(times).source], options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    let timeline = try #require(result.timeline)
    let advice = ExitAdvice(result, timeline, settings, present: present)
    let pace = try #require(advice.places.first?.beacons.first?.pace)
    #expect(abs(pace.interval / 1e6 - 355) < 2 && pace.loss < 0.06, "\(pace)")
  }

  @Test(
    "the shortest interval there is stays one",
    arguments: [[0, 0, 0], [30, 30, 30], [0, 100, 100], [50, 100, 100]] as [[UInt64]])
  func shortest(_ loss: [UInt64]) throws {
    let times = Self.heard(20, step: 1, loss: loss)
    let hall = Self.recording(times)
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    let learnt = try #require(Self.learnt(times))
    #expect(abs(learnt.interval / 1e6 - 25) < 1, "\(learnt)")
    let own = try #require(beacon.ownInterval)
    #expect(abs(own / learnt.interval - 1) < 1.0 / 16, "\(own)")
  }

  @Test("one heard without its chance and by a clock that is read late is as short")
  func withoutChance() throws {
    var random = SplitMix64(seed: 3)
    let times = (0..<2000).compactMap { event in
      random.next() % 100 < 40 ? nil : Int64(event) * 20 + Int64(random.next() % 2)
    }
    let beacon = try #require(
      try Analysis.result(Self.recording(times)).statistics.summaries().first)
    let own = try #require(beacon.ownInterval) / 1e6
    #expect(abs(own / 20 - 1) < 1.0 / 16, "\(own)")
    let learnt = try #require(Self.learnt(times))
    #expect(abs(learnt.interval / 1e6 - 20) < 1, "\(learnt)")
  }
}
