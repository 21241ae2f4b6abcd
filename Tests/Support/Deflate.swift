/// A small deflate compressor (RFC 1951): matches from one hash table, fixed codes. Its output
/// depends on nothing but its input, which a library's does not promise.
package struct Deflate {
  private var output: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount: UInt64 = 0

  package static func compress(_ data: [UInt8]) -> [UInt8] {
    var writer = Deflate()
    writer.write(data)
    return writer.output
  }

  private mutating func write(_ data: [UInt8]) {
    put(0b011, 3)  // last block, fixed codes
    var latest = [Int](repeating: -1, count: 1 << 15)
    var at = 0
    while at < data.count {
      var length = 0
      var distance = 0
      if at + 4 <= data.count {
        let place = Self.hash(data, at)
        let candidate = latest[place]
        latest[place] = at
        if candidate >= 0 && at - candidate <= 32768 {
          length = Self.match(data, candidate, at)
          distance = at - candidate
        }
      }
      if length >= 4 {
        putLength(length)
        putDistance(distance)
        for inside in (at + 1)..<(at + length) where inside + 4 <= data.count {
          latest[Self.hash(data, inside)] = inside
        }
        at += length
      } else {
        putSymbol(Int(data[at]))
        at += 1
      }
    }
    putSymbol(256)
    put(0, (8 - bitCount % 8) % 8)
  }

  private static func hash(_ data: [UInt8], _ at: Int) -> Int {
    let word =
      UInt32(data[at]) | UInt32(data[at + 1]) << 8 | UInt32(data[at + 2]) << 16
      | UInt32(data[at + 3]) << 24
    return Int((word &* 2_654_435_761) >> 17)
  }

  private static func match(_ data: [UInt8], _ candidate: Int, _ at: Int) -> Int {
    var length = 0
    let most = min(258, data.count - at)
    while length < most && data[candidate + length] == data[at + length] { length += 1 }
    return length
  }

  // MARK: Codes

  private mutating func put(_ value: UInt64, _ count: UInt64) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Huffman codes go highest bit first.
  private mutating func putCode(_ code: Int, _ count: Int) {
    let reversed = (0..<count).reduce(0) { $0 | (code >> $1 & 1) << (count - 1 - $1) }
    put(UInt64(reversed), UInt64(count))
  }

  private mutating func putSymbol(_ symbol: Int) {
    switch symbol {
    case ..<144: putCode(0x30 + symbol, 8)
    case ..<256: putCode(0x190 + symbol - 144, 9)
    case ..<280: putCode(symbol - 256, 7)
    default: putCode(0xC0 + symbol - 280, 8)
    }
  }

  private mutating func putLength(_ length: Int) {
    if length == 258 { return putSymbol(285) }
    var extra = 0
    while length - 3 >= 8 << extra { extra += 1 }
    let rest = length - 3
    if extra == 0 { return putSymbol(257 + rest) }
    putSymbol(257 + 4 * extra + (rest >> extra))
    put(UInt64(rest & (1 << extra - 1)), UInt64(extra))
  }

  private mutating func putDistance(_ distance: Int) {
    let rest = distance - 1
    var extra = 0
    while rest >= 4 << extra { extra += 1 }
    if extra == 0 { return putCode(rest, 5) }
    putCode(2 * extra + (rest >> extra), 5)
    put(UInt64(rest & (1 << extra - 1)), UInt64(extra))
  }
}
