import Beacons
import CaseStore
import Foundation
import Regions

/// The main profile's numbers by which signals become distances and zones.
struct RangingNumbers {
  let profile: String
  let distance: DistanceSettings
  let zones: ProximityZones

  /// Nil where the case's profile is none that this program knows.
  init?(_ row: ProfileRow) {
    guard let profile = try? Profiles.named(row.name),
      let json = try? JSONSerialization.jsonObject(with: Data(row.numbers.utf8)),
      let numbers = json as? [String: Any]
    else { return nil }
    var own = profile
    for name in ["distance_model", "path_loss_exponent", "immediate_below", "near_up_to"] {
      // Keys end in their unit.
      guard let value = numbers[name] ?? numbers[name + "_m"],
        let override = try? ProfileOverride(name: name, "\(value)"),
        let changed = try? own.with([override])
      else { continue }
      own = changed
    }
    self.profile = row.name
    distance = own.distance
    var zones = ProximityZones()
    zones.immediateBelow = own.immediateBelow
    zones.nearUpTo = own.nearUpTo
    self.zones = zones
  }

  /// The weakest signal that is still so near: the model asked backwards.
  /// - Parameter power: dBm at 1 m.
  func signal(metres: Double, power: Int) -> Double? {
    var (weak, strong) = (-140.0, 40.0)
    guard let farthest = distance.metres(rssi: weak, power: power),
      let nearest = distance.metres(rssi: strong, power: power), nearest < metres,
      farthest > metres
    else { return nil }
    for _ in 0..<60 {
      let middle = (weak + strong) / 2
      guard let found = distance.metres(rssi: middle, power: power) else { return nil }
      if found > metres { weak = middle } else { strong = middle }
    }
    return strong
  }
}

/// Where a beacon's proximity changes, as signal strengths.
struct SignalZones {
  /// dBm at 1 m.
  let power: Int
  let isOfSeveral: Bool
  /// dBm: from here on immediate; from here on near.
  let immediate: Int
  let near: Int
  let numbers: RangingNumbers

  /// Nil where no usable power is known.
  init?(_ beacon: BeaconRow, _ numbers: RangingNumbers?) {
    guard let numbers, let power = Self.power(beacon),
      let immediate = numbers.signal(metres: numbers.zones.immediateBelow, power: power),
      let near = numbers.signal(metres: numbers.zones.nearUpTo, power: power)
    else { return nil }
    self.power = power
    self.immediate = Int(immediate.rounded())
    self.near = Int(near.rounded())
    isOfSeveral = beacon.powerMin != beacon.powerMax
    self.numbers = numbers
  }

  /// dBm at 1 m; nil where none is known, or none that distances can be told by.
  static func power(_ beacon: BeaconRow) -> Int? {
    guard let stated = beacon.powerMax, let metres = beacon.powerAtM else { return nil }
    // Eddystone says what leaves the beacon: a metre on there is less of it.
    let power = metres == 1 ? stated : stated - MeasuredPower.lossOverFirstMetre
    return MeasuredPower.usable.contains(power) ? power : nil
  }

  var bands: [Plot.Band] {
    [
      Plot.Band(
        from: immediate, to: 100, style: "zone1", label: "immediate, from \(Words.dBm(immediate))"),
      Plot.Band(from: near, to: immediate, style: "zone2", label: "near, from \(Words.dBm(near))"),
      Plot.Band(from: -200, to: near, style: "zone3", label: "far"),
    ]
  }
}
