import CaptureReader

/// Which difference the packets of a short while have.
extension ClockTracking {
  /// Where packets that are no match lie, too.
  private static let reach: Int64 = 60_000_000
  /// What packets are apart on their ways to two programs' clocks: so much on either side.
  static let width: Int64 = 2 * OffsetSearch.bin
  /// At a difference that is some intervals off packets lie side by side, too, within the 10 ms and more of
  /// chance in each: fewer of them, and spread.
  struct Likeness {
    let share: Double
    let spread: Int64
  }
  private static let rivalShare = 0.6
  private static let leastShare = 0.4
  /// Within which it is looked how far they are spread.
  private static let around: Int64 = 10_000_000

  /// The difference that most packets of a window have, near one that is expected; nil where it is another one,
  /// or hardly more have it than a difference beside it, or far fewer than of the first window.
  func agreement(
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
  func spread(in window: Range<Int>, at ahead: Int64) -> Int64 {
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
