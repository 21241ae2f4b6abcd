import Analysis
import FrameEncoder
import Synth
import Testing

/// How often a beacon sends, out of how often it is heard.
@Suite struct OwnIntervalTests {
  private static let one = Address(0xC000_0000_0001)

  /// Milliseconds; nil where it is not known.
  private static func own(_ times: [Int64]) throws -> (own: Double?, median: Double?) {
    var hall = Recording("hall")
    for time in times { hall.hear(Recording.iBeacon(1), from: one, at: time) }
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    return (
      beacon.ownInterval.map { $0 / 1_000_000 }, beacon.medianInterval.map { $0 / 1_000_000 }
    )
  }

  @Test func isThatOfTheBeaconHoweverManyAreMissed() throws {
    var random = SplitMix64(seed: 7)
    let heard = (0..<600).filter { _ in random.next() % 100 < 35 }
      .map { Int64($0 * 1000) + Int64(random.next() % 10) }
    let (own, median) = try Self.own(heard)
    let found = try #require(own)
    #expect(abs(found - 1000) < 40, "\(found)")
    #expect((median ?? 0) > 1900)
  }

  /// An advertising event goes out on three channels.
  @Test func isNotTheGapBetweenChannels() throws {
    let heard = (0..<100).flatMap { (event: Int64) -> [Int64] in [event * 500, event * 500 + 2] }
    let own = try Self.own(heard).own
    let found = try #require(own)
    #expect(abs(found - 500) < 20, "\(found)")
  }

  @Test(
    "by a radio that rests between windows it is known where the rests are shorter than any interval"
  )
  func rests() throws {
    for (interval, window, isKnown) in [(60, 30, true), (5_000, 500, false), (2_000, 2_000, true)] {
      var hall = Recording("hall")
      hall.scan(filtersDuplicates: false, interval: interval, window: window, at: 0)
      for number in Int64(1)...100 {
        hall.hear(Recording.iBeacon(1), from: Self.one, at: number * 5_000)
      }
      let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
      #expect((beacon.ownInterval != nil) == isKnown, "\(interval) ms, \(window) ms")
    }
  }

  @Test("a short time of rests between windows takes nothing from the rest of the recording")
  func restsForAMoment() throws {
    var hall = Recording("hall")
    hall.scan(filtersDuplicates: false, interval: 5_000, window: 500, at: 0)
    for number in Int64(1)...300 {
      if number == 20 {
        hall.scan(filtersDuplicates: false, interval: 60, window: 60, at: 20_001)
      }
      hall.hear(Recording.iBeacon(1), from: Self.one, at: number * 1_000)
    }
    let beacon = try #require(try Analysis.result(hall).statistics.summaries().first)
    #expect(beacon.ownInterval != nil)
  }

  @Test func isNotKnownOfFewGapsOrOfSuchWithoutAnOrder() throws {
    #expect(try Self.own((0..<20).map { Int64($0) * 1000 }).own == nil)
    #expect(try Self.own((0..<21).map { Int64($0) * 1000 }).own != nil)
    var random = SplitMix64(seed: 8)
    var time: Int64 = 0
    let scattered = (0..<400).map { _ in
      time += Int64(100 + random.next() % 5000)
      return time
    }
    #expect(try Self.own(scattered).own == nil)
  }
}
