import CaptureReader

/// Samples of several owners put together, by bucket. Most beacons fill a few buckets only.
package struct Distribution: Sendable {
  /// Ascending, each bucket once.
  private(set) var counts: [(bucket: Int, count: Int)] = []
  package private(set) var total = 0
  /// Gaps inside advertising events: all together, nanoseconds, and how many of them are about as long as they may
  /// be from one channel to the next.
  private(set) var inside = 0
  private(set) var halves = 0
  /// Whose gaps these are.
  private(set) var owners = 0

  package init() {}

  package mutating func clear() {
    counts.removeAll(keepingCapacity: true)
    (total, inside, halves, owners) = (0, 0, 0, 0)
  }

  package mutating func add(_ bucket: Int, count: Int) {
    total += count
    // An owner's buckets come ascending.
    guard let last = counts.last, last.bucket >= bucket else {
      return counts.append((bucket, count))
    }
    let place = place(of: bucket)
    if counts[place].bucket == bucket {
      counts[place].count += count
    } else {
      counts.insert((bucket, count), at: place)
    }
  }

  /// Adds the samples of an owner.
  package mutating func add(_ window: SamplePool.Window, of pool: SamplePool) {
    pool.forEach(in: window) { add($0, count: $1) }
  }

  /// Adds the gaps of an owner: of those inside an advertising event only how long they are.
  mutating func addGaps(_ window: SamplePool.Window, of pool: SamplePool) {
    owners += 1
    pool.forEach(in: window) { bucket, count in
      if bucket >= GapScale.leastBetweenEvents { return add(bucket, count: count) }
      inside += count * Int(GapScale.middle(bucket))
      if bucket >= GapScale.leastHalf { halves += count }
    }
  }

  /// Place of the first bucket that is not lower; there is one.
  private func place(of bucket: Int) -> Int {
    (0..<(counts.count - 1)).bisected { counts[$0].bucket >= bucket }
  }
}

