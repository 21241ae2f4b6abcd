import CaptureReader
import Regions

/// What a plugin wants to be called for at moments of the capture's clock.
struct Timers {
  private struct Timer {
    let number: Int64
    let function: LuaFunction
    /// Nanoseconds; nil for one that is called once.
    let period: Int64?
    /// `Int64.min` while nothing is known of time: then the span until it, from the first moment on.
    var due: Int64
    var isWaiting: Bool
  }

  private var timers: [Timer] = []
  private var next: Int64 = 1
  /// The earliest moment of all; `Int64.max` for none.
  private(set) var earliest = Int64.max
  /// The first time known; nil before.
  private var start: Int64?
  /// Firings that were left out where the clock jumped.
  private(set) var skipped = 0

  /// A timer that would be called more often in one leap of the clock is called as often, and goes on
  /// behind it.
  static let mostAtOnce = 1000

  mutating func every(_ period: Int64, _ function: LuaFunction) -> Int64 {
    add(period, function, period: period, from: start)
  }

  /// - Parameter now: none while nothing is known of time.
  mutating func after(_ span: Int64, _ function: LuaFunction, now: Timestamp) -> Int64 {
    add(span, function, period: nil, from: now.isKnown ? now.nanoseconds : start)
  }

  private mutating func add(
    _ span: Int64, _ function: LuaFunction, period: Int64?, from moment: Int64?
  ) -> Int64 {
    let number = next
    next += 1
    timers.append(
      Timer(
        number: number, function: function, period: period,
        due: moment.map { $0.later(by: span) } ?? span, isWaiting: moment == nil))
    look()
    return number
  }

  /// - Returns: the function that nobody calls any more; nil where there is no such timer.
  mutating func cancel(_ number: Int64) -> LuaFunction? {
    guard let place = timers.firstIndex(where: { $0.number == number }) else { return nil }
    defer { look() }
    return timers.remove(at: place).function
  }

  /// The first time is known: spans begin there.
  mutating func begin(at time: Int64) {
    start = time
    for place in timers.indices where timers[place].isWaiting {
      timers[place].due = time.later(by: timers[place].due)
      timers[place].isWaiting = false
    }
    look()
  }

  /// Counts on behind those whose place it takes.
  mutating func follow(_ before: Timers) { skipped += before.skipped }

  /// What is due first; that of the timer that was made first where several are.
  /// - Parameter isLast: it is not going to be called again.
  mutating func take(until time: Int64)
    -> (due: Int64, function: LuaFunction, isLast: Bool)?
  {
    guard earliest <= time,
      let place = timers.indices.first(where: {
        timers[$0].due == earliest && !timers[$0].isWaiting
      })
    else { return nil }
    defer { look() }
    let timer = timers[place]
    guard let period = timer.period else {
      timers.remove(at: place)
      return (timer.due, timer.function, true)
    }
    timers[place].due = timer.due.later(by: period)
    let ahead = time.since(timer.due) / period
    if ahead >= Int64(Self.mostAtOnce) {
      let left = ahead - Int64(Self.mostAtOnce) + 1
      skipped += Int(left)
      timers[place].due = timer.due.later(by: (left + 1) * period)
    }
    return (timer.due, timer.function, false)
  }

  private mutating func look() {
    earliest = timers.reduce(.max) { $1.isWaiting ? $0 : min($0, $1.due) }
  }
}
