import CaptureReader
import FrameDecoder

extension BeaconKind {
  public static let eddystoneTLM = BeaconKind(rawValue: 5)
  public static let eddystoneETLM = BeaconKind(rawValue: 6)
  public static let eddystoneOpened = BeaconKind(rawValue: 10)
}

extension BeaconWarnings {
  public static let telemetryTagMismatch = BeaconWarnings(rawValue: 1 << 11)
}

/// Plain telemetry: 0 frame, 1 version 0, 2 battery mV, 4 temperature 8.8, 6 advertisements,
/// 10 uptime in 0.1 s; big-endian.
///
/// Identity: the address. Extra: as `TelemetryReading` has it.
public enum EddystoneTLM: BeaconFormat {
  public static let kind = BeaconKind.eddystoneTLM
  public static let name: StaticString = "eddystone-tlm"
  public static let title = "Eddystone-TLM"
  public static let telemetry = TelemetryForm.plain
  public static let changingBytes = 12

  @inline(__always)
  static func decode(_ frame: RawSpan, address: DeviceAddress) -> BeaconOutcome {
    guard frame.byteCount >= 2 else { return .rejected(.tlmBadLength) }
    switch frame.u8(1) {
    case 0: break
    case 1: return EddystoneETLM.decode(frame, address: address)
    default: return .rejected(.tlmUnknownVersion)
    }
    guard frame.byteCount >= 14 else { return .rejected(.tlmBadLength) }
    var draft = BeaconDraft(identity: identity(.eddystoneTLM, address))
    draft.extra = (frame.be64(2), UInt64(frame.be32(10)))
    if frame.byteCount > 14 { draft.warnings.insert(.trailingBytes) }
    return .beacon(draft)
  }

  @inline(__always)
  static func identity(_ kind: BeaconKind, _ address: DeviceAddress) -> BeaconIdentity {
    BeaconIdentity(kind: kind, count: 6, address.address << 16)
  }

  public static let textParts = [IdentityPart("address", .address, 0..<6)]
  public static let textForm = "the address"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    fields(TelemetryReading(sighting.extra), version: 0)
  }

  static func fields(_ told: TelemetryReading, version: Int) -> [BeaconField] {
    [
      BeaconField("version", .int(version)),
      BeaconField("battery_mv", told.battery.map { .int($0) } ?? .none),
      BeaconField(
        "temperature_c",
        told.temperature.map { .decimal(numerator: $0, denominator: 256) } ?? .none),
      BeaconField("adv_count", .int(told.advertisements)),
      BeaconField("uptime_s", .decimal(numerator: told.uptime, denominator: 10)),
    ]
  }
}

/// Encrypted telemetry: 0 frame, 1 version 1, 2–13 ciphertext, 14–15 salt, 16–17 tag.
///
/// Identity: the address. Extra: the sixteen bytes from the ciphertext on.
public enum EddystoneETLM: BeaconFormat {
  public static let kind = BeaconKind.eddystoneETLM
  public static let name: StaticString = "eddystone-etlm"
  public static let title = "Eddystone-eTLM"
  public static let telemetry = TelemetryForm.encrypted
  public static let changingBytes = 16

  @inline(__always)
  static func decode(_ frame: RawSpan, address: DeviceAddress) -> BeaconOutcome {
    guard frame.byteCount >= 18 else { return .rejected(.etlmBadLength) }
    var draft = BeaconDraft(identity: EddystoneTLM.identity(.eddystoneETLM, address))
    draft.extra = (frame.be64(2), frame.be64(10))
    if frame.byteCount > 18 { draft.warnings.insert(.trailingBytes) }
    return .beacon(draft)
  }

  public static let textParts = EddystoneTLM.textParts
  public static let textForm = EddystoneTLM.textForm

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    let bytes = [sighting.extra.0, sighting.extra.1].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
    return [
      BeaconField("version", .int(1)),
      BeaconField("ciphertext", .text(HexText.string(bytes[..<12]))),
      BeaconField("salt", .text(HexText.string(bytes[12..<14]))),
      BeaconField("mic", .text(HexText.string(bytes[14...]))),
    ]
  }
}

/// Encrypted telemetry that was opened with the key of the beacon whose identifier the same address sent.
///
/// Identity: the address. Extra: as `TelemetryReading` has it.
public enum EddystoneOpened: BeaconFormat {
  public static let kind = BeaconKind.eddystoneOpened
  public static let name: StaticString = "eddystone-etlm-opened"
  public static let title = "opened Eddystone-eTLM"
  public static let telemetry = TelemetryForm.plain

  public static let textParts = EddystoneTLM.textParts
  public static let textForm = EddystoneTLM.textForm

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    EddystoneTLM.fields(TelemetryReading(sighting.extra), version: 1)
  }
}
