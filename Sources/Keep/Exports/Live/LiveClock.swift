package import CaptureReader

/// Says when the machine's clock is set while a live run goes on, and what follows from it: the run's own clock
/// is the latest time so far, and never goes back.
package struct LiveClock: Sendable {
  /// What there is to say: a sentence, a remedy on a line of its own, and how bad it is.
  package struct Remark: Equatable, Sendable {
    package enum Weight: Sendable {
      /// Much is not told as long as it lasts.
      case grave
      case odd
      /// It is well again.
      case well
    }

    package let text: String
    package let weight: Weight
  }

  /// The clock was set back, and has not caught up yet.
  package struct SetBack: Equatable, Sendable {
    /// By the machine's clock as it is now, nanoseconds since 1970: when that was seen, and when the run's clock
    /// goes on.
    package let since: Int64
    package let until: Int64
    /// Nanoseconds, all in all.
    package var by: Int64
    fileprivate var isTold: Bool
    fileprivate var isNews: Bool
  }

  package private(set) var setBack: SetBack?
  /// Nanoseconds; nil: no state is kept.
  private let stateIsGoodFor: Int64?
  /// At the last look: the machine's clock, and the one that nobody sets.
  private var last: (wall: Int64, even: Int64)?
  /// By how much the clock was set forward last, what it said before and behind that, and whether the run's time
  /// stood still.
  private var forward: (step: Int64, before: Int64, behind: Int64, wasStill: Bool)?
  /// By the clock that nobody sets: whose clock is set all the time is not told each time.
  private var quietBack = Int64.min
  private var quietForward = Int64.min
  /// Nanoseconds: what is less changes nothing that anybody sees.
  private static let least: Int64 = 1_000_000_000
  private static let leastForward: Int64 = 2_000_000_000
  /// Nobody does anything about a shorter wait.
  private static let long: Int64 = 60_000_000_000
  private static let pace: Int64 = 60_000_000_000
  private static let hour: Int64 = 3_600_000_000_000

  /// - Parameter stateIsGoodFor: nanoseconds for which the state of the run is good; nil: none is kept.
  package init(stateIsGoodFor: Int64?) { self.stateIsGoodFor = stateIsGoodFor }

  /// To be called some times a second.
  /// - Parameters:
  ///   - wall: what the machine's clock says, nanoseconds since 1970.
  ///   - even: nanoseconds of a clock that nobody sets.
  ///   - reached: how far the run has come.
  package mutating func next(wall: Int64, even: Int64, reached: Timestamp) -> Remark? {
    let step = last.map { (wall - $0.wall) - (even - $0.even) } ?? 0
    last = (wall, even)
    if step >= Self.leastForward { forward = (step, wall - step, wall, setBack != nil) }
    if step <= -Self.least { forward = nil }
    guard reached.isKnown else { return nil }
    if reached.nanoseconds - wall > Self.least {
      return wait(wall, until: reached.nanoseconds, step, even)
    }
    if let was = setBack {
      setBack = nil
      return was.isTold ? caughtUp(wall - was.until, step) : nil
    }
    guard step >= Self.leastForward, Self.isDue(even, &quietForward) else { return nil }
    return Remark(
      text:
        "the machine's clock was set forward by \(Self.span(step)): exits and timers of that time come "
        + "at once.", weight: .odd)
  }

  /// What the machine's clock says now by the setting that a time is of: from before it was set forward nothing
  /// is as late as it looks.
  package func wall(_ now: Int64, for time: Timestamp) -> Int64 {
    guard let forward, time.isKnown, time.nanoseconds < forward.behind else { return now }
    if time.nanoseconds <= forward.before, !forward.wasStill { return now - forward.step }
    // Between the two the run comes by, and nothing was heard; how long ago a time that stood still was nobody knows.
    return now - (forward.behind - time.nanoseconds)
  }

  private mutating func wait(
    _ wall: Int64, until: Int64, _ step: Int64, _ even: Int64
  ) -> Remark? {
    if step <= -Self.least || setBack == nil {
      // Where the rules are behind they come to the step later than the clock was set.
      let by = (setBack?.by ?? 0) + (step <= -Self.least ? -step : until - wall)
      setBack = SetBack(
        since: setBack?.since ?? wall, until: until, by: by, isTold: setBack?.isTold ?? false,
        isNews: true)
    } else if step >= Self.least {
      setBack?.by -= step
    }
    guard let now = setBack, now.isNews, Self.isDue(even, &quietBack) else { return nil }
    setBack?.isTold = true
    setBack?.isNews = false
    let isLong = until - wall >= Self.long
    return Remark(
      text: "the machine's clock was set back by \(Self.span(now.by)): until it is "
        + "\(TextColumns.moment(Timestamp(nanoseconds: until))) again exits and timers wait, all that is told "
        + "has that time, and what once_per and at_most hold back stays so."
        + (isLong ? "\n" + restart(until - wall) : ""), weight: isLong ? .grave : .odd)
  }

  /// - Parameter excess: nanoseconds by which it is further than the run was.
  private func caughtUp(_ excess: Int64, _ step: Int64) -> Remark {
    guard step >= Self.leastForward else {
      return Remark(
        text: "the machine's clock has caught up: exits and timers go on.", weight: .well)
    }
    let atOnce =
      excess >= Self.leastForward ? "; those of \(Self.span(excess)) come at once" : ""
    return Remark(
      text:
        "the machine's clock was set forward by \(Self.span(step)): exits and timers go on\(atOnce).",
      weight: .well)
  }

  private func restart(_ ahead: Int64) -> String {
    guard let stateIsGoodFor else {
      return "A restart need not wait: it begins anew, by the clock as it is now."
    }
    guard ahead > stateIsGoodFor else {
      return "A restart need not wait: --state keeps who is inside."
    }
    return "A restart need not wait, but takes nobody for inside by a state that is more than "
      + "\(Self.limit(stateIsGoodFor)) off (--state-max-age); what plugins saved is restored."
  }

  private static func isDue(_ even: Int64, _ quietUntil: inout Int64) -> Bool {
    guard even >= quietUntil else { return false }
    quietUntil = even + pace
    return true
  }

  /// `15 min`.
  private static func limit(_ nanoseconds: Int64) -> String {
    nanoseconds % long == 0 && nanoseconds < hour
      ? "\(nanoseconds / long) min" : TextColumns.duration(nanoseconds)
  }

  /// What a line of status says of it.
  package var words: String? { setBack.map { "CLOCK SET BACK BY \(Self.span($0.by))" } }

  /// As exactly as it matters: whoever sets a clock by hand sets it to a whole second.
  private static func span(_ nanoseconds: Int64) -> String {
    let unit = nanoseconds >= hour - long / 2 ? long : least
    return TextColumns.duration((nanoseconds + unit / 2) / unit * unit)
  }
}
