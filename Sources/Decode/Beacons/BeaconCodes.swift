/// Oddities of a beacon payload that is kept all the same, as a set of bits. Open: what only one format has
/// is declared in its file.
public struct BeaconWarnings: OptionSet, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  // Spelled out, because the protocol's versions go through witnesses on the way of every frame.
  public static var none: BeaconWarnings {
    @inlinable @inline(__always) get { BeaconWarnings(rawValue: 0) }
  }
  public var isEmpty: Bool { @inlinable @inline(__always) get { rawValue == 0 } }
  @inlinable @inline(__always)
  public func union(_ other: BeaconWarnings) -> BeaconWarnings {
    BeaconWarnings(rawValue: rawValue | other.rawValue)
  }
  @inlinable @inline(__always)
  public mutating func formUnion(_ other: BeaconWarnings) { self = union(other) }
  @inlinable @inline(__always)
  public func contains(_ other: BeaconWarnings) -> Bool {
    rawValue & other.rawValue == other.rawValue
  }
  @inlinable @inline(__always)
  public static func == (a: BeaconWarnings, b: BeaconWarnings) -> Bool { a.rawValue == b.rawValue }

  public static let implausiblePower = BeaconWarnings(rawValue: 1 << 2)
  public static let powerOutOfRange = BeaconWarnings(rawValue: 1 << 3)
  public static let trailingBytes = BeaconWarnings(rawValue: 1 << 4)
  public static let reservedNonzero = BeaconWarnings(rawValue: 1 << 7)
  public static let exposureBadLength = BeaconWarnings(rawValue: 1 << 10)

  /// Those of several formats, or of none.
  private static let shared: [(BeaconWarnings, StaticString)] = [
    (.implausiblePower, "implausible_power"), (.powerOutOfRange, "power_out_of_range"),
    (.trailingBytes, "trailing_bytes"), (.reservedNonzero, "rfu_nonzero"),
    (.exposureBadLength, "exposure_notification_bad_length"),
  ]

  /// By bit.
  public static let names = CodeNames.inOrder(
    (shared + BeaconFormats.warnings).map { ($0.rawValue.trailingZeroBitCount, $1) }, "warning")
}

/// Why a payload that claims to be a beacon is none. Open: each format's file declares its own.
public struct BeaconReason: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: BeaconReason, b: BeaconReason) -> Bool { a.rawValue == b.rawValue }

  /// By raw value.
  public static let names = CodeNames.inOrder(
    BeaconFormats.reasons.map { (Int($0.reason.rawValue), $0.name) }, "reason")

  /// What the payload claims to be, as people call it; by raw value.
  private static let claims = BeaconFormats.reasons
    .sorted { $0.reason.rawValue < $1.reason.rawValue }.map(\.claim)

  public var claim: String { Self.claims[Int(rawValue)] }

  /// As output names it.
  public var name: String { "\(Self.names[Int(rawValue)])" }
}

/// Names of codes that several files declare, as a list.
enum CodeNames {
  /// - Parameter codes: numbers from 0 on, each once.
  static func inOrder(_ codes: [(number: Int, name: StaticString)], _ what: String)
    -> [StaticString]
  {
    let sorted = codes.sorted { $0.number < $1.number }
    for (place, code) in sorted.enumerated() {
      precondition(
        code.number == place, "\(what) \(code.name) has number \(code.number); \(place) is next")
    }
    return sorted.map(\.name)
  }
}
