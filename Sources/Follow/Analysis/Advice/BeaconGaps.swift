/// Gaps between the advertising events of a beacon that were heard: by length, sixteen to an octave.
///
/// All of them are kept, and not the first ones alone: who is heard weakly at first has no short ones then.
struct BeaconGaps {
  private struct Bucket {
    var count = 0
    /// Nanoseconds.
    var sum = 0.0
    var mean: Double { sum / Double(count) }

    /// When the first and the last of them ended, nanoseconds.
    var first = Int64.max
    var last = Int64.min

    /// Those before which one came that was about as long.
    var alike = 0

    mutating func add(_ gap: Int64, until time: Int64, isAlike: Bool) {
      count += 1
      alike += isAlike ? 1 : 0
      sum += Double(gap)
      first = min(first, time)
      last = max(last, time)
    }

    mutating func add(_ other: Bucket) {
      count += other.count
      sum += other.sum
      first = min(first, other.first)
      last = max(last, other.last)
      alike += other.alike
    }
  }
  private var buckets: [Int: Bucket] = [:]
  private(set) var heard = 0
  private var latest: Int64 = 0

  /// With fewer sightings nobody is regular (SEMANTICS 2, Evidence).
  static let least = 9

  /// - Parameters:
  ///   - gap: nanoseconds, `HeardEvents.sameEvent` or longer.
  ///   - time: when it ended, nanoseconds.
  mutating func add(_ gap: Int64, until time: Int64 = 0) {
    let isAlike = latest > 0 && Double(max(gap, latest)) < 1.25 * Double(min(gap, latest))
    latest = gap
    buckets[GapScale.bucket(nanoseconds: gap), default: Bucket()].add(
      gap, until: time, isAlike: isAlike)
    heard += 1
  }

  /// All gaps of another part of its time.
  mutating func add(_ other: BeaconGaps) {
    for (key, bucket) in other.buckets { buckets[key, default: Bucket()].add(bucket) }
    heard += other.heard
  }

  /// Whether those of one interval follow one another about as often as they do where each packet is lost by
  /// itself: half as often at least.
  func isOfOne(_ interval: Double) -> Bool {
    let single = buckets.values.filter { $0.mean < 1.4 * interval }
    let share = Double(single.reduce(0) { $0 + $1.count }) / Double(max(1, heard))
    return Double(single.reduce(0) { $0 + $1.alike }) * 2 >= share * share * Double(heard)
  }

  /// How many of them are shorter than that, nanoseconds.
  func shorter(than length: Double) -> Int {
    buckets.values.reduce(0) { $0 + ($1.mean < length ? $1.count : 0) }
  }

  /// When the first of all ended, nanoseconds.
  var first: Int64 { buckets.values.map(\.first).min() ?? .min }

  /// When the first and the last of those ended; nil: there is none.
  func first(shorter length: Double) -> Int64? {
    buckets.values.filter { $0.mean < length }.map(\.first).min()
  }
  func last(shorter length: Double) -> Int64? {
    buckets.values.filter { $0.mean < length }.map(\.last).max()
  }

  /// Nil with too few of them, and where they do not tell it. Intervals are in nanoseconds, the loss 0…1. As
  /// `GapScale.ownInterval` reckons it: by the shortest tenth.
  func learnt() -> (interval: Double, loss: Double, gaps: Int)? {
    guard heard >= Self.least else { return nil }
    let all = buckets.sorted { $0.key < $1.key }.map(\.value)
    guard let shortest = Self.middle(all, 0.1) else { return nil }
    func gaps(_ range: Range<Double>, of unit: Double) -> [Bucket] {
      all.filter { range.contains($0.mean / unit) }
    }
    func count(_ gaps: [Bucket]) -> Int { gaps.reduce(0) { $0 + $1.count } }
    guard let unit = Self.middle(gaps(0.75..<1.4, of: shortest), 0.5) else { return nil }
    let single = gaps(0.75..<1.4, of: unit)
    let evidence = IntervalEvidence(
      shorter: count(gaps(0..<0.75, of: unit)), single: count(single),
      between: count(gaps(1.4..<1.7, of: unit)), total: heard)
    guard evidence.isSound else { return nil }
    let interval = single.reduce(0) { $0 + $1.sum } / Double(evidence.single)
    return (interval, 1 - Double(heard) / sent(interval), heard)
  }

  /// How many of an interval the gaps are long, all together. As what a counter says of itself may be anything,
  /// not as a whole number, which it might be too large for.
  private func sent(_ interval: Double) -> Double {
    buckets.values.map { Double($0.count) * max(1, ($0.mean / interval).rounded()) }.sorted()
      .reduce(0, +)
  }

  /// In how many intervals it was not heard, 0…1, by an interval that is known from elsewhere; nil with too few
  /// gaps, and where these are as long as if they ended with those that are counted.
  ///
  /// Of gaps that are all heard it is one less what they are long in the mean. As longer ones are left out as
  /// absences that mean is too short, most where most is lost: the loss is the one with which gaps up to that
  /// length are as long as these.
  func missed(_ interval: Double, longest: Int64) -> Double? {
    guard heard >= Self.least, interval > 0 else { return nil }
    let mean = sent(interval) / Double(heard)
    let most = (Double(longest) / interval).rounded(.down)
    guard most > 1, mean < (most + 1) / 2 else { return nil }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<48 {
      let loss = (low + high) / 2
      let beyond = BeaconPace.power(loss, most)
      let expected = 1 / (1 - loss) - most * beyond / (1 - beyond)
      if expected < mean { low = loss } else { high = loss }
    }
    return low
  }

  /// The mean of the bucket that a share of the gaps lies before.
  private static func middle(_ buckets: [Bucket], _ share: Double) -> Double? {
    let place = Int(share * Double(buckets.reduce(0) { $0 + $1.count }))
    var before = 0
    for bucket in buckets {
      before += bucket.count
      if before > place { return bucket.mean }
    }
    return nil
  }
}
