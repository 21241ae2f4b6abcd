import Beacons
import CLuaGuard
import FrameDecoder
import Regions

/// The fields of a sighting as Lua knows them: those of `sightings --format ndjson`.
enum SightingField {
  /// By number.
  static let all: [(String, guard_field_source)] =
    [
      ("capture", GUARD_FIELD_OF_SIGHTING), ("frame", GUARD_FIELD_FRAME),
      ("report", GUARD_FIELD_REPORT), ("time", GUARD_FIELD_TIME),
      ("observer", GUARD_FIELD_OF_TRANSMITTER), ("address", GUARD_FIELD_OF_TRANSMITTER),
      ("address_type", GUARD_FIELD_OF_TRANSMITTER), ("rssi", GUARD_FIELD_RSSI),
      ("channel", GUARD_FIELD_CHANNEL), ("phy", GUARD_FIELD_OF_SIGHTING),
      ("kind", GUARD_FIELD_OF_TRANSMITTER), ("id", GUARD_FIELD_OF_TRANSMITTER),
      ("warnings", GUARD_FIELD_OF_SIGHTING), ("fields", GUARD_FIELD_OF_SIGHTING),
    ] + identity.map { ($0, GUARD_FIELD_OF_TRANSMITTER) }
    + own.map { ($0, GUARD_FIELD_OF_SIGHTING) }
    + SightingKinds.otherParts.map { ($0.name, GUARD_FIELD_OF_TRANSMITTER) }
    + SightingKinds.otherFields.map { ($0.name, GUARD_FIELD_OF_SIGHTING) }
    + [("device", GUARD_FIELD_OF_TRANSMITTER)]

  /// Parts of identities; those of formats that are not here follow (`SightingKinds.otherParts`).
  static let identity: [String] = [
    "uuid", "major", "minor", "namespace", "instance", "url", "eid", "id1", "id2", "id3", "decoder",
    "key",
  ]
  /// What a format carries beside.
  static let own: [String] = [
    "measured_power", "tx_power", "beacon_code", "company", "reserved", "version", "battery_mv",
    "temperature_c", "adv_count", "uptime_s", "ciphertext", "salt", "mic", "eid_sent", "clock_s",
    "lasts_s", "clock_due_s",
  ]

  static let names: [String] = all.map(\.0)
}

/// What the numbers of a sighting stand for.
enum TransmitterValues {
  static func address(_ address: DeviceAddress) -> LuaValue {
    guard address.isPresent else { return .none }
    return .text(SettingText.text(address: address.address))
  }

  /// By what filters and handles know a transmitter; `observer` aside. Nil where the name is another
  /// one.
  static func value(
    _ name: String, _ address: DeviceAddress, _ identity: BeaconIdentity, _ table: IdentityTable
  ) -> LuaValue {
    let format = BeaconFormats.format(identity.kind)
    switch name {
    case "address": return self.address(address)
    case "address_type": return .text("\(address.kindName)")
    case "device": return table.device(at: address).map { .text($0) } ?? .none
    case "kind": return .text("\(format.name)")
    case "id": return .text(format.identityText(table.bytes(of: identity)))
    default:
      return format.identityFields(table.bytes(of: identity)).first { "\($0.name)" == name }
        .map { LuaValue($0.value) } ?? .none
    }
  }
}

extension LuaValue {
  init(_ value: BeaconField.Value) {
    switch value {
    case .int(let number): self = .integer(Int64(number))
    case .text(let text): self = .text(text)
    case .decimal(let numerator, let denominator):
      self = .number(Double(numerator) / Double(denominator))
    case .none: self = .none
    }
  }
}
