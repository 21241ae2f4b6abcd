import CaptureWriter

/// A device address and whether it is a random one.
package struct Address: Hashable, Sendable {
  /// First printed byte highest.
  package let value: UInt64
  package let isRandom: Bool

  package init(_ value: UInt64, isRandom: Bool = true) {
    self.value = value
    self.isRandom = isRandom
  }

  /// The six bytes as they travel: last printed byte first.
  package var bytes: [UInt8] { Array(value.le.prefix(6)) }
  /// HCI's address type.
  package var type: UInt8 { isRandom ? 1 : 0 }

  /// The six bytes behind what is there.
  func put(to output: inout [UInt8]) {
    output.put(UInt32(truncatingIfNeeded: value), .little)
    output.put(UInt16(truncatingIfNeeded: value >> 32), .little)
  }
}
