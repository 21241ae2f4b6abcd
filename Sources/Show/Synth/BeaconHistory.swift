import FrameEncoder

/// What happened to one beacon of a run. Times are nanoseconds since the start.
struct BeaconHistory {
  /// A stretch of time in which something held.
  struct Stretch {
    var from: Int64
    var to: Int64
    /// Metres; smallest distance on the plan.
    var nearest: Double
  }
  var sent = 0
  var heard = 0
  var firstHeard: Int64?
  var lastHeard: Int64?
  /// Since when each address was used.
  private(set) var addresses: [(from: Int64, address: Address)] = []
  /// Since when each identity was sent, by the run's numbers.
  private(set) var identities: [(from: Int64, number: UInt32)] = []
  /// When its mean signal at the observer was not below the receiver's sensitivity.
  private(set) var inRange: [Stretch] = []
  private var wasInRange = false

  mutating func note(
    _ advertisement: Advertisement, at time: Int64, metres: Double, isInRange: Bool,
    isHeard: Bool
  ) {
    sent += 1
    if isHeard {
      heard += 1
      firstHeard = firstHeard ?? time
      lastHeard = time
    }
    if addresses.last?.address != advertisement.address {
      addresses.append((time, advertisement.address))
    }
    if let meaning = advertisement.meaning, !meaning.isTelemetry,
      identities.last?.number != meaning.identity
    {
      identities.append((time, meaning.identity))
    }
    if isInRange {
      if !wasInRange { inRange.append(Stretch(from: time, to: time, nearest: metres)) }
      inRange[inRange.count - 1].to = time
      inRange[inRange.count - 1].nearest = min(inRange[inRange.count - 1].nearest, metres)
    }
    wasInRange = isInRange
  }

  /// Stretches of several beacons as one, where they overlap. Between two of them nobody was in range, however
  /// seldom some beacon advertises.
  static func union(_ stretches: [Stretch]) -> [Stretch] {
    var result: [Stretch] = []
    for stretch in stretches.sorted(by: { $0.from < $1.from }) {
      if let last = result.last, stretch.from <= last.to {
        result[result.count - 1].to = max(last.to, stretch.to)
        result[result.count - 1].nearest = min(last.nearest, stretch.nearest)
      } else {
        result.append(stretch)
      }
    }
    return result
  }
}
