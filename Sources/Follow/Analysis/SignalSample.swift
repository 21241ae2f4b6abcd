import Beacons
import CaptureReader

/// A sample of the signals that follow one another in a capture, whatever time it was: of the same ones in the
/// same order always the same, so that captures whose times were changed have them
/// in common.
package struct SignalSample: Sendable {
  struct Row: HashedRow {
    /// Of a beacon's last signals.
    let hash: UInt64
    /// Of the last one of them, nanoseconds.
    let time: Int64

    func comes(before other: Self) -> Bool { (hash, time) < (other.hash, other.time) }
    /// Of each the first one in time.
    func isRepeat(of other: Self) -> Bool { hash == other.hash }
  }

  /// The last sixteen signals of a beacon, the latest in the lowest byte.
  private struct Recent: BitwiseCopyable {
    var older: UInt64 = 0
    var newer: UInt64 = 0
  }

  /// By transmitter of the capture.
  private var recent: [Recent] = []
  private var rows = SmallestHashes<Row>(most: 1024)

  /// Of transmitters, a megabyte: of a flood of addresses only the first.
  private static let mostTransmitters = 1 << 16
  /// dBm: there is none.
  private static let notAvailable: Int8 = 127

  package init() {}

  mutating func add(_ sightings: Span<BriefSighting>) {
    for place in sightings.indices {
      let signal = sightings[place].rssi
      let transmitter = Int(sightings[place].transmitter)
      guard signal != Self.notAvailable, transmitter < Self.mostTransmitters else { continue }
      while recent.count <= transmitter { recent.append(Recent()) }
      var last = recent[transmitter]
      last.older = last.older << 8 | last.newer >> 56
      last.newer = last.newer << 8 | UInt64(UInt8(bitPattern: signal))
      recent[transmitter] = last
      let hash = SplitMix.mixed(last.newer &+ last.older &* SplitMix.step)
      guard hash < rows.limit, sightings[place].time.isKnown, Self.tellsMuch(last) else { continue }
      rows.add(Row(hash: hash, time: sightings[place].time.nanoseconds))
    }
  }

  private static let leastValues = 4
  private static let leastChanges = 8

  /// Signals that hardly change, and the three of channels that take turns, come again at any time, and at any
  /// radio. What has not come sixteen times begins with zeros, which no radio hears from afar.
  private static func tellsMuch(_ last: Recent) -> Bool {
    guard last.older >> 56 != 0 else { return false }
    var values: (low: UInt64, high: UInt64) = (0, 0)
    var others: (low: UInt64, high: UInt64) = (0, 0)
    var changes = 0
    var before: UInt8?
    for place in 0..<16 {
      let half = place < 8 ? last.newer : last.older
      let signal = UInt8(truncatingIfNeeded: half >> UInt64(8 * (place & 7)))
      let bit = UInt64(1) << UInt64(signal & 63)
      switch signal >> 6 {
      case 0: values.low |= bit
      case 1: values.high |= bit
      case 2: others.low |= bit
      default: others.high |= bit
      }
      if let before, before != signal { changes += 1 }
      before = signal
    }
    let count =
      values.low.nonzeroBitCount + values.high.nonzeroBitCount + others.low.nonzeroBitCount
      + others.high.nonzeroBitCount
    return count >= leastValues && changes >= leastChanges
  }

  var complete: (rows: [Row], limit: UInt64) { rows.complete }
}
