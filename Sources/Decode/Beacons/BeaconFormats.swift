import FrameDecoder

/// The formats we know. A new one is a file under `Formats` and a word in the chain of its AD type, by
/// which it is asked and listed; what else there is to do stands in CONTRIBUTING.md. (`ResolvedDevice` and `CustomFormat` are in no chain: a device is known by its
/// address, and others decode what is custom.)
public enum BeaconFormats {
  /// Manufacturer data of any company; the company number is the first two bytes.
  typealias ManufacturerData = Asked<IBeacon, Asked<AltBeacon, NobodyElse>>
  /// Service data; the 16-bit UUID is the first two bytes.
  typealias ServiceData = Asked<Eddystone, NobodyElse>

  public static let all: [any BeaconFormat.Type] =
    ManufacturerData.formats + ServiceData.formats + [ResolvedDevice.self, CustomFormat.self]

  static let warnings = ManufacturerData.warnings + ServiceData.warnings
  static let reasons = ManufacturerData.reasons + ServiceData.reasons

  /// By raw value.
  private static let byKind: [(any BeaconFormat.Type)?] = {
    if let problem = problem(all) { preconditionFailure(problem) }
    var byKind = [(any BeaconFormat.Type)?](repeating: nil, count: 256)
    for format in all { byKind[Int(format.kind.rawValue)] = format }
    return byKind
  }()
  private static let changing = BeaconKindTable(otherwise: 0) { $0.changingBytes }

  static func changingBytes(_ kind: BeaconKind) -> Int { changing[kind] }

  /// - Parameter kind: of a format in `all`: any other is a mistake of the program's.
  public static func format(_ kind: BeaconKind) -> any BeaconFormat.Type {
    guard let format = byKind[Int(kind.rawValue)] else {
      preconditionFailure("no format of beacon kind \(kind.rawValue) is in BeaconFormats.all")
    }
    return format
  }

  /// What is wrong with what formats say of themselves; nil where they agree. Looked at once, for all who
  /// use it.
  static func problem(_ formats: [any BeaconFormat.Type]) -> String? {
    var names: [BeaconKind: StaticString] = [:]
    for format in formats {
      let name = format.name
      if let other = names.updateValue(name, forKey: format.kind) {
        return "\(name) and \(other) are both of beacon kind \(format.kind.rawValue)"
      }
      var end = 0
      var ends = [end]
      for level in format.levels {
        guard level.bytes.lowerBound == end, level.bytes.upperBound <= 24 else {
          return "level \(level.name) of \(name) does not lie behind the one before"
        }
        end = level.bytes.upperBound
        ends.append(end)
      }
      guard ends.contains(format.sharedBytes), !format.makesRegion || end > 0 else {
        return "the shared bytes of \(name) are not whole levels"
      }
      guard [0, 12, 16].contains(format.changingBytes) else {
        return "\(name) has \(format.changingBytes) changing bytes, not 0, 12 or 16"
      }
      guard format.changingBytes == 0 || format.company == .none else {
        return "\(name) has changing bytes, which only service data may have"
      }
    }
    return nil
  }
}

/// Something that each format says of itself, found by a kind without asking the format.
public struct BeaconKindTable<Value: Sendable>: Sendable {
  @usableFromInline let values: [Value]

  /// - Parameter otherwise: of kinds without a format.
  public init(otherwise: Value, _ value: (any BeaconFormat.Type) -> Value) {
    var values = [Value](repeating: otherwise, count: 256)
    for format in BeaconFormats.all { values[Int(format.kind.rawValue)] = value(format) }
    self.values = values
  }

  public subscript(kind: BeaconKind) -> Value {
    @inlinable @inline(__always) get { values[Int(kind.rawValue)] }
  }
}

typealias RefusalReason = (reason: BeaconReason, name: StaticString, claim: String)

/// Who is asked whether an AD structure is a beacon's: a format, or several that begin alike.
protocol BeaconPayload {
  static var formats: [any BeaconFormat.Type] { get }
  /// What is odd about payloads of theirs alone, by bit, with its name in output.
  static var warnings: [(BeaconWarnings, StaticString)] { get }
  /// Why what claims to be one of theirs is none, with its name in output and what it claims to be.
  static var reasons: [RefusalReason] { get }
  /// - Parameter data: from the company number or the UUID on; two bytes at least.
  static func claims(_ data: RawSpan) -> Bool
  /// Asked only about what it claims.
  /// - Parameter table: for identities of more than 24 bytes.
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome
}

extension BeaconPayload {
  static var warnings: [(BeaconWarnings, StaticString)] { [] }
  static var reasons: [RefusalReason] { [] }
}

extension BeaconPayload where Self: BeaconFormat {
  static var formats: [any BeaconFormat.Type] { [Self.self] }
}

/// One is asked first, then the others. As types, so that the compiler makes straight code of the chain
/// and no frame goes through an existential.
enum Asked<First: BeaconPayload, Others: BeaconPayload>: BeaconPayload {
  static var formats: [any BeaconFormat.Type] { First.formats + Others.formats }
  static var warnings: [(BeaconWarnings, StaticString)] { First.warnings + Others.warnings }
  static var reasons: [RefusalReason] { First.reasons + Others.reasons }

  @inline(__always)
  static func claims(_ data: RawSpan) -> Bool { First.claims(data) || Others.claims(data) }

  @inline(__always)
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome {
    if First.claims(data) { return First.decode(data, report, &table) }
    return Others.decode(data, report, &table)
  }
}

/// The end of a chain.
enum NobodyElse: BeaconPayload {
  static var formats: [any BeaconFormat.Type] { [] }

  @inline(__always)
  static func claims(_ data: RawSpan) -> Bool { false }

  @inline(__always)
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome { .notMine }
}
