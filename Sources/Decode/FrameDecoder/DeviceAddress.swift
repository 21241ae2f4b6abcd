/// The address an advertiser used, and of which kind. Eight bytes: 48 bits of address, 8 of kind.
public struct DeviceAddress: Hashable, Sendable {
  /// Bits 0–47: the address, first printed byte highest; bits 48–55: `Kind`.
  public let rawValue: UInt64

  public enum Kind: UInt8, Sendable {
    case publicDevice, random, publicIdentity, randomIdentity
    /// Extended advertising without an address.
    case anonymous
    /// A directed report's target that the controller could not resolve (0xFE).
    case unresolved
    /// A reserved value of the address type.
    case unknown
    /// No address in the packet.
    case none
  }

  @inlinable @inline(__always)
  public init(_ address: UInt64, _ kind: Kind) {
    rawValue = address & 0xFFFF_FFFF_FFFF | UInt64(kind.rawValue) << 48
  }

  public static let none = DeviceAddress(0, .none)

  @inlinable @inline(__always)
  public var address: UInt64 { rawValue & 0xFFFF_FFFF_FFFF }

  @inlinable @inline(__always)
  public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rawValue >> 48)) ?? .unknown }

  /// HCI's address type byte (PROTOCOLS.md 3.2, 3.4).
  @inlinable @inline(__always)
  public static func kind(hci type: UInt8) -> Kind {
    switch type {
    case 0: .publicDevice
    case 1: .random
    case 2: .publicIdentity
    case 3: .randomIdentity
    case 0xFE: .unresolved
    case 0xFF: .anonymous
    default: .unknown
    }
  }

  /// Whether there is an address to print.
  public var isPresent: Bool { kind != .none && kind != .anonymous }

  /// As output names it: the sub-kind of a random address stands in its two top bits
  /// (PROTOCOLS.md 7).
  public var kindName: StaticString {
    switch kind {
    case .publicDevice: "public"
    case .publicIdentity: "public_identity"
    case .randomIdentity: "random_identity"
    case .anonymous: "anonymous"
    case .unresolved: "random_unresolved"
    case .unknown: "unknown"
    case .none: "none"
    case .random:
      switch address >> 46 {
      case 0b11: "random_static"
      case 0b01: "random_resolvable"
      case 0b00: "random_nonresolvable"
      default: "random_reserved"
      }
    }
  }
}
