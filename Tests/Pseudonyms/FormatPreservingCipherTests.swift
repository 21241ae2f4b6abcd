import Pseudonyms
import Testing

@Suite("FF1") struct FormatPreservingCipherTests {
  /// NIST, «Block Cipher Modes of Operation, FF1 method for format-preserving encryption»: its samples 1 to 3
  /// (AES-128) and 7 to 9 (AES-256).
  struct Sample: CustomTestStringConvertible {
    let key: String
    let radix: Int
    let tweak: String
    let plain: String
    let encrypted: String
    var testDescription: String { "\(key.count * 4) bits, radix \(radix), tweak '\(tweak)'" }
  }

  static let short = "2B7E151628AED2A6ABF7158809CF4F3C"
  static let long = short + "EF4359D8D580AA4F7F036D6F04FC6A94"
  static let vectors = [
    Sample(key: short, radix: 10, tweak: "", plain: "0123456789", encrypted: "2433477484"),
    Sample(
      key: short, radix: 10, tweak: "39383736353433323130", plain: "0123456789",
      encrypted: "6124200773"),
    Sample(
      key: short, radix: 36, tweak: "3737373770717273373737", plain: "0123456789abcdefghi",
      encrypted: "a9tv40mll9kdu509eum"),
    Sample(key: long, radix: 10, tweak: "", plain: "0123456789", encrypted: "6657667009"),
    Sample(
      key: long, radix: 10, tweak: "39383736353433323130", plain: "0123456789",
      encrypted: "1001623463"),
    Sample(
      key: long, radix: 36, tweak: "3737373770717273373737", plain: "0123456789abcdefghi",
      encrypted: "xs8a0azh2avyalyzuwd"),
  ]

  static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0
    }
  }

  static func symbols(_ text: String) -> [UInt8] {
    text.map { UInt8(String($0), radix: 36) ?? 0 }
  }

  @Test("gives what NIST's samples give, and comes back", arguments: vectors)
  func samples(_ sample: Sample) {
    let cipher = FormatPreservingCipher(key: Self.bytes(sample.key))
    let tweak = Self.bytes(sample.tweak)
    let plain = Self.symbols(sample.plain)
    let encrypted = cipher.encrypt(plain, radix: sample.radix, tweak: tweak)
    #expect(encrypted == Self.symbols(sample.encrypted))
    #expect(cipher.decrypt(encrypted, radix: sample.radix, tweak: tweak) == plain)
  }

  @Test(
    "comes back from rows of any length and of any symbols",
    arguments: [2, 3, 10, 62, 128, 255, 256])
  func back(_ radix: Int) {
    let cipher = FormatPreservingCipher(key: Self.bytes(Self.long))
    var generator = Seeded(UInt64(radix))
    for count in Array(0...40) + [100, 251] {
      let row = (0..<count).map { _ in UInt8(generator.below(radix)) }
      let tweak = (0..<generator.below(20)).map { _ in UInt8(generator.below(256)) }
      let encrypted = cipher.encrypt(row, radix: radix, tweak: tweak)
      #expect(encrypted.count == count && encrypted.allSatisfy { Int($0) < radix })
      #expect(cipher.decrypt(encrypted, radix: radix, tweak: tweak) == row, "\(count) symbols")
    }
  }

  @Test("no two of all rows of two symbols, or of one, come to the same")
  func permutation() {
    let cipher = FormatPreservingCipher(key: Self.bytes(Self.short))
    let pairs = (0..<400).map {
      cipher.encrypt([UInt8($0 / 20), UInt8($0 % 20)], radix: 20, tweak: [1])
    }
    #expect(Set(pairs).count == 400)
    let single = (0..<256).map { cipher.encrypt([UInt8($0)], radix: 256, tweak: [1]) }
    #expect(Set(single).count == 256)
    #expect(single != (0..<256).map { [UInt8($0)] })
  }

  @Test("another key and another tweak come to something else") func others() {
    let row = [UInt8](0..<16)
    let one = FormatPreservingCipher(key: Self.bytes(Self.long))
    let other = FormatPreservingCipher(key: [UInt8](repeating: 7, count: 32))
    let encrypted = one.encrypt(row, radix: 256, tweak: [1])
    #expect(encrypted != other.encrypt(row, radix: 256, tweak: [1]))
    #expect(encrypted != one.encrypt(row, radix: 256, tweak: [2]))
  }
}

/// The same numbers each time (splitmix64).
struct Seeded {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func below(_ limit: Int) -> Int { limit <= 0 ? 0 : Int(next() % UInt64(limit)) }
}
