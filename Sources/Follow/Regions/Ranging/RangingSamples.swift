package import CaptureReader

/// A line of a ranging list at a moment that was chosen to be drawn.
package struct RangingSample: Equatable, Sendable {
  package let time: Timestamp
  package let observer: Int
  package let region: Int
  /// 1 is the nearest.
  package let place: Int
  /// Index into the transmitter table.
  package let transmitter: UInt32
  /// Never unknown.
  package let proximity: Proximity
  package let accuracy: Distance
  /// Smoothed, dBm.
  package let rssi: Double
  /// Of the region's transmitters at that moment those beyond the nearest ones that are kept.
  package let others: Int
}

/// Lists of moments that are as far apart as it takes for all of them to be few, and cheap: when there
/// are too many, every other one is dropped, and from there on half as many are taken.
package struct RangingSamples: Sendable {
  /// In the order of their times, then by region and place.
  package private(set) var all: [RangingSample] = []
  /// At most about so many lines.
  static let most = 40_000
  /// Transmitters that may be looked at before fewer moments are taken: on a crowded site a list costs
  /// far more than it has lines.
  static let mostLooks = 100_000
  /// Of a list.
  static let nearest = 8
  /// Nanoseconds; one list is taken in each such span.
  private var apart: Int64
  private var looks = 0
  /// By observer: the span of its latest list.
  private var latest: [Int: Int64] = [:]

  /// - Parameter period: of the lists, nanoseconds, or 0.
  init(period: Int64) { apart = max(period, 1_000_000_000) }

  /// Whether a list of this moment is to be kept.
  mutating func takes(_ time: Int64, observer: Int) -> Bool {
    let span = Self.span(of: time, apart)
    guard latest[observer] != span else { return false }
    latest[observer] = span
    return true
  }

  /// - Parameter looks: transmitters that were looked at for them.
  mutating func add(_ lines: [RangingSample], looks more: Int) {
    all += lines
    looks += more
    if all.count > Self.most || looks > Self.mostLooks { thin() }
  }

  /// A span begins at a whole multiple of its length.
  private static func span(of time: Int64, _ apart: Int64) -> Int64 {
    let rest = time % apart
    return time &- (rest < 0 ? rest + apart : rest)
  }

  private mutating func thin() {
    apart *= 2
    looks /= 2
    let apart = apart
    var kept: [Int: (span: Int64, time: Int64)] = [:]
    all.removeAll { line in
      let time = line.time.nanoseconds
      let span = Self.span(of: time, apart)
      if let last = kept[line.observer], last.span == span { return last.time != time }
      kept[line.observer] = (span, time)
      return false
    }
    latest = kept.mapValues(\.span)
  }
}

extension Ranger {
  /// Keeps where everybody is at a moment, if it is one of those.
  mutating func sample(_ observer: Int, _ now: Int64) {
    guard observers[observer].regionsInside > 0, samples.takes(now, observer: observer) else {
      return
    }
    var lines: [(region: UInt32, slot: Int, metres: Double)] = []
    for number in observers[observer].active {
      let slot = Int(number)
      guard isWanted(slot, observer) else { continue }
      evaluate(slot, now)
      guard let metres = evaluations[slot].metres else { continue }
      for membership in names[slot].memberships
      where observers[observer].isInside(membership.region) {
        lines.append((membership.region, slot, metres))
      }
    }
    lines.sort {
      if $0.region != $1.region { return $0.region < $1.region }
      if $0.metres != $1.metres { return $0.metres < $1.metres }
      return names[$0.slot].stands(before: names[$1.slot])
    }
    var found: [RangingSample] = []
    var start = 0
    while start < lines.count {
      var end = start
      while end < lines.count, lines[end].region == lines[start].region { end += 1 }
      let others = max(0, end - start - RangingSamples.nearest)
      for place in start..<(end - others) {
        let line = line(
          lines[place].slot, observer, lines[place].region, now, place: place - start + 1,
          others: others)
        if let line { found.append(line) }
      }
      start = end
    }
    samples.add(found, looks: observers[observer].active.count)
  }

  private func line(
    _ slot: Int, _ observer: Int, _ region: UInt32, _ now: Int64, place: Int, others: Int
  ) -> RangingSample? {
    let (evaluation, signal) = (evaluations[slot], signals[slot])
    guard let accuracy = evaluation.distance(signal, settings.distance),
      let smoothed = evaluation.smoothed(signal)
    else { return nil }
    return RangingSample(
      time: Timestamp(nanoseconds: now), observer: observer, region: Int(region), place: place,
      transmitter: heard[slot].transmitter, proximity: evaluation.proximity, accuracy: accuracy,
      rssi: smoothed.value, others: others)
  }
}
