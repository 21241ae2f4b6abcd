/// Compares two captures' clocks: finds how far one is ahead in a short while, follows that to both ends, and
/// looks again where it ends before they do.
struct ClockTracking {
  /// An advertiser heard by both.
  private struct Common {
    let one: Range<Int>
    let other: Range<Int>
  }

  private typealias Anchor = OffsetSearch.Anchor

  private static let second: Int64 = 1_000_000_000
  private static let leastArrivals = 8
  private static let mostAnchors = 512
  private static let leastAnchors = 16
  /// Longest while in which a clock that drifts (200 parts in a million) still makes one peak.
  private static let longestStretch = 40 * second
  /// Clocks that were set are hardly ever further apart.
  static let near = -600 * second...600 * second
  static let anywhere = Int64.min...Int64.max
  private static let mostPieces = 6

  private let log: ArrivalLog
  private let other: ArrivalLog
  private let common: [Common]
  /// Nanoseconds by which the other one's clock may be ahead.
  private let range: ClosedRange<Int64>
  /// By which it may be if any of its times is one of the first one's.
  private let possible: ClosedRange<Int64>
  /// All times of the first one's common advertisers.
  private let anchors: [Anchor]

  /// - Parameter log: of the capture whose clock the other one's is compared with.
  init(_ log: ArrivalLog, _ other: ArrivalLog, in range: ClosedRange<Int64>) {
    (self.log, self.other) = (log, other)
    common = log.places.keys.sorted().compactMap { advertiser in
      guard let one = log.places[advertiser], let two = other.places[advertiser],
        min(one.count, two.count) >= Self.leastArrivals
      else { return nil }
      return Common(one: one, other: two)
    }
    var anchors: [Anchor] = []
    for common in common {
      for place in common.one {
        anchors.append(Anchor(time: log.times[place], others: common.other))
      }
    }
    anchors.sort { ($0.time, $0.others.lowerBound) < ($1.time, $1.others.lowerBound) }
    self.anchors = anchors
    possible = Self.possible(log, other, common)
    self.range = range.clamped(to: possible)
  }

  /// All differences that there are.
  private static func possible(
    _ log: ArrivalLog, _ other: ArrivalLog, _ common: [Common]
  ) -> ClosedRange<Int64> {
    var (low, high) = (Int64.max, Int64.min)
    for common in common {
      let (first, last) = (log.times[common.one.lowerBound], log.times[common.one.upperBound - 1])
      let (from, to) = (
        other.times[common.other.lowerBound], other.times[common.other.upperBound - 1]
      )
      low = min(low, from.addingWithin(-last))
      high = max(high, to.addingWithin(-first))
    }
    return low <= high ? low...high : 0...0
  }

  func track() -> ClockTrack {
    var track = ClockTrack(advertisers: common.count)
    guard !common.isEmpty else { return track }
    var open: [Range<Int>] = []
    take(0..<anchors.count, Self.manySteps, range, &track, &open)
    // What is left may be by a clock that was set meanwhile, by whatever.
    while let part = open.popLast(), track.pieces.count < Self.mostPieces {
      take(part, Self.fewSteps, possible, &track, &open)
    }
    track.pieces.sort { $0.points[0].time < $1.points[0].time }
    track.pieces = Self.joined(track.pieces)
    return track
  }

  /// Pieces between which nothing was heard by both for a while, and a drift is enough to explain the rest.
  private static func joined(_ pieces: [ClockTrack.Piece]) -> [ClockTrack.Piece] {
    var joined: [ClockTrack.Piece] = []
    for piece in pieces {
      if let before = joined.last, let last = before.points.last, let first = piece.points.first {
        let away = (first.time - last.time) / 5000
        if abs(first.ahead - last.ahead) <= reach + away {
          joined[joined.count - 1] = ClockTrack.Piece(points: before.points + piece.points)
          continue
        }
      }
      joined.append(piece)
    }
    return joined
  }

  /// Looks for a piece in a part of the first capture, and leaves open what that does not cover.
  private func take(
    _ part: Range<Int>, _ steps: [Int], _ range: ClosedRange<Int64>, _ track: inout ClockTrack,
    _ open: inout [Range<Int>]
  ) {
    guard let seed = seed(in: part, steps, range) else { return }
    let (piece, covered) = follow(seed, in: part)
    guard let piece else { return }
    track.pieces.append(piece)
    for rest in [part.lowerBound..<covered.lowerBound, covered.upperBound..<part.upperBound]
    where rest.count >= Self.leastAnchors && rest.count < part.count {
      open.append(rest)
    }
  }

  // MARK: a first difference

  /// From the middle outwards, in eighths: there captures overlap soonest.
  private static let manySteps = [4, 2, 6, 0, 8, 3, 5, 1, 7]
  private static let fewSteps = [4, 1, 7]

