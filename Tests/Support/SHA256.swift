import CaptureWriter

/// SHA-256 (FIPS 180-4), plainly: what the index of the captures is written with.
package enum SHA256 {
  package static func hex(_ data: [UInt8]) -> String {
    var state = initial
    var message = data + [0x80]
    message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
    message += UInt64(data.count * 8).be
    for start in stride(from: 0, to: message.count, by: 64) {
      compress(&state, message, start)
    }
    return state.flatMap { $0.be }.hex
  }

  private static func compress(_ state: inout [UInt32], _ message: [UInt8], _ start: Int) {
    var words: [UInt32] = (0..<16).map { index in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[start + 4 * index + $1]) }
    }
    for index in 16..<64 {
      let a = words[index - 15]
      let b = words[index - 2]
      let small = turn(a, 7) ^ turn(a, 18) ^ a >> 3
      let large = turn(b, 17) ^ turn(b, 19) ^ b >> 10
      words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
    }
    var s = state
    for index in 0..<64 {
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let mix = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)
      let first = s[7] &+ mix &+ choice &+ constants[index] &+ words[index]
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      let second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) &+ majority
      s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] = state[index] &+ s[index] }
  }

  private static func turn(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }

  private static let initial = words(
    "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")

  private static let constants = words(
    """
    428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5
    d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174
    e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da
    983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967
    27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85
    a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070
    19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3
    748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2
    """)

  private static func words(_ text: String) -> [UInt32] {
    let bytes = [UInt8](hex: text)
    return stride(from: 0, to: bytes.count, by: 4).map { at in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[at + $1]) }
    }
  }
}
