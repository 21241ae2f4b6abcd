import BeaconKeys
import Regions

/// Regions that go by names of devices.
enum DeviceRegions {
  /// One of a key that is not there would be outside for ever: what stands on the command line is meant for this
  /// run.
  static func check(_ regions: [Region], _ ring: KeyRing?) throws(SettingProblem) {
    for region in regions {
      guard let name = missing(region, ring) else { continue }
      throw SettingProblem(
        "region '\(region.identifier)': \(absence(of: name, ring))",
        allowed: allowed(name, ring))
    }
  }

  /// The same of a site file's, which may be there without the keys.
  static func waiting(_ regions: [Region], _ ring: KeyRing?) -> [String] {
    regions.compactMap { region in
      missing(region, ring).map {
        "region '\(region.identifier)' takes the device '\($0)', and no --device and no file of this run (--keys) "
          + "has one of that name"
      }
    }
  }

  /// Names of the devices.
  static func names(_ ring: KeyRing?) -> [String] { ring?.devices.names ?? [] }

  private static func missing(_ region: Region, _ ring: KeyRing?) -> String? {
    let names = names(ring)
    return region.devices.first { !names.contains($0) }
  }

  private static func absence(of name: String, _ ring: KeyRing?) -> String {
    if ring?.keys.contains(where: { $0.name == name }) == true {
      return "the key '\(name)' is an Eddystone-EID's (eid:\(name)), and makes no addresses"
    }
    let guess = LikelyWord.of(name, among: names(ring)).map { " (did you mean '\($0)'?)" } ?? ""
    return "there is no device '\(name)'\(guess)"
  }

  private static func allowed(_ name: String, _ ring: KeyRing?) -> String {
    let names = names(ring)
    return names.isEmpty
      ? "write --device \(name)=ADDRESS, or name the file with its key (NAME=irk:KEY) with --keys"
      : "there are: \(names.sorted().joined(separator: ", "))"
  }
}
