import CaptureReader

extension BeaconKind {
  public static let custom = BeaconKind(rawValue: 8)
}

/// What somebody's own decoder says is a beacon (`CustomDecoding`).
///
/// Identity: UTF-8 of the decoder's name, a colon, and the beacon's id. Power: none. Extra: 1 + index
/// of the beacon's fields in `BeaconDecoder.customFields` of its batch, 0 where it has none.
public enum CustomFormat: BeaconFormat {
  public static let kind = BeaconKind.custom
  public static let name: StaticString = "custom"
  public static let title = "Of decoders in plugins"
  public static let hasPower = false

  /// The bytes of an identity.
  public static func identity(_ decoder: String, _ id: String) -> [UInt8] {
    Array("\(decoder):\(id)".utf8)
  }

  public static let parts = [IdentityPart("decoder", .name, 0..<0)]
  public static let textParts = [IdentityPart("id", .text, 0..<0)]
  public static let textForm = "DECODER:ID"

  public static func identityText(_ bytes: [UInt8]) -> String { HexText.escaped(bytes) }

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    identityFields(table.bytes(of: id))
  }
}
