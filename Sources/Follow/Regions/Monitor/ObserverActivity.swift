import FrameDecoder

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
  /// A gap between records makes a silence deaf from here on: the shortest P. From its half on it counts.
  private let leastGap: Int64
  /// By number of the duty cycle.
  private(set) var ears: [Ear]
  /// Moments before the clock, the latest of them: one of several files that overlap tells late of whom it
  /// heard.
  private var late: [Int64] = []
  private static let mostLate = 64
  private var gaps: [Span] = []
  /// A pause that has not ended: since the last record, until what is known of it.
  private var pause: Span?
  private var scanning = OffSpans()
  private var capturing = OffSpans()
  /// Who was heard once in a scan is heard again: no duplicates are filtered.
  private var repeating = OffSpans()
  /// Everybody is heard, not only who is on the controller's list.
  private var admitting = OffSpans()
  private var losses = LossCount()
  private var failures = FailureLog()
  private(set) var shares = ScanShares()

  init(start: Int64, duties: [DutyCycle], horizon: Int64, shortest: Int64) {
    self.start = start
    self.horizon = horizon
    leastGap = shortest
    ears = duties.map { Ear($0, start: start, horizon: horizon, shortest: shortest) }
  }

  /// No record came in between.
  mutating func noteRecords(after from: Int64, at to: Int64) {
    pause = nil
    if to.since(from) >= leastGap / 2 { gaps.append(Span(from: from, to: to)) }
  }

  /// No record has come until a moment, and the next one is still to come (live).
  mutating func notePause(after from: Int64, until moment: Int64) {
    pause = Span(from: from, to: moment)
  }

  mutating func scanEnds(at moment: Int64) {
    scanning.end(at: moment)
    // From here on it is deaf, which is more.
    repeating.begin(at: moment)
    admitting.begin(at: moment)
  }
  /// - Parameters:
  ///   - share: which part of its time it listens; nil: not known.
  ///   - limits: whom it leaves out, until another scan begins or this one ends, in another file, too.
  mutating func scanBegins(at moment: Int64, share: Double?, limits: ScanLimits) {
    scanning.begin(at: moment)
    shares.set(share, at: moment)
    repeating.set(!limits.contains(.duplicates), at: moment)
    admitting.set(!limits.contains(.unlisted), at: moment)
  }

  /// It goes on, and passes on only whom it was told to, or everybody again.
  mutating func scanGoesOn(at moment: Int64, limits: ScanLimits) {
    admitting.set(!limits.contains(.unlisted), at: moment)
  }

  /// Whom the scan that is known to go on leaves out.
  var scanLimits: ScanLimits {
    var limits: ScanLimits = repeating.isOff ? .duplicates : []
    if admitting.isOff { limits.insert(.unlisted) }
    return limits
  }

  /// An earlier run saw the scan begin, and this one did not.
  mutating func restore(_ limits: ScanLimits, at moment: Int64) {
    repeating.set(!limits.contains(.duplicates), at: moment)
    admitting.set(!limits.contains(.unlisted), at: moment)
  }

  /// So many packets were lost.
  mutating func lose(_ count: Int64, at moment: Int64) { losses.add(count, at: moment) }
  /// A file of the observer is at its end, and another may follow (rotated logs).
  mutating func fileEnds(at moment: Int64) {
    scanning.mayBeginUnseen()
    capturing.begin(at: moment)
  }
  mutating func capturingEnds(at moment: Int64) { capturing.end(at: moment) }
  mutating func capturingBegins(at moment: Int64) { capturing.begin(at: moment) }

  /// An advertiser was heard.
  /// - Parameter moment: not before that of any earlier call.
  /// - Returns: until when (exclusively) nothing but the latest moment needs to be kept.
  mutating func hear(at moment: Int64) -> Int64 {
    scanning.heard(at: moment)
    for place in ears.indices { ears[place].hear(at: moment) }
    return ears.count == 1 ? ears[0].restsUntil : .min
  }

  /// An advertiser had been heard before the clock.
  mutating func hearLate(at moment: Int64) {
    guard !late.contains(moment) else { return }
    if late.count == Self.mostLate { late.removeFirst(Self.mostLate / 2) }
    late.append(moment)
  }

  /// The latest moment at which somebody was heard since `hear` said that it may rest.
  mutating func heardLast(at moment: Int64) {
    if ears.count == 1, ears[0].duty.isAlways { ears[0].heardLast(at: moment) }
  }

  /// What lies too far back to matter any more.
  mutating func forget(at clock: Int64) {
    let limit = clock.later(by: -horizon)
    if let first = gaps.first, first.to <= limit { gaps.removeAll { $0.to <= limit } }
    if let first = late.first, first <= limit { late.removeAll { $0 <= limit } }
    scanning.forget(upTo: limit)
    capturing.forget(upTo: limit)
    repeating.forget(upTo: limit)
    admitting.forget(upTo: limit)
    losses.forget(upTo: limit)
    failures.forget(upTo: limit)
  }

  /// For how long of (from, to] scanning is known to have been off, inside the duty cycle's windows.
  func scanOff(_ ear: Int, from: Int64, to: Int64) -> Int64 {
    scanning.length(in: ears[ear].duty, from: from, to: to, start: start)
  }

  /// For how long of (from, to] nothing was captured, inside the duty cycle's windows.
  func captureOff(_ ear: Int, from: Int64, to: Int64) -> Int64 {
    capturing.length(in: ears[ear].duty, from: from, to: to, start: start)
  }

  /// For how long of (from, to] the controller filtered duplicates, inside the duty cycle's windows.
  func filtered(_ ear: Int, from: Int64, to: Int64) -> Int64 {
    repeating.length(in: ears[ear].duty, from: from, to: to, start: start)
  }

  /// For how long of (from, to] only advertisers on a list were heard, inside the duty cycle's windows.
  func listedOnly(_ ear: Int, from: Int64, to: Int64) -> Int64 {
    admitting.length(in: ears[ear].duty, from: from, to: to, start: start)
  }

  /// Packets that are known to have been lost in (from, to].
  func packetsLost(from: Int64, to: Int64) -> Int64 { losses.count(from: from, to: to) }

  /// A decoder failed on so many reports.
  mutating func leaveUndecoded(_ what: Undecoded, _ count: Int64, at moment: Int64) {
    failures.add(what, count, at: moment)
  }

  /// Failures of decoders in (from, to], inside the duty cycle's windows.
  func undecoded(
    _ ear: Int, from: Int64, to: Int64, where matters: (Undecoded) -> Bool
  ) -> Int64 {
    failures.count(from: from, to: to) { what, moment in
      ears[ear].duty.listens(at: moment, from: start) && matters(what)
    }
  }

  /// Times without any record that are at least `least` and reach into (from, to]: the longest, and how much of
  /// that all of them take; 0 where there is none.
  func recordGaps(from: Int64, to: Int64, atLeast least: Int64) -> (longest: Int64, inside: Int64) {
    var found: (longest: Int64, inside: Int64) = (0, 0)
    var taken = from
    func take(_ gap: Span) {
      let length = gap.to.since(gap.from)
      guard gap.from < to, gap.to > from, length >= least else { return }
      found.longest = max(found.longest, length)
      // Those of files that overlap may, too.
      found.inside = found.inside.later(by: max(0, min(gap.to, to).since(max(gap.from, taken))))
      taken = max(taken, min(gap.to, to))
    }
    for gap in gaps { take(gap) }
    if let pause { take(pause) }
    return found
  }

  /// Latest moment known in (from, to] at which somebody was heard.
  func heard(_ ear: Int, from: Int64, to: Int64) -> Int64? {
    let known = ears[ear].heard(from: from, to: to)
    let told = late.filter {
      $0 > from && $0 <= to && ears[ear].duty.listens(at: $0, from: start)
    }.max()
    guard let known, let told else { return known ?? told }
    return max(known, told)
  }
}

