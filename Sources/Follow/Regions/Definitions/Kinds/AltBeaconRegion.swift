import Beacons

extension RegionKind {
  /// `id1`, optional `id2`, `id3` only with `id2` (SEMANTICS 2). All three together are 40 hexadecimal
  /// digits, as they are sent.
  static let altBeacon: RegionKind = RegionKind(
    name: "altbeacon", form: "ID1[:ID2[:ID3]] or 40_HEXADECIMAL_DIGITS",
    example: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6:1:2", namesBeacons: true,
    parse: { spec throws(SettingProblem) in
      if let whole = SettingText.hex(spec, count: 20) {
        return .identity(IdentityPrefix(.altBeacon, whole))
      }
      if let split = splitAltBeacon(spec) {
        throw SettingProblem(
          "'\(spec)' is not split into ID1, ID2 and ID3",
          allowed: "write altbeacon:\(split), or the 40 digits together")
      }
      let parts = try parts(spec, atMost: 3, "altbeacon:ID1[:ID2[:ID3]]")
      var identity = try SettingText.uuid(parts[0], "id1")
      if parts.count > 1 { identity += try number(parts[1], "id2") }
      if parts.count > 2 { identity += try number(parts[2], "id3") }
      return .identity(IdentityPrefix(.altBeacon, identity))
    },
    write: { bytes($0) { $0.kind == .altBeacon }.map(text(uuidAndNumbers:)) })

  /// How 40 hexadecimal digits in other pieces are written (32 and 8, as tables show them); nil for what
  /// are none.
  private static func splitAltBeacon(_ spec: String) -> String? {
    // Two decimal numbers of four digits each are as they should be.
    let isSplit = spec.utf8.count { $0 == UInt8(ascii: ":") } == 2 && !spec.contains(" ")
    guard !isSplit,
      let bytes = SettingText.hex(spec.filter { $0 != ":" && $0 != " " && $0 != "-" }, count: 20)
    else { return nil }
    return text(uuidAndNumbers: bytes)
  }
}
