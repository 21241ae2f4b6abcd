import Beacons

extension RegionKind {
  /// The eight bytes on the air, or the name that a resolved one has (SEMANTICS 2).
  static let eid: RegionKind = RegionKind(
    name: "eid", form: "16_HEXADECIMAL_DIGITS", example: "a1b2c3d4e5f60718", namesBeacons: true,
    parse: { spec throws(SettingProblem) in
      if let bytes = SettingText.hex(spec, count: 8) {
        return .identity(IdentityPrefix(.eddystoneEID, bytes))
      }
      return .resolvedEID(spec)
    },
    write: { condition in
      if case .resolvedEID(let name) = condition { return name }
      return bytes(condition) { $0.kind == .eddystoneEID }.map { HexText.string($0) }
    })
}
