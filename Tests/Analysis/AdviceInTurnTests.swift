import CaptureReader
import FrameEncoder
import Regions
import Synth
import TestSupport
import Testing

@testable import Analysis

/// Frames that an address sends in turn are not lost.
@Suite("Advice on beacons that send several frames") struct AdviceInTurnTests {
  private static let one = Address(0xC000_0000_0001)
  private static let url = Payload.eddystoneURL(scheme: 3, rest: [0x61, 0x07], power: -20)

  /// Of ten minutes, a frame each second, every fifth of another kind.
  private static func pace(
    _ other: (Int64) -> [UInt8], lost percent: UInt64 = 0
  ) throws -> BeaconPace? {
    var (recording, random) = (Recording("a"), SplitMix64(seed: 5))
    recording.scan(filtersDuplicates: false, at: -10)
    for second in 0..<600 as Range<Int64> where random.next() % 100 >= percent {
      let data = second % 5 == 4 ? other(second) : Recording.iBeacon(1)
      recording.hear(data, from: one, at: second * 1000)
    }
    return try AdviceSoundnessTests.place(recording).beacons[0].pace
  }

  private static func telemetry(_ count: UInt32, _ uptime: UInt32) -> [UInt8] {
    Payload.eddystoneTLM(millivolts: 3000, temperature: 0, count: count, uptime: uptime)
  }

  @Test("another identity's turns are not lost, and what is lost is", arguments: [0, 10, 30])
  func identity(_ percent: UInt64) throws {
    let pace = try #require(try Self.pace({ _ in Self.url }, lost: percent))
    #expect(pace.interval == 1e9 && pace.source == .gaps)
    #expect(abs(pace.loss - Double(percent) / 100) < 0.05, "\(pace.loss)")
    #expect(pace.missed > pace.loss + 0.1, "\(pace.missed)")
  }

  @Test("nor those of telemetry whose counter stands still, is empty, or goes backwards")
  func counters() throws {
    let tellings: [(Int64) -> [UInt8]] = [
      { Self.telemetry(7, UInt32($0) * 10) }, { _ in Self.telemetry(0, 0) },
      { Self.telemetry(1000 - UInt32($0), UInt32($0) * 10) },
    ]
    for telling in tellings {
      let pace = try #require(try Self.pace(telling))
      #expect(pace.loss == 0 && pace.source == .gaps && abs(pace.missed - 0.2) < 0.01)
      #expect(pace.probability(ofSilence: 3_000_000_000) == 0)
    }
  }

  @Test("frames that come together are lost each by itself")
  func together() throws {
    var (recording, random) = (Recording("a"), SplitMix64(seed: 6))
    recording.scan(filtersDuplicates: false, at: -10)
    for second in 0..<1200 as Range<Int64> {
      for (data, later) in [(Recording.iBeacon(1), 0), (Self.url, 5)] as [([UInt8], Int64)]
      where random.next() % 10 >= 3 {
        recording.hear(data, from: Self.one, at: second * 1000 + later)
      }
    }
    let pace = try #require(try AdviceSoundnessTests.place(recording).beacons[0].pace)
    #expect(abs(pace.loss - 0.3) < 0.05, "\(pace.loss)")
  }

  @Test(
    "an interval goes from one event to the next, and a silence from the last packet",
    arguments: [1, 3])
  func channels(_ apart: Int64) throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, at: -10)
    for event in 0..<600 as Range<Int64> {
      for channel in 0..<3 as Range<Int64> {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: event * 100 + channel * apart)
      }
    }
    let beacon = try AdviceSoundnessTests.place(recording).beacons[0]
    #expect(beacon.pace?.interval == 1e8 && beacon.pace?.loss == 0)
    #expect(beacon.longest == (100 - 2 * apart) * 1_000_000)
  }

  @Test("who sends so fast that no event ends has the gaps that are heard")
  func fast() throws {
    var recording = Recording("a")
    recording.scan(filtersDuplicates: false, at: -10)
    for event in 0..<6000 as Range<Int64> where event % 100 != 0 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: event * 12)
    }
    let beacon = try AdviceSoundnessTests.place(recording).beacons[0]
    #expect(beacon.pace?.interval == 24e6)
  }
}
