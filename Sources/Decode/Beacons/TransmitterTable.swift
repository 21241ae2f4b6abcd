public import FrameDecoder

/// Who sends what, and who heard it: one identity from one address at one observer.
public struct Transmitter: Hashable, BitwiseCopyable, Sendable {
  /// Bits 0–47 the address, 48–55 its kind.
  public let address: DeviceAddress
  /// Index into the identity table.
  public let identity: UInt32
  /// Index into the decoder's observers.
  public let observer: UInt32

  @inlinable @inline(__always)
  public init(address: DeviceAddress, identity: UInt32, observer: UInt32) {
    self.address = address
    self.identity = identity
    self.observer = observer
  }

  @inlinable @inline(__always)
  public static func == (a: Transmitter, b: Transmitter) -> Bool {
    a.address.rawValue == b.address.rawValue && a.identity == b.identity && a.observer == b.observer
  }

  /// A well-mixed hash; fixed, so that runs repeat. (Multipliers: MurmurHash3's finalizer.)
  @inlinable @inline(__always)
  public var mixed: UInt64 {
    var value = (address.rawValue ^ 0x9E37_79B9_7F4A_7C15) &* 0xFF51_AFD7_ED55_8CCD
    value ^= value >> 32
    value = (value ^ UInt64(identity) << 32 ^ UInt64(observer)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ value >> 31
  }
}

extension Transmitter: NumberedKey {}

/// Gives each transmitter a small number the first time it is seen.
public struct TransmitterTable: Sendable {
  private var table = NumberTable<Transmitter>()

  public init() {}

  /// By number.
  public var transmitters: [Transmitter] { table.keys }

  public var count: Int { table.keys.count }

  public subscript(number: UInt32) -> Transmitter { table.keys[Int(number)] }

  /// For a copy that another table numbers: adds the next one, and does not find it again.
  public mutating func append(_ transmitter: Transmitter) { table.append(transmitter) }

  @inline(__always)
  public mutating func intern(_ transmitter: Transmitter) -> UInt32 { table.intern(transmitter) }
}
