import BeaconKeys

/// FF1 of NIST SP 800-38G: encrypts a row of symbols to another row of the same length and of the same
/// symbols. No two rows come to the same, and without the key nothing is known of which comes to which.
///
/// Here as the standard has it, but for rows of one symbol, which it does not know: those are shuffled by the
/// key. (No library that Debian has offers FF1. Short rows have few values, so that somebody who knows some
/// originals may guess others: SP 800-38G wants at least a million.)
package struct FormatPreservingCipher: Sendable {
  private let block: AESBlock
  private static let rounds = 10

  /// - Parameter key: 16 or 32 bytes.
  package init(key: [UInt8]) { block = AESBlock(key: key) }

  /// - Parameters:
  ///   - symbols: each below `radix`.
  ///   - radix: 2…256.
  ///   - tweak: the same row comes to another one by another tweak.
  package func encrypt(_ symbols: [UInt8], radix: Int, tweak: [UInt8]) -> [UInt8] {
    if symbols.isEmpty { return [] }
    guard symbols.count > 1 else {
      let table = shuffled(radix, tweak)
      return symbols.map { table[Int($0)] }
    }
    let row = Row(count: symbols.count, radix: radix, tweak: tweak)
    var (left, right) = (Array(symbols.prefix(row.left)), Array(symbols.dropFirst(row.left)))
    for round in 0..<Self.rounds {
      let mask = mask(row, round, right)
      (left, right) = (right, row.sum(left, mask))
    }
    return left + right
  }

  /// Back again.
  package func decrypt(_ symbols: [UInt8], radix: Int, tweak: [UInt8]) -> [UInt8] {
    if symbols.isEmpty { return [] }
    guard symbols.count > 1 else {
      let table = shuffled(radix, tweak)
      return symbols.map { UInt8(table.firstIndex(of: $0) ?? 0) }
    }
    let row = Row(count: symbols.count, radix: radix, tweak: tweak)
    var (left, right) = (Array(symbols.prefix(row.left)), Array(symbols.dropFirst(row.left)))
    for round in (0..<Self.rounds).reversed() {
      let mask = mask(row, round, left)
      (left, right) = (row.difference(right, mask), left)
    }
    return left + right
  }

  /// A row of bytes that the key makes of another one, of any length: nobody comes back from it.
  package func stream(_ bytes: [UInt8], count: Int, tweak: [UInt8]) -> [UInt8] {
    let start = block.digest(Self.whole(tweak + [0] + Self.big(bytes.count, 4) + bytes))
    var result: [UInt8] = []
    var number = 0
    while result.count < count {
      result += block.encrypt(Self.xor(start, number))
      number += 1
    }
    return Array(result.prefix(count))
  }

  /// What is added to the other half in a round: its number, as symbols (SP 800-38G, algorithm 7, step 6).
  private func mask(_ row: Row, _ round: Int, _ half: [UInt8]) -> [UInt8] {
    let bytes = row.bytes(of: half)
    let padding = [UInt8](repeating: 0, count: -(row.tweak.count + row.size + 1) & 15)
    let start = block.digest(row.header + row.tweak + padding + [UInt8(round)] + bytes)
    var result = start
    while result.count < row.drawn {
      result += block.encrypt(Self.xor(start, result.count / 16))
    }
    let count = round % 2 == 0 ? row.left : row.count - row.left
    return row.symbols(of: Array(result.prefix(row.drawn)), count: count)
  }

  /// All symbols, in an order that the key decides.
  private func shuffled(_ radix: Int, _ tweak: [UInt8]) -> [UInt8] {
    var table = (0..<radix).map { UInt8($0) }
    let chance = stream([], count: 8 * radix, tweak: tweak + [UInt8(radix & 0xFF)])
    for place in stride(from: radix - 1, to: 0, by: -1) {
      let number = chance[(8 * place)..<(8 * place + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      table.swapAt(place, Int(number % UInt64(place + 1)))
    }
    return table
  }

  private static func xor(_ block: [UInt8], _ number: Int) -> [UInt8] {
    zip(block, big(number, 16)).map { $0 ^ $1 }
  }

  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: -bytes.count & 15)
  }

  fileprivate static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { place in
      let shift = 8 * (count - 1 - place)
      return shift < Int.bitWidth ? UInt8(truncatingIfNeeded: number >> shift) : 0
    }
  }
}

/// What is the same in all rounds: how long both halves are, and how their numbers are written.
private struct Row {
  let count: Int
  let radix: Int
  let tweak: [UInt8]
  /// Symbols of the first half.
  let left: Int
  /// Bytes of a half's number: `b`.
  let size: Int
  /// Bytes that are drawn in a round: `d`.
  let drawn: Int
  /// `P`.
  let header: [UInt8]

  init(count: Int, radix: Int, tweak: [UInt8]) {
    self.count = count
    self.radix = radix
    self.tweak = tweak
    left = count / 2
    // Bits that the larger half needs, counted exactly: the largest number that it can be.
    var largest: [UInt8] = []
    for _ in 0..<(count - left) {
      largest = Self.times(largest, radix, plus: radix - 1, grows: true)
    }
    size = largest.count
    drawn = 4 * ((size + 3) / 4) + 4
    header =
      [1, 2, 1] + FormatPreservingCipher.big(radix, 3) + [10, UInt8(left & 0xFF)]
      + FormatPreservingCipher.big(count, 4) + FormatPreservingCipher.big(tweak.count, 4)
  }

  /// A big-endian number times a small one.
  private static func times(_ number: [UInt8], _ factor: Int, plus rest: Int, grows: Bool)
    -> [UInt8]
  {
    var (number, rest) = (number, rest)
    for place in number.indices.reversed() {
      rest += Int(number[place]) * factor
      number[place] = UInt8(rest & 0xFF)
      rest >>= 8
    }
    while grows, rest > 0 {
      number.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return number
  }

  /// A half as a number of `size` bytes.
  func bytes(of half: [UInt8]) -> [UInt8] {
    if radix == 256 { return [UInt8](repeating: 0, count: size - half.count) + half }
    return half.reduce([UInt8](repeating: 0, count: size)) {
      Self.times($0, radix, plus: Int($1), grows: false)
    }
  }

  /// The lowest symbols of a number.
  func symbols(of bytes: [UInt8], count: Int) -> [UInt8] {
    if radix == 256 { return Array(bytes.suffix(count)) }
    var number = bytes
    var symbols = [UInt8](repeating: 0, count: count)
    for place in symbols.indices.reversed() {
      var rest = 0
      for at in number.indices {
        rest = rest << 8 | Int(number[at])
        number[at] = UInt8(rest / radix)
        rest %= radix
      }
      symbols[place] = UInt8(rest)
    }
    return symbols
  }

  /// Modulo as many symbols.
  func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var result = one
    var carry = 0
    for place in one.indices.reversed() {
      let value = Int(one[place]) + Int(other[place]) + carry
      result[place] = UInt8(value % radix)
      carry = value / radix
    }
    return result
  }

  func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var result = one
    var borrowed = 0
    for place in one.indices.reversed() {
      let value = Int(one[place]) - Int(other[place]) - borrowed
      result[place] = UInt8(value < 0 ? value + radix : value)
      borrowed = value < 0 ? 1 : 0
    }
    return result
  }
}
