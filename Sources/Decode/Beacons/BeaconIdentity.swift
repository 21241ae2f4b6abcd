public import FrameDecoder

/// Which format a payload has. Open: each format's file adds its constant.
public struct BeaconKind: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: BeaconKind, b: BeaconKind) -> Bool { a.rawValue == b.rawValue }
}

/// What a beacon says it is, in a fixed size: up to 24 bytes, as they were on the air.
///
/// Telemetry carries no identity: there the bytes are the advertiser's address.
public struct BeaconIdentity: Hashable, Sendable {
  public let kind: BeaconKind
  /// Bytes used; for a URL or custom id that does not fit, 255: `words.2` is then its place in the table.
  public let count: UInt8
  /// The bytes, first byte highest.
  public let words: (UInt64, UInt64, UInt64)

  @inlinable @inline(__always)
  public init(kind: BeaconKind, count: UInt8, _ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) {
    self.kind = kind
    self.count = count
    words = (a, b, c)
  }

  @inlinable @inline(__always)
  public static func == (a: BeaconIdentity, b: BeaconIdentity) -> Bool {
    a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2
      && a.kind == b.kind && a.count == b.count
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(mixed) }

  /// A well-mixed hash; fixed, so that runs repeat. (Multipliers: MurmurHash3's finalizer.)
  @inlinable @inline(__always)
  public var mixed: UInt64 {
    var value = (words.0 ^ 0x9E37_79B9_7F4A_7C15) &* 0xFF51_AFD7_ED55_8CCD
    value ^= value >> 32
    value = (value ^ words.1) &* 0xC4CE_B9FE_1A85_EC53
    value ^= value >> 29
    value =
      (value ^ words.2 ^ UInt64(kind.rawValue) << 56 ^ UInt64(count) << 48)
      &* 0x9FB2_1C65_1E98_DF25
    return value ^ value >> 32
  }

  /// One of the bytes; 0 beyond the end.
  public func byte(_ index: Int) -> UInt8 {
    let word =
      switch index / 8 {
      case 0: words.0
      case 1: words.1
      default: words.2
      }
    return index < 24 ? UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8))) : 0
  }
}

extension BeaconIdentity: NumberedKey {}

/// Gives each identity a small number the first time it is seen.
public struct IdentityTable: Sendable {
  private var table = NumberTable<BeaconIdentity>()
  /// Identities too long for 24 bytes (URLs in extended advertising, custom ids).
  private var long: [[UInt8]] = []
  private var longPlaces: [[UInt8]: UInt64] = [:]
  /// By address: the number of the device that has it.
  private var devices: [DeviceAddress: UInt32] = [:]

  public init() {}

  /// By number.
  public var identities: [BeaconIdentity] { table.keys }

  public var count: Int { table.keys.count }

  public subscript(number: UInt32) -> BeaconIdentity { table.keys[Int(number)] }

  @inline(__always)
  public mutating func intern(_ identity: BeaconIdentity) -> UInt32 { table.intern(identity) }

  /// For a copy that another table numbers: adds the next one, and does not find it again.
  /// - Parameter bytes: of one that is too long for an identity.
  public mutating func append(_ identity: BeaconIdentity, bytes: [UInt8]?) {
    table.append(bytes.map { self.identity(kind: identity.kind, bytes: $0) } ?? identity)
  }

  /// An identity of any length; more than 24 bytes are kept beside.
  mutating func identity(kind: BeaconKind, bytes: [UInt8]) -> BeaconIdentity {
    if bytes.count <= 24 {
      var words: [UInt64] = [0, 0, 0]
      for (index, byte) in bytes.enumerated() {
        words[index / 8] |= UInt64(byte) << UInt64(56 - 8 * (index % 8))
      }
      return BeaconIdentity(kind: kind, count: UInt8(bytes.count), words[0], words[1], words[2])
    }
    if let place = longPlaces[bytes] { return BeaconIdentity(kind: kind, count: 255, 0, 0, place) }
    let place = UInt64(long.count)
    long.append(bytes)
    longPlaces[bytes] = place
    return BeaconIdentity(kind: kind, count: 255, 0, 0, place)
  }

  /// The bytes of an identity, however long.
  public func bytes(of identity: BeaconIdentity) -> [UInt8] {
    if identity.count == 255 { return long[Int(identity.words.2)] }
    return (0..<Int(identity.count)).map { identity.byte($0) }
  }
}

extension IdentityTable {
  /// Whether some of the addresses are devices'.
  public var hasDevices: Bool { !devices.isEmpty }

  /// Notes that an address is a device's.
  /// - Parameter device: the identity's number.
  public mutating func note(device: UInt32, at address: DeviceAddress) {
    // Nearly always it is known.
    if devices[address] == nil { devices[address] = device }
  }

  /// Notes what a transmitter's being there says of its address.
  public mutating func note(_ transmitter: Transmitter) {
    guard self[transmitter.identity].kind == .device else { return }
    note(device: transmitter.identity, at: transmitter.address)
  }

  /// A number for whoever sends from an address: the same for all addresses of a device, and others for
  /// all others.
  public func sender(_ address: DeviceAddress) -> UInt64 {
    if devices.isEmpty { return address.rawValue }
    return devices[address].map { 1 << 63 | UInt64($0) } ?? address.rawValue
  }

  /// Name of the device that has an address; nil where none does. Whoever sends from it is that device.
  public func device(at address: DeviceAddress) -> String? {
    devices.isEmpty
      ? nil : devices[address].map { ResolvedDevice.identityText(bytes(of: self[$0])) }
  }
}

extension IdentityTable {
  /// Number of an identity of another table.
  public mutating func intern(_ identity: BeaconIdentity, from other: IdentityTable) -> UInt32 {
    guard identity.count == 255 else { return intern(identity) }
    return intern(self.identity(kind: identity.kind, bytes: other.bytes(of: identity)))
  }
}
