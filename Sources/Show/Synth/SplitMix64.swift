/// A tiny generator with a seed: the same seed gives the same numbers on every machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// 0 ≤ value < 1. Not the standard library's `random(in:)`, whose numbers may change.
  package mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// 0 ≤ value < limit.
  package mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
  }

  /// About normal: mean 0, standard deviation 1, never beyond 3.5 (four uniform numbers of 16 bits
  /// added up).
  package mutating func noise() -> Double {
    let bits = next()
    let sum =
      (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Double(sum) - 131_070) / 37_837.2
  }

  /// A generator of its own for one of many things, so that more of them change nothing for the
  /// others.
  package static func stream(seed: UInt64, _ number: UInt64) -> SplitMix64 {
    var first = SplitMix64(seed: seed ^ number &* 0xD134_2543_DE82_EF95)
    return SplitMix64(seed: first.next())
  }
}
