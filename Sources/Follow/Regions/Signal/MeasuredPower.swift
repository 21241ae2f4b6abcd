package import Beacons

/// What a beacon says of its power, as ranging uses it (SEMANTICS 3).
package enum MeasuredPower {
  /// dBm at 1 m; what lies outside is not used (`power_unusable`).
  package static let usable = -100 ... -20

  /// dB between 0 m and 1 m.
  package static let lossOverFirstMetre = 41

  /// dB that a format's power has to be lowered by: 0 m → 1 m (Eddystone). Nil for telemetry and
  /// custom beacons, which have no power.
  package static func lossToOneMetre(_ kind: BeaconKind) -> Int? {
    let format = BeaconFormats.format(kind)
    guard format.hasPower else { return nil }
    return format.powerDistance == 0 ? lossOverFirstMetre : 0
  }
}