/// When something without which an observer cannot hear, or not everybody, was off.
private struct OffSpans: Sendable {
  private var spans: [(from: Int64, to: Int64)] = []
  private var since: Int64?
  /// It may have begun again in a part of the recording that nobody has: whoever is heard shows it.
  private var isDoubtful = false

  var isOff: Bool { since != nil }

  mutating func end(at moment: Int64) {
    since = since ?? moment
    isDoubtful = false
  }

  mutating func begin(at moment: Int64) {
    isDoubtful = false
    guard let since else { return }
    if moment > since { spans.append((since, moment)) }
    self.since = nil
  }

  mutating func set(_ isOn: Bool, at moment: Int64) { isOn ? begin(at: moment) : end(at: moment) }

  mutating func mayBeginUnseen() { isDoubtful = since != nil }

  @inline(__always)
  mutating func heard(at moment: Int64) { if isDoubtful { begin(at: moment) } }

  mutating func forget(upTo limit: Int64) {
    if let first = spans.first, first.to <= limit { spans.removeAll { $0.to <= limit } }
  }

  /// How much of (from, to] it was off, inside the windows of a duty cycle.
  func length(in duty: DutyCycle, from: Int64, to: Int64, start: Int64) -> Int64 {
    var sum: Int64 = 0
    for span in spans {
      sum = sum.later(
        by: duty.listening(from: max(from, span.from), to: min(to, span.to), start: start))
    }
    guard let since else { return sum }
    return sum.later(by: duty.listening(from: max(from, since), to: to, start: start))
  }
}
