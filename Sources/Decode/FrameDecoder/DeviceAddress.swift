/// The address an advertiser used, and of which kind. Eight bytes: 48 bits of address, 8 of kind.
public struct DeviceAddress: Hashable, BitwiseCopyable, Sendable {
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

    @usableFromInline static var anonymousCode: UInt8 { @inlinable get { 4 } }
    @usableFromInline static var unresolvedCode: UInt8 { @inlinable get { 5 } }
    @usableFromInline static var unknownCode: UInt8 { @inlinable get { 6 } }
  }

  @inlinable @inline(__always)
  public init(_ address: UInt64, _ kind: Kind) {
    rawValue = address & 0xFFFF_FFFF_FFFF | UInt64(kind.rawValue) << 48
  }

  public static let none = DeviceAddress(0, .none)

  @inlinable @inline(__always)
  public var address: UInt64 { rawValue & 0xFFFF_FFFF_FFFF }

  /// An address as HCI gives it: 48 bits and the address type byte (PROTOCOLS.md 3.2, 3.4). Spelled
  /// out without `Kind`, which every advertising report would go through.
  @inlinable @inline(__always)
  public init(_ address: UInt64, hciType type: UInt8) {
    let code: UInt64 =
      type <= 3
      ? UInt64(type)
      : type == 0xFF
        ? UInt64(Kind.anonymousCode)
        : type == 0xFE ? UInt64(Kind.unresolvedCode) : UInt64(Kind.unknownCode)
    rawValue = (type == 0xFF ? 0 : address & 0xFFFF_FFFF_FFFF) | code << 48
  }

  /// - Parameters:
  ///   - address: 48 bits; what lies above them is cut off.
  ///   - code: the kind as a number.
  @inlinable @inline(__always)
  public init(_ address: UInt64, code: UInt8) {
    rawValue = address & 0xFFFF_FFFF_FFFF | UInt64(code) << 48
  }

  /// The kind as a number: `Kind`'s raw value.
  @inlinable @inline(__always)
  public var kindCode: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 48) }

  @inlinable @inline(__always)
  public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rawValue >> 48)) ?? .unknown }

  /// Whether there is an address to print.
  public var isPresent: Bool { kind != .none && kind != .anonymous }

  /// What the two top bits of a random address say of how long it is kept (Core, Vol 6, Part B, 1.3.2).
  public enum Lifetime: Sendable {
    /// Until power goes, or for ever; or nobody knows.
    case long
    /// Some minutes: a private address, that those who have its key resolve or nobody does.
    case resolvable, nonresolvable
  }

  public var lifetime: Lifetime {
    guard kind == .random else { return .long }
    switch address >> 46 {
    case 0b01: return .resolvable
    case 0b00: return .nonresolvable
    default: return .long
    }
  }

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
