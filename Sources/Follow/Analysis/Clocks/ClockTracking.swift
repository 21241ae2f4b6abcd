import CaptureReader

/// Compares two captures' clocks: finds how far one is ahead in a short while, follows that to both ends, and
/// looks again where it ends before they do.
struct ClockTracking {
  typealias Anchor = OffsetSearch.Anchor

  private static let second: Int64 = 1_000_000_000
  private static let leastArrivals = 8
  private static let mostAnchors = 512
  private static let leastAnchors = 16
  /// A long while has more packets; in a short one a clock that drifts fast (200 parts in a million) still
  /// makes one peak.
  private static let stretchLengths = [40 * second, 10 * second]
  /// Clocks that were set are hardly ever further apart.
  private static let near = -600 * second...600 * second
  private static let mostPieces = 6

  let other: ArrivalLog
  /// All times of the first one's advertisers that the other one has, too.
  let anchors: [Anchor]
  private let advertisers: Int
  /// By which the other one's clock may be ahead if any of its times is one of the first one's.
  private let possible: ClosedRange<Int64>
  /// Short whiles of the whole capture, some hundred: what is compared.
  private let windows: [Range<Int>]

  /// - Parameter log: of the capture whose clock the other one's is compared with.
  init(_ log: ArrivalLog, _ other: ArrivalLog) {
    self.other = other
    let fewer = log.places.count < other.places.count ? log : other
    var anchors: [Anchor] = []
    var possible: ClosedRange<Int64>?
    var advertisers = 0
    for advertiser in fewer.places.keys.sorted() {
      guard let one = log.places[advertiser], let two = other.places[advertiser],
        min(one.count, two.count) >= Self.leastArrivals
      else { continue }
      advertisers += 1
      for place in one { anchors.append(Anchor(time: log.times[place], others: two)) }
      let least = other.times[two.lowerBound].addingWithin(-log.times[one.upperBound - 1])
      let most = other.times[two.upperBound - 1].addingWithin(-log.times[one.lowerBound])
      possible =
        min(possible?.lowerBound ?? least, least)...max(possible?.upperBound ?? most, most)
    }
    anchors.sort { ($0.time, $0.others.lowerBound) < ($1.time, $1.others.lowerBound) }
    (self.anchors, self.advertisers, self.possible) = (anchors, advertisers, possible ?? 0...0)
    windows = Self.windows(of: anchors)
  }

  func track() -> ClockTrack {
    var track = ClockTrack(advertisers: advertisers)
    guard !windows.isEmpty else { return track }
    let near = Self.near.clamped(to: possible)
    var open: [Range<Int>] = []
    take(windows.indices, Self.manySteps, near, &track, &open)
    if track.pieces.isEmpty { take(windows.indices, Self.someSteps, possible, &track, &open) }
    // What is left may be by a clock that was set meanwhile, by whatever.
    while let part = open.popLast(), track.pieces.count < Self.mostPieces {
      let count = track.pieces.count
      take(part, Self.fewSteps, near, &track, &open)
      if track.pieces.count == count { take(part, Self.fewSteps, possible, &track, &open) }
    }
    track.pieces.sort { $0.first < $1.first }
    track.pieces = sewn(track.pieces)
    return track
  }

  /// Looks for a piece in a part of the windows, and leaves open what that does not cover.
  private func take(
    _ part: Range<Int>, _ steps: [Int], _ range: ClosedRange<Int64>, _ track: inout ClockTrack,
    _ open: inout [Range<Int>]
  ) {
    guard let seed = seed(in: part, steps, range) else { return }
    let (piece, covered) = follow(seed, in: part)
    guard let piece else { return }
    track.pieces.append(piece)
    for rest in [part.lowerBound..<covered.lowerBound, covered.upperBound..<part.upperBound]
    where !rest.isEmpty && rest.count < part.count {
      open.append(rest)
    }
  }

  // MARK: a first difference

  /// From the middle outwards, in eighths: there captures overlap soonest.
  private static let manySteps = [4, 2, 6, 0, 8, 3, 5, 1, 7]
  private static let someSteps = [4, 0, 8, 2, 6]
  private static let fewSteps = [4, 1, 7]

  /// A difference that a short while's packets have, and which part of them.
  private struct Seed {
    let window: Int
    let ahead: Int64
    let share: Double
  }

