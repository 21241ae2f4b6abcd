/// Counts in rows of fixed width, one row per owner that has outgrown its inline samples.
struct HistogramPool: Sendable {
  let width: Int
  private var counts: [UInt32] = []

  init(width: Int) { self.width = width }

  mutating func newRow() -> Int32 {
    let row = counts.count / width
    counts.append(contentsOf: repeatElement(0, count: width))
    return Int32(truncatingIfNeeded: row)
  }

  @inline(__always)
  mutating func add(_ row: Int32, _ bucket: Int) {
    counts[Int(row) * width + bucket] &+= 1
  }

  func row(_ row: Int32) -> ArraySlice<UInt32> {
    counts[(Int(row) * width)..<((Int(row) + 1) * width)]
  }
}

/// A distribution in little memory: the first samples inline, from then on a histogram row. Exact
/// in its buckets, whatever the number of samples.
struct SampleSummary: Sendable {
  private(set) var count: UInt32 = 0
  private var row: Int32 = -1
  /// Eight buckets of 16 bits.
  private var inline: (UInt64, UInt64) = (0, 0)
  static let inlineSamples: UInt32 = 8

  @inline(__always)
  mutating func add(_ bucket: Int, _ pool: inout HistogramPool) {
    count &+= 1
    if row >= 0 {
      pool.add(row, bucket)
    } else {
      addInline(bucket, &pool)
    }
  }

  private mutating func addInline(_ bucket: Int, _ pool: inout HistogramPool) {
    let index = count - 1
    if index < Self.inlineSamples {
      let bits = UInt64(bucket & 0xffff) << UInt64(16 * (index & 3))
      if index < 4 { inline.0 |= bits } else { inline.1 |= bits }
      return
    }
    row = pool.newRow()
    for sample in 0..<Self.inlineSamples { pool.add(row, inlineBucket(sample)) }
    pool.add(row, bucket)
  }

  private func inlineBucket(_ index: UInt32) -> Int {
    Int((index < 4 ? inline.0 : inline.1) >> UInt64(16 * (index & 3)) & 0xffff)
  }

  /// Adds the samples to a histogram of the pool's width.
  func add(to histogram: inout [Int], _ pool: HistogramPool) {
    if row >= 0 {
      for (index, value) in pool.row(row).enumerated() { histogram[index] += Int(value) }
    } else {
      for sample in 0..<min(count, Self.inlineSamples) { histogram[inlineBucket(sample)] += 1 }
    }
  }
}

/// Buckets for the gaps between sightings: half a millisecond wide up to 16 ms, from there sixteen
/// to an octave.
enum GapScale {
  /// Nanoseconds per unit: 2¹⁹ ns, about half a millisecond.
  static let unitShift: Int64 = 19
  static let width = 32 + 16 * 40

  @inline(__always)
  static func bucket(nanoseconds: Int64) -> Int {
    let units = UInt64(max(0, nanoseconds)) >> UInt64(unitShift)
    if units < 32 { return Int(units) }
    let exponent = 63 - units.leadingZeroBitCount
    let bucket = 32 + (exponent - 5) * 16 + Int(units >> UInt64(exponent - 4) & 15)
    return min(bucket, width - 1)
  }

  /// Nanoseconds where a bucket begins.
  static func lowerBound(_ bucket: Int) -> Double {
    let unit = Double(1 << unitShift)
    if bucket < 32 { return Double(bucket) * unit }
    let octave = (bucket - 32) / 16
    let part = (bucket - 32) % 16
    return Double(16 + part) / 16 * Double(UInt64(32) << UInt64(octave)) * unit
  }

  /// The value below which `share` of the samples lie, nanoseconds; nil without samples. Taken
  /// from inside its bucket as if the samples were spread evenly there.
  static func quantile(_ share: Double, _ histogram: [Int]) -> Double? {
    let total = histogram.reduce(0, +)
    guard total > 0 else { return nil }
    let wanted = share * Double(total)
    var before = 0
    for (bucket, count) in histogram.enumerated() where count > 0 {
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
enum SignalScale {
  static let width = 256

  @inline(__always)
  static func bucket(_ rssi: Int8) -> Int { Int(rssi) + 128 }

  /// Smallest, median and largest dBm; nil without samples. The lower one of two middle values.
  static func summary(_ histogram: [Int]) -> (min: Int, median: Int, max: Int)? {
    let total = histogram.reduce(0, +)
    guard total > 0, let low = histogram.firstIndex(where: { $0 > 0 }),
      let high = histogram.lastIndex(where: { $0 > 0 })
    else { return nil }
    var before = 0
    for (bucket, count) in histogram.enumerated() {
      before += count
      if before * 2 >= total { return (low - 128, bucket - 128, high - 128) }
    }
    return nil
  }
}
