/// How one clock goes by another: how far it is ahead at times while both heard the same packets.
package struct ClockTrack: Sendable {
  /// In a short while.
  package struct Point: Sendable {
    /// Nanoseconds, by the clock that it is compared with: the middle of the while.
    package var time: Int64
    /// Nanoseconds; negative: behind.
    package var ahead: Int64
    /// How many packets say so, and when the first and the last of them came, as `time`.
    package var packets: Int
    package var first: Int64
    package var last: Int64
  }

  /// A while in which it goes steadily: at its end it was set, or nothing was heard by both for long.
  package struct Piece: Sendable {
    /// At least one, in the order of their times.
    package internal(set) var points: [Point]
    /// Nanoseconds a nanosecond by which it is faster, where it was compared for long enough to tell: the
    /// median of the slopes between all points (Theil and Sen), which a few wrong ones do not change.
    package let rate: Double?
    /// Nanoseconds ahead at the first point, by the steady drift where that is known.
    private let start: Int64

    init(points: [Point]) {
      (self.points, rate) = (points, Self.rate(of: points))
      let (first, rate) = (points.first?.time ?? 0, rate ?? 0)
      start = Self.median(points.map { $0.ahead - Int64(Double($0.time - first) * rate) })
    }

    package var packets: Int { points.reduce(0) { $0 + $1.packets } }

    /// Nanoseconds ahead, of which as many points are above as below.
    package var ahead: Int64 { Self.median(points.map(\.ahead)) }

    private static func rate(of all: [Point]) -> Double? {
      // Of more it is the same.
      let part = (all.count + mostForRate - 1) / max(1, mostForRate)
      let points = part > 1 ? stride(from: 0, to: all.count, by: part).map { all[$0] } : all
      guard let first = points.first, let last = points.last,
        last.time - first.time >= leastForRate, points.count >= 5
      else { return nil }
      var slopes: [Double] = []
      for (place, point) in points.enumerated() {
        for other in points[(place + 1)...] where other.time > point.time {
          slopes.append(Double(other.ahead - point.ahead) / Double(other.time - point.time))
        }
      }
      slopes.sort()
      return slopes.isEmpty ? nil : slopes[slopes.count / 2]
    }

    /// Nanoseconds ahead at a time, by the steady drift of the whole piece where that is known.
    package func ahead(at time: Int64) -> Int64 {
      guard let rate, let first = points.first else { return start }
      return start + Int64(Double(time.addingWithin(-first.time)) * rate)
    }

    private static func median(_ values: [Int64]) -> Int64 {
      values.isEmpty ? 0 : values.sorted()[(values.count - 1) / 2]
    }

    /// The first and the last packet that both have, by the clock that it is compared with.
    package var first: Int64 { points.map(\.first).min() ?? 0 }
    package var last: Int64 { points.map(\.last).max() ?? 0 }

    /// The same by the clock itself.
    package var own: ClosedRange<Int64> {
      let first = points.map { $0.first + $0.ahead }.min() ?? 0
      return first...max(first, points.map { $0.last + $0.ahead }.max() ?? 0)
    }

    /// Packets are some milliseconds apart on their ways: over five minutes that is ten parts in a million.
    private static let leastForRate: Int64 = 300_000_000_000
    private static let mostForRate = 256
  }

  package internal(set) var pieces: [Piece] = []
  /// Whiles in the midst of pieces of which one has other packets.
  package internal(set) var unshared: [UnsharedStretch] = []
  /// Whether sessions were left out because many had nothing in common.
  var isCutShort = false
  /// How many advertisers were heard in both captures.
  package let advertisers: Int

  /// The one that most packets say; nil where nothing is known.
  package var main: Piece? { pieces.max { $0.packets < $1.packets } }
  package var packets: Int { pieces.reduce(0) { $0 + $1.packets } }

  /// The same of the first clock by the second one.
  func reversed() -> ClockTrack {
    mapped {
      Point(
        time: $0.time.addingWithin($0.ahead), ahead: -$0.ahead, packets: $0.packets,
        first: $0.first.addingWithin($0.ahead), last: $0.last.addingWithin($0.ahead))
    }
  }

  /// By a third clock, by which the one that this was compared with goes as a piece says.
  func by(_ middle: Piece) -> ClockTrack {
    mapped { point in
      // Both differences change slowly: the middle clock's is that of a moment which is as near as it.
      let ahead = middle.ahead(at: point.time.addingWithin(-middle.ahead))
      return Point(
        time: point.time.addingWithin(-ahead), ahead: point.ahead.addingWithin(ahead),
        packets: point.packets, first: point.first.addingWithin(-ahead),
        last: point.last.addingWithin(-ahead))
    }
  }

  private func mapped(_ change: (Point) -> Point) -> ClockTrack {
    var track = ClockTrack(advertisers: advertisers)
    track.isCutShort = isCutShort
    track.pieces = pieces.map { Piece(points: $0.points.map(change)) }
    track.pieces.sort { $0.first < $1.first }
    track.unshared = unshared.map { $0.mapped(change) }
    return track
  }
}
