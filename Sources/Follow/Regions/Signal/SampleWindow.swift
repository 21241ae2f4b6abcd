/// The RSSI samples of one transmitter that are young enough, oldest first, with their sums.
///
/// A ring that grows with what arrives, up to `most` samples; of more the latest count. It never
/// shrinks: once warm, a sample costs no allocation.
struct SampleWindow: Sendable {
  /// 205 samples a second for 20 s; advertisers send at most 50 advertising events a second.
  static let most = 4096

  private struct Sample: BitwiseCopyable, Sendable {
    var time: Int64
    var rssi: Int8
  }

  /// As many as a power of two.
  private var ring: [Sample] = []
  private var begin: UInt16 = 0
  private var used: UInt16 = 0
  /// dBm; `most` samples of −128 fit, as their squares do.
  private var total: Int32 = 0
  /// Of their squares, dBm².
  private var totalOfSquares: Int32 = 0

  /// - Parameters:
  ///   - time: nanoseconds, not before that of any sample here.
  ///   - limit: samples of this time or earlier may go.
  @inline(__always)
  mutating func append(_ rssi: Int8, at time: Int64, limit: Int64) {
    if count == ring.count { makeRoom(limit) }
    ring[(first &+ count) & (ring.count &- 1)] = Sample(time: time, rssi: rssi)
    used &+= 1
    total &+= Int32(rssi)
    totalOfSquares &+= Int32(rssi) &* Int32(rssi)
  }

  /// Forgets samples of `limit` or earlier.
  mutating func drop(upTo limit: Int64) {
    while count > 0, ring[first].time <= limit { dropFirst() }
  }

  mutating func removeAll() {
    begin = 0
    used = 0
    total = 0
    totalOfSquares = 0
  }

  private mutating func dropFirst() {
    let rssi = Int32(ring[first].rssi)
    total &-= rssi
    totalOfSquares &-= rssi &* rssi
    begin = UInt16(truncatingIfNeeded: (first &+ 1) & (ring.count &- 1))
    used &-= 1
  }

  @inline(never)
  private mutating func makeRoom(_ limit: Int64) {
    drop(upTo: limit)
    guard count == ring.count else { return }
    guard count < Self.most else { return dropFirst() }
    var larger: [Sample] = []
    larger.reserveCapacity(max(4, count * 2))
    for place in 0..<count { larger.append(ring[(first + place) & (ring.count - 1)]) }
    while larger.count < max(4, count * 2) { larger.append(Sample(time: 0, rssi: 0)) }
    ring = larger
    begin = 0
  }
}

extension SampleWindow {
  private var first: Int { Int(begin) }
  var count: Int { Int(used) }
  /// dBm.
  var sum: Int { Int(total) }
  /// Of their squares, dBm².
  private var squares: Int { Int(totalOfSquares) }

  /// dBm; -128 without samples.
  var strongest: Int8 {
    var strongest = Int8.min
    for place in 0..<count {
      strongest = max(strongest, ring[(first &+ place) & (ring.count &- 1)].rssi)
    }
    return strongest
  }

  /// dB, with n − 1 below the line; nil with fewer than two samples, which have no spread.
  var deviation: Double? {
    guard count > 1 else { return nil }
    let spread = count * squares - sum * sum
    return (Double(spread) / Double(count * (count - 1))).squareRoot()
  }

  /// The sum of what is left after the `dropped` lowest and highest. Counted by value instead of
  /// sorted: there are 256 values.
  /// - Parameter dropped: fewer than half of the samples.
  func sum(droppingAtEachEnd dropped: Int) -> Int {
    var counts = InlineArray<256, UInt16>(repeating: 0)
    var lowest = 255
    var highest = 0
    var place = first
    for _ in 0..<count {
      let value = Int(ring[place].rssi) &+ 128
      counts[value] &+= 1
      lowest = min(lowest, value)
      highest = max(highest, value)
      place = (place &+ 1) & (ring.count &- 1)
    }
    return sum - Self.sum(of: dropped, in: counts, from: lowest, by: 1)
      - Self.sum(of: dropped, in: counts, from: highest, by: -1)
  }

  /// Of the first `wanted` values from one end on.
  @inline(__always)
  private static func sum(
    of wanted: Int, in counts: borrowing InlineArray<256, UInt16>, from end: Int, by step: Int
  ) -> Int {
    var value = end
    var missing = wanted
    var sum = 0
    while missing > 0 {
      let taken = min(missing, Int(counts[value]))
      sum &+= taken &* (value &- 128)
      missing &-= taken
      value &+= step
    }
    return sum
  }
}
