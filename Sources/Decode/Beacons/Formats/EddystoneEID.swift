import CaptureReader

extension BeaconKind {
  public static let eddystoneEID = BeaconKind(rawValue: 7)
}

/// Eddystone-EID: 0 frame, 1 TX power, 2–9 identifier that changes with time.
///
/// Identity: the eight bytes seen.
public enum EddystoneEID: BeaconFormat {
  public static let kind = BeaconKind.eddystoneEID
  public static let name: StaticString = "eddystone-eid"
  public static let title = "Eddystone-EID"
  public static let isEphemeral = true

  @inline(__always)
  static func decode(_ frame: RawSpan) -> BeaconOutcome {
    guard frame.byteCount >= 10 else { return .rejected(.eidBadLength) }
    var draft = BeaconDraft(
      identity: BeaconIdentity(kind: .eddystoneEID, count: 8, frame.be64(2)))
    Eddystone.takePower(frame, into: &draft)
    if frame.byteCount > 10 { draft.warnings.insert(.trailingBytes) }
    return .beacon(draft)
  }

  public static let parts = [IdentityPart("eid", .hex, 0..<8)]
  public static let textForm = "16 hexadecimal digits"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    identityFields(table.bytes(of: id)) + [BeaconField("tx_power", .int(Int(sighting.power)))]
  }
}
