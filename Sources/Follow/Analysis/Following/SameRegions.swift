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
    let gate: RegionGate
    let notifies: [Bool]
    /// Of several for one setting the last one counts.
    let overrides: [String: String]

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
      gate = region.gate
      notifies = [
        region.notifiesOnEntry, region.notifiesOnExit, region.notifiesEntryOnDisplay,
      ]
      overrides = Dictionary(region.overrides.map { ($0.name, $0.value) }) { $1 }
    }
  }

  init(_ regions: [Region]) {
    var places: [Key: Int] = [:]
    var alike: [[String]] = []
    for region in regions {
      guard let key = Key(region) else { continue }
      if let place = places[key] {
        alike[place].append(region.identifier)
      } else {
        places[key] = alike.count
        alike.append([region.identifier])
      }
    }
    groups = alike.filter { $0.count > 1 }
  }
}
