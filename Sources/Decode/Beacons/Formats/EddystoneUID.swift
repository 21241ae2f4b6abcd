import CaptureReader

extension BeaconKind {
  public static let eddystoneUID = BeaconKind(rawValue: 3)
}

/// Eddystone-UID: 0 frame, 1 TX power, 2–11 namespace, 12–17 instance, 18–19 reserved.
///
/// Identity: namespace 10, instance 6.
public enum EddystoneUID: BeaconFormat {
  public static let kind = BeaconKind.eddystoneUID
  public static let name: StaticString = "eddystone-uid"
  public static let title = "Eddystone-UID"
  public static let sharedBytes = 10
  public static let makesRegion = true

  @inline(__always)
  static func decode(_ frame: RawSpan) -> BeaconOutcome {
    let count = frame.byteCount
    guard count >= 18 else { return .rejected(.uidBadLength) }
    var draft = BeaconDraft(
      identity: BeaconIdentity(kind: .eddystoneUID, count: 16, frame.be64(2), frame.be64(10)))
    Eddystone.takePower(frame, into: &draft)
    if count < 20 { draft.warnings.insert(.uidWithoutReserved) }
    for at in 18..<min(20, count) where frame.u8(at) != 0 {
      draft.warnings.insert(.reservedNonzero)
    }
    if count > 20 { draft.warnings.insert(.trailingBytes) }
    return .beacon(draft)
  }

  public static let parts = [
    IdentityPart("namespace", .hex, 0..<10), IdentityPart("instance", .hex, 10..<16),
  ]
  public static let textForm = "NAMESPACE:INSTANCE, 20 and 12 hexadecimal digits"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    identityFields(table.bytes(of: id)) + [BeaconField("tx_power", .int(Int(sighting.power)))]
  }
}
