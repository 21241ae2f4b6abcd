import CaptureReader
import Regions

/// How often a beacon advertises, and how much of that is lost.
package struct BeaconPace: Sendable {
  /// Where the loss comes from.
  package enum Source: String, Sendable {
    /// The beacon's own counter of frames (Eddystone-TLM, ADV_CNT): absolute.
    case counter = "adv_cnt"
    /// Gaps that are twice, three times … as long as the shortest.
    case gaps
  }

  /// Where the interval comes from.
  package enum IntervalSource: Sendable, Equatable {
    /// Its gaps at this receiver.
    case gaps
    /// Its gaps at another one, by the run's number.
    case receiver(Int)
    /// Its telemetry: frames sent, and the time that took.
    case telemetry
  }

  /// Why nothing is known.
  package enum Untold: Sendable {
    /// It was heard too seldom.
    case seldom
    /// So much is lost that its gaps do not tell.
    case lossy
    /// The controller left out what was repeated.
    case filtered
  }

  /// Nanoseconds.
  package let interval: Double
  /// 0…1.
  package let loss: Double
  /// In how many of its intervals this identity was not heard, 0…1: what was lost and, where another one or
  /// telemetry is sent in its turn, that.
  package let missed: Double
  package let source: Source
  package let intervalSource: IntervalSource
  /// Gaps that it was learnt from.
  package let gaps: Int

  package init(
    interval: Double, loss: Double, missed: Double, source: Source, gaps: Int,
    intervalSource: IntervalSource = .gaps
  ) {
    self.interval = interval
    self.loss = loss
    self.missed = missed
    self.source = source
    self.intervalSource = intervalSource
    self.gaps = gaps
  }

  /// An interval that is known from elsewhere.
  struct KnownInterval {
    let interval: Double
    let source: IntervalSource
  }

  /// By its own gaps; the loss by the counter where there is one that can be.
  init?(_ gaps: BeaconGaps, _ counter: FrameCounter) {
    guard let own = gaps.learnt() else { return nil }
    self.init(
      interval: own.interval, loss: counter.loss ?? own.loss, missed: own.loss,
      source: counter.loss == nil ? .gaps : .counter, gaps: own.gaps)
  }

  /// By an interval that is known from elsewhere, where its own gaps do not tell it.
  /// - Parameter longest: gaps that are longer were not counted, nanoseconds.
  init?(_ gaps: BeaconGaps, _ counter: FrameCounter, _ known: KnownInterval, longest: Int64) {
    guard let missed = gaps.missed(known.interval, longest: longest) else { return nil }
    self.init(
      interval: known.interval, loss: counter.loss ?? missed,
      missed: max(missed, counter.loss ?? 0), source: counter.loss == nil ? .gaps : .counter,
      gaps: gaps.heard, intervalSource: known.source)
  }

  /// Advertisements that have to be lost one after the other for a silence longer than that. The one behind
  /// them comes too late.
  package func lostInSilence(_ period: Int64) -> Double {
    (Double(period) / interval).rounded(.down)
  }

  /// That behind an advertisement that was heard nothing comes for longer than a period, if each is lost by
  /// itself, 0…1. What is sent in its turn comes regularly, and need not be lost.
  package func probability(ofSilence period: Int64) -> Double {
    let slots = lostInSilence(period)
    let others = loss < 1 ? slots * max(0, 1 - (1 - missed) / (1 - loss)) : 0
    let fewest = others.rounded(.down)
    let more = others - fewest
    return (1 - more) * Self.power(loss, slots - fewest)
      + (more > 0 ? more * Self.power(loss, slots - fewest - 1) : 0)
  }

  /// By squaring: the same on every machine.
  /// - Parameter exponent: a whole number; below 1 it is 0.
  fileprivate static func power(_ base: Double, _ exponent: Double) -> Double {
    var (left, result, factor) = (exponent, 1.0, base)
    while left >= 1, result > 0 {
      if left.truncatingRemainder(dividingBy: 2) == 1 { result *= factor }
      factor *= factor
      left = (left / 2).rounded(.down)
    }
    return result
  }

  /// How many such silences a day has.
  package func expectedPerDay(_ period: Int64) -> Double {
    86_400e9 / interval * (1 - missed) * probability(ofSilence: period)
  }
}

/// Gaps between the advertising events of a beacon that were heard: by length, sixteen to an octave.
///
/// All of them are kept, and not the first ones alone: who is heard weakly at first has no short ones then.
struct BeaconGaps {
  private struct Bucket {
    var count = 0
    /// Nanoseconds.
    var sum = 0.0
    var mean: Double { sum / Double(count) }

    mutating func add(_ gap: Int64) {
      count += 1
      sum += Double(gap)
    }
  }
  private var buckets: [Int: Bucket] = [:]
  private(set) var heard = 0

  /// What is shorter, nanoseconds, are two channels of one advertising event, or two radios.
  static let sameEvent: Int64 = 15_000_000
  /// With fewer sightings nobody is regular (SEMANTICS 2, Evidence).
  static let least = 9

  /// - Parameter gap: nanoseconds, `sameEvent` or longer.
  mutating func add(_ gap: Int64) {
    buckets[GapScale.bucket(nanoseconds: gap), default: Bucket()].add(gap)
    heard += 1
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

/// What an address says in Eddystone-TLM of how many frames it has sent, beside those that were heard.
struct FrameCounter {
  /// Advertising events of the address that were heard, of whatever identity.
  private(set) var heard = 0
  /// When the last of them was.
  private var last = Int64.min
  /// Whether nothing of the address was heard for so long since the last telemetry that it may have been absent.
  private var isBroken = false
  private var told: (count: Int, uptime: Int, at: Int64, heard: Int, stops: UInt32)?
  private(set) var sent = 0
  private var received = 0
  /// How long it took to send them by the beacon's clock, in 0.1 s.
  private var lasted = 0

  /// Fewer say little.
  private static let enough = 20

  /// An advertising event was heard.
  /// - Parameter longest: a longer time without any may be an absence, nanoseconds.
  mutating func hear(at time: Int64, within longest: Int64) {
    heard += 1
    if last != .min, time.since(last) > longest { isBroken = true }
    last = max(last, time)
  }

  /// - Parameters:
  ///   - count: ADV_CNT.
  ///   - uptime: in 0.1 s.
  ///   - stops: how often the observer was known to stop: what was sent across that was not lost.
  mutating func tell(_ count: Int, uptime: Int, at time: Int64, stops: UInt32) {
    if let told {
      guard time > told.at else { return }
      let isOne = stops == told.stops && !isBroken
      // Both start again together.
      if isOne, count > told.count, uptime > told.uptime {
        sent += count - told.count
        lasted += uptime - told.uptime
        received += heard - told.heard
      }
    }
    told = (count, uptime, time, heard, stops)
    isBroken = false
  }

  /// Lost of all, 0…1; nil where it was not told often enough, or counts something else than frames: more
  /// were heard than were sent.
  var loss: Double? {
    guard sent >= Self.enough, Double(received) <= 1.05 * Double(sent) else { return nil }
    return max(0, 1 - Double(received) / Double(sent))
  }

  /// How often the address sends, nanoseconds; nil where its loss is not known either.
  var interval: Double? { loss == nil ? nil : Double(lasted) * 1e8 / Double(sent) }
}
