import BeaconKeys
import Beacons

extension RegionKind {
  /// The eight bytes on the air, or the name of the key that they are resolved with (SEMANTICS 2).
  static let eid: RegionKind = RegionKind(
    name: "eid", form: "16_HEXADECIMAL_DIGITS or KEY", example: "a1b2c3d4e5f60718",
    namesBeacons: true,
    parse: { spec throws(SettingProblem) in
      if let bytes = SettingText.hex(spec, count: 8) {
        return .identity(IdentityPrefix(.eddystoneEID, bytes))
      }
      do throws(SettingProblem) {
        try BeaconKey.check(name: spec)
      } catch {
        throw SettingProblem(
          "'\(spec)' is neither 16 hexadecimal digits nor the name of a key", allowed: error.allowed
        )
      }
      return .identity(IdentityPrefix(.eddystoneResolved, EddystoneResolved.identity(spec)))
    },
    write: { condition in
      bytes(condition) { $0.kind == .eddystoneEID }.map { HexText.string($0) }
        ?? bytes(condition) { $0.kind == .eddystoneResolved }.map(
          EddystoneResolved.identityText)
    })
}

extension Region {
  /// The key whose beacon it is about; nil for others.
  package var key: String? {
    guard case .identity(let prefix) = condition, prefix.kind == .eddystoneResolved else {
      return nil
    }
    return EddystoneResolved.identityText(prefix.bytes)
  }
}
