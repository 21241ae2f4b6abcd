import CaptureWriter

/// What the ring says of an item; a packet's bytes lie beside it.
struct RingEntry {
  enum Kind: UInt8 {
    case packet, lostInKernel, lostInProgram, off, on
    /// No item: the rest of the ring up to its end, where the next would not have fitted.
    case skip
  }

  var kind: Kind
  var direction = CaptureItem.Direction.unknown
  /// Below `mostInterfaces`.
  var interface: Int
  /// Since 1970, not negative.
  var nanoseconds: Int64
  /// Packets: the length on the wire; losses: how many.
  var amount: UInt64 = 0

  /// Header in the ring: 4 bytes length of the whole entry, kind, direction, 2 bytes interface,
  /// 4 bytes length of the data, 4 bytes left out, time, amount.
  static let headerLength = 32

  /// So many interfaces have a number in the ring.
  static let mostInterfaces = 1 << 16

  /// What an entry with so many bytes of data takes, a multiple of 8.
  static func size(_ count: Int) -> Int { (headerLength + count + 7) & ~7 }

  /// The item, for those who keep it. A packet's bytes are copied.
  func item(_ bytes: Span<UInt8>) -> CaptureItem? {
    switch kind {
    case .packet:
      var data: [UInt8] = []
      data.reserveCapacity(bytes.count)
      for index in bytes.indices { data.append(bytes[index]) }
      let original = Int(amount)
      let record = Record(nanoseconds, data, original: original == data.count ? nil : original)
      return .packet(record, interface: interface, direction: direction)
    case .lostInKernel:
      return .lost(amount, interface: interface, nanoseconds: nanoseconds, by: .kernel)
    case .lostInProgram:
      return .lost(amount, interface: interface, nanoseconds: nanoseconds, by: .program)
    case .off: return .off(interface: interface, nanoseconds: nanoseconds)
    case .on: return .on(interface: interface, nanoseconds: nanoseconds)
    case .skip: return nil
    }
  }
}
