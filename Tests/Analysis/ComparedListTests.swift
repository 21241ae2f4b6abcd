import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// Radios that pass on only whom they were told to: advertisers on their list, or whom Android's content filter lets
/// through.
@Suite struct ComparedListTests {
  private static let seconds: Int64 = 600
  private static let day: Int64 = 86_400_000

  /// What Android's content filter is told at a second.
  private struct Order {
    let second: Int64
    let bytes: [UInt8]

    static func on(at second: Int64) -> [Order] {
      let filter: [UInt8] = [1, 0, 1, 0x20, 0, 0x11, 0x11, 1, 0x80, 0]
      return [Order(second: second, bytes: filter), Order(second: second, bytes: [0, 1])]
    }
    static func off(at second: Int64) -> [Order] { [Order(second: second, bytes: [0, 0])] }
  }

  /// Beacons that are heard every second, and the first of them when it is.
  private static func hall(
    _ minors: ClosedRange<UInt16>, day: Int64 = 0, listedOnly: Bool = false,
    _ orders: [Order] = [], until end: Int64 = seconds, first: (Int64) -> Bool = { _ in true }
  ) -> Recording {
    var hall = Recording("hall")
    let start = day * Self.day
    hall.scan(
      filtersDuplicates: false, interval: 60, window: 60, listedOnly: listedOnly, at: start)
    for second in 0..<end {
      for order in orders where order.second == second {
        hall.contentFilter(order.bytes, at: start + second * 1000)
      }
      for minor in minors where minor > 1 || first(second) {
        hall.hear(
          Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)),
          at: start + second * 1000 + Int64(minor))
      }
    }
    return hall
  }

  private static func compare(_ before: Recording, _ now: Recording) throws -> Comparison {
    Comparison(before: try ComparedSide([before]), now: try ComparedSide([now]))
  }

  /// Of the first of seven beacons, which the later side does not hear.
  private static func missing(
    listedOnly: Bool = false, _ orders: [Order] = []
  ) throws -> (missing: Comparison.Missing, listing: [String]) {
    let found = try compare(hall(1...7), hall(2...7, day: 7, listedOnly: listedOnly, orders))
    #expect(found.missing.count == 1 && found.before.listing.isEmpty)
    return (try #require(found.missing.first), found.now.listing)
  }

  @Test func whoIsMissingWhereListedAdvertisersAloneAreHeardIsNotGone() throws {
    let listed = try Self.missing(listedOnly: true)
    #expect(listed.missing.grade == .thin && listed.missing.doubt == .listedOnly)
    #expect(listed.listing == ["hall"])
    for second in [Int64(0), 5] {
      let filtered = try Self.missing(Order.on(at: second))
      #expect(filtered.missing.grade == .thin && filtered.missing.doubt == .listedOnly)
      #expect(filtered.listing == ["hall"])
    }
  }

  @Test func whoIsMissingInTheTimeInWhichEverybodyIsHeardIsGone() throws {
    let none = try Self.missing()
    #expect(none.missing.grade == .gone && none.missing.doubt == nil && none.listing.isEmpty)
    let long = try Self.missing(Order.on(at: 60))
    #expect(long.missing.grade == .gone && long.listing == ["hall"])
    let short = try Self.missing(Order.on(at: 60) + Order.off(at: 90))
    #expect(short.missing.grade == .gone && short.listing.isEmpty)
  }

  @Test func whoIsHeardSeldomWhereHeIsLeftOutIsNotHardlyHeard() throws {
    let hour: Int64 = 3600
    func isTold(_ orders: [Order]) throws -> Bool {
      let now = Self.hall(1...7, day: 7, orders, until: hour) { second in
        // Lost as if by chance.
        (UInt64(second + 1) &* 0x9E37_79B9_7F4A_7C15) >> 33 % 97 == 0
      }
      return try Self.compare(Self.hall(1...7, until: hour), now).changed.flatMap(\.changes)
        .contains { if case .heardBy = $0 { true } else { false } }
    }
    #expect(try isTold([]))
    #expect(try !isTold(Order.on(at: 60)))
  }
}
