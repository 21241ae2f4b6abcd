import CaptureReader
import FrameDecoder

extension BeaconWarnings {
  public static let eddystoneNotListed = BeaconWarnings(rawValue: 1 << 5)
  public static let uidWithoutReserved = BeaconWarnings(rawValue: 1 << 6)
  public static let urlReservedCode = BeaconWarnings(rawValue: 1 << 8)
  public static let urlLongerThan17 = BeaconWarnings(rawValue: 1 << 9)
}

extension BeaconReason {
  public static let eddystoneReservedNibble = BeaconReason(rawValue: 2)
  public static let eddystoneUnknownFrame = BeaconReason(rawValue: 3)
  public static let eddystoneNoFrame = BeaconReason(rawValue: 4)
  public static let uidBadLength = BeaconReason(rawValue: 5)
  public static let urlBadLength = BeaconReason(rawValue: 6)
  public static let urlBadScheme = BeaconReason(rawValue: 7)
  public static let tlmBadLength = BeaconReason(rawValue: 8)
  public static let tlmUnknownVersion = BeaconReason(rawValue: 9)
  public static let etlmBadLength = BeaconReason(rawValue: 10)
  public static let eidBadLength = BeaconReason(rawValue: 11)
}

/// What the Eddystone frames share: service data for FEAA, frame type in the high nibble
/// (PROTOCOLS.md 5.3). Bytes count from the frame byte on, behind the UUID.
enum Eddystone: BeaconPayload {
  static let formats: [any BeaconFormat.Type] = [
    EddystoneUID.self, EddystoneURL.self, EddystoneTLM.self, EddystoneETLM.self, EddystoneEID.self,
    EddystoneResolved.self, EddystoneOpened.self,
  ]
  static let warnings: [(BeaconWarnings, StaticString)] = [
    (.eddystoneNotListed, "eddystone_uuid_not_listed"), (.uidWithoutReserved, "uid_without_rfu"),
    (.urlReservedCode, "url_reserved_code"), (.urlLongerThan17, "url_longer_than_17"),
    (.telemetryTagMismatch, "etlm_tag_mismatch"), (.oldIdentifier, "eid_after_newer"),
  ]
  static let reasons: [RefusalReason] = [
    (.eddystoneReservedNibble, "eddystone_reserved_nibble", "Eddystone frame"),
    (.eddystoneUnknownFrame, "eddystone_unknown_frame", "Eddystone frame"),
    (.eddystoneNoFrame, "eddystone_no_frame", "Eddystone frame"),
    (.uidBadLength, "uid_bad_length", EddystoneUID.title),
    (.urlBadLength, "url_bad_length", EddystoneURL.title),
    (.urlBadScheme, "url_bad_scheme", EddystoneURL.title),
    (.tlmBadLength, "tlm_bad_length", EddystoneTLM.title),
    (.tlmUnknownVersion, "tlm_unknown_version", EddystoneTLM.title),
    (.etlmBadLength, "etlm_bad_length", EddystoneETLM.title),
    (.eidBadLength, "eid_bad_length", EddystoneEID.title),
  ]

  static let uuid: UInt16 = 0xFEAA
  /// Google's Find Hub network uses the same UUID: labelled, not Eddystone.
  static func isFindHub(_ data: RawSpan) -> Bool {
    data.byteCount >= 3 && (data.u8(2) == 0x40 || data.u8(2) == 0x41)
  }

  @inline(__always)
  static func claims(_ data: RawSpan) -> Bool {
    data.byteCount >= 2 && data.le16(0) == uuid && !isFindHub(data)
  }

  @inline(__always)
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome {
    guard data.byteCount > 2 else { return .rejected(.eddystoneNoFrame) }
    let type = data.u8(2)
    guard type & 0x0F == 0 else { return .rejected(.eddystoneReservedNibble) }
    let frame = data.extracting(2..<data.byteCount)
    switch type {
    case 0x00: return EddystoneUID.decode(frame)
    case 0x10: return EddystoneURL.decode(frame, &table)
    case 0x20: return EddystoneTLM.decode(frame, address: report.address)
    case 0x30: return EddystoneEID.decode(frame)
    default: return .rejected(.eddystoneUnknownFrame)
    }
  }

  /// TX power at 0 m: −100…+20 dBm.
  @inline(__always)
  static func takePower(_ frame: RawSpan, into draft: inout BeaconDraft) {
    draft.power = frame.i8(1)
    if draft.power < -100 || draft.power > 20 { draft.warnings.insert(.powerOutOfRange) }
  }
}
