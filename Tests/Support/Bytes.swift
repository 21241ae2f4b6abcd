/// Byte order of a number in a file.
package enum ByteOrder: Sendable {
  case little, big

  package func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    self == .little ? value.le : value.be
  }
}

extension FixedWidthInteger {
  /// Least significant byte first.
  package var le: [UInt8] {
    (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }

  /// Most significant byte first.
  package var be: [UInt8] { le.reversed() }
}

/// Puts parts one behind the other.
package func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

extension [UInt8] {
  /// Zeros behind, up to a multiple of four.
  package var paddedToFour: [UInt8] { self + [UInt8](repeating: 0, count: -count & 3) }

  /// From hexadecimal digits; spaces are skipped.
  package init(hex: String) {
    let digits = hex.compactMap { $0.hexDigitValue }
    self = stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }

  package var hex: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

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
}
