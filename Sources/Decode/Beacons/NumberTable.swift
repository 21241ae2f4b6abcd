import Glibc

/// What a table of numbers can hold.
protocol NumberedKey: Equatable, Sendable {
  /// A well-mixed hash; fixed, so that runs repeat.
  var mixed: UInt64 { get }
}

/// Gives each key a small number the first time it is seen.
struct NumberTable<Key: NumberedKey>: Sendable {
  /// By number.
  private(set) var keys: [Key] = []
  /// Number + 1; 0 is free. The size is a power of two, at most half full.
  private var slots = Self.freeSlots(1024)
  /// How many times as many slots follow: seldom enough that moving costs little.
  private static var growth: Int { 4 }

  @inline(__always)
  mutating func intern(_ key: Key) -> UInt32 {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: key.mixed) & mask
    while true {
      let entry = slots[place]
      if entry == 0 { return insert(key, at: place) }
      if keys[Int(entry - 1)] == key { return entry - 1 }
      place = (place + 1) & mask
    }
  }

  /// Adds a key under the next number. For a table that only tells keys by their numbers: it does
  /// not find them again.
  mutating func append(_ key: Key) { keys.append(key) }

  private mutating func insert(_ key: Key, at place: Int) -> UInt32 {
    keys.append(key)
    let number = UInt32(keys.count)
    slots[place] = number
    if keys.count * 2 > slots.count { grow() }
    return number - 1
  }

  private mutating func grow() {
    slots = Self.freeSlots(slots.count * Self.growth)
    let mask = slots.count - 1
    for (index, key) in keys.enumerated() {
      var place = Int(truncatingIfNeeded: key.mixed) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = UInt32(index + 1)
    }
  }

  /// Many of them lie in large pages, if the system has them: with small ones each look into a large
  /// table means a second one for its page.
  private static func freeSlots(_ count: Int) -> [UInt32] {
    unsafe [UInt32](unsafeUninitializedCapacity: count) { buffer, used in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      if bytes.count >= 4 << 20, let start = bytes.baseAddress {
        // Whole pages only. Advice: where it is not taken, nothing is lost.
        let pad = Int(bitPattern: start) & 4095
        let skip = pad == 0 ? 0 : 4096 - pad
        unsafe _ = madvise(start + skip, bytes.count - skip, MADV_HUGEPAGE)
      }
      unsafe buffer.initialize(repeating: 0)
      used = count
    }
  }
}
