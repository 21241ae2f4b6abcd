import BeaconKeys
import CaptureReader
import Regions

/// Keys that nobody has to write down: a beacon or a device of a test is known by a name alone, and sends what
/// the key that follows from its name makes.
enum TestKeys {
  /// Nil where no sighting is of one.
  static func ring(_ test: PluginTest) -> KeyRing? {
    let (names, devices) = (names(test), devices(test))
    guard !names.isEmpty || !devices.isEmpty else { return nil }
    return KeyRing(names.map(key), devices: devices.map(deviceKey))
  }

  /// Each once, in their order.
  static func names(_ test: PluginTest) -> [String] { names(test) { $0.key } }

  /// The same of devices.
  static func devices(_ test: PluginTest) -> [String] { names(test) { $0.device } }

  private static func names(_ test: PluginTest, _ name: (TestSighting) -> String?) -> [String] {
    guard case .sightings(let sightings) = test.input else { return [] }
    var seen: Set<String> = []
    return sightings.compactMap(name).filter { seen.insert($0).inserted }
  }

  static func deviceKey(_ name: String) -> DeviceKey {
    // Another one than a beacon's of that name.
    let digest = Array(Digest.sha256(Array("irk:\(name)".utf8)).utf8)
    return DeviceKey(name: name, irk: Array(digest.prefix(16)))
  }

  /// - Parameter quarter: of an hour, from the test's beginning.
  static func address(_ name: String, quarter: UInt32) -> UInt64 {
    let prand = 0x40_0000 | quarter & 0x3F_FFFF
    return UInt64(prand) << 24 | UInt64(deviceKey(name).hash(prand))
  }

  /// Its identifiers last long: each name has few.
  static func key(_ name: String) -> BeaconKey {
    let digest = Array(Digest.sha256(Array(name.utf8)).utf8)
    return BeaconKey(
      name: name,
      cipher: EphemeralIdentifier(key: Array(digest.prefix(16)), exponent: 15))
  }

  /// What it sends, from the beginning of the test to its end.
  static func identifier(_ name: String) -> [UInt8] { key(name).cipher.identifier(at: 0) }

  static let salt: [UInt8] = [0, 0]

  /// - Parameter plain: twelve bytes of telemetry.
  static func sealed(_ plain: [UInt8], _ name: String) -> (cipher: [UInt8], check: [UInt8]) {
    key(name).cipher.telemetry(plain, at: 0, salt: salt)
  }

  /// What `key` says, or another one; nil where it says nothing.
  static func name(_ reader: DeclarationReader, _ key: String = "key") throws(LuaMessage) -> String?
  {
    guard let name = try reader.text(key) else { return nil }
    do throws(SettingProblem) {
      try BeaconKey.check(name: name)
    } catch {
      throw LuaMessage("\(reader.what): \(error.description)")
    }
    return name
  }
}