/// Buckets for the gaps between sightings: half a millisecond wide up to 16 ms, from there sixteen
/// to an octave.
package enum GapScale {
  /// Nanoseconds per unit: 2¹⁹ ns, about half a millisecond.
  static let unitShift: Int64 = 19
  package static let width = 32 + 16 * 40

  @inline(__always)
  package static func bucket(nanoseconds: Int64) -> Int {
    let units = UInt64(max(0, nanoseconds)) >> UInt64(unitShift)
    if units < 32 { return Int(units) }
    let exponent = 63 - units.leadingZeroBitCount
    let bucket = 32 + (exponent - 5) * 16 + Int(units >> UInt64(exponent - 4) & 15)
    return min(bucket, width - 1)
  }

  /// Gaps of up to 10 ms lie inside an advertising event (Core, Vol 6 Part B 4.4.2), between its channels or what two
  /// radios heard of it. From here on they are between two, or from the first to the last channel of one
  /// (`EventGaps`).
  static let leastBetweenEvents = bucket(nanoseconds: 10_000_000) + 1
  /// From here on they may be the shortest interval there is.
  static let leastInterval = bucket(nanoseconds: 18_000_000)
  /// From half of a gap that may be an interval on.
  static let leastHalf = bucket(nanoseconds: 9_000_000)
  /// From here on they are longer than an event can be.
  static let beyondEvents = bucket(nanoseconds: 21_000_000)
  /// Nanoseconds: 20 ms, and half a bucket for either step.
  static let longestEvent = 20.6e6

  /// Nanoseconds where a bucket begins.
  package static func lowerBound(_ bucket: Int) -> Double {
    let unit = Double(1 << unitShift)
    if bucket < 32 { return Double(bucket) * unit }
    let octave = (bucket - 32) / 16
    let part = (bucket - 32) % 16
    return Double(16 + part) / 16 * Double(UInt64(32) << UInt64(octave)) * unit
  }

  /// Nanoseconds in the middle of a bucket.
  static func middle(_ bucket: Int) -> Double {
    (lowerBound(bucket) + lowerBound(bucket + 1)) / 2
  }

  /// From the beginning of an advertising event that was heard to that of the next, nanoseconds: the middle of all;
  /// nil without any.
  package static func median(_ gaps: Distribution) -> Double? {
    let events = EventGaps(gaps)
    return quantile(0.5, events.counts, of: events.total).map { $0 + events.length }
  }

  /// The value below which `share` of the samples lie, nanoseconds; nil without samples. Taken
  /// from inside its bucket as if the samples were spread evenly there.
  package static func quantile(_ share: Double, _ distribution: Distribution) -> Double? {
    quantile(share, distribution.counts[...], of: distribution.total)
  }

  static func quantile(
    _ share: Double, _ counts: ArraySlice<(bucket: Int, count: Int)>, of total: Int
  ) -> Double? {
    let wanted = share * Double(total)
    var before = 0
    for (bucket, count) in counts {
      if Double(before + count) >= wanted {
        let part = (wanted - Double(before)) / Double(count)
        let low = lowerBound(bucket)
        return low + part * (lowerBound(bucket + 1) - low)
      }
      before += count
    }
    return nil
  }

  /// Gaps that tell an interval.
  private static let enough = 20
  /// A median's standard error, as a part of what lies between the quartiles: √(π/2) of the standard deviation of
  /// normal values, which is 1/1.349 of that.
  private static let errorOfMedian = 1.2533 / 1.349

  /// How often a beacon sends, nanoseconds: the middle of the gaps that are about as long as their
  /// shortest tenth, and how long its events are. Sightings that are missed make gaps twice or three times as long,
  /// never shorter.
  ///
  /// Nil where the gaps do not tell it: fewer than twenty, or those about that long do not stand alone
  /// (`IntervalEvidence`). A radio that listens for a part of its time makes it longer.
  package static func ownInterval(_ distribution: Distribution) -> Double? {
    let events = EventGaps(distribution)
    guard let near = near(events) else { return nil }
    return quantile(0.5, events.counts[near.buckets], of: near.gaps).map { $0 + events.length }
  }

  /// By how much that may be off by chance (one standard error of a median), nanoseconds.
  static func ownIntervalError(_ distribution: Distribution) -> Double? {
    let events = EventGaps(distribution)
    guard let near = near(events) else { return nil }
    let counts = events.counts[near.buckets]
    guard let low = quantile(0.25, counts, of: near.gaps),
      let high = quantile(0.75, counts, of: near.gaps)
    else { return nil }
    return errorOfMedian * (high - low) / Double(near.gaps).squareRoot()
  }

  /// Gaps that are about as long as their shortest tenth; nil where they do not tell an interval.
  private static func near(_ events: EventGaps) -> (buckets: Range<Int>, gaps: Int)? {
    let least = bucket(nanoseconds: HeardEvents.sameEvent)
    let counts = events.counts.drop { $0.bucket < least }
    let total = counts.reduce(0) { $0 + $1.count }
    guard total >= enough, let shortest = quantile(0.1, counts, of: total) else { return nil }
    // Asked for every beacon: by one look at each bucket.
    var (shorter, single, between) = (0, 0, 0)
    var near = counts.startIndex..<counts.startIndex
    for place in counts.indices {
      let low = lowerBound(counts[place].bucket)
      if low >= 1.7 * shortest { break }
      switch low {
      case ..<(0.75 * shortest):
        shorter += counts[place].count
        near = (place + 1)..<(place + 1)
      case ..<(1.4 * shortest):
        single += counts[place].count
        near = near.lowerBound..<(place + 1)
      default: between += counts[place].count
      }
    }
    let evidence = IntervalEvidence(
      shorter: shorter, single: single, between: between, total: total)
    return evidence.isSound ? (near, single) : nil
  }
}

/// Buckets for RSSI: one per dBm, −128…127.
package enum SignalScale {
  @inline(__always)
  package static func bucket(_ rssi: Int8) -> Int { Int(rssi) + 128 }

  /// Smallest, median and largest dBm; nil without samples. The lower one of two middle values.
  package static func summary(_ distribution: Distribution) -> (min: Int, median: Int, max: Int)? {
    let counts = distribution.counts
    guard let low = counts.first?.bucket, let high = counts.last?.bucket else { return nil }
    var before = 0
    for (bucket, count) in counts {
      before += count
      if before * 2 >= distribution.total { return (low - 128, bucket - 128, high - 128) }
    }
    return nil
  }

  /// dBm between which nine tenths of the samples lie; nil without samples.
  static func usual(_ distribution: Distribution) -> ClosedRange<Int>? {
    guard let low = quantile(0.05, distribution), let high = quantile(0.95, distribution) else {
      return nil
    }
    return low...high
  }

  private static func quantile(_ share: Double, _ distribution: Distribution) -> Int? {
    var before = 0
    for (bucket, count) in distribution.counts {
      before += count
      if Double(before) >= share * Double(distribution.total) { return bucket - 128 }
    }
    return nil
  }
}
