import CaptureReader
import Regions

/// Gaps of a beacon in parts of its time, one behind the other: whether it sends as often as it did.
///
/// One interval for all of them would make a loss of what was never sent: of a beacon that was set from one second
/// to three two of three would seem to be lost.
struct GapParts {
  enum Learnt {
    case known(Interval, BeaconPace.Change?)
    case changed(first: Double, last: Double)
    case unknown
  }
  typealias Interval = (interval: Double, loss: Double, gaps: Int)

  private var parts: [BeaconGaps] = []
  /// Gaps of a part.
  private var size = Self.least

  /// Fewer do not tell by themselves how often somebody sends.
  private static let least = 32
  private static let most = 16
  /// Intervals that are known to a sixteenth, and up to 10 ms by chance, are alike below this. What differs by
  /// more from one part to the next was changed at once.
  private static let alike = 1.2
  private static let jump = 1.25
  /// A part of the gaps that may be shorter than the interval: two devices at once, a clock that was set.
  private static let stray = 0.05

  var heard: Int { parts.reduce(0) { $0 + $1.heard } }

  /// All of them.
  var whole: BeaconGaps {
    var whole = BeaconGaps()
    for part in parts { whole.add(part) }
    return whole
  }

  /// - Parameters:
  ///   - gap: nanoseconds, `HeardEvents.sameEvent` or longer.
  ///   - time: when it ended, nanoseconds.
  mutating func add(_ gap: Int64, until time: Int64) {
    if parts.last.map({ $0.heard >= size }) ?? true {
      if parts.count == Self.most { merge() }
      parts.append(BeaconGaps())
    }
    parts[parts.count - 1].add(gap, until: time)
  }

  private mutating func merge() {
    size *= 2
    parts = stride(from: 0, to: parts.count, by: 2).map { place in
      var part = parts[place]
      part.add(parts[place + 1])
      return part
    }
  }

  func learnt() -> Learnt {
    let known = parts.indices.compactMap { place in
      Self.interval(parts[place]).map { Known(place: place, interval: $0) }
    }
    guard let first = known.first, let last = known.last,
      let before = known.lastIndex(where: { Self.factor($0.interval, last.interval) >= Self.alike })
    else { return ofAll }
    // The part in which it changed may be a mixture, on either side; or it was another interval for that part alone.
    let isMixed =
      before > 0 && Self.factor(known[before].interval, known[before - 1].interval) >= Self.alike
    let later = known[min(before + 2, known.count - 1)]
    let earlier = (isMixed ? [before - 1, before] : [before]).map { known[$0] }.first {
      Self.factor($0.interval, later.interval) >= Self.jump && differ($0, last)
    }
    if let earlier {
      var since = BeaconGaps()
      for part in parts[later.place...] { since.add(part) }
      guard let own = since.learnt() else {
        return .changed(first: earlier.interval, last: last.interval)
      }
      let isAtOnce = isAtOnce(known, earlier, later)
      let moment = isAtOnce ? moment(earlier, later) : parts[later.place].first
      return .known(
        own,
        .init(
          since: Timestamp(nanoseconds: moment), before: earlier.interval, isAtOnce: isAtOnce))
    }
    guard Self.factor(first.interval, last.interval) >= Self.alike, differ(first, last) else {
      return ofAll
    }
    return .changed(first: first.interval, last: last.interval)
  }

  /// A part whose gaps tell how often somebody sends, nanoseconds.
  private struct Known {
    let place: Int
    let interval: Double
  }

  /// Nil where they are too few, and where they are those of two devices, one between the other: short and long
  /// ones take turns, and hardly two short ones follow one another.
  private static func interval(_ gaps: BeaconGaps) -> Double? {
    guard gaps.heard >= least, let own = gaps.learnt() else { return nil }
    return gaps.isOfOne(own.interval) ? own.interval : nil
  }

  /// When the last gap ended that was as short as before, or the first one that is as short as since.
  private func moment(_ earlier: Known, _ later: Known) -> Int64 {
    let middle = (earlier.interval + later.interval) / 2
    return earlier.interval < later.interval
      ? parts[earlier.place..<later.place].compactMap { $0.last(shorter: middle) }.max()
        ?? .min
      : parts[(earlier.place + 1)...later.place].compactMap { $0.first(shorter: middle) }.min()
        ?? .min
  }

  /// Whether the one interval followed the other one at once. For a while that is too short to be known there may have
  /// been a third one, which looks like a mixture: then there are more gaps that are of neither than those parts have
  /// that are of one of the two alone.
  private func isAtOnce(_ known: [Known], _ earlier: Known, _ later: Known) -> Bool {
    // The last part of an interval may have something of what follows.
    let reference =
      known.last {
        $0.place < earlier.place && Self.factor($0.interval, earlier.interval) < Self.alike
      } ?? earlier
    let old = Split(parts[reference.place], earlier.interval, later.interval)
    let new = parts[later.place...].reduce(into: Split()) {
      $0.add(Split($1, earlier.interval, later.interval))
    }
    return parts[earlier.place..<later.place].allSatisfy { part in
      let split = Split(part, earlier.interval, later.interval)
      let expected =
        split.earlier * old.neither / max(1, old.earlier)
        + split.later * new.neither / max(1, new.later)
      return split.neither <= 2 * expected + Self.few
    }
  }

  /// Gaps that may be of neither by chance.
  private static let few = 8.0

  /// Gaps by the interval that they are of.
  private struct Split {
    /// Those on the earlier one's side of the middle.
    var earlier = 0.0
    /// On the later one's, as long as that and not.
    var later = 0.0
    var neither = 0.0

    init() {}

    /// - Parameters:
    ///   - old: nanoseconds, as `new`.
    init(_ gaps: BeaconGaps, _ old: Double, _ new: Double) {
      let middle = (old + new) / 2
      let short = gaps.shorter(than: middle)
      let from = old < new ? max(middle, new / GapParts.alike) : new / GapParts.alike
      let to = old < new ? new * GapParts.alike : min(middle, new * GapParts.alike)
      let single = gaps.shorter(than: to) - gaps.shorter(than: from)
      let side = old < new ? gaps.heard - short : short
      earlier = Double(gaps.heard - side)
      later = Double(single)
      neither = Double(side - single)
    }

    mutating func add(_ other: Split) {
      earlier += other.earlier
      later += other.later
      neither += other.neither
    }
  }

  /// Where most is lost two or three intervals may be taken for one: some gaps are shorter then.
  private func differ(_ one: Known, _ other: Known) -> Bool {
    let slow = one.interval > other.interval ? one : other
    let gaps = parts[slow.place]
    let shorter = gaps.shorter(than: (one.interval + other.interval) / 2)
    return Double(shorter) <= Self.stray * Double(gaps.heard)
  }

  private static func factor(_ one: Double, _ other: Double) -> Double {
    max(one, other) / min(one, other)
  }

  private var ofAll: Learnt { whole.learnt().map { .known($0, nil) } ?? .unknown }
}
