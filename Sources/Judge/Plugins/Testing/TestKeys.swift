import BeaconKeys
import CaptureReader
import Regions

/// Keys that nobody has to write down: a beacon of a test is known by a name alone, and sends what the key
/// that follows from its name makes.
enum TestKeys {
  /// Nil where no sighting is of one.
  static func ring(_ test: PluginTest) -> KeyRing? {
    let names = names(test)
    return names.isEmpty ? nil : KeyRing(names.map(key))
  }

  /// Each once, in their order.
  static func names(_ test: PluginTest) -> [String] {
    guard case .sightings(let sightings) = test.input else { return [] }
    var seen: Set<String> = []
    return sightings.compactMap(\.key).filter { seen.insert($0).inserted }
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

  /// What `key` says; nil where it says nothing.
  static func name(_ reader: DeclarationReader) throws(LuaMessage) -> String? {
    guard let name = try reader.text("key") else { return nil }
    do throws(SettingProblem) {
      try BeaconKey.check(name: name)
    } catch {
      throw LuaMessage("\(reader.what): \(error.description)")
    }
    return name
  }
}