  private func seed(in part: Range<Int>, _ steps: [Int], _ range: ClosedRange<Int64>) -> Seed? {
    let anchorsOfPart =
      windows[part.lowerBound].lowerBound..<windows[part.upperBound - 1].upperBound
    let isNear =
      range.lowerBound >= Self.near.lowerBound && range.upperBound <= Self.near.upperBound
    var tried: [Range<Int>] = []
    for length in isNear ? Self.stretchLengths : [Self.stretchLengths[0]] {
      for stretch in stretches(of: anchorsOfPart, steps, length) where !tried.contains(stretch) {
        tried.append(stretch)
        let search = OffsetSearch(Array(anchors[stretch]), in: other)
        guard let peak = search.find(in: range, tries: 2 * steps.count) else { continue }
        let window = part.last { windows[$0].lowerBound <= stretch.lowerBound } ?? part.lowerBound
        return Seed(
          window: window, ahead: peak.ahead, share: Double(peak.packets) / Double(stretch.count))
      }
    }
    return nil
  }

  private func stretches(of part: Range<Int>, _ steps: [Int], _ length: Int64) -> [Range<Int>] {
    steps.compactMap { step in
      let start = part.lowerBound + max(0, part.count - Self.mostAnchors) * step / 8
      // The last one ends where the part does: files of a recorder have no more in common than that.
      let stretch =
        step == 8
        ? Self.stretch(anchors, upTo: part.upperBound, Self.mostAnchors, length).clamped(to: part)
        : Self.stretch(anchors, from: start, Self.mostAnchors, length).clamped(to: part)
      return stretch.count >= Self.leastAnchors ? stretch : nil
    }
  }

  /// So many anchors, as far as they come within a length.
  private static func stretch(
    _ anchors: [Anchor], from start: Int, _ most: Int, _ length: Int64
  ) -> Range<Int> {
    var end = min(start + most, anchors.count)
    let latest = anchors[start].time.addingWithin(length)
    while end > start + 1, anchors[end - 1].time > latest { end -= 1 }
    return start..<end
  }

  /// The same, that ends there.
  private static func stretch(
    _ anchors: [Anchor], upTo end: Int, _ most: Int, _ length: Int64
  ) -> Range<Int> {
    var start = max(0, end - most)
    let earliest = anchors[end - 1].time.addingWithin(-length)
    while start < end - 1, anchors[start].time < earliest { start += 1 }
    return start..<end
  }

  // MARK: following it

  private static let mostWindows = 200
  private static let anchorsOfWindow = 192
  private static let lengthOfWindow = 30 * second

  private static func windows(of anchors: [Anchor]) -> [Range<Int>] {
    guard let first = anchors.first, let last = anchors.last else { return [] }
    let stride = last.time.addingWithin(-first.time) / Int64(mostWindows)
    var windows: [Range<Int>] = []
    var start = 0
    while start < anchors.count {
      let window = stretch(anchors, from: start, anchorsOfWindow, lengthOfWindow)
      windows.append(window)
      let next = anchors[start].time.addingWithin(stride)
      start = window.upperBound
      // Of many only some.
      if start < anchors.count, anchors[start].time < next {
        start = (start..<anchors.count).bisected(by: { anchors[$0].time >= next })
      }
    }
    return windows
  }

  /// Goes on from a first difference to both sides, as long as packets agree.
  private func follow(_ seed: Seed, in part: Range<Int>)
    -> (piece: ClockTrack.Piece?, covered: Range<Int>)
  {
    let likeness = Likeness(
      share: seed.share, spread: spread(in: windows[seed.window], at: seed.ahead))
    let (later, end) = walk(Array(seed.window..<part.upperBound), seed.ahead, likeness, [])
    let (earlier, start) = walk(
      (part.lowerBound..<seed.window).reversed(), seed.ahead, likeness, later)
    let points = earlier.reversed() + later
    let covered = (start ?? seed.window)..<((end ?? seed.window) + 1)
    // Of nothing else is the first difference confirmed.
    guard points.reduce(0, { $0 + $1.packets }) >= Self.leastAnchors else { return (nil, covered) }
    return (ClockTrack.Piece(points: points), covered)
  }

  private static let mostMisses = 3

  /// Window by window. Returns what was found, and the last window in which it was.
  private func walk(
    _ way: [Int], _ start: Int64, _ likeness: Likeness, _ known: [ClockTrack.Point]
  ) -> (points: [ClockTrack.Point], last: Int?) {
    var points: [ClockTrack.Point] = []
    var last: Int?
    var misses = 0
    for window in way {
      let middle = anchors[windows[window].lowerBound + windows[window].count / 2].time
      // Those that are nearest: the latest of this way, or the first of the other one.
      let near = points.isEmpty ? Array(known.prefix(5).reversed()) : Array(points.suffix(5))
      let (ahead, tolerance) = Self.expected(at: middle, near, start)
      if let point = agreement(in: windows[window], near: ahead, tolerance, likeness) {
        points.append(point)
        (last, misses) = (window, 0)
      } else {
        misses += 1
        if misses == Self.mostMisses { break }
      }
    }
    return (points, last)
  }

