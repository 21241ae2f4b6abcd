import Beacons
import Regions

/// Declared regions that differ in their names alone: who lists a site by copying lines forgets a number.
///
/// Regions of the same beacons with other settings are meant: a near zone within a far one, two exit periods.
struct SameRegions {
  /// Names, as they were declared.
  private(set) var groups: [[String]] = []

  private struct Key: Hashable {
    enum Condition: Hashable {
      case identity(IdentityPrefix)
      case text(BeaconKind, String, Bool)
      case address(UInt64)
    }

    let condition: Condition
    let address: UInt64?
    let device: String?

    init?(_ region: Region) {
      guard region.predicate == nil else { return nil }
      switch region.condition {
      case .identity(let prefix): condition = .identity(prefix)
      case .text(let kind, let text, let isPrefix): condition = .text(kind, text, isPrefix)
      case .address(let address): condition = .address(address)
      case .circle, .custom: return nil
      }
      address = region.address
      device = region.device
    }
  }

  init(_ regions: [Region]) {
    var places: [Key: Int] = [:]
    var alike: [[Region]] = []
    for region in regions {
      guard let key = Key(region) else { continue }
      if let place = places[key] {
        alike[place].append(region)
      } else {
        places[key] = alike.count
        alike.append([region])
      }
    }
    for regions in alike where regions.count > 1 {
      for region in regions {
        let same = regions.filter { Self.hasSameSettings($0, region) }.map(\.identifier)
        // Once, at the first of them.
        if same.count > 1, same[0] == region.identifier { groups.append(same) }
      }
    }
  }

  private static func hasSameSettings(_ one: Region, _ other: Region) -> Bool {
    one.gate == other.gate && one.overrides == other.overrides
      && one.notifiesOnEntry == other.notifiesOnEntry
      && one.notifiesOnExit == other.notifiesOnExit
      && one.notifiesEntryOnDisplay == other.notifiesEntryOnDisplay
  }
}
