import Glibc

/// The slots of a hash table: number + 1, 0 for free.
enum NumberSlots {
  /// Slots of a new table.
  static let fewest = 1024
  /// How many times as many follow: seldom enough that moving costs little.
  static let growth = 4

  /// Free slots. Many of them lie in large pages, if the system has them: with small ones each look
  /// into a large table means a second one for its page.
  static func free(_ count: Int) -> [UInt32] {
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