  /// What the difference is at a time, by the points before, and how far off that may be: of crystals two
  /// are 100 parts in a million apart at most, of bad ones three times that.
  private static func expected(at time: Int64, _ points: [ClockTrack.Point], _ ahead: Int64)
    -> (ahead: Int64, tolerance: Int64)
  {
    guard let first = points.first, let last = points.last else { return (ahead, 8_000_000) }
    let away = time.addingWithin(-last.time)
    let distance = Double(away.magnitude)
    guard points.count >= 3, first.time != last.time else {
      return (last.ahead, 6_000_000 + Int64(min(distance * 300e-6, 50e6)))
    }
    let rate = Double(last.ahead - first.ahead) / Double(last.time - first.time)
    let change = max(-500e-6, min(500e-6, rate)) * Double(away)
    return (last.ahead + Int64(change), 6_000_000 + Int64(min(distance * 60e-6, 50e6)))
  }

  /// Where packets that are no match lie, too.
  private static let reach: Int64 = 60_000_000
  /// What packets are apart on their ways to two programs' clocks: so much on either side.
  static let width: Int64 = 2 * OffsetSearch.bin
  /// At a difference that is some intervals off packets lie side by side, too, within the 10 ms and more of
  /// chance in each: fewer of them, and spread.
  private struct Likeness {
    let share: Double
    let spread: Int64
  }
  private static let rivalShare = 0.6
  private static let leastShare = 0.4
  /// Within which it is looked how far they are spread.
  private static let around: Int64 = 10_000_000

  /// The difference that most packets of a window have, near one that is expected; nil where it is another one,
  /// or hardly more have it than a difference beside it, or far fewer than of the first window.
  private func agreement(
    in window: Range<Int>, near ahead: Int64, _ tolerance: Int64, _ likeness: Likeness
  ) -> ClockTrack.Point? {
    let found = differences(in: window, near: ahead)
    let differences = found.map(\.difference)
    let best = densest(differences[...])
    guard best.count >= 5,
      Double(best.count) >= Self.leastShare * likeness.share * Double(window.count)
    else { return nil }
    let middle = differences[best.lowerBound + best.count / 2]
    guard abs(middle - ahead) <= tolerance,
      2 * Self.spread(differences, around: middle) <= 3 * likeness.spread + 600_000
    else { return nil }
    let rival = max(
      densest(differences.prefix { $0 < middle - 3 * Self.width }).count,
      densest(differences.drop { $0 <= middle + 3 * Self.width }).count)
    guard Double(rival) < Self.rivalShare * Double(best.count) else { return nil }
    let times = found[best].map(\.time)
    guard let first = times.min(), let last = times.max() else { return nil }
    return ClockTrack.Point(
      time: first + (last - first) / 2, ahead: middle, packets: best.count, first: first, last: last
    )
  }

  /// What pairs of packets differ by, near a difference; ascending, with the first one's time.
  private func differences(in window: Range<Int>, near ahead: Int64)
    -> [(difference: Int64, time: Int64)]
  {
    var found: [(difference: Int64, time: Int64)] = []
    for anchor in anchors[window] {
      var place = other.first(
        in: anchor.others, from: anchor.time.addingWithin(ahead).addingWithin(-Self.reach))
      while place < anchor.others.upperBound {
        let difference = other.times[place].addingWithin(-anchor.time)
        if difference > ahead.addingWithin(Self.reach) { break }
        found.append((difference, anchor.time))
        place += 1
      }
    }
    return found.sorted { ($0.difference, $0.time) < ($1.difference, $1.time) }
  }

  /// Of the first window, which nothing is expected of but its difference.
  private func spread(in window: Range<Int>, at ahead: Int64) -> Int64 {
    let near = differences(in: window, near: ahead).map(\.difference)
      .filter { abs($0 - ahead) <= Self.around }
    let best = densest(near[...])
    return best.isEmpty ? 0 : Self.spread(near, around: near[best.lowerBound + best.count / 2])
  }

  /// Half of those around a difference are no further from it.
  private static func spread(_ differences: [Int64], around middle: Int64) -> Int64 {
    let away = differences.map { abs($0 - middle) }.filter { $0 <= around }.sorted()
    return away.isEmpty ? 0 : away[away.count / 2]
  }

  /// The most that lie within twice `width`.
  private func densest(_ sorted: ArraySlice<Int64>) -> Range<Int> {
    var best = sorted.startIndex..<sorted.startIndex
    var low = sorted.startIndex
    for high in sorted.indices {
      while sorted[high] - sorted[low] > 2 * Self.width { low += 1 }
      if high + 1 - low > best.count { best = low..<(high + 1) }
    }
    return best
  }
}
