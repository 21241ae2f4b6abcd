import CaptureReader
import Regions

/// What a plugin wants to be called for at moments of the capture's clock.
struct Timers {
  private struct Timer {
    let function: LuaFunction
    /// Nanoseconds; nil for one that is called once.
    let period: Int64?
    /// Nanoseconds until the first call while nothing is known of time, then when it is due.
    var due: Int64
    /// Where calls that one leap of the clock makes due end; nil: they are not so many.
    var enough: Int64?
  }

  /// By number, in the order of making.
  private var timers: [Int64: Timer] = [:]
  /// When they are due; of those that are cancelled, too, until they come to the top.
  private var queue = DeadlineHeap<Int64>()
  private var next: Int64 = 1
  /// The first time known; nil before.
  private var start: Int64?
  /// Firings that were left out where the clock jumped.
  private(set) var skipped = 0
  private(set) var periodic = 0

  var count: Int { timers.count }

  /// A timer that would be called more often in one leap of the clock is called as often from its
  /// beginning, for what a rule waits for may come early in it, and then at its end.
  static let mostAtOnce = 10_000
  /// More of one plugin are a mistake: one made at every call.
  static let mostPeriodic = 1000
  static let most = 100_000

  /// The earliest moment of all; `Int64.max` for none, and while nothing is known of time.
  var earliest: Int64 { queue.nextDue }

  /// Whether one is due by then. One that was put off to the last moment there is never is.
  func isDue(by time: Int64) -> Bool { earliest <= time && earliest < .max }

  /// Called at the first time known + n periods: for the first time at the next of these.
  /// - Parameter now: none while nothing is known of time.
  mutating func every(_ period: Int64, _ function: LuaFunction, now: Timestamp) -> Int64 {
    guard let start else { return add(Timer(function: function, period: period, due: period)) }
    let passed = now.isKnown ? max(now.nanoseconds.since(start), 0) / period : 0
    let due = start.later(by: passed * period).later(by: period)
    return add(Timer(function: function, period: period, due: due))
  }

  /// - Parameter now: none while nothing is known of time.
  mutating func after(_ span: Int64, _ function: LuaFunction, now: Timestamp) -> Int64 {
    let due = (now.isKnown ? now.nanoseconds : start)?.later(by: span) ?? span
    return add(Timer(function: function, period: nil, due: due))
  }

  private mutating func add(_ timer: Timer) -> Int64 {
    let number = next
    next += 1
    timers[number] = timer
    if timer.period != nil { periodic += 1 }
    if start != nil { push(number, due: timer.due) }
    return number
  }

  /// - Returns: the function that nobody calls any more; nil where there is no such timer.
  mutating func cancel(_ number: Int64) -> LuaFunction? {
    guard let timer = timers.removeValue(forKey: number) else { return nil }
    if timer.period != nil { periodic -= 1 }
    if queue.count > 2 * timers.count + 64 {
      queue.removeAll { timers[$0.number] == nil }
    }
    dropCancelled()
    return timer.function
  }

  /// The first time is known: spans begin there.
  mutating func begin(at time: Int64) {
    guard start == nil else { return }
    start = time
    for number in timers.keys.sorted() {
      guard var timer = timers[number] else { continue }
      timer.due = time.later(by: timer.due)
      timers[number] = timer
      push(number, due: timer.due)
    }
  }

  /// Counts on behind those whose place it takes.
  mutating func follow(_ before: Timers) { skipped += before.skipped }

  /// What is due first; that of the timer that was made first where several are.
  /// - Parameter isLast: it is not going to be called again.
  mutating func take(until time: Int64)
    -> (due: Int64, function: LuaFunction, isLast: Bool)?
  {
    guard isDue(by: time), let first = queue.first, var timer = timers[first.number] else {
      return nil
    }
    queue.pop()
    defer { dropCancelled() }
    guard let period = timer.period else {
      timers[first.number] = nil
      return (timer.due, timer.function, true)
    }
    let due = timer.due
    timer.due = due.later(by: period)
    let ahead = time.since(due) / period
    if let enough = timer.enough, due >= enough {
      timer.enough = nil
      if ahead > 1 {
        skipped += Int(ahead) - 1
        timer.due = due.later(by: ahead * period)
      }
    } else if timer.enough == nil, ahead >= Int64(Self.mostAtOnce) {
      timer.enough = due.later(by: (Int64(Self.mostAtOnce) - 2) * period)
    }
    timers[first.number] = timer
    push(first.number, due: timer.due)
    return (due, timer.function, false)
  }

  /// The top is one that is going to be called.
  private mutating func dropCancelled() {
    while let first = queue.first, timers[first.number] == nil { queue.pop() }
  }

  private mutating func push(_ number: Int64, due: Int64) {
    queue.push(DeadlineHeap.Entry(due: due, number: number))
  }
}
