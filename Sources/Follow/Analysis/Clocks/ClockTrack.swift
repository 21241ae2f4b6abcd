/// How one clock goes by another: how far it is ahead at times while both heard the same packets.
package struct ClockTrack: Sendable {
  /// In a short while.
  package struct Point: Sendable {
    /// Nanoseconds, by the clock that it is compared with.
    package let time: Int64
    /// Nanoseconds; negative: behind.
    package let ahead: Int64
    /// How many packets say so.
    package let packets: Int
  }

  /// A while in which it goes steadily: at its end it was set, or nothing was heard by both for long.
  package struct Piece: Sendable {
    /// At least one, in the order of their times.
    package let points: [Point]

    package var packets: Int { points.reduce(0) { $0 + $1.packets } }

    /// Nanoseconds ahead, of which as many points are above as below.
    package var ahead: Int64 {
      let sorted = points.map(\.ahead).sorted()
      return sorted[(sorted.count - 1) / 2]
    }

    /// Nanoseconds a nanosecond by which it is faster, where it was compared for long enough to tell: the
    /// median of the slopes between all points (Theil and Sen), which a few wrong ones do not change.
    package var rate: Double? {
      guard let first = points.first, let last = points.last,
        last.time - first.time >= Self.leastForRate, points.count >= 5
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
      guard let rate else { return ahead }
      let values = points.map { $0.ahead - Int64(Double($0.time - time) * rate) }.sorted()
      return values[(values.count - 1) / 2]
    }

    /// From the first to the last packets that both have, by the clock itself.
    package var own: ClosedRange<Int64> {
      let times = points.map { $0.time + $0.ahead }
      return (times.min() ?? 0)...(times.max() ?? 0)
    }

    /// Packets are some milliseconds apart on their ways: over five minutes that is ten parts in a million.
    private static let leastForRate: Int64 = 300_000_000_000
  }

  package internal(set) var pieces: [Piece] = []
  /// How many advertisers were heard in both captures.
  package let advertisers: Int

  /// The one that most packets say; nil where nothing is known.
  package var main: Piece? { pieces.max { $0.packets < $1.packets } }
  package var packets: Int { pieces.reduce(0) { $0 + $1.packets } }

  /// The same of the first clock by the second one.
  func reversed() -> ClockTrack {
    var track = ClockTrack(advertisers: advertisers)
    track.pieces = pieces.map { piece in
      Piece(
        points: piece.points.map {
          Point(time: $0.time.addingWithin($0.ahead), ahead: -$0.ahead, packets: $0.packets)
        })
    }
    track.pieces.sort { $0.points[0].time < $1.points[0].time }
    return track
  }
}
