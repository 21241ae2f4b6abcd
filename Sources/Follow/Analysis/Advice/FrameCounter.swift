import CaptureReader
import Regions

/// What an address says in Eddystone-TLM of how many frames it has sent, beside those that were heard.
struct FrameCounter {
  /// Advertising events of the address that were heard, of whatever identity.
  private(set) var heard = 0
  /// Those of them that were heard with another one's.
  private var together = 0
  /// Identities that it sends, telemetry among them.
  private(set) var identities = 0
  /// Gaps between them.
  private var gaps = BeaconGaps()
  /// When the last of them was.
  private var last = Int64.min
  /// Whether nothing of the address was heard for so long since the last telemetry that it may have been absent.
  private var isBroken = false
  private var told: (count: Int, uptime: Int, at: Int64, heard: Int, stops: UInt32)?
  private(set) var sent = 0
  private var received = 0
  /// How often a count followed a smaller one, and a larger one.
  private var forth = 0
  private var back = 0
  /// How long it took to send them by the beacon's clock, in 0.1 s, and by the capture's, nanoseconds.
  private var lasted = 0
  private var elapsed: Int64 = 0

  /// Fewer say little.
  private static let enough = 20

  /// It sends one identity more.
  mutating func meet() { identities += 1 }

  /// An advertising event was heard.
  /// - Parameters:
  ///   - longest: a longer time without any may be an absence, nanoseconds.
  ///   - isWhole: whether the observer could hear all the time since the one before.
  mutating func hear(at time: Int64, within longest: Int64, isWhole: Bool = true) {
    heard += 1
    if last != .min {
      let gap = time.since(last)
      if gap > longest { isBroken = true }
      if gap < HeardEvents.sameEvent { together += 1 }
      if isWhole, gap >= HeardEvents.sameEvent, gap <= longest { gaps.add(gap) }
    }
    last = max(last, time)
  }

  /// - Parameters:
  ///   - count: ADV_CNT.
  ///   - uptime: in 0.1 s.
  ///   - stops: how often the observer was known to stop: what was sent across that was not lost.
  mutating func tell(_ count: Int, uptime: Int, at time: Int64, stops: UInt32) {
    if let told {
      guard time > told.at else { return }
      let isOne = stops == told.stops && !isBroken
      if isOne { if count < told.count { back += 1 } else { forth += 1 } }
      // Both start again together.
      if isOne, count > told.count, uptime > told.uptime {
        sent += count - told.count
        lasted += uptime - told.uptime
        elapsed = elapsed.later(by: time.since(told.at))
        received += heard - told.heard
      }
    }
    told = (count, uptime, time, heard, stops)
    isBroken = false
  }

  /// Lost of all, 0…1; nil where it was not told often enough, or counts something else than frames: more
  /// were heard than were sent; and where something is wrong with it.
  var loss: Double? { fault == nil ? counted : nil }

  private var counted: Double? {
    guard sent >= Self.enough, Double(received) <= 1.05 * Double(sent) else { return nil }
    return max(0, 1 - Double(received) / Double(sent))
  }

  /// How often the address sends, nanoseconds; nil where its loss is not known either.
  var interval: Double? { loss == nil ? nil : Double(lasted) * 1e8 / Double(sent) }

  /// Why what it counts is not what was lost; nil of one that counts too little, too.
  ///
  /// Two devices of one address count each for itself. Gaps of one interval are heard whatever is lost: where they
  /// are longer than a count takes, what is counted is no frame of those that the beacon sends. Where they tell
  /// nothing the beacon's clock has to go as the capture's.
  var fault: BeaconPace.CountFault? {
    guard counted != nil else { return nil }
    if back >= Self.fewest, back * 5 >= back + forth { return .several }
    if let own = gaps.learnt() {
      return own.interval >= Self.faster * Double(elapsed) / Double(sent) ? .faster : nil
    }
    let difference = (Double(lasted) * 1e8 - Double(elapsed)).magnitude
    return difference > Self.drift * Double(elapsed) + Self.rounding ? .clock : nil
  }

  /// Lost of what the address is heard to send, by gaps, where it counts more than that.
  var lossByGaps: Double? { fault == .faster ? gaps.learnt()?.loss : nil }

  /// Lost of what the address is heard to send, by gaps, where it sends several frames in turn, one in each interval:
  /// the gaps of one of them are those of the others' turns, too. Nil where it does not, as far as gaps tell.
  /// - Parameter interval: of one of them, nanoseconds.
  func lossInTurn(_ interval: Double) -> Double? {
    // Of frames that come together each is lost by itself.
    guard identities > 1, together * Self.stray <= heard, let own = gaps.learnt(),
      max(own.interval, interval) < Self.alike * min(own.interval, interval)
    else { return nil }
    return own.loss
  }

  /// Of so many events one may be that of another device.
  private static let stray = 20
  /// Two figures of one interval.
  private static let alike = 1.2
  /// A beacon may begin anew twice.
  private static let fewest = 3
  private static let faster = 1.4
  private static let drift = 0.1
  /// Nanoseconds: telemetry is heard behind a part of what it counts.
  private static let rounding = 2e9
}
