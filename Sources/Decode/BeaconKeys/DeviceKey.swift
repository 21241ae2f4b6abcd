/// A device whose identity resolving key (IRK) somebody has: it advertises from private addresses, another
/// one every quarter of an hour or so, that tell who has the key that they are its own (PROTOCOLS 7).
public struct DeviceKey: Sendable {
  /// What the device is called wherever its addresses are heard; as names of beacons' keys (`BeaconKey`).
  public let name: String
  /// 16 bytes, most significant first.
  public let irk: [UInt8]

  /// - Parameters:
  ///   - irk: 16 bytes, most significant first; not all zero: such a key is of nobody.
  public init(name: String, irk: [UInt8]) {
    precondition(irk.count == 16 && irk.contains { $0 != 0 }, "an IRK has 16 bytes, not all zero")
    self.name = name
    self.irk = irk
  }

  /// Whether an address may be one that a key made: its two top bits are 01. (Of random addresses alone.)
  /// - Parameter address: 48 bits, first printed byte highest.
  @inlinable @inline(__always)
  public static func mayHaveMade(_ address: UInt64) -> Bool { address >> 46 == 0b01 }

  /// The upper three bytes of an address: drawn by chance, except for its two top bits.
  public static func prand(_ address: UInt64) -> UInt32 { UInt32(address >> 24 & 0xFF_FFFF) }

  /// The lower three, which the key makes of these.
  public static func hash(_ address: UInt64) -> UInt32 { UInt32(address & 0xFF_FFFF) }

  /// How many different hashes there are: one address in so many fits a key by chance.
  public static let hashes = 1 << 24

  /// `ah` of Core, Vol 3, Part H, 2.2.2: the low 24 bits of what AES makes of 13 zero bytes and a number.
  /// - Parameter prand: 24 bits.
  public func hash(_ prand: UInt32) -> UInt32 { AddressCipher(irk).hash(prand) }
}
