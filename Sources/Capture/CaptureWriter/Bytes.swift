/// Byte order of a number in a file.
package enum ByteOrder: String, Sendable, CaseIterable {
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

// On the way of every record: numbers are put behind what is there, without an array of their own.
extension [UInt8] {
  package mutating func put(_ value: UInt16, _ order: ByteOrder) {
    let value = order == .little ? value : value.byteSwapped
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  package mutating func put(_ value: UInt32, _ order: ByteOrder) {
    let value = order == .little ? value : value.byteSwapped
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value >> 16))
    append(UInt8(truncatingIfNeeded: value >> 24))
  }

  package mutating func put(_ value: UInt64, _ order: ByteOrder) {
    let low = UInt32(truncatingIfNeeded: value)
    let high = UInt32(truncatingIfNeeded: value >> 32)
    put(order == .little ? low : high, order)
    put(order == .little ? high : low, order)
  }

  /// Zeros behind, up to a multiple of four.
  package var paddedToFour: [UInt8] { self + [UInt8](repeating: 0, count: -count & 3) }

  /// From hexadecimal digits; spaces are skipped.
  package init(hex: String) {
    let digits = hex.compactMap { $0.hexDigitValue }
    self = stride(from: 0, to: digits.count - 1, by: 2).map { (place: Int) -> UInt8 in
      UInt8(digits[place] * 16 + digits[place + 1])
    }
  }

  package var hex: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
