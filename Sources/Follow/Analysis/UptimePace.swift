import CaptureReader
import Regions

/// Whether the uptime that a transmitter tells goes as the clock of the capture does.
///
/// It is looked at in windows of a minute and more, and what most of them say holds: a clock that is set, and a frame of
/// another device with the address, spoil one or two.
struct UptimePace: BitwiseCopyable, Sendable {
  /// When the window began, nanoseconds, and with what uptime, 0.1 s; 0 before the first.
  private var anchor: Int64 = 0
  private var uptime: UInt32 = 0
  /// Of windows in which it went wrong: how long they were, and by how much it went on, 0.1 s.
  private var elapsed: UInt32 = 0
  private var lasted: UInt32 = 0
  /// Windows, and those in which it went wrong.
  private var windows: UInt8 = 0
  private var wrong: UInt8 = 0
  /// How often it was smaller than before.
  private var back: UInt8 = 0

  /// Frames are filled, and sent many times until they are again: shorter windows tell no pace, nanoseconds.
  private static let window: Int64 = 60_000_000_000
  /// In a longer silence it may have begun anew, unseen, and for so long none is sent without being filled, nanoseconds.
  private static let longest: Int64 = 300_000_000_000
  private static let fewestWindows = 2
  /// A beacon may begin anew twice: else there are several of one address.
  private static let fewestBack = 3
  /// Of the time, by how much it goes wrong.
  static let tolerance = 0.1

  /// - Parameters:
  ///   - now: an uptime, 0.1 s, where the frame is telemetry: of what is none anything, and nobody asks for it.
  ///   - time: of the frame.
  @inline(__always)
  mutating func note(_ now: UInt64, at time: Timestamp) {
    if now > 0, time.isKnown { add(now, at: time.nanoseconds) }
  }

  @inline(never)
  private mutating func add(_ now: UInt64, at time: Int64) {
    guard now <= UInt64(UInt32.max), windows < .max - 8 else { return }
    let told = UInt32(now)
    let gap = time.since(anchor)
    guard uptime > 0, gap > 0, told >= uptime else {
      if uptime > 0, told < uptime { back = back == .max ? .max : back + 1 }
      return begin(told, at: time)
    }
    let isStanding = told == uptime
    guard gap >= (isStanding ? Self.longest : Self.window) else { return }
    // A window that no frame ended in time.
    guard isStanding || gap <= Self.longest else { return begin(told, at: time) }
    let (passed, went) = (UInt32(clamping: gap / 100_000_000), told - uptime)
    // That it stands still is known for as long as several windows.
    let count: UInt8 = isStanding ? UInt8(Self.longest / Self.window) : 1
    windows += count
    if (Double(went) / Double(passed) - 1).magnitude > Self.tolerance {
      wrong += count
      elapsed = UInt32(clamping: UInt64(elapsed) + UInt64(passed))
      lasted = UInt32(clamping: UInt64(lasted) + UInt64(went))
    }
    begin(told, at: time)
  }

  private mutating func begin(_ told: UInt32, at time: Int64) { (anchor, uptime) = (time, told) }

  /// 1 where it goes as it should; nil where that is not known.
  var rate: Double? {
    guard windows >= Self.fewestWindows, back < Self.fewestBack else { return nil }
    guard 2 * Int(wrong) > Int(windows), elapsed > 0 else { return 1 }
    return Double(lasted) / Double(elapsed)
  }
}
