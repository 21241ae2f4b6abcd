import CaptureReader
import FrameDecoder

/// What the Eddystone frames share: service data for FEAA, frame type in the high nibble
/// (PROTOCOLS.md 5.3). Bytes count from the frame byte on, behind the UUID.
enum Eddystone {
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
