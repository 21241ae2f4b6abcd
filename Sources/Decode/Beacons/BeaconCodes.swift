/// Oddities of a beacon payload that is kept all the same, as a set of bits.
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

  public static let appleElementOverrun = BeaconWarnings(rawValue: 1 << 0)
  public static let iBeaconNotFirst = BeaconWarnings(rawValue: 1 << 1)
  public static let implausiblePower = BeaconWarnings(rawValue: 1 << 2)
  public static let powerOutOfRange = BeaconWarnings(rawValue: 1 << 3)
  public static let trailingBytes = BeaconWarnings(rawValue: 1 << 4)
  public static let eddystoneNotListed = BeaconWarnings(rawValue: 1 << 5)
  public static let uidWithoutReserved = BeaconWarnings(rawValue: 1 << 6)
  public static let reservedNonzero = BeaconWarnings(rawValue: 1 << 7)
  public static let urlReservedCode = BeaconWarnings(rawValue: 1 << 8)
  public static let urlLongerThan17 = BeaconWarnings(rawValue: 1 << 9)
  public static let exposureBadLength = BeaconWarnings(rawValue: 1 << 10)

  /// By bit.
  public static let names: [StaticString] = [
    "apple_tlv_overrun", "ibeacon_not_first_tlv", "implausible_power", "power_out_of_range",
    "trailing_bytes", "eddystone_uuid_not_listed", "uid_without_rfu", "rfu_nonzero",
    "url_reserved_code", "url_longer_than_17", "exposure_notification_bad_length",
  ]
}

/// Why a payload that claims to be a beacon is none.
public struct BeaconReason: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: BeaconReason, b: BeaconReason) -> Bool { a.rawValue == b.rawValue }

  public static let iBeaconBadLength = BeaconReason(rawValue: 0)
  public static let altBeaconBadLength = BeaconReason(rawValue: 1)
  public static let eddystoneReservedNibble = BeaconReason(rawValue: 2)
  public static let eddystoneUnknownFrame = BeaconReason(rawValue: 3)
  public static let eddystoneNoFrame = BeaconReason(rawValue: 4)
  public static let uidBadLength = BeaconReason(rawValue: 5)
  public static let urlBadLength = BeaconReason(rawValue: 6)
  public static let urlBadScheme = BeaconReason(rawValue: 7)
  public static let tlmBadLength = BeaconReason(rawValue: 8)
  public static let tlmUnknownVersion = BeaconReason(rawValue: 9)
  public static let etlmBadLength = BeaconReason(rawValue: 10)
  public static let eidBadLength = BeaconReason(rawValue: 11)

  /// By raw value.
  public static let names: [StaticString] = [
    "ibeacon_bad_length", "altbeacon_bad_length", "eddystone_reserved_nibble",
    "eddystone_unknown_frame", "eddystone_no_frame", "uid_bad_length", "url_bad_length",
    "url_bad_scheme", "tlm_bad_length", "tlm_unknown_version", "etlm_bad_length", "eid_bad_length",
  ]
}
