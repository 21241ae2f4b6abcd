import Beacons

extension RegionKind {
  /// `uuid` is needed, `major` and `minor` are optional, `minor` only with `major` (SEMANTICS 2).
  static let iBeacon: RegionKind = RegionKind(
    name: "ibeacon", form: "UUID[:MAJOR[:MINOR]]",
    example: "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:2", namesBeacons: true,
    parse: { spec throws(SettingProblem) in .identity(try prefix(spec)) },
    write: { bytes($0) { $0.kind == .iBeacon }.map(text(uuidAndNumbers:)) })

  private static func prefix(_ spec: String) throws(SettingProblem) -> IdentityPrefix {
    let parts: [String]
    do throws(SettingProblem) {
      parts = try self.parts(spec, atMost: 3, "ibeacon:\(iBeacon.form)")
    } catch {
      let fields = SettingText.parts(spec, UInt8(ascii: ":"))
      if fields.count == 3, fields[1].isEmpty, !fields[2].isEmpty {
        throw SettingProblem("minor \(fields[2]) without major", allowed: iBeacon.advice)
      }
      throw error
    }
    var identity = try SettingText.uuid(parts[0], "UUID")
    if parts.count > 1 { identity += try number(parts[1], "major") }
    if parts.count > 2 { identity += try number(parts[2], "minor") }
    return IdentityPrefix(.iBeacon, identity)
  }
}
