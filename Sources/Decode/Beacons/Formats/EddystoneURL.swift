import CaptureReader

extension BeaconKind {
  public static let eddystoneURL = BeaconKind(rawValue: 4)
}

/// Eddystone-URL: 0 frame, 1 TX power, 2 scheme, 3… encoded URL.
///
/// Identity: the scheme byte and the encoded URL, as they were on the air.
public enum EddystoneURL: BeaconFormat {
  public static let kind = BeaconKind.eddystoneURL
  public static let name: StaticString = "eddystone-url"
  public static let title = "Eddystone-URL"

  private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
  private static let expansions = [
    ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net",
    ".info", ".biz", ".gov",
  ]

  @inline(__always)
  static func decode(_ frame: RawSpan, _ table: inout IdentityTable) -> BeaconOutcome {
    let count = frame.byteCount
    guard count >= 4 else { return .rejected(.urlBadLength) }
    guard frame.u8(2) <= 3 else { return .rejected(.urlBadScheme) }
    var draft = BeaconDraft(identity: identity(frame, &table))
    Eddystone.takePower(frame, into: &draft)
    if count - 3 > 17 { draft.warnings.insert(.urlLongerThan17) }
    for at in 3..<count where isReserved(frame.u8(at)) { draft.warnings.insert(.urlReservedCode) }
    return .beacon(draft)
  }

  /// Up to 24 bytes are packed on the spot; longer ones go by way of the table.
  @inline(__always)
  private static func identity(_ frame: RawSpan, _ table: inout IdentityTable) -> BeaconIdentity {
    let count = frame.byteCount - 2
    guard count <= 24 else {
      return table.identity(
        kind: .eddystoneURL, bytes: frame.extracting(2..<frame.byteCount).array())
    }
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    for index in 0..<count {
      let byte = UInt64(frame.u8(2 + index)) << UInt64(56 - 8 * (index & 7))
      if index < 8 {
        words.0 |= byte
      } else if index < 16 {
        words.1 |= byte
      } else {
        words.2 |= byte
      }
    }
    return BeaconIdentity(
      kind: .eddystoneURL, count: UInt8(count), words.0, words.1, words.2)
  }

  /// Codes without a meaning, and bytes that are not printable ASCII.
  @inline(__always)
  private static func isReserved(_ byte: UInt8) -> Bool {
    (byte >= 0x0E && byte <= 0x20) || byte >= 0x7F
  }

  public static let parts = [IdentityPart("url", .text, 0..<0)]
  public static let textForm = "the URL"

  /// The URL; reserved bytes stand as `%XX`, so that nothing is lost.
  public static func identityText(_ bytes: [UInt8]) -> String {
    guard let scheme = bytes.first, scheme < schemes.count else { return HexText.string(bytes) }
    var text = Array(schemes[Int(scheme)].utf8)
    for byte in bytes.dropFirst() {
      if byte < expansions.count {
        text.append(contentsOf: expansions[Int(byte)].utf8)
      } else if isReserved(byte) {
        text.append(UInt8(ascii: "%"))
        text.append(contentsOf: HexText.string([byte]).uppercased().utf8)
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    identityFields(table.bytes(of: id)) + [BeaconField("tx_power", .int(Int(sighting.power)))]
  }
}
