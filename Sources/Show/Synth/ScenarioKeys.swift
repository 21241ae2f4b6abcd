package import BeaconKeys
import CaptureReader

extension Scenario {
  /// The keys of its beacons that have any, called as these are, with hyphens for what no name of a key may
  /// have; those that come to the same have their number behind it.
  package var keys: [BeaconKey] {
    var names: Set<String> = []
    var ciphers: Set<EphemeralIdentifier> = []
    return beacons.enumerated().compactMap { number, beacon in
      // A clone has the key of another.
      guard case .eid(let cipher, let clock, _) = beacon.content, ciphers.insert(cipher).inserted
      else { return nil }
      var name = String(beacon.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      if name.count > BeaconKey.longestName || name.isEmpty || !names.insert(name).inserted {
        name = "\(name.prefix(16))-\(number + 1)"
        names.insert(name)
      }
      return BeaconKey(
        name: name, cipher: cipher,
        clock: BeaconClock(seconds: clock, moment: Timestamp(nanoseconds: start)))
    }
  }
}
