import Regions

/// How fast the uptime goes that a transmitter tells, beside the clock of the capture.
struct UptimePace: BitwiseCopyable, Sendable {
  /// Nanoseconds of the capture, and in how much of the uptime, 0.1 s.
  private var elapsed: Int64 = 0
  /// When one was told that was filled anew, the last time, nanoseconds: frames are sent many times until they are.
  private var told: Int64 = 0
  private var lasted: UInt32 = 0
  /// How often it was smaller than before.
  private var back: UInt8 = 0

  /// In a longer silence it may have begun anew, unseen, nanoseconds.
  private static let longest: Int64 = 300_000_000_000
  /// Some frames are filled in seconds before they are sent: shorter times tell no pace, nanoseconds.
  private static let enough: Int64 = 120_000_000_000
  /// A beacon may begin anew twice: else there are several of one address.
  private static let fewest = 3

  /// - Parameters:
  ///   - before: the uptime that was told last, as `now`: of what is no telemetry anything, and nobody asks for it.
  ///   - time: nanoseconds.
  @inline(__always)
  mutating func note(_ before: UInt64, _ now: UInt64, at time: Int64) {
    if now > 0 { add(before, now, at: time) }
  }

  private mutating func add(_ before: UInt64, _ now: UInt64, at time: Int64) {
    let gap = time.since(told)
    told = time
    guard before > 0, gap > 0, gap <= Self.longest, max(before, now) <= UInt64(UInt32.max) else {
      return
    }
    guard now >= before else {
      back = back == .max ? .max : back + 1
      return
    }
    lasted = UInt32(clamping: UInt64(lasted) + now - before)
    elapsed = elapsed.later(by: gap)
  }

  /// 1 where both go alike; nil where that is not known.
  var rate: Double? {
    guard elapsed >= Self.enough, back < Self.fewest else { return nil }
    return Double(lasted) * 1e8 / Double(elapsed)
  }
}
