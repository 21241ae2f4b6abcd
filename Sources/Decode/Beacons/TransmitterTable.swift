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

/// Gives each transmitter a small number the first time it is seen.
public struct TransmitterTable: Sendable {
  public private(set) var transmitters: [Transmitter] = []
  /// Number + 1; 0 is free. The size is a power of two, at most half full.
  private var slots = NumberSlots.free(NumberSlots.fewest)

  public init() {}

  public var count: Int { transmitters.count }

  public subscript(number: UInt32) -> Transmitter { transmitters[Int(number)] }

  @inline(__always)
  public mutating func intern(_ transmitter: Transmitter) -> UInt32 {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: transmitter.mixed) & mask
    while true {
      let entry = slots[place]
      if entry == 0 { return insert(transmitter, at: place) }
      if transmitters[Int(entry - 1)] == transmitter { return entry - 1 }
      place = (place + 1) & mask
    }
  }

  private mutating func insert(_ transmitter: Transmitter, at place: Int) -> UInt32 {
    transmitters.append(transmitter)
    let number = UInt32(transmitters.count)
    slots[place] = number
    if transmitters.count * 2 > slots.count { grow() }
    return number - 1
  }

  private mutating func grow() {
    slots = NumberSlots.free(slots.count * NumberSlots.growth)
    let mask = slots.count - 1
    for (index, transmitter) in transmitters.enumerated() {
      var place = Int(truncatingIfNeeded: transmitter.mixed) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = UInt32(index + 1)
    }
  }
}
