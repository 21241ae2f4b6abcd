/// Counts in rows of fixed width, one row per owner that has outgrown its inline samples.
package struct HistogramPool: Sendable {
  let width: Int
  /// All rows, to be counted in.
  var counts: [UInt32] = []

  package init(width: Int) { self.width = width }

  /// Number of a new row.
  fileprivate mutating func newRow() -> Int32 {
    let row = counts.count / width
    counts.append(contentsOf: repeatElement(0, count: width))
    return Int32(truncatingIfNeeded: row)
  }

  fileprivate mutating func add(_ bucket: Int, row: Int32) {
    counts[Int(row) * width + bucket] &+= 1
  }

  func row(_ row: Int32) -> ArraySlice<UInt32> {
    counts[(Int(row) * width)..<((Int(row) + 1) * width)]
  }
}

/// A distribution in little memory: the first samples inline; from then on all are in a histogram
/// row, whose number the owner keeps. Exact in its buckets, whatever the number of samples.
package struct FewSamples: BitwiseCopyable, Sendable {
  private var count: UInt32 = 0
  /// Eight buckets of 16 bits.
  private var inline: (UInt64, UInt64) = (0, 0)
  package static let inlineSamples: UInt32 = 8

  package init() {}

  /// - Parameter row: −1 as long as the samples are inline.
  package mutating func add(_ bucket: Int, row: inout Int32, _ pool: inout HistogramPool) {
    if row < 0 && count < Self.inlineSamples {
      let bits = UInt64(bucket & 0xffff) << UInt64(16 * (count & 3))
      if count < 4 { inline.0 |= bits } else { inline.1 |= bits }
      count += 1
      return
    }
    if row < 0 {
      row = pool.newRow()
      for sample in 0..<count { pool.add(inlineBucket(sample), row: row) }
    }
    pool.add(bucket, row: row)
  }

  private func inlineBucket(_ index: UInt32) -> Int {
    Int((index < 4 ? inline.0 : inline.1) >> UInt64(16 * (index & 3)) & 0xffff)
  }

  /// Adds the samples to a distribution.
  package func add(to distribution: inout Distribution, row: Int32, _ pool: HistogramPool) {
    if row >= 0 {
      for (bucket, count) in pool.row(row).enumerated() where count > 0 {
        distribution.add(bucket, count: Int(count))
      }
    } else {
      for sample in 0..<count { distribution.add(inlineBucket(sample), count: 1) }
    }
  }
}

/// Samples of several owners put together, by bucket. Most beacons fill a few buckets only.
package struct Distribution: Sendable {
  /// Ascending, each bucket once.
  private(set) var counts: [(bucket: Int, count: Int)] = []
  package private(set) var total = 0

  package init() {}

  package mutating func clear() {
    counts.removeAll(keepingCapacity: true)
    total = 0
  }

  package mutating func add(_ bucket: Int, count: Int) {
    total += count
    // Buckets of a histogram row come ascending.
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

  /// Place of the first bucket that is not lower; there is one.
  private func place(of bucket: Int) -> Int {
    var (low, high) = (0, counts.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if counts[middle].bucket < bucket { low = middle + 1 } else { high = middle }
    }
    return low
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
    for (bucket, count) in distribution.counts {
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
    let counts = distribution.counts
    guard let low = counts.first?.bucket, let high = counts.last?.bucket else { return nil }
    var before = 0
    for (bucket, count) in counts {
      before += count
      if before * 2 >= distribution.total { return (low - 128, bucket - 128, high - 128) }
    }
    return nil
  }
}
