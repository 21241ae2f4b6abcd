import Glibc

/// By how much one clock is ahead of another: the difference at which most packets that one capture holds stand
/// in the other one, too.
///
/// Advertising events come at an interval and up to 10 ms of chance (Core 5.4, Vol 6 B 4.4.2.2.1), so that a
/// beacon's times are like nothing but themselves, and hardly ever the same a second time.
struct OffsetSearch {
  /// What one capture has in a short while, and the same advertisers of the other one.
  struct Anchor {
    /// By the one's clock.
    let time: Int64
    /// Where the other one's times of that advertiser lie.
    let others: Range<Int>
  }

  /// A difference that many packets have.
  struct Peak {
    /// Nanoseconds by which the other one's clock is ahead.
    var ahead: Int64
    var packets: Int
  }

  /// Radios hear one event on different channels, which are some 0.4 ms apart.
  static let bin: Int64 = 2_000_000
  /// Two peaks nearer than this are one.
  private static let apart: Int64 = 10_000_000
  /// Bins that are counted at once: what fits into the caches.
  private static let chunk = 1 << 20
  /// Of a difference that is no more than chance, the next best has nearly as many packets.
  private static let rivalShare = 0.6
  private static let least = 8
  /// ln of how seldom chance may find something.
  private static let surprise = 14.0
  /// The best, and what is not near it.
  private static let mostPeaks = 4

  private let other: ArrivalLog
  private let anchors: [Anchor]

  init(_ anchors: [Anchor], in other: ArrivalLog) {
    self.anchors = anchors
    self.other = other
  }

  /// The difference that stands out; nil where none has more than chance would give it, or several have as many:
  /// senders too regular, or times too coarse, to tell which.
  /// - Parameters:
  ///   - range: nanoseconds by which the other one's clock may be ahead.
  ///   - tries: how often it is looked in all: chance has as many.
  func find(in range: ClosedRange<Int64>, tries: Int) -> Peak? {
    let peaks = peaks(in: range)
    guard let best = peaks.first, best.packets >= Self.least else { return nil }
    let bins = (Double(range.upperBound) - Double(range.lowerBound)) / Double(Self.bin) + 1
    guard isMoreThanChance(best, in: bins * Double(tries)) else { return nil }
    let next = peaks.count > 1 ? peaks[1].packets : 0
    return Double(next) < Self.rivalShare * Double(best.packets) ? best : nil
  }

  // MARK: counting

  private func peaks(in range: ClosedRange<Int64>) -> [Peak] {
    var peaks: [Peak] = []
    var counts = [UInt16](repeating: 0, count: Self.chunk)
    var places = anchors.map { anchor in
      other.first(in: anchor.others, from: anchor.time.addingWithin(range.lowerBound))
    }
    var start = range.lowerBound
    while true {
      let (next, isEmpty) = count(
        from: start, upTo: range.upperBound, &places, into: &counts)
      if !isEmpty {
        collect(counts, from: start, into: &peaks)
        for bin in counts.indices { counts[bin] = 0 }
      }
      guard let next, next <= range.upperBound else { return peaks }
      start = next
    }
  }

  /// Counts the differences of a chunk. Returns where the next one with any begins; nil where there is none.
  private func count(
    from start: Int64, upTo last: Int64, _ places: inout [Int], into counts: inout [UInt16]
  ) -> (next: Int64?, isEmpty: Bool) {
    let (end, overflow) = start.addingReportingOverflow(Int64(Self.chunk) * Self.bin)
    let limit = overflow ? Int64.max : end
    var next: Int64?
    var isEmpty = true
    for (number, anchor) in anchors.enumerated() {
      var place = places[number]
      while place < anchor.others.upperBound {
        let (difference, overflow) = other.times[place].subtractingReportingOverflow(anchor.time)
        if overflow || difference > last { break }
        guard difference < limit else {
          next = min(next ?? difference, difference)
          break
        }
        let bin = Int((difference - start) / Self.bin)
        if counts[bin] < .max { counts[bin] += 1 }
        isEmpty = false
        place += 1
      }
      places[number] = place
    }
    return (next, isEmpty)
  }

  /// A packet's times may fall into two bins side by side.
  private func collect(_ counts: [UInt16], from start: Int64, into peaks: inout [Peak]) {
    var least = peaks.count < Self.mostPeaks ? 2 : peaks[peaks.count - 1].packets
    for bin in 0..<(Self.chunk - 1) {
      let packets = Int(counts[bin]) + Int(counts[bin + 1])
      guard packets > least else { continue }
      put(Peak(ahead: start + Int64(bin + 1) * Self.bin, packets: packets), into: &peaks)
      if peaks.count == Self.mostPeaks { least = peaks[peaks.count - 1].packets }
    }
  }

  /// Keeps the highest, each by itself.
  private func put(_ peak: Peak, into peaks: inout [Peak]) {
    if let near = peaks.firstIndex(where: { abs($0.ahead - peak.ahead) < Self.apart }) {
      guard peaks[near].packets < peak.packets else { return }
      peaks.remove(at: near)
    }
    let place = peaks.firstIndex { $0.packets < peak.packets } ?? peaks.count
    peaks.insert(peak, at: place)
    if peaks.count > Self.mostPeaks { peaks.removeLast() }
  }

  // MARK: chance

  /// Whether so many would not come together anywhere by chance (Chernoff's bound of a Poisson distribution).
  private func isMoreThanChance(_ peak: Peak, in bins: Double) -> Bool {
    let expected = max(0.2, expected(around: peak.ahead))
    let found = Double(peak.packets)
    guard found > expected else { return false }
    let rarity = found * log(found / expected) - (found - expected)
    return rarity > log(bins) + Self.surprise
  }

  /// How many packets a place of two bins has near a peak, which is not counted.
  private func expected(around ahead: Int64) -> Double {
    let reach: Int64 = 1_000_000_000
    var count = 0
    for anchor in anchors {
      var place = other.first(
        in: anchor.others, from: anchor.time.addingWithin(ahead).addingWithin(-reach))
      while place < anchor.others.upperBound {
        let difference = other.times[place] - anchor.time - ahead
        if difference > reach { break }
        if abs(difference) > Self.apart { count += 1 }
        place += 1
      }
    }
    return Double(count) * Double(2 * Self.bin) / Double(2 * (reach - Self.apart))
  }
}

extension Int64 {
  /// The sum, or what is nearest to it.
  package func addingWithin(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
