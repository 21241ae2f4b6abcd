package import CaptureReader
import Regions

/// The clock on a wall somewhere, which may be set for summer and winter.
package struct WallClock: Sendable {
  /// Nanoseconds that it is before UTC at a moment.
  package let shift: @Sendable (Timestamp) -> Int64

  package init(shift: @escaping @Sendable (Timestamp) -> Int64) { self.shift = shift }

  package static let utc = WallClock { _ in 0 }

  static let day: Int64 = 86_400_000_000_000

  func shift(at moment: Int64) -> Int64 { shift(Timestamp(nanoseconds: max(moment, .min + 1))) }

  /// The first moment at which it shows `wall` (what a clock in UTC shows then) or, where that was left out, more.
  /// - Parameter wall: nanoseconds, as is what comes back; none where they would not fit 64 bits.
  package func moment(_ wall: Int64) -> Int64 {
    // Before and after a change: clocks are set once in two days at most.
    let shifts = [shift(at: wall.later(by: -Self.day)), shift(at: wall.later(by: Self.day))]
    let (most, least) = (max(shifts[0], shifts[1]), min(shifts[0], shifts[1]))
    for shift in [most, least] {
      let moment = wall.later(by: -shift)
      if self.shift(at: moment) == shift { return moment }
    }
    return change(after: wall.later(by: -most), upTo: wall.later(by: -least))
  }

  /// The first moment from which on it is as much before UTC as at `end`.
  /// - Parameters: nanoseconds; one change lies between them.
  func change(after start: Int64, upTo end: Int64) -> Int64 {
    let shift = shift(at: end)
    var (before, after) = (start, end)
    while Int128(after) - Int128(before) > 1 {
      let middle = Int64((Int128(before) + Int128(after)) >> 1)
      if self.shift(at: middle) == shift { after = middle } else { before = middle }
    }
    return after
  }
}
