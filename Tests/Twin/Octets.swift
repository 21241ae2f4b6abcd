/// Bytes taken from the front one value after the other; nil where there are not enough.
struct Octets {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(Array(bytes)) }

  var count: Int { rest.count }
  var all: [UInt8] { Array(rest) }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func u8() -> Int? { take(1).map { Int($0[0]) } }
  mutating func i8() -> Int? { take(1).map { Int(Int8(bitPattern: $0[0])) } }

  /// An unsigned number of `count` bytes, least significant byte first.
  mutating func little(_ count: Int) -> UInt64? {
    take(count).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
  }

  /// An unsigned number of `count` bytes, most significant byte first.
  mutating func big(_ count: Int) -> UInt64? {
    take(count).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
  }

  mutating func number(_ count: Int, bigEndian: Bool) -> UInt64? {
    bigEndian ? big(count) : little(count)
  }
}

/// Lower-case hexadecimal digits.
func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
