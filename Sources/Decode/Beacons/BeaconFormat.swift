import CaptureReader
import FrameDecoder

/// A beacon format: how its payload is told, decoded and named.
public protocol BeaconFormat: Sendable {
  static var kind: BeaconKind { get }
  /// As output names it: `ibeacon`, `eddystone-uid`.
  static var name: StaticString { get }
  /// As people call it: `iBeacon`, `Eddystone-UID`.
  static var title: String { get }
  /// Whether sightings are telemetry, which is no beacon by itself: it belongs to another identity of
  /// the same address.
  static var telemetry: TelemetryForm { get }
  /// Whether an identity is sent for a short time only, and then another one by the same beacon.
  static var isEphemeral: Bool { get }
  /// First bytes of an identity that beacons of one make or site have in common: a UUID, a namespace; whole
  /// levels of it. 0: none.
  static var sharedBytes: Int { get }
  /// Whether beacons with the same shared bytes are a region where none is defined; where they share none,
  /// each is one.
  static var makesRegion: Bool { get }
  /// Bytes of service data that differ each time it is sent, from the one behind its type and version
  /// on; they are what `Sighting.extra` holds. 0 for none, else 12 or 16.
  static var changingBytes: Int { get }
  /// Whose manufacturer data it is.
  static var company: BeaconCompany { get }
  /// Whether sightings say a power; telemetry does not.
  static var hasPower: Bool { get }
  /// At which distance the power is given: 0 m or 1 m.
  static var powerDistance: Int { get }
  /// What an identity is made of, in the order of the output.
  static var parts: [IdentityPart] { get }
  /// What stands in an identity's text, with colons between; the parts, where nothing else is said.
  static var textParts: [IdentityPart] { get }
  /// How the text is written, for people: `UUID:MAJOR:MINOR`.
  static var textForm: String { get }
  /// The identity as text. Needs to be spelled out only where a part has the form `text`.
  static func identityText(_ bytes: [UInt8]) -> String
  /// The fields behind `kind` and `id`, in the order of the output.
  static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
}

extension BeaconFormat {
  public static var telemetry: TelemetryForm { .none }
  public static var isTelemetry: Bool { telemetry != .none }
  public static var isEphemeral: Bool { false }
  /// Whether an identity names its beacon for good.
  public static var isLasting: Bool { !isEphemeral && !isTelemetry }
  public static var sharedBytes: Int { 0 }
  public static var makesRegion: Bool { false }
  public static var changingBytes: Int { 0 }
  public static var company: BeaconCompany { .none }
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

extension BeaconFormat {
  /// The fields of a sighting in which all bytes and numbers are zero: their names are those of every
  /// sighting, their values show of which type they are.
  public static var blankFields: [BeaconField] {
    let sighting = Sighting(
      time: .none, frame: 0, address: DeviceAddress(0, .publicDevice), extra: (0, 0),
      frameWarnings: .none, warnings: .none, identity: 0, transmitter: 0, observer: 0, index: 0,
      kind: kind, rssi: 127, power: 0, channel: 255, phy: .unknown)
    return fields(
      of: sighting, id: BeaconIdentity(kind: kind, count: 24, 0), IdentityTable())
  }
}

/// Identities level by level: UUID, major, minor.
extension BeaconFormat {
  /// The parts that lie at fixed places, one behind the other from the first byte on: a beginning of
  /// some of them stands for all identities that begin so. None where identities are text.
  public static var levels: [IdentityPart] { parts.filter(\.isFixed) }

  /// Hexadecimal digits where there are no levels.
  /// - Parameter beginning: bytes of the first levels.
  public static func text(beginning: [UInt8]) -> String {
    if levels.isEmpty { return HexText.string(beginning) }
    return levels.filter { $0.bytes.upperBound <= beginning.count }.map { $0.text(beginning) }
      .joined(separator: ":")
  }

  /// What an identity's text says of its shared bytes. Empty where there are none.
  public static func sharedText(_ identity: [UInt8]) -> String {
    texts(identity, 0..<sharedBytes).joined(separator: ":")
  }

  /// What an identity's text says behind the shared bytes.
  public static func ownTexts(_ identity: [UInt8]) -> [String] {
    sharedBytes == 0
      ? [identityText(identity)] : texts(identity, sharedBytes..<identity.count)
  }

  /// Of hexadecimal digits those of the bytes in a range; other parts whole.
  private static func texts(_ identity: [UInt8], _ range: Range<Int>) -> [String] {
    textParts.compactMap { part in
      let own = part.bytes.clamped(to: range)
      guard !own.isEmpty else { return nil }
      return part.form == .hex ? HexText.string(identity[own]) : part.text(identity)
    }
  }
}

/// Whether a format is telemetry, and of which sort.
public enum TelemetryForm: Sendable {
  /// It is none.
  case none
  /// `Sighting.extra` holds it as `TelemetryReading` has it.
  case plain
  /// Only a key can open it.
  case encrypted
}

/// Whose manufacturer data a format is.
public enum BeaconCompany: Sendable, Equatable {
  /// It is no manufacturer data.
  case none
  case always(UInt16)
  /// Any company's: each sighting has it as its field `company`.
  case any
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
