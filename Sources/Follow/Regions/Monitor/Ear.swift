/// When anybody was heard in the windows of a duty cycle: the first and the last moment of short
/// stretches, which is enough to say whether there is one in a silence.
struct Ear: Sendable {
  struct Stretch: BitwiseCopyable, Sendable {
    let first: Int64
    var last: Int64
  }

  let duty: DutyCycle
  private let start: Int64
  private let horizon: Int64
  /// A silence is at least twice as long, so that its ends lie in different stretches.
  private let length: Int64
  /// The latest ones; those that lie back too far are taken out now and then.
  private(set) var stretches: [Stretch] = []
  private var forgetsAt = 64

  /// Most stretches kept. Only where one exit period is tens of thousands of times as long as
  /// another are stretches longer than half the shortest.
  private static let most: Int64 = 65_536

  init(_ duty: DutyCycle, start: Int64, horizon: Int64, shortest: Int64) {
    self.duty = duty
    self.start = start
    self.horizon = horizon
    length = max(1, min(shortest / 2, SettingText.second), horizon / Self.most)
  }

  /// Until when (exclusively) `heardLast` will do; in the past where each moment must be looked at.
  var restsUntil: Int64 {
    guard duty.isAlways, let stretch = stretches.last else { return .min }
    return stretch.first.later(by: length)
  }

  mutating func hear(at moment: Int64) {
    guard duty.listens(at: moment, from: start) else { return }
    if let stretch = stretches.last {
      // A report that another file of the same observer has put behind already.
      if moment < stretch.last { return }
      if moment < stretch.first.later(by: length) {
        stretches[stretches.count - 1].last = moment
        return
      }
    }
    if stretches.count >= forgetsAt { forget(at: moment) }
    stretches.append(Stretch(first: moment, last: moment))
  }

  mutating func heardLast(at moment: Int64) {
    guard let last = stretches.last?.last, moment > last else { return }
    stretches[stretches.count - 1].last = moment
  }

  private mutating func forget(at clock: Int64) {
    let limit = clock.later(by: -horizon)
    stretches.removeFirst(stretches.firstIndex { $0.last > limit } ?? stretches.count)
    forgetsAt = max(64, stretches.count * 2)
  }

  /// The latest moment known in (from, to].
  func heard(from: Int64, to: Int64) -> Int64? {
    for stretch in stretches.reversed() {
      if stretch.last <= from { return nil }
      if stretch.last <= to { return stretch.last }
      if stretch.first > from, stretch.first <= to { return stretch.first }
    }
    return nil
  }
}
