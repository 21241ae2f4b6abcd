import Glibc

/// The latest gaps of each sender, at most 64: room grows with their number, because most of a
/// million senders are heard a few times only.
struct GapPool: Sendable {
  /// One sender's gaps.
  struct Window: BitwiseCopyable, Sendable {
    fileprivate var base: UInt32 = 0
    /// Gaps noted, of which the latest are kept; stops at its end.
    fileprivate(set) var noted: UInt32 = 0
    fileprivate var room: UInt8 = 0
  }

  /// Most gaps that are kept.
  static let most = 64

  private var gaps: [UInt32] = []
  /// Bases of rooms that larger ones replaced: of 4 and of 16.
  private var free: ([UInt32], [UInt32]) = ([], [])

  /// - Parameter gap: nanoseconds, above 0. Kept in microseconds, at least 1 and at most 71 minutes.
  @inline(__always)
  mutating func note(_ gap: Int64, in window: inout Window) {
    let used = min(Int(window.noted), Self.most)
    if used == Int(window.room), used < Self.most { window = larger(window) }
    let place = Int(window.base) + Int(window.noted) % Self.most
    gaps[place] = UInt32(clamping: max(1, gap / 1000))
    // Behind 2³² gaps the place in the ring starts again, which is as good as any.
    window.noted = window.noted == .max ? UInt32(Self.most) : window.noted + 1
  }

  /// In and out by value: whose address is taken does not stay in registers.
  @inline(never)
  private mutating func larger(_ window: Window) -> Window {
    var window = window
    let room = window.room == 0 ? 4 : Int(window.room) * 4
    let base: UInt32
    if room == 4, let old = free.0.popLast() {
      base = old
    } else if room == 16, let old = free.1.popLast() {
      base = old
    } else {
      base = UInt32(gaps.count)
      gaps.append(contentsOf: repeatElement(0, count: room))
    }
    for place in 0..<Int(window.room) { gaps[Int(base) + place] = gaps[Int(window.base) + place] }
    if window.room == 4 { free.0.append(window.base) }
    if window.room == 16 { free.1.append(window.base) }
    window.base = base
    window.room = UInt8(room)
    return window
  }

  /// How many gaps are kept.
  func count(_ window: Window) -> Int { min(Int(window.noted), Self.most) }

  /// Microseconds, shortest first.
  func sorted(_ window: Window) -> [UInt32] {
    let base = Int(window.base)
    return gaps[base..<(base + count(window))].sorted()
  }
}

/// How regularly a transmitter is heard.
struct Regularity: Equatable, Sendable {
  /// Lower quartile of the gaps, in nanoseconds.
  let interval: Int64
  /// All gaps together, in nanoseconds.
  let span: Int64
  /// 1 − received / expected, 0…1.
  let loss: Double

  /// As an earlier run knew it, without its gaps.
  init(interval: Int64, loss: Double) { (self.interval, self.loss, span) = (interval, loss, 0) }

  /// Expected is what the time of all gaps has room for.
  /// - Parameter gaps: microseconds above 0, shortest first.
  init?(gaps: [UInt32]) {
    guard !gaps.isEmpty else { return nil }
    let quartile = gaps[(gaps.count - 1) / 4]
    let total = gaps.reduce(0) { $0 + Int64($1) }
    interval = Int64(quartile) * 1000
    span = total * 1000
    loss = max(0, 1 - Double(gaps.count) * Double(quartile) / Double(total))
  }

  /// The smallest part that arrives of which at least so many of so many would still be a one in twenty
  /// chance (the lower bound of Clopper and Pearson, 1934, at 95 %); 0 for none.
  static func leastReceived(_ received: Int, of chances: Int) -> Double {
    guard received > 0, received <= chances else { return 0 }
    var (low, high) = (0.0, 1.0)
    // Halved so often it is as exact as a figure of it can be.
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if likelihood(ofAtLeast: received, of: chances, each: middle) < Silence.likely {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }

  /// Of a binomial distribution; `count` is small.
  private static func likelihood(ofAtLeast count: Int, of chances: Int, each: Double) -> Double {
    guard each > 0, each < 1 else { return each }
    var term = Double(chances) * log1p(-each)
    var fewer = 0.0
    for number in 0..<count {
      fewer += exp(term)
      term += log(Double(chances - number) / Double(number + 1)) + log(each) - log1p(-each)
    }
    return 1 - fewer
  }

  /// p = loss^(P / interval): that nothing of it arrives for P.
  ///
  /// In less than one interval nothing has to arrive. (For a little less than a whole number of
  /// intervals the formula is kinder to `gone` than packets are, which are lost as a whole.)
  ///
  /// SEMANTICS reckons with a radio that goes on as it did. Where it listens less of its time than when the
  /// transmitter's loss was learnt, less of what is sent arrives.
  func probability(ofSilence exitAfter: Int64, _ listened: Silence.Listened? = nil) -> Double {
    guard exitAfter >= interval else { return 1 }
    let received = (1 - loss) * (listened?.ratio ?? 1)
    return pow(1 - received, Double(exitAfter) / Double(interval))
  }
}

extension Silence {
  /// How likely it is by loss alone that nothing comes for another time than the silence's; nil where none had ten
  /// sightings.
  /// - Parameters:
  ///   - length: nanoseconds in which the radio could hear.
  ///   - period: P.
  package func probability(ofSilence length: Int64, period: Int64) -> Double? {
    guard let interval, let loss, let probability else { return nil }
    // What `probability` is of; the same for all its transmitters, whose product it is.
    let known = grade == .deaf ? period : period.since(unheard)
    guard probability < 1, known > 0 else {
      return Regularity(interval: interval, loss: loss).probability(ofSilence: length, listened)
    }
    return pow(probability, Double(length) / Double(known))
  }

  /// The same of an absence between two sightings, the second of which was not missed. An advertisement comes up to
  /// 10 ms later than its interval says (Core 5.4, Vol 6 B 4.4.2.2): how many were sent between them is rounded.
  package func probability(ofAbsence length: Int64, period: Int64) -> Double? {
    guard let interval, interval > 0 else {
      return probability(ofSilence: length, period: period)
    }
    let missed = max(0, (Double(length) / Double(interval)).rounded() - 1)
    return probability(
      ofSilence: Int64(min(missed * Double(interval), 9e18)), period: period)
  }
}
