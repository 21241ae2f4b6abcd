package import Beacons
import CaptureReader

/// Identities that were hardly heard, far more of them than anybody has beacons: whoever floods a site with them hides
/// others among them. Looked at are kinds whose identities belong to a UUID or a namespace.
package struct InventedBeacons {
  package struct Group {
    package let kind: BeaconKind
    /// Identities of the kind, and those of them that were hardly heard.
    package let all: Int
    package let seldom: Int
  }

  /// In the order of the kinds.
  package private(set) var all: [Group] = []

  /// As often, or less.
  package static let seldom = 2
  /// Passers-by of a busy place are hundreds.
  private static let least = 1_000
  private static let share = 0.9

  package init(_ beacons: BeaconSummaries) {
    for (kind, places) in beacons.kinds where BeaconFormats.format(kind).sharedBytes > 0 {
      // Most sightings come first.
      let seldom =
        places.upperBound - places.bisected { beacons.sightings(at: $0) <= Self.seldom }
      if seldom >= Self.least, Double(seldom) >= Self.share * Double(places.count) {
        all.append(Group(kind: kind, all: places.count, seldom: seldom))
      }
    }
  }
}