  /// Where to begin: a short while whose packets are in the other capture, too, all by one difference.
  private func seed(
    in part: Range<Int>, _ steps: [Int], _ range: ClosedRange<Int64>
  ) -> (anchors: Range<Int>, ahead: Int64)? {
    for stretch in stretches(of: part, steps) {
      let search = OffsetSearch(Array(anchors[stretch]), in: other)
      if let peak = search.find(in: range, tries: steps.count) { return (stretch, peak.ahead) }
    }
    return nil
  }

  private func stretches(of part: Range<Int>, _ steps: [Int]) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    for step in steps {
      let start = part.lowerBound + max(0, part.count - Self.mostAnchors) * step / 8
      var end = min(start + Self.mostAnchors, part.upperBound)
      let latest = anchors[start].time.addingWithin(Self.longestStretch)
      while end > start, anchors[end - 1].time > latest { end -= 1 }
      guard end - start >= Self.leastAnchors, !stretches.contains(start..<end) else { continue }
      stretches.append(start..<end)
    }
    return stretches
  }

  // MARK: following it

  /// Goes on from a first difference to both sides, as long as packets agree.
  private func follow(
    _ seed: (anchors: Range<Int>, ahead: Int64), in part: Range<Int>
  ) -> (piece: ClockTrack.Piece?, covered: Range<Int>) {
    var points: [ClockTrack.Point] = []
    let middle = seed.anchors.lowerBound
    let (later, end) = walk(from: middle, to: part.upperBound, ahead: seed.ahead, step: 1)
    let (earlier, start) = walk(
      from: middle, to: part.lowerBound, ahead: later.first?.ahead ?? seed.ahead, step: -1)
    points = earlier.reversed() + later
    let packets = points.reduce(0) { $0 + $1.packets }
    // Of nothing else is the first difference confirmed.
    guard packets >= Self.leastAnchors else { return (nil, start..<end) }
    return (ClockTrack.Piece(points: points), start..<end)
  }

  private static let mostMisses = 3
  private static let mostWindows = 100

  /// Window by window. Returns what was found, and how far.
  private func walk(
    from place: Int, to end: Int, ahead: Int64, step: Int
  ) -> (points: [ClockTrack.Point], end: Int) {
    let size = max(64, (anchors.count + Self.mostWindows - 1) / Self.mostWindows)
    var (points, place, covered, ahead, misses) = ([] as [ClockTrack.Point], place, place, ahead, 0)
    while step > 0 ? place < end : place > end {
      let window = step > 0 ? place..<min(end, place + size) : max(end, place - size)..<place
      place = step > 0 ? window.upperBound : window.lowerBound
      if let point = agreement(in: window, near: ahead) {
        points.append(point)
        (ahead, covered, misses) = (point.ahead, place, 0)
      } else {
        misses += 1
        if misses == Self.mostMisses { break }
      }
    }
    return (points, covered)
  }

  /// How far a clock may have drifted from one window to the next one.
  private static let reach: Int64 = 60_000_000
  /// Half of what packets are apart on their ways to two programs' clocks.
  private static let width: Int64 = 2 * OffsetSearch.bin

  /// The difference that most packets of a window have, near one that is expected; nil where not enough have.
  private func agreement(in window: Range<Int>, near ahead: Int64) -> ClockTrack.Point? {
    var differences: [Int64] = []
    let first = anchors[window.lowerBound].time
    for anchor in anchors[window] {
      let from = anchor.time.addingWithin(ahead - Self.reach)
      var place = other.first(in: anchor.others, from: from)
      while place < anchor.others.upperBound {
        let difference = other.times[place].addingWithin(-anchor.time)
        if difference > ahead + Self.reach { break }
        differences.append(difference)
        place += 1
      }
    }
    differences.sort()
    guard let best = densest(differences) else { return nil }
    let expected =
      Double(differences.count - best.count) * Double(2 * Self.width)
      / Double(2 * (Self.reach - Self.width))
    guard best.count >= 5, Double(best.count) > 3 * expected + 4 else { return nil }
    let time = first + (anchors[window.upperBound - 1].time - first) / 2
    return ClockTrack.Point(
      time: time, ahead: differences[best.lowerBound + best.count / 2], packets: best.count)
  }

  /// The most that lie within twice `width`.
  private func densest(_ sorted: [Int64]) -> Range<Int>? {
    var best = 0..<0
    var low = 0
    for high in sorted.indices {
      while sorted[high] - sorted[low] > 2 * Self.width { low += 1 }
      if high + 1 - low > best.count { best = low..<(high + 1) }
    }
    return best.isEmpty ? nil : best
  }
}
