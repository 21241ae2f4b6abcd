/// A generator that gives the same numbers for the same seed (SplitMix64: Steele, Lea and Flood,
/// «Fast splittable pseudorandom number generators», 2014).
package struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: some BinaryInteger) {
    state = UInt64(truncatingIfNeeded: seed) &* 0x2545_F491_4F6C_DD1D
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// True once in so many times.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }

  package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

  package mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
