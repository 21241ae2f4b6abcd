import CaptureReader
import FrameDecoder

extension BeaconKind {
  public static let altBeacon = BeaconKind(rawValue: 2)
}

extension BeaconReason {
  public static let altBeaconBadLength = BeaconReason(rawValue: 1)
}

/// AltBeacon: manufacturer data of any company with the code BE AC (PROTOCOLS.md 5.2).
///
/// Identity: 20 bytes. Power: dBm at 1 m. Extra: company in bits 0–15, reserved byte in 16–23.
public enum AltBeacon: BeaconFormat, BeaconPayload {
  public static let kind = BeaconKind.altBeacon
  public static let name: StaticString = "altbeacon"
  public static let title = "AltBeacon"
  public static let sharedBytes = 16
  public static let powerDistance = 1
  public static let company = BeaconCompany.any

  static let reasons: [RefusalReason] = [(.altBeaconBadLength, "altbeacon_bad_length", title)]

  /// From the company number on.
  static let length = 26

  @inline(__always)
  static func claims(_ data: RawSpan) -> Bool { data.byteCount >= 4 && data.be16(2) == 0xBEAC }

  @inline(__always)
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome {
    guard data.byteCount >= length else { return .rejected(.altBeaconBadLength) }
    var draft = BeaconDraft(
      identity: BeaconIdentity(
        kind: .altBeacon, count: 20, data.be64(4), data.be64(12), UInt64(data.be32(20)) << 32))
    draft.power = data.i8(24)
    draft.extra.0 = UInt64(data.le16(0)) | UInt64(data.u8(25)) << 16
    if draft.power == 0 { draft.warnings.insert(.implausiblePower) }
    if draft.power > 0 || draft.power == -128 { draft.warnings.insert(.powerOutOfRange) }
    if data.byteCount > length { draft.warnings.insert(.trailingBytes) }
    return .beacon(draft)
  }

  public static let parts = [
    IdentityPart("id1", .uuid, 0..<16), IdentityPart("id2", .number, 16..<18),
    IdentityPart("id3", .number, 18..<20),
  ]
  public static let textParts = [IdentityPart("id", .hex, 0..<20)]
  public static let textForm = "40 hexadecimal digits"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    [
      BeaconField("beacon_code", .text("beac")),
      BeaconField("company", .int(Int(sighting.extra.0 & 0xffff))),
    ] + identityFields(table.bytes(of: id)) + [
      BeaconField("measured_power", .int(Int(sighting.power))),
      BeaconField("reserved", .int(Int(sighting.extra.0 >> 16 & 0xff))),
    ]
  }
}
