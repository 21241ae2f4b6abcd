/// When a profile listens: windows [t0 + k·interval, + window) (SEMANTICS 2, Profiles).
package struct DutyCycle: Hashable, BitwiseCopyable, Sendable {
  let window: Int64
  /// 0: always.
  let interval: Int64

  init(window: Int64, interval: Int64) {
    self.window = window
    self.interval = interval
  }

  package init(_ profile: Profile) {
    self.init(window: profile.scanWindow, interval: profile.scanInterval)
  }

  package var isAlways: Bool { interval == 0 }

  @inline(__always)
  package func listens(at moment: Int64, from start: Int64) -> Bool {
    isAlways || moment.since(start) % interval < window
  }

  /// How much of (from, to] lies in windows; both are not before `start`.
  func listening(from: Int64, to: Int64, start: Int64) -> Int64 {
    guard to > from else { return 0 }
    if isAlways { return to.since(from) }
    return listening(until: to.since(start)) - listening(until: from.since(start))
  }

  private func listening(until span: Int64) -> Int64 {
    span / interval * window + min(span % interval, window)
  }
}

/// When it is tested whether a silence has been long enough (SEMANTICS 2, 1 and 3).
struct SilenceTest: BitwiseCopyable, Sendable {
  /// P.
  let exitAfter: Int64
  /// Tests are made at t0 + first + k·step only; step 0: at once.
  let first: Int64
  let step: Int64

  /// With a duty cycle exits are tested at window ends, else at the ends of the cycles.
  init(_ profile: Profile) {
    exitAfter = profile.exitAfter
    let duty = DutyCycle(window: profile.scanWindow, interval: profile.scanInterval)
    first = duty.isAlways ? 0 : duty.window
    step = duty.isAlways ? profile.cycle : duty.interval
  }

  /// - Parameter moment: the latest match, or t0 where there was none.
  /// - Returns: `due`: decided as soon as the clock is later than that; `time`: that of the event.
  @inline(__always)
  func decision(after moment: Int64, start: Int64) -> (due: Int64, time: Int64) {
    let limit = moment.later(by: exitAfter)
    if step == 0 { return (limit, limit) }
    // The first test later than the limit. It is made before what arrives at its instant, because
    // only a match before it renews the silence.
    let base = start.later(by: first)
    guard limit >= base else { return (base - 1, base) }
    // Without a sign, as there may be more than 292 years between them.
    let behind = UInt64(bitPattern: limit &- base)
    let rest = UInt64(step) - behind % UInt64(step)
    let (time, overflow) = limit.addingReportingOverflow(Int64(rest))
    return overflow ? (.max, .max) : (time - 1, time)
  }
}
