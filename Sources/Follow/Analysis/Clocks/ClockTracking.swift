import CaptureReader

/// Compares two captures' clocks: finds how far one is ahead in a short while, follows that to both ends, and
/// looks again where it ends before they do, and after each long gap.
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
  /// Of what was recorded at a stretch.
  private static let mostPieces = 6
  /// Differences of any size are looked for so often at most: of long captures that takes longest.
  private static let mostWide = 12
  /// Sessions that are looked into, one after the other, before anything is known.
  private static let mostSessions = 12
  /// Sessions without anything in common that are looked through in full, and at all.
  private static let barrenAtLength = 3
  private static let mostBarren = 24
  /// A gap as long is none of a recording: clocks are set, drift apart and begin anew in it.
  private static let longGap = 600 * second

  let other: ArrivalLog
  /// All times of the first one's advertisers that the other one has, too.
  let anchors: [Anchor]
  private let advertisers: Int
  /// By which the other one's clock may be ahead if any of its times is one of the first one's.
  private let possible: ClosedRange<Int64>
  /// Short whiles of the whole capture, some hundred: what is compared.
  private let windows: [Range<Int>]
  /// The windows of what was recorded at a stretch.
  private let sessions: [Range<Int>]

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
    (windows, sessions) = Self.windows(of: anchors)
  }

  func track() -> ClockTrack {
    var track = ClockTrack(advertisers: advertisers)
    guard !windows.isEmpty else { return track }
    let near = Self.near.clamped(to: possible)
    guard
      let seed = seed(in: windows.indices, Self.manySteps, near)
        ?? seed(in: windows.indices, Self.someSteps, possible) ?? seedOfSessions(near)
    else { return track }
    // What is left of each session.
    var open = sessions.map { [$0] }
    let start = sessions.lastIndex { $0.lowerBound <= seed.window } ?? 0
    open[start] = take(seed, in: sessions[start], &track)
    var (wide, barren) = (Self.mostWide, 0)
    // From what is known to both sides: a clock goes on as it went.
    for number in sessions.indices.sorted(by: { (abs($0 - start), $0) < (abs($1 - start), $1) }) {
      let known = track.pieces.count
      // Two that hardly meet are not looked for in hundreds of sessions.
      guard barren < Self.mostBarren else {
        track.isCutShort = true
        break
      }
      while let part = open[number].popLast(), track.pieces.count - known < Self.mostPieces {
        let isWhole = part == sessions[number]
        let isHopeless = barren >= Self.barrenAtLength
        let steps = isWhole && !isHopeless ? Self.manySteps : Self.fewSteps
        open[number] += look(in: part, steps, &track, &wide, isShort: isHopeless)
      }
      if number != start, track.pieces.count == known { barren += 1 }
    }
    track.pieces.sort { $0.first < $1.first }
    track.pieces = sewn(track.pieces)
    track.unshared = unshared(in: track.pieces)
    return track
  }

  /// Of one of the sessions, where steps over all of them meet none that both heard.
  private func seedOfSessions(_ near: ClosedRange<Int64>) -> Seed? {
    guard sessions.count > 1 else { return nil }
    let some = stride(from: 0, to: sessions.count, by: 1 + sessions.count / Self.mostSessions)
    for number in some {
      if let seed = seed(in: sessions[number], Self.fewSteps, near) { return seed }
    }
    return nil
  }

  /// Looks in a part of the windows for how the clock goes there: as by what is known nearby, or as it is, or by
  /// whatever. Returns what is left open.
  private func look(
    in part: Range<Int>, _ steps: [Int], _ track: inout ClockTrack, _ wide: inout Int,
    isShort: Bool
  ) -> [Range<Int>] {
    var ranges: [ClosedRange<Int64>] = []
    if let expected = expected(in: part, track.pieces) {
      ranges.append(
        expected.addingWithin(Self.near.lowerBound)...expected.addingWithin(Self.near.upperBound))
    }
    if ranges.allSatisfy({ !$0.contains(0) || abs($0.lowerBound + $0.upperBound) > Self.second }) {
      ranges.append(Self.near)
    }
    for range in isShort ? ranges.prefix(1) : ranges[...] where range.overlaps(possible) {
      if let seed = seed(in: part, steps, range.clamped(to: possible)) {
        return take(seed, in: part, &track)
      }
    }
    guard wide > 0, !isShort else { return [] }
    wide -= 1
    return seed(in: part, Self.fewSteps, possible).map { take($0, in: part, &track) } ?? []
  }

  /// What the difference would be in the middle of a part, by the piece that is nearest to it.
  private func expected(in part: Range<Int>, _ pieces: [ClockTrack.Piece]) -> Int64? {
    let middle = anchors[windows[part.lowerBound + part.count / 2].lowerBound].time
    func away(_ piece: ClockTrack.Piece) -> UInt64 {
      min(
        piece.first.addingWithin(-middle).magnitude, piece.last.addingWithin(-middle).magnitude)
    }
    return pieces.min { away($0) < away($1) }?.ahead(at: middle)
  }

  /// Follows a first difference in a part of the windows. Returns what that does not cover.
  private func take(_ seed: Seed, in part: Range<Int>, _ track: inout ClockTrack) -> [Range<Int>] {
    let (piece, covered) = follow(seed, in: part)
    guard let piece else { return [] }
    track.pieces.append(piece)
    return [part.lowerBound..<covered.lowerBound, covered.upperBound..<part.upperBound]
      .filter { !$0.isEmpty && $0.count < part.count }
  }

  // MARK: a first difference

  /// From the middle outwards, in eighths: there captures overlap soonest.
  private static let manySteps = [4, 2, 6, 0, 8, 3, 5, 1, 7]
  private static let someSteps = [4, 0, 8, 2, 6]
  private static let fewSteps = [4, 1, 7]

  /// A difference that a short while's packets have, and which part of them.
  private struct Seed {
    /// The last one that does not begin after it.
    let window: Int
    /// What of the anchors a window would have there.
    let anchors: Range<Int>
    let time: Int64
    let ahead: Int64
    let share: Double
  }

  private func seed(in part: Range<Int>, _ steps: [Int], _ range: ClosedRange<Int64>) -> Seed? {
    let anchorsOfPart =
      windows[part.lowerBound].lowerBound..<windows[part.upperBound - 1].upperBound
    let isNear =
      range.upperBound.addingWithin(-range.lowerBound) <= Self.near.upperBound
      - Self.near.lowerBound
    var tried: [Range<Int>] = []
    for length in isNear ? Self.stretchLengths : [Self.stretchLengths[0]] {
      for stretch in stretches(of: anchorsOfPart, steps, length) where !tried.contains(stretch) {
        tried.append(stretch)
        let search = OffsetSearch(Array(anchors[stretch]), in: other)
        guard let peak = search.find(in: range, tries: 2 * steps.count) else { continue }
        let window = part.last { windows[$0].lowerBound <= stretch.lowerBound } ?? part.lowerBound
        return Seed(
          window: window,
          anchors: Self.stretch(
            anchors, from: stretch.lowerBound, Self.anchorsOfWindow, Self.lengthOfWindow),
          time: anchors[stretch.lowerBound + stretch.count / 2].time, ahead: peak.ahead,
          share: Double(peak.packets) / Double(stretch.count))
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

  /// Of a session that is shorter than others there are as many at least.
  private static let leastWindows = 12
  /// Within it two clocks drift apart by no more than is looked for (100 parts in a million are 30 ms).
  private static let mostStride = 300 * second

  /// Of what was recorded: a gap of days takes none of them.
  private static func windows(of anchors: [Anchor])
    -> (windows: [Range<Int>], sessions: [Range<Int>])
  {
    var parts: [Range<Int>] = []
    var begin = 0
    for place in anchors.indices.dropFirst()
    where anchors[place].time.addingWithin(-anchors[place - 1].time) > longGap {
      parts.append(begin..<place)
      begin = place
    }
    if begin < anchors.count { parts.append(begin..<anchors.count) }
    func length(_ part: Range<Int>) -> Int64 {
      anchors[part.upperBound - 1].time.addingWithin(-anchors[part.lowerBound].time)
    }
    let whole = parts.reduce(Int64(0)) { $0.addingWithin(length($1)) }
    var (windows, sessions) = ([Range<Int>](), [Range<Int>]())
    for part in parts {
      let stride = min(
        whole / Int64(mostWindows), length(part) / Int64(leastWindows), mostStride)
      let first = windows.count
      var start = part.lowerBound
      while start < part.upperBound {
        let window = stretch(anchors, from: start, anchorsOfWindow, lengthOfWindow)
          .clamped(to: part)
        windows.append(window)
        let next = anchors[start].time.addingWithin(stride)
        start = window.upperBound
        // Of many only some.
        if start < part.upperBound, anchors[start].time < next {
          start = (start..<part.upperBound).bisected(by: { anchors[$0].time >= next })
        }
      }
      sessions.append(first..<windows.count)
    }
    return (windows, sessions)
  }

  /// Goes on from a first difference to both sides, as long as packets agree.
  private func follow(_ seed: Seed, in part: Range<Int>)
    -> (piece: ClockTrack.Piece?, covered: Range<Int>)
  {
    let likeness = Likeness(
      share: seed.share, spread: spread(in: seed.anchors, at: seed.ahead))
    let (later, end) = walk(Array(seed.window..<part.upperBound), seed, likeness, [])
    let (earlier, start) = walk(
      (part.lowerBound..<seed.window).reversed(), seed, likeness, later)
    let points = earlier.reversed() + later
    let covered = (start ?? seed.window)..<((end ?? seed.window) + 1)
    // Of nothing else is the first difference confirmed.
    guard points.reduce(0, { $0 + $1.packets }) >= Self.leastAnchors else { return (nil, covered) }
    return (ClockTrack.Piece(points: points), covered)
  }

  private static let mostMisses = 3

  /// Window by window. Returns what was found, and the last window in which it was.
  private func walk(
    _ way: [Int], _ start: Seed, _ likeness: Likeness, _ known: [ClockTrack.Point]
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
  private static func expected(at time: Int64, _ points: [ClockTrack.Point], _ start: Seed)
    -> (ahead: Int64, tolerance: Int64)
  {
    guard let first = points.first, let last = points.last else {
      let distance = Double(time.addingWithin(-start.time).magnitude)
      return (start.ahead, 8_000_000 + Int64(min(distance * 300e-6, 50e6)))
    }
    let away = time.addingWithin(-last.time)
    let distance = Double(away.magnitude)
    guard points.count >= 3, first.time != last.time else {
      return (last.ahead, 6_000_000 + Int64(min(distance * 300e-6, 50e6)))
    }
    let rate = Double(last.ahead - first.ahead) / Double(last.time - first.time)
    let change = max(-500e-6, min(500e-6, rate)) * Double(away)
    return (last.ahead + Int64(change), 6_000_000 + Int64(min(distance * 60e-6, 50e6)))
  }
}
