import CaptureReader
import FrameDecoder

/// A beacon format: how its payload is told, decoded and named.
public protocol BeaconFormat: Sendable {
  static var kind: BeaconKind { get }
  /// As output names it: `ibeacon`, `eddystone-uid`.
  static var name: StaticString { get }
  /// Whether sightings are of a beacon by itself; telemetry is not, it belongs to another identity
  /// of the same address.
  static var isTelemetry: Bool { get }
  /// Whether an identity is sent for a short time only, and then another one by the same beacon.
  static var isEphemeral: Bool { get }
  /// First bytes of an identity that beacons of one make or site have in common: a UUID, a namespace. 0: none.
  static var sharedBytes: Int { get }
  /// Bytes of the payload that differ each time it is sent, from the one behind its type and version
  /// on; they are what `Sighting.extra` holds. 0 for none.
  static var changingBytes: Int { get }
  /// Whether sightings say a power; telemetry does not.
  static var hasPower: Bool { get }
  /// At which distance the power is given: 0 m or 1 m.
  static var powerDistance: Int { get }
  /// What an identity is made of, in the order of the output.
  static var parts: [IdentityPart] { get }
  /// What stands in an identity's text, with colons between; the parts, where nothing else is said.
  static var textParts: [IdentityPart] { get }
  /// The identity as text. Needs to be spelled out only where a part has the form `text`.
  static func identityText(_ bytes: [UInt8]) -> String
  /// The fields behind `kind` and `id`, in the order of the output.
  static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
}

extension BeaconFormat {
  public static var isTelemetry: Bool { false }
  public static var isEphemeral: Bool { false }
  /// Whether an identity names its beacon for good.
  public static var isLasting: Bool { !isEphemeral && !isTelemetry }
  public static var sharedBytes: Int { 0 }
  public static var changingBytes: Int { 0 }
  public static var hasPower: Bool { !isTelemetry }
  public static var powerDistance: Int { 0 }
  public static var parts: [IdentityPart] { [] }
  public static var textParts: [IdentityPart] { parts }

  public static func identityText(_ bytes: [UInt8]) -> String {
    textParts.map { $0.text(bytes) }.joined(separator: ":")
  }

  /// The identity's parts as fields.
  public static func identityFields(_ bytes: [UInt8]) -> [BeaconField] {
    parts.map { part in
      switch part.form {
      case .number: BeaconField(part.name, .int(part.number(bytes)))
      default: BeaconField(part.name, .text(text(part, bytes)))
      }
    }
  }

  /// A part of an identity as text.
  public static func text(_ part: IdentityPart, _ bytes: [UInt8]) -> String {
    part.form == .text ? identityText(bytes) : part.text(bytes)
  }
}

/// One field of a beacon, ready to be written.
public struct BeaconField: Sendable, Equatable {
  public enum Value: Sendable, Equatable {
    case int(Int)
    case text(String)
    /// Printed with as many decimals as are not zero, at least one.
    case decimal(numerator: Int, denominator: Int)
    case none
  }
  public let name: StaticString
  public let value: Value

  public init(_ name: StaticString, _ value: Value) {
    self.name = name
    self.value = value
  }

  public static func == (a: BeaconField, b: BeaconField) -> Bool {
    "\(a.name)" == "\(b.name)" && a.value == b.value
  }
}

/// The formats we know. A new one is a file under `Formats`, a line in `all`, and a line in the
/// chain below that its AD type runs through. (`CustomFormat` is in no chain: others decode it.)
public enum BeaconFormats {
  public static let all: [any BeaconFormat.Type] = [
    IBeacon.self, AltBeacon.self, EddystoneUID.self, EddystoneURL.self, EddystoneTLM.self,
    EddystoneETLM.self, EddystoneEID.self, CustomFormat.self,
  ]

  /// By raw value.
  private static let byKind = (0..<64).map { raw in
    all.first { $0.kind.rawValue == UInt8(raw) } ?? IBeacon.self
  }

  /// By raw value.
  private static let changing = (0..<64).map { raw in
    all.first { $0.kind.rawValue == UInt8(raw) }?.changingBytes ?? 0
  }

  static func changingBytes(_ kind: BeaconKind) -> Int { changing[Int(kind.rawValue & 63)] }

  public static func format(_ kind: BeaconKind) -> any BeaconFormat.Type {
    byKind[Int(kind.rawValue & 63)]
  }

  /// Manufacturer data of any company; the company number is the first two bytes.
  @inline(__always)
  static func manufacturer(_ data: RawSpan) -> BeaconOutcome {
    if IBeacon.claims(data) { return IBeacon.decode(data) }
    if AltBeacon.claims(data) { return AltBeacon.decode(data) }
    return .notMine
  }

  /// Service data; the 16-bit UUID is the first two bytes.
  @inline(__always)
  static func serviceData(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome {
    if Eddystone.claims(data) { return Eddystone.decode(data, report, &table) }
    return .notMine
  }
}

/// Bytes as text: hexadecimal digits, lower case.
public enum HexText {
  public static let digits = Array("0123456789abcdef".utf8)

  public static func string(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Text from the air: whatever is no printable ASCII character, blanks and `%` stand as `%XX`, so
  /// that nothing is lost and no two come to the same.
  public static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") {
        text.append(byte)
      } else {
        text.append(UInt8(ascii: "%"))
        text.append(contentsOf: string([byte]).uppercased().utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The same of what people write, who may have it as it was on the air or as it is shown here.
  public static func escaped(written text: String) -> String {
    isEscaped(Array(text.utf8)) ? text : escaped(text.utf8)
  }

  private static func isEscaped(_ text: [UInt8]) -> Bool {
    let upper = Set("0123456789ABCDEF".utf8)
    return text.indices.allSatisfy { place in
      guard text[place] == UInt8(ascii: "%") else {
        return text[place] > 0x20 && text[place] < 0x7F
      }
      return place + 2 < text.count && upper.contains(text[place + 1])
        && upper.contains(text[place + 2])
    }
  }

  /// 8-4-4-4-12.
  public static func uuid(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
