import CaptureWriter

/// The bytes of a ring: entries one behind the other, each in one piece. Who may touch which of them
/// is `RecordRing`'s to say.
@safe final class RingMemory {
  let capacity: Int
  private let base: UnsafeMutableRawPointer

  /// - Parameter capacity: bytes, a multiple of 8.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
  }

  deinit { unsafe base.deallocate() }

  /// Writes an entry at a position counted from the ring's beginning of time.
  /// - Returns: the position behind it; what is skipped at the end of the memory is counted in.
  func write(_ entry: RingEntry, _ bytes: Span<UInt8>, at position: Int) -> Int {
    let size = RingEntry.size(bytes.count)
    var position = position
    let left = capacity - position % capacity
    if size > left {
      put(RingEntry(kind: .skip, interface: 0, nanoseconds: 0), size: left, count: 0, at: position)
      position += left
    }
    put(entry, size: size, count: bytes.count, at: position)
    let place = unsafe base + (position % capacity + RingEntry.headerLength)
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe place.copyMemory(from: start, byteCount: source.count)
    }
    return position + size
  }

  /// A skip may have room for its first eight bytes only.
  private func put(_ entry: RingEntry, size: Int, count: Int, at position: Int) {
    let place = unsafe base + position % capacity
    unsafe place.storeBytes(of: UInt32(size), as: UInt32.self)
    unsafe place.storeBytes(of: entry.kind.rawValue, toByteOffset: 4, as: UInt8.self)
    guard entry.kind != .skip else { return }
    unsafe place.storeBytes(
      of: UInt8(entry.direction.rawValue), toByteOffset: 5, as: UInt8.self)
    unsafe place.storeBytes(
      of: UInt16(clamping: entry.interface), toByteOffset: 6, as: UInt16.self)
    unsafe place.storeBytes(of: UInt32(count), toByteOffset: 8, as: UInt32.self)
    unsafe place.storeBytes(of: entry.nanoseconds, toByteOffset: 16, as: Int64.self)
    unsafe place.storeBytes(of: entry.amount, toByteOffset: 24, as: UInt64.self)
  }

  /// Lends the entry at a position.
  /// - Returns: the position behind it.
  func read(at position: Int, _ body: (RingEntry, Span<UInt8>) -> Void) -> Int {
    var position = position
    var place = unsafe base + position % capacity
    if unsafe place.load(fromByteOffset: 4, as: UInt8.self) == RingEntry.Kind.skip.rawValue {
      position += unsafe Int(place.load(as: UInt32.self))
      unsafe place = base + position % capacity
    }
    let size = unsafe Int(place.load(as: UInt32.self))
    let count = unsafe Int(place.load(fromByteOffset: 8, as: UInt32.self))
    let kind = unsafe RingEntry.Kind(rawValue: place.load(fromByteOffset: 4, as: UInt8.self))
    let direction = unsafe CaptureItem.Direction(
      rawValue: UInt32(place.load(fromByteOffset: 5, as: UInt8.self)))
    let entry = unsafe RingEntry(
      kind: kind ?? .skip, direction: direction ?? .unknown,
      interface: Int(place.load(fromByteOffset: 6, as: UInt16.self)),
      nanoseconds: place.load(fromByteOffset: 16, as: Int64.self),
      amount: place.load(fromByteOffset: 24, as: UInt64.self))
    let bytes = unsafe UnsafeRawBufferPointer(
      start: place + RingEntry.headerLength, count: count)
    unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body(entry, $0.span) }
    return position + size
  }
}
