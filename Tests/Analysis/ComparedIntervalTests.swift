import Analysis
import CaptureReader
import FrameEncoder
import Synth
import TestSupport
import Testing

/// How often a beacon sends in two recordings.
@Suite struct ComparedIntervalTests {
  /// - Parameters:
  ///   - interval: milliseconds, to which up to `spread` are added by chance.
  private static func side(
    _ interval: Int64, spread: UInt64 = 10, count: Int = 200, seed: UInt64, day: Int64 = 0
  ) throws -> ComparedSide {
    var (recording, random) = (Recording("hall"), SplitMix64(seed: seed))
    var time = day * 86_400_000
    for _ in 0..<count {
      recording.hear(Recording.iBeacon(1), from: Address(0xC000_0000_0001), at: time)
      time += interval + Int64(random.next() % (spread + 1))
    }
    return try ComparedSide([recording])
  }

  private static func changes(_ before: ComparedSide, _ now: ComparedSide) -> [BeaconChange] {
    Comparison(before: before, now: now).changed.flatMap(\.changes)
  }

  @Test(arguments: [(760, 852), (852, 1022), (1022, 852), (1285, 1500)] as [(Int64, Int64)])
  func aTenthMoreOrLessIsTold(_ before: Int64, _ now: Int64) throws {
    let changes = Self.changes(
      try Self.side(before, seed: 1), try Self.side(now, seed: 2, day: 1))
    guard changes.count == 1, case .interval(let old, let new) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(abs(old / 1e6 - Double(before + 5)) < 0.04 * Double(before), "\(old)")
    #expect(abs(new / 1e6 - Double(now + 5)) < 0.04 * Double(now), "\(new)")
  }

  @Test(arguments: [100, 152, 318, 760, 1022] as [Int64], UInt64(1)...3)
  func theSameIntervalIsNoOther(_ interval: Int64, _ seed: UInt64) throws {
    let before = try Self.side(interval, seed: seed)
    #expect(Self.changes(before, try Self.side(interval, seed: seed + 9, day: 1)).isEmpty)
    // And 3 % more is less than is known.
    let more = interval + interval * 3 / 100
    #expect(Self.changes(before, try Self.side(more, seed: seed + 9, day: 1)).isEmpty)
  }

  /// The middle of a few gaps that vary much is one by chance.
  @Test func ofGapsThatVaryMuchATenthIsChance() throws {
    let before = try Self.side(800, spread: 400, count: 40, seed: 1)
    #expect(
      Self.changes(before, try Self.side(900, spread: 400, count: 40, seed: 2, day: 1)).isEmpty)
  }
}
