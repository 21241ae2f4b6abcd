/// Counts in rows of fixed width, one row per owner that has outgrown its inline samples.
package struct HistogramPool: Sendable {
  let width: Int
  /// All rows, to be counted in.
  var counts: [UInt32] = []

  package init(width: Int) { self.width = width }

  /// Where a new row begins.
  fileprivate mutating func newRow() -> Int {
    let row = counts.count
    counts.append(contentsOf: repeatElement(0, count: width))
    return row
  }

  func row(_ start: Int) -> ArraySlice<UInt32> { counts[start..<(start + width)] }
}

/// A distribution in little memory: the first samples inline, from then on a histogram row. Exact
/// in its buckets, whatever the number of samples.
package struct SampleSummary: BitwiseCopyable, Sendable {
  package private(set) var count: UInt32 = 0
  /// Where its row begins in the pool; −1 while the samples are inline.
  private var start = -1
  /// Eight buckets of 16 bits.
  private var inline: (UInt64, UInt64) = (0, 0)
  package static let inlineSamples: UInt32 = 8

  package init() {}

  /// Whether the next sample needs a row that is not there yet: `open` comes first.
  @inline(__always)
  package var isFull: Bool { start < 0 && count >= Self.inlineSamples }

  /// - Parameter table: the pool's rows. The summary must not be full.
  @inline(__always)
  package mutating func add(_ bucket: Int, _ table: inout MutableSpan<UInt32>) {
    if start >= 0 {
      table[start &+ bucket] &+= 1
    } else {
      let bits = UInt64(bucket & 0xffff) << UInt64(16 * (count & 3))
      if count < 4 { inline.0 |= bits } else { inline.1 |= bits }
    }
    count &+= 1
  }

  /// Moves the inline samples into a row of their own.
  package mutating func open(_ pool: inout HistogramPool) {
    start = pool.newRow()
    for sample in 0..<min(count, Self.inlineSamples) {
      pool.counts[start + inlineBucket(sample)] &+= 1
    }
  }

  private func inlineBucket(_ index: UInt32) -> Int {
    Int((index < 4 ? inline.0 : inline.1) >> UInt64(16 * (index & 3)) & 0xffff)
  }

  /// Adds the samples to a distribution.
  package func add(to distribution: inout Distribution, _ pool: HistogramPool) {
    if start >= 0 {
      for (bucket, count) in pool.row(start).enumerated() where count > 0 {
        distribution.add(bucket, count: Int(count))
      }
    } else {
      for sample in 0..<min(count, Self.inlineSamples) {
        distribution.add(inlineBucket(sample), count: 1)
      }
    }
  }
}

/// Samples of several owners put together, by bucket. Most beacons fill a few buckets only.
package struct Distribution: Sendable {
  private var counts: [(bucket: Int, count: Int)] = []
  package private(set) var total = 0

  package init() {}

  package mutating func clear() {
    counts.removeAll(keepingCapacity: true)
    total = 0
  }

  package mutating func add(_ bucket: Int, count: Int) {
    counts.append((bucket, count))
    total += count
  }

  /// Ascending, each bucket once.
  func sorted() -> [(bucket: Int, count: Int)] {
    var result: [(bucket: Int, count: Int)] = []
    for entry in counts.sorted(by: { $0.bucket < $1.bucket }) {
      if let last = result.last, last.bucket == entry.bucket {
        result[result.count - 1].count += entry.count
      } else {
        result.append(entry)
      }
    }
    return result
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

  /// Nanoseconds where a bucket begins.
  package static func lowerBound(_ bucket: Int) -> Double {
    let unit = Double(1 << unitShift)
    if bucket < 32 { return Double(bucket) * unit }
    let octave = (bucket - 32) / 16
    let part = (bucket - 32) % 16
    return Double(16 + part) / 16 * Double(UInt64(32) << UInt64(octave)) * unit
  }

  /// The value below which `share` of the samples lie, nanoseconds; nil without samples. Taken
  /// from inside its bucket as if the samples were spread evenly there.
  package static func quantile(_ share: Double, _ distribution: Distribution) -> Double? {
    let wanted = share * Double(distribution.total)
    var before = 0
    for (bucket, count) in distribution.sorted() {
      if Double(before + count) >= wanted {
        let part = (wanted - Double(before)) / Double(count)
        let low = lowerBound(bucket)
        return low + part * (lowerBound(bucket + 1) - low)
      }
      before += count
    }
    return nil
  }
}

/// Buckets for RSSI: one per dBm, −128…127.
package enum SignalScale {
  package static let width = 256

  @inline(__always)
  package static func bucket(_ rssi: Int8) -> Int { Int(rssi) + 128 }

  /// Smallest, median and largest dBm; nil without samples. The lower one of two middle values.
  package static func summary(_ distribution: Distribution) -> (min: Int, median: Int, max: Int)? {
    let counts = distribution.sorted()
    guard let low = counts.first?.bucket, let high = counts.last?.bucket else { return nil }
    var before = 0
    for (bucket, count) in counts {
      before += count
      if before * 2 >= distribution.total { return (low - 128, bucket - 128, high - 128) }
    }
    return nil
  }
}
