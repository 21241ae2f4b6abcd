import CaptureReader
import FrameDecoder

extension BeaconKind {
  public static let iBeacon = BeaconKind(rawValue: 1)
}

extension BeaconWarnings {
  public static let appleElementOverrun = BeaconWarnings(rawValue: 1 << 0)
  public static let iBeaconNotFirst = BeaconWarnings(rawValue: 1 << 1)
}

extension BeaconReason {
  public static let iBeaconBadLength = BeaconReason(rawValue: 0)
}

/// iBeacon: Apple's element 02 with 21 bytes (PROTOCOLS.md 5.1).
///
/// Identity: UUID 16, major 2, minor 2. Power: dBm at 1 m.
public enum IBeacon: BeaconFormat, BeaconPayload {
  public static let kind = BeaconKind.iBeacon
  public static let name: StaticString = "ibeacon"
  public static let title = "iBeacon"
  public static let sharedBytes = 16
  public static let makesRegion = true
  public static let powerDistance = 1
  /// Manufacturer data of Apple's alone.
  public static let company = BeaconCompany.always(apple)

  static let warnings: [(BeaconWarnings, StaticString)] = [
    (.appleElementOverrun, "apple_tlv_overrun"), (.iBeaconNotFirst, "ibeacon_not_first_tlv"),
  ]
  static let reasons: [RefusalReason] = [(.iBeaconBadLength, "ibeacon_bad_length", title)]

  static let apple: UInt16 = 0x004C
  /// Company, element 02, length 0x15, read little-endian.
  static let prefix: UInt32 = 0x1502_004C
  /// From the company number on.
  static let length = 25

  /// The usual place: first element of Apple's data. Others are found by the element walk.
  @inline(__always)
  static func claims(_ data: RawSpan) -> Bool { data.byteCount >= 4 && data.le32(0) == prefix }

  @inline(__always)
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome {
    guard data.byteCount >= length else { return .rejected(.iBeaconBadLength) }
    return .beacon(draft(data, at: 4))
  }

  /// 21 bytes from `at` on, which the caller has counted.
  @inline(__always)
  static func draft(_ data: RawSpan, at: Int) -> BeaconDraft {
    let data = data.extracting(at..<(at + 21))
    var draft = BeaconDraft(
      identity: BeaconIdentity(
        kind: .iBeacon, count: 20, data.be64(0), data.be64(8),
        UInt64(data.be32(16)) << 32))
    draft.power = data.i8(20)
    if draft.power >= 0 { draft.warnings.insert(.implausiblePower) }
    return draft
  }

  public static let parts = [
    IdentityPart("uuid", .uuid, 0..<16, word: "UUID"), IdentityPart("major", .number, 16..<18),
    IdentityPart("minor", .number, 18..<20),
  ]
  public static let textForm = "UUID:MAJOR:MINOR, the UUID with hyphens"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    identityFields(table.bytes(of: id)) + [
      BeaconField("measured_power", .int(Int(sighting.power)))
    ]
  }
}
