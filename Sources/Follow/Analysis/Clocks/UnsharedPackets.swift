import CaptureReader

/// A while in which two heard the same advertisers as often as at other times, and hardly the same packets: one of
/// them is not of that time.
package struct UnsharedStretch: Sendable {
  /// The first and the last of its packets, as a point of the way: by the clock that it is compared with.
  fileprivate(set) var place: ClockTrack.Point
  /// How many of these packets the other one has.
  package let shared: Int
  /// Of a hundred packets so many are shared at other times.
  package let usually: Int

  /// Nanoseconds.
  package var first: Int64 { place.first }
  package var last: Int64 { place.last }
  package var packets: Int { place.packets }

  func mapped(_ change: (ClockTrack.Point) -> ClockTrack.Point) -> UnsharedStretch {
    var stretch = self
    stretch.place = change(place)
    return stretch
  }
}

extension ClockTracking {
  /// Packets that are looked at together.
  private static let group = 64
  /// Of a long way only some groups are looked at.
  private static let mostGroups = 20_000
  private static let leastGroups = 4
  private static let leastLength: Int64 = 30_000_000_000
  /// Radios on different channels, and what is between the points of a drift: so much on either side.
  private static let near: Int64 = 5_000_000
  /// Differences that are nearly the same find the same packets.
  private static let same: UInt64 = 1_000_000
  /// Of a hundred, so that a stretch without any is none by chance.
  private static let leastUsual = 30

  /// In the midst of pieces; at their ends nothing says that both heard the same.
  func unshared(in pieces: [ClockTrack.Piece]) -> [UnsharedStretch] {
    pieces.flatMap { piece -> [UnsharedStretch] in
      let start = anchors.indices.bisected { anchors[$0].time >= piece.first }
      let end = anchors.indices.bisected { anchors[$0].time > piece.last }
      guard (end - start) / Self.group > 3 * Self.leastGroups else { return [] }
      return unshared(in: piece, start..<end)
    }
  }

  private func unshared(in piece: ClockTrack.Piece, _ all: Range<Int>) -> [UnsharedStretch] {
    let step = Self.group * (1 + all.count / Self.group / Self.mostGroups)
    let starts = stride(from: all.lowerBound, to: all.upperBound - Self.group, by: step)
      .map { $0 }
    let counts = starts.map { shared(of: $0..<($0 + Self.group), piece) }
    let usual = counts.sorted()[counts.count / 2]
    guard usual * 100 >= Self.leastUsual * Self.group else { return [] }
    var found: [UnsharedStretch] = []
    var known: Rates?
    var place = 0
    func isLow(_ place: Int) -> Bool { counts[place] * 3 < usual }
    while place < starts.count {
      guard isLow(place) else {
        place += 1
        continue
      }
      // Senders of like intervals send at the same moments for some seconds, now and then.
      var next = place + 1
      while next < starts.count,
        let low = (next..<min(next + Self.leastGroups, starts.count)).first(where: isLow)
      {
        next = low + 1
      }
      let part = starts[place]..<(starts[next - 1] + Self.group)
      let time = ClockTrack.Point(
        time: anchors[part.lowerBound].time, ahead: ahead(at: anchors[part.lowerBound].time, piece),
        packets: (next - place) * Self.group, first: anchors[part.lowerBound].time,
        last: anchors[part.upperBound - 1].time)
      let sum = counts[place..<next].reduce(0, +)
      if sum * 3 < usual * (next - place), next - place >= Self.leastGroups,
        time.last - time.first >= Self.leastLength
      {
        let rates = known ?? Rates(of: all, self, piece)
        known = rates
        if areHeardAsEver(part, rates, piece) {
          found.append(
            UnsharedStretch(
              place: time, shared: sum,
              usually: usual * 100 / Self.group))
        }
      }
      place = next
    }
    return found
  }

  /// How many of them the other one has, at the difference that both clocks have there: between the points next to
  /// them, or, where it changed in between, at one of these.
  private func shared(of part: Range<Int>, _ piece: ClockTrack.Piece) -> Int {
    let time = anchors[part.lowerBound].time
    let next = piece.points.indices.bisected { piece.points[$0].time >= time }
    let between = ahead(at: time, piece)
    let beside = piece.points[max(0, next - 1)..<min(piece.points.count, next + 1)].map(\.ahead)
      .filter { $0.addingWithin(-between).magnitude > Self.same }
    return ([between] + beside).map { shared(of: part, at: $0) }.max() ?? 0
  }

  private func shared(of part: Range<Int>, at ahead: Int64) -> Int {
    part.count { place in
      let expected = anchors[place].time.addingWithin(ahead)
      let first = other.first(in: anchors[place].others, from: expected.addingWithin(-Self.near))
      return first < anchors[place].others.upperBound
        && other.times[first] <= expected.addingWithin(Self.near)
    }
  }

  /// Between the points next to a time.
  private func ahead(at time: Int64, _ piece: ClockTrack.Piece) -> Int64 {
    let points = piece.points
    let next = points.indices.bisected { points[$0].time >= time }
    guard next > 0 else { return points[0].ahead }
    guard next < points.count else { return points[points.count - 1].ahead }
    let (one, other) = (points[next - 1], points[next])
    guard other.time > one.time else { return other.ahead }
    let part = Double(time - one.time) / Double(other.time - one.time)
    return one.ahead + Int64(Double(other.ahead - one.ahead) * part)
  }

  /// How often each advertiser was heard by both in a whole piece; by where the other one's times of it begin.
  private struct Rates {
    /// Nanoseconds.
    let length: Double
    private(set) var counts: [Int: (own: Int, others: Int)] = [:]

    init(of all: Range<Int>, _ tracking: ClockTracking, _ piece: ClockTrack.Piece) {
      let (first, last) = (
        tracking.anchors[all.lowerBound].time, tracking.anchors[all.upperBound - 1].time
      )
      length = Double(last - first)
      for anchor in tracking.anchors[all] {
        counts[
          anchor.others.lowerBound,
          default: (0, tracking.heard(anchor.others, from: first, to: last, piece))
        ].own += 1
      }
    }
  }

  private func heard(
    _ sender: Range<Int>, from first: Int64, to last: Int64, _ piece: ClockTrack.Piece
  ) -> Int {
    other.first(in: sender, from: last.addingWithin(ahead(at: last, piece)))
      - other.first(in: sender, from: first.addingWithin(ahead(at: first, piece)))
  }

  /// Whether most of the packets are of advertisers that both heard at least half as often as in the whole piece: who
  /// hears somebody hardly ever, or went where others are, has hardly anything in common.
  private func areHeardAsEver(_ part: Range<Int>, _ rates: Rates, _ piece: ClockTrack.Piece) -> Bool
  {
    let (first, last) = (anchors[part.lowerBound].time, anchors[part.upperBound - 1].time)
    let share = Double(last - first) / rates.length
    var own: [Range<Int>: Int] = [:]
    for anchor in anchors[part] { own[anchor.others, default: 0] += 1 }
    let asEver = own.reduce(0) { sum, sender in
      guard let usual = rates.counts[sender.key.lowerBound] else { return sum }
      let others = heard(sender.key, from: first, to: last, piece)
      let isAsEver =
        Double(sender.value) * 2 >= Double(usual.own) * share
        && Double(others) * 2 >= Double(usual.others) * share
      return isAsEver ? sum + sender.value : sum
    }
    return asEver * 2 >= part.count
  }
}
