package import BeaconKeys
import CaptureReader

extension Scenario {
  /// The keys of its beacons that have any, called as these are, with hyphens for what no name of a key may
  /// have; those that come to the same have their number behind it.
  package var keys: [BeaconKey] {
    let names = keyNames
    var ciphers: Set<EphemeralIdentifier> = []
    return beacons.enumerated().compactMap { number, beacon in
      // A clone has the key of another.
      guard case .eid(let cipher, let clock, _) = beacon.content, ciphers.insert(cipher).inserted
      else { return nil }
      return BeaconKey(
        name: names[number], cipher: cipher,
        clock: BeaconClock(seconds: clock, moment: Timestamp(nanoseconds: start)))
    }
  }

  /// Those that make addresses. Of a beacon that has both, `irk-` stands before the name.
  package var deviceKeys: [DeviceKey] {
    let names = keyNames
    var keys: Set<[UInt8]> = []
    return beacons.enumerated().compactMap { number, beacon in
      guard let irk = beacon.irk, keys.insert(irk).inserted else { return nil }
      return DeviceKey(name: deviceName(number, names), irk: irk)
    }
  }

  /// What the device of a beacon is called, by place; nil where it has no key.
  var deviceNames: [String?] {
    let names = keyNames
    return beacons.map { beacon in
      guard let irk = beacon.irk, let first = beacons.firstIndex(where: { $0.irk == irk }) else {
        return nil
      }
      return deviceName(first, names)
    }
  }

  private func deviceName(_ number: Int, _ names: [String]) -> String {
    guard case .eid = beacons[number].content else { return names[number] }
    return String("irk-\(names[number])".prefix(BeaconKey.longestName))
  }

  /// By place of the beacon: a name for a key, each another one.
  private var keyNames: [String] {
    var names: Set<String> = []
    return beacons.enumerated().map { number, beacon in
      var hasKey = beacon.irk != nil
      if case .eid = beacon.content { hasKey = true }
      guard hasKey else { return "" }
      var name = String(beacon.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      if name.count > BeaconKey.longestName || name.isEmpty || !names.insert(name).inserted {
        name = "\(name.prefix(16))-\(number + 1)"
        names.insert(name)
      }
      return name
    }
  }
}
