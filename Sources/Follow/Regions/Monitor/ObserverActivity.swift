/// When an observer heard anybody, and when it is known that it could not: what tells "gone" from
/// "we were deaf". Forgets what lies further back than a silence can begin.
///
/// Of what is no beacon it knows the last report of each second, and the one that ends a silence
/// (`ObserverNote`).
struct ObserverActivity: Sendable {
  private struct Span: BitwiseCopyable, Sendable {
    let from: Int64
    let to: Int64
  }

  /// t0.
  private let start: Int64
  /// Nanoseconds that a silence can lie back: the longest P, and the time until the next test.
  private let horizon: Int64
  /// A gap between records counts from here on: the shortest P.
  private let leastGap: Int64
  /// By number of the duty cycle.
  private(set) var ears: [Ear]
  private var gaps: [Span] = []
  private var offs: [Span] = []
  private var offSince: Int64?

  init(start: Int64, duties: [DutyCycle], horizon: Int64, shortest: Int64) {
    self.start = start
    self.horizon = horizon
    leastGap = shortest
    ears = duties.map { Ear($0, start: start, horizon: horizon, shortest: shortest) }
  }

  /// No record came in between.
  mutating func noteRecords(after from: Int64, at to: Int64) {
    if to.since(from) >= leastGap { gaps.append(Span(from: from, to: to)) }
  }

  mutating func scanEnds(at moment: Int64) {
    if offSince == nil { offSince = moment }
  }

  mutating func scanBegins(at moment: Int64) {
    guard let since = offSince else { return }
    if moment > since { offs.append(Span(from: since, to: moment)) }
    offSince = nil
  }

  /// An advertiser was heard.
  /// - Parameter moment: not before that of any earlier call.
  /// - Returns: until when (exclusively) nothing but the latest moment needs to be kept.
  mutating func hear(at moment: Int64) -> Int64 {
    for place in ears.indices { ears[place].hear(at: moment) }
    return ears.count == 1 ? ears[0].restsUntil : .min
  }

  /// The latest moment at which somebody was heard since `hear` said that it may rest.
  mutating func heardLast(at moment: Int64) {
    if ears.count == 1, ears[0].duty.isAlways { ears[0].heardLast(at: moment) }
  }

  /// What lies too far back to matter any more.
  mutating func forget(at clock: Int64) {
    let limit = clock.later(by: -horizon)
    if let first = gaps.first, first.to <= limit { gaps.removeAll { $0.to <= limit } }
    if let first = offs.first, first.to <= limit { offs.removeAll { $0.to <= limit } }
  }

  /// For how long of (from, to] scanning is known to have been off, inside the duty cycle's windows.
  func scanOff(_ ear: Int, from: Int64, to: Int64) -> Int64 {
    let duty = ears[ear].duty
    var sum: Int64 = 0
    for off in offs {
      sum = sum.later(
        by: duty.listening(from: max(from, off.from), to: min(to, off.to), start: start))
    }
    guard let since = offSince else { return sum }
    return sum.later(by: duty.listening(from: max(from, since), to: to, start: start))
  }

  /// The longest time without any record that is at least `least` and reaches into (from, to]; 0
  /// where there is none.
  func recordGap(from: Int64, to: Int64, atLeast least: Int64) -> Int64 {
    var longest: Int64 = 0
    for gap in gaps where gap.from < to && gap.to > from && gap.to.since(gap.from) >= least {
      longest = max(longest, gap.to.since(gap.from))
    }
    return longest
  }

  /// Latest moment known in (from, to] at which somebody was heard.
  func heard(_ ear: Int, from: Int64, to: Int64) -> Int64? { ears[ear].heard(from: from, to: to) }
}
