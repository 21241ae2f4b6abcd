/// How near a transmitter must be: a threshold to get in, and an easier one to stay in.
package struct Hysteresis: Hashable, Sendable {
  package let enter: Double
  package let leave: Double
}

/// Conditions on the smoothed signal of a transmitter (SEMANTICS 2, gates).
package struct RegionGate: Hashable, Sendable {
  /// dBm that the smoothed RSSI must reach.
  package var minRSSI: Hysteresis?
  /// Metres that the distance must not exceed. For a zone the metres are the profile's.
  package var within: Within?

  package enum Within: Hashable, Sendable {
    case metres(Hysteresis)
    /// - Parameter leave: metres; nil where it follows from the zone's.
    case zone(Zone, leave: Double?)
  }

  package enum Zone: String, CaseIterable, Sendable {
    case immediate, near, far
  }

  package init() {}

  package var isOpen: Bool { minRSSI == nil && within == nil }

  /// Leave threshold = enter threshold − 5 dB, or × 1.25, unless set (SEMANTICS 2).
  package static let leaveDecibels = 5.0
  package static let leaveFactor = 1.25
}
