import BeaconKeys
import CaptureWriter
import Testing

/// Identifiers as others published them; encrypted telemetry as two other implementations of EAX
/// computed it.
struct EphemeralIdentifierTests {
  static let key = "0102030405060708090a111213141516"

  @Test(arguments: [
    (key, UInt8(10), UInt32(0), "a9b76a71c5f89290"), (key, 10, 2000, "4144413e45fefa58"),
    ("00112233445566778899aabbccddeeff", 12, 1_518_080_946, "7dd8169dae94258c"),
    ("7c91330e61dfea4606b5b3ecb4457d76", 0, 0, "436bfe57d5a09505"),
  ])
  func identifiers(_ key: String, _ exponent: UInt8, _ time: UInt32, _ expected: String) {
    let beacon = EphemeralIdentifier(key: [UInt8](hex: key), exponent: exponent)
    #expect(beacon.identifier(at: time).hex == expected)
  }

  @Test(arguments: [
    (
      "00112233445566778899aabbccddeeff", UInt8(4), UInt32(1_518_080_946), "ffff",
      "ffeeddccbbaa998877665544", "1e1ce0211d355b79720c117c76d7"
    ),
    (key, 10, 2000, "0001", "0b22f5c0000000010000000a", "f0c8b2d09c4abdc372db3330dda2"),
    (
      "ffffffffffffffffffffffffffffffff", 0, .max, "ffff", "ffffffffffffffffffffffff",
      "780204d6eb6c2de9ebac21e9939e"
    ),
  ])
  func telemetry(
    _ key: String, _ exponent: UInt8, _ time: UInt32, _ salt: String, _ plain: String,
    _ expected: String
  ) {
    let beacon = EphemeralIdentifier(key: [UInt8](hex: key), exponent: exponent)
    let (cipher, check) = beacon.telemetry(
      [UInt8](hex: plain), at: time, salt: [UInt8](hex: salt))
    #expect((cipher + check).hex == expected)
  }
}
