@testable import Beacons
@testable import Regions

/// What the twin is told, and what it says.
extension MonitorTwin {
  /// A region as the sentences have it. Times in nanoseconds.
  struct Rule {
    var matches: (Beacon, _ frame: Int) -> Bool
    var exitAfter: Int64
    var cycle: Int64 = 0
    var window: Int64 = 0
    var interval: Int64 = 0
    var entersOnFirstSight = false
    var ignoresUnknownRSSI = false
    /// Judged on the last RSSI.
    var minRSSI: Double?
    var notifiesOnEntry = true
    var notifiesOnExit = true
    var onDisplay = false
  }

  struct Event: Equatable {
    var time: Int64
    /// Exits before enters.
    var rank: Int
    var region: Int
    var type: RegionEventType
    var state: RegionPresence
    var lastSeen: Int64?
    var crossedAt: Int64?
    var frame: Int?
  }

  struct Worth {
    var grade: Silence.Grade
    var isHeard: Bool
    var scanOff: Int64
    var gap: Int64
    var filtered: Int64
    var listedOnly: Int64
    var lost: Int64
    var probability: Double?
    var transmitters: Int
    var shortest: Int64?
    /// Of the only transmitter.
    var interval: Int64?
    var loss: Double?
  }
}
