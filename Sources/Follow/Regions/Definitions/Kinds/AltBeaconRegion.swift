import Beacons

extension RegionKind {
  /// `id1`, optional `id2`, `id3` only with `id2` (SEMANTICS 2).
  static let altBeacon: RegionKind = RegionKind(
    name: "altbeacon", form: "ID1[:ID2[:ID3]]",
    example: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6:1:2", namesBeacons: true,
    parse: { spec throws(SettingProblem) in
      let parts = try parts(spec, atMost: 3, "altbeacon:ID1[:ID2[:ID3]]")
      var identity = try SettingText.uuid(parts[0], "id1")
      if parts.count > 1 { identity += try number(parts[1], "id2") }
      if parts.count > 2 { identity += try number(parts[2], "id3") }
      return .identity(IdentityPrefix(.altBeacon, identity))
    },
    write: { bytes($0) { $0.kind == .altBeacon }.map(text(uuidAndNumbers:)) })
}
