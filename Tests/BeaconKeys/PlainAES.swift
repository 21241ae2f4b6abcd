/// AES-128 as FIPS 197 tells it, slow and plain: shares no code with what is tested.
enum PlainAES {
  static func encrypt(_ block: [UInt8], key: [UInt8]) -> [UInt8] {
    let keys = roundKeys(key)
    var state = xor(block, keys[0])
    for round in 1...10 {
      state = state.map { box[Int($0)] }
      // Column by column: byte r of each row comes from the column r further on.
      state = (0..<16).map { state[($0 + 4 * ($0 % 4)) % 16] }
      if round < 10 { state = mixed(state) }
      state = xor(state, keys[round])
    }
    return state
  }

  private static func mixed(_ state: [UInt8]) -> [UInt8] {
    (0..<16).map { place in
      let column = place / 4 * 4
      func byte(_ further: Int) -> UInt8 { state[column + (place + further) % 4] }
      return product(byte(0), 2) ^ product(byte(1), 3) ^ byte(2) ^ byte(3)
    }
  }

  private static func roundKeys(_ key: [UInt8]) -> [[UInt8]] {
    var words = (0..<4).map { Array(key[(4 * $0)..<(4 * $0 + 4)]) }
    var constant: UInt8 = 1
    for number in 4..<44 {
      var word = words[number - 1]
      if number % 4 == 0 {
        word = [1, 2, 3, 0].map { box[Int(word[$0])] }
        word[0] ^= constant
        constant = product(constant, 2)
      }
      words.append(xor(word, words[number - 4]))
    }
    return (0...10).map { Array(words[(4 * $0)..<(4 * $0 + 4)].joined()) }
  }

  private static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    zip(one, other).map { $0 ^ $1 }
  }

  /// In GF(2⁸), modulo x⁸ + x⁴ + x³ + x + 1.
  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var (sum, factor) = (UInt8(0), one)
    for bit in 0..<8 {
      if other >> UInt8(bit) & 1 != 0 { sum ^= factor }
      factor = factor << 1 ^ (factor & 0x80 != 0 ? 0x1B : 0)
    }
    return sum
  }

  /// The inverse, and the affine map behind it.
  private static let box: [UInt8] = (0..<256).map { number in
    let own = UInt8(number)
    let inverse: UInt8 = (1...255).first { (other: UInt8) in product(own, other) == 1 } ?? 0
    return (0..<5).reduce(0x63) { (sum: UInt8, turn: Int) -> UInt8 in
      // A shift by all eight bits leaves nothing.
      let turned: UInt8 = (inverse << turn) | (inverse >> (8 - turn))
      return sum ^ turned
    }
  }
}
