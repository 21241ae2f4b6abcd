import BeaconKeys
import CaptureWriter
import TestSupport
import Testing

/// Which device made an address.
@Suite struct DeviceRingTests {
  private static let phone = DeviceKey(
    name: "phone", irk: [UInt8](hex: "ec0234a357c8ad05341010a60a397d9b"))

  /// An address that a key makes.
  static func address(_ key: DeviceKey, _ number: UInt32) -> UInt64 {
    let prand = 0x40_0000 | number & 0x3F_FFFF
    return UInt64(prand) << 24 | UInt64(key.hash(prand))
  }

  /// Core, Vol 3, Part H, D.7.
  @Test func theVectorOfTheSpecification() {
    #expect(Self.phone.hash(0x70_8194) == 0x0D_FBAA)
    #expect(DeviceRing([Self.phone]).resolve(0x7081_940D_FBAA) == 0)
    let plain = PlainAES.encrypt(
      [UInt8](hex: "00112233445566778899aabbccddeeff"),
      key: [UInt8](hex: "000102030405060708090a0b0c0d0e0f"))
    #expect(plain == [UInt8](hex: "69c4e0d86a7b0430d8cdb78070b4c55a"))
  }

  @Test func hashesAreThoseOfAnotherAES() {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      let irk = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let prand = UInt32(truncatingIfNeeded: random.next()) & 0xFF_FFFF
      let block =
        [UInt8](repeating: 0, count: 13)
        + [16, 8, 0].map { UInt8(truncatingIfNeeded: prand >> UInt32($0)) }
      let made = PlainAES.encrypt(block, key: irk).suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
      #expect(DeviceKey(name: "a", irk: irk).hash(prand) == made)
    }
  }

  @Test func eachDeviceIsFoundByItsKey() {
    let keys = (1...5).map { DeviceKey(name: "\($0)", irk: [UInt8](repeating: $0, count: 16)) }
    let ring = DeviceRing(keys)
    for (place, key) in keys.enumerated() where place != 2 {
      for number in 0..<20 as Range<UInt32> {
        #expect(ring.resolve(Self.address(key, number)) == place)
      }
    }
    #expect(ring.resolve(Self.address(Self.phone, 1)) == nil)
    #expect(ring.unused.map(\.name) == ["3"])
    #expect(ring.strangers == 1)
    #expect(ring.shared.isEmpty && ring.reversed.isEmpty)
  }

  /// Static, non-resolvable and reserved ones, whatever their lower half is.
  @Test(arguments: [UInt64(0), 0b10, 0b11]) func otherAddressesAreOfNobody(_ top: UInt64) {
    let ring = DeviceRing([Self.phone])
    let prand = UInt32(top << 22 | 0x1234)
    #expect(ring.resolve(UInt64(prand) << 24 | UInt64(Self.phone.hash(prand))) == nil)
    #expect(ring.strangers == 0)
  }

  @Test func aKeyInTheOtherOrderIsTold() {
    let reversed = DeviceKey(name: "phone", irk: Self.phone.irk.reversed())
    let ring = DeviceRing([reversed, DeviceKey(name: "b", irk: [UInt8](repeating: 9, count: 16))])
    for number in 0..<3 as Range<UInt32> {
      #expect(ring.resolve(Self.address(Self.phone, number)) == nil)
    }
    #expect(ring.reversed.map(\.key.name) == ["phone"])
    #expect(ring.reversed.map(\.addresses) == [3])
    #expect(ring.unused.count == 2)
  }

  /// Two keys that make the same of one number are found soon: there are only so many hashes.
  @Test func anAddressThatTwoKeysFitIsNobodysAndTold() throws {
    let prand: UInt32 = 0x41_2345
    var made: [UInt32: DeviceKey] = [:]
    var pair: (DeviceKey, DeviceKey)?
    for number in 1...100_000 where pair == nil {
      let irk = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
      let key = DeviceKey(name: "\(number)", irk: irk)
      if let other = made.updateValue(key, forKey: key.hash(prand)) { pair = (other, key) }
    }
    let (one, other) = try #require(pair)
    let ring = DeviceRing([one, Self.phone, other])
    let address = UInt64(prand) << 24 | UInt64(one.hash(prand))
    #expect(ring.resolve(address) == nil)
    #expect(ring.shared.map(\.address) == [address])
    #expect(ring.shared.first?.keys.map(\.name) == [one.name, other.name])
    #expect(ring.strangers == 0)
    #expect(ring.unused.map(\.name) == ["phone"])
    // What else they make is theirs.
    #expect(ring.resolve(Self.address(one, 5)) == 0)
    #expect(ring.resolve(Self.address(other, 5)) == 2)
  }

  @Test func whatIsRememberedHasAnEnd() {
    let ring = DeviceRing([Self.phone])
    for number in 0..<UInt64(DeviceRing.mostTold + 500) {
      #expect(ring.resolve(0x4000_0000_0001 + number << 8) == nil)
    }
    #expect(ring.strangers == DeviceRing.mostTold)
    #expect(ring.resolve(Self.address(Self.phone, 1)) == 0)
  }

  private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
}
