import Beacons

extension RegionKind {
  /// `namespace`, optional `instance` (SEMANTICS 2).
  static let eddystone: RegionKind = RegionKind(
    name: "eddystone", form: "NAMESPACE[:INSTANCE]",
    example: "edd1ebeac04e5defa017:0000fdd1549a", namesBeacons: true,
    parse: { spec throws(SettingProblem) in
      let parts = try parts(spec, atMost: 2, "eddystone:NAMESPACE[:INSTANCE]")
      var identity = try field(parts[0], "namespace", bytes: 10)
      if parts.count > 1 { identity += try field(parts[1], "instance", bytes: 6) }
      return .identity(IdentityPrefix(.eddystoneUID, identity))
    },
    write: { condition in
      guard let bytes = bytes(condition, { $0.kind == .eddystoneUID }) else { return nil }
      let namespace = HexText.string(bytes.prefix(10))
      return bytes.count > 10 ? "\(namespace):\(HexText.string(bytes.dropFirst(10)))" : namespace
    })

  private static func field(_ text: String, _ name: String, bytes count: Int)
    throws(SettingProblem) -> [UInt8]
  {
    guard let bytes = SettingText.hex(text, count: count) else {
      throw SettingProblem(
        "\(name) '\(text)' is malformed", allowed: "write \(2 * count) hexadecimal digits")
    }
    return bytes
  }
}
