import CaptureReader
import CaptureWriter
import TestSupport
import Testing

@testable import BeaconKeys

/// Whose identifier it is, whatever was asked before.
@Suite struct KeyRingTests {
  private static let hour: Int64 = 3600
  /// 2026-05-19T10:00:00Z.
  private static let start: Int64 = 1_779_184_800

  private static func key(
    _ name: String, _ byte: UInt8, exponent: UInt8 = 10, clock: UInt32? = 600,
    window: UInt64 = BeaconKey.usualWindow
  ) -> BeaconKey {
    BeaconKey(
      name: name,
      cipher: EphemeralIdentifier(
        key: [UInt8](repeating: byte, count: 16), exponent: exponent),
      clock: clock.map {
        BeaconClock(seconds: $0, moment: Timestamp(nanoseconds: start * 1_000_000_000))
      }, window: window)
  }

  /// What a key's beacon sends at a time of its clock.
  private static func sent(_ key: BeaconKey, _ clock: UInt32) -> UInt64 {
    key.cipher.identifier(at: clock).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func moment(_ seconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: (start + seconds) * 1_000_000_000)
  }

  @Test func eachBeaconIsFoundByItsKeyAndClock() {
    let keys = [Self.key("a", 1), Self.key("b", 2, clock: 900_000), Self.key("c", 3, exponent: 0)]
    let ring = KeyRing(keys)
    for (number, key) in keys.enumerated() {
      let clock = (key.clock?.seconds ?? 0) + 5000
      #expect(
        ring.resolve(Self.sent(key, clock), at: Self.moment(5000))
          == KeyRing.Place(key: number, slot: key.cipher.slot(at: clock)))
    }
    #expect(ring.resolve(0x0102_0304_0506_0708, at: Self.moment(5000)) == nil)
    #expect(ring.unused.isEmpty)
    #expect(ring.strangers == 1)
  }

  /// Seconds of the beacon's clock from where it should be, and whether that is within a window of 2 000 s
  /// and one identifier of 1 024 s either way.
  @Test(arguments: [
    (Int64(0), true), (1999, true), (3000, true), (5000, false), (-1999, true), (-3000, true),
    (-5000, false),
  ])
  func aClockIsTrustedWithinItsWindow(_ off: Int64, _ isFound: Bool) {
    let key = Self.key("a", 1, clock: 1_000_000, window: 2000)
    let identifier = Self.sent(key, UInt32(1_000_000 + 40 * Self.hour + off))
    let found = KeyRing([key]).resolve(identifier, at: Self.moment(40 * Self.hour))
    #expect((found != nil) == isFound)
  }

  /// 150 ppm of a hundred days are 1 296 s.
  @Test func aClockMayDrift() {
    let key = Self.key("a", 1, exponent: 2, clock: 65_280, window: 0)
    let passed = 100 * 24 * Self.hour
    for (off, isFound) in [(Int64(1290), true), (1310, false)] {
      let identifier = Self.sent(key, UInt32(65_280 + passed + off))
      #expect((KeyRing([key]).resolve(identifier, at: Self.moment(passed)) != nil) == isFound)
    }
  }

  @Test func aClockThatNobodyKnowsIsLookedForInTenYears() {
    let key = Self.key("a", 1, clock: nil)
    let (last, beyond) = (UInt32(BeaconKey.longestAge - 1), UInt32(BeaconKey.longestAge + 2048))
    let ring = KeyRing([key])
    #expect(ring.resolve(Self.sent(key, 0), at: Self.moment(0)) != nil)
    #expect(ring.resolve(Self.sent(key, last), at: .none) != nil)
    #expect(ring.resolve(Self.sent(key, beyond), at: Self.moment(0)) == nil)
  }

  @Test func withoutATimeAClockIsOfNoUse() {
    let key = Self.key("a", 1)
    #expect(KeyRing([key]).resolve(Self.sent(key, 600), at: .none) == nil)
  }

  @Test(arguments: [Int64.min + 1, -1, .max, 0])
  func noTimeIsTooFarAway(_ nanoseconds: Int64) {
    let ring = KeyRing([Self.key("a", 1), Self.key("b", 2, clock: .max, window: 31_000_000)])
    #expect(ring.resolve(7, at: Timestamp(nanoseconds: nanoseconds)) == nil)
  }

  /// Whatever was asked before, and also at the beginning and the end of a clock: what the definition says of
  /// each key alone.
  @Test(arguments: 0..<6)
  func theAnswerDependsOnTheQuestionAlone(_ seed: Int) {
    var random = Seeded(seed)
    let keys = [
      Self.key("a", 1, exponent: 5, clock: 0, window: UInt64(random.below(600))),
      Self.key("b", 2, exponent: 15, clock: nil),
      Self.key("c", 3, exponent: 10, clock: .max - 40_000, window: UInt64(random.below(5000))),
      Self.key("d", 4, exponent: 2, clock: 90_000, window: 0),
    ]
    let ring = KeyRing(keys)
    for _ in 0..<100 {
      let number = random.below(keys.count)
      let key = keys[number]
      let passed = Int64(random.below(90 * 3600)) - 10 * 3600
      let clock = Int64(key.clock?.seconds ?? 0) + passed + Int64(random.below(12_000)) - 6000
      guard let time = UInt32(exactly: clock) else { continue }
      let slot = key.cipher.slot(at: time)
      let isOfIt = key.slots(at: Self.start + passed).contains(UInt64(slot))
      #expect(
        ring.resolve(Self.sent(key, time), at: Self.moment(passed))
          == (isOfIt ? KeyRing.Place(key: number, slot: slot) : nil),
        "seed \(seed), \(key.name) at \(clock)")
    }
  }

  @Test func telemetryOfLaterIsOpenedWithTheTimeThatPassed() {
    let key = Self.key("a", 1, exponent: 0)
    let ring = KeyRing([key])
    let plain = [UInt8](0..<12)
    let place = KeyRing.Place(key: 0, slot: 5000)
    for (clock, seconds, isOpened) in [
      (UInt32(5030), Int64(30), true), (5031, 30, true), (5029, 30, true), (5040, 30, false),
    ] {
      let (cipher, check) = key.cipher.telemetry(plain, at: clock, salt: [1, 2])
      #expect((ring.open(cipher + [1, 2] + check, near: place, after: seconds) != nil) == isOpened)
    }
  }

  @Test func telemetryIsOpenedWithItsIdentifiersTimeAndItsNeighbours() throws {
    let key = Self.key("a", 1)
    let ring = KeyRing([key])
    let plain = [UInt8](0..<12)
    let place = KeyRing.Place(key: 0, slot: 10_240)
    for (clock, isOpened) in [
      (UInt32(10_300), true), (9300, true), (11_300, true), (12_300, false),
    ] {
      let (cipher, check) = key.cipher.telemetry(plain, at: clock, salt: [1, 2])
      let opened = ring.open(cipher + [1, 2] + check, near: place)
      #expect(opened == (isOpened ? plain : nil))
    }
    // At the very beginning there is none before.
    let (cipher, check) = key.cipher.telemetry(plain, at: 3, salt: [1, 2])
    #expect(ring.open(cipher + [1, 2] + check, near: KeyRing.Place(key: 0, slot: 0)) == plain)
  }
}
