import CaptureReader
import Testing

@testable import BeaconKeys

/// Where clocks of beacons are, beside where somebody wrote down that they would be.
@Suite struct KeyClocksTests {
  /// 2026-05-19T10:00:00Z.
  private static let start: Int64 = 1_779_184_800

  private static func key(_ byte: UInt8, exponent: UInt8 = 10, clock: UInt32? = 5_000_000)
    -> BeaconKey
  {
    BeaconKey(
      name: "k\(byte)",
      cipher: EphemeralIdentifier(
        key: [UInt8](repeating: byte, count: 16), exponent: exponent),
      clock: clock.map {
        BeaconClock(seconds: $0, moment: Timestamp(nanoseconds: start * 1_000_000_000))
      })
  }

  private static func hear(_ ring: KeyRing, _ key: BeaconKey, clock: Int64, after: Int64) {
    let sent = key.cipher.identifier(at: UInt32(clock)).reduce(0) { $0 << 8 | UInt64($1) }
    _ = ring.resolve(sent, at: Timestamp(nanoseconds: (start + after) * 1_000_000_000))
  }

  /// By how much a clock is ahead when it is heard an hour after it was written down.
  @Test(arguments: [(Int64(-2400), true), (2400, true), (0, false), (700, false), (-80_000, true)])
  func aClockThatIsOffIsTold(_ off: Int64, _ isTold: Bool) throws {
    let key = Self.key(1)
    let ring = KeyRing([key])
    Self.hear(ring, key, clock: 5_003_600 + off, after: 3600)
    let found = ring.strayClocks
    #expect(found.isEmpty == !isTold)
    guard let clock = found.first else { return }
    #expect(abs(clock.ahead - off) <= 512)
    #expect(clock.clock.moment.nanoseconds == (Self.start + 3600) * 1_000_000_000)
    #expect(abs(Int64(clock.clock.seconds) - (5_003_600 + off)) <= 512)
    #expect(ring.beyondTheirWindows().clocks.isEmpty)
  }

  @Test func whatWasHeardLastCounts() {
    let key = Self.key(1)
    for order in [[Int64(0), 7200], [7200, 0]] {
      let ring = KeyRing([key])
      for after in order {
        Self.hear(ring, key, clock: 5_000_000 + after - (after == 0 ? 5000 : 0), after: after)
      }
      #expect(ring.strayClocks.isEmpty)
    }
  }

  /// Set anew, its clock began at 0; its window is a day.
  @Test func aClockBeyondItsWindowIsFound() throws {
    let (key, other, quick) = (Self.key(1), Self.key(2), Self.key(3, exponent: 2))
    let ring = KeyRing([quick, key, other])
    Self.hear(ring, key, clock: 2048, after: 100)
    Self.hear(ring, key, clock: 4096, after: 2148)
    Self.hear(ring, quick, clock: 2048, after: 100)
    _ = ring.resolve(7, at: Timestamp(nanoseconds: Self.start * 1_000_000_000))
    #expect(ring.unused.count == 3)
    let found = ring.beyondTheirWindows()
    let clock = try #require(found.clocks.first)
    #expect(found.clocks.count == 1 && clock.key.name == "k1")
    #expect(found.identifiers == 2)
    #expect(abs(Int64(clock.clock.seconds) - 4096) <= 1024)
    #expect(abs(clock.ahead - (4096 - 5_002_148)) <= 1024)
    #expect(ring.strangers == 4)
  }

  /// It was set anew when something within its window had been heard.
  @Test func aClockThatWasHeardWithinItsWindowIsFoundBeyondItToo() throws {
    let (key, other) = (Self.key(1), Self.key(2))
    let ring = KeyRing([key, other])
    Self.hear(ring, key, clock: 5_000_100, after: 100)
    Self.hear(ring, key, clock: 2048, after: 2148)
    #expect(ring.unused.count == 1 && ring.strangers == 1)
    let found = ring.beyondTheirWindows()
    let clock = try #require(found.clocks.first)
    #expect(found.clocks.count == 1 && clock.number == 0 && found.identifiers == 1)
    #expect(found.places.values.map(\.slot) == [2048])
    #expect(abs(clock.ahead - (2048 - 5_002_148)) <= 1024)
  }

  /// Looked for are as many as that takes a second or two.
  @Test func keysThatAreTooManyToBeLookedForAreCounted() {
    let keys = (1...15).map { Self.key($0) }
    let ring = KeyRing(keys)
    _ = ring.resolve(7, at: Timestamp(nanoseconds: Self.start * 1_000_000_000))
    // One that was heard within its window is the last to be looked for, and is not counted.
    Self.hear(ring, keys[0], clock: 5_000_100, after: 100)
    #expect(ring.beyondTheirWindows().unsought == 1)
  }

  @Test func aKeyWithoutAClockHasNoneThatIsOff() {
    let key = Self.key(1, clock: nil)
    let ring = KeyRing([key])
    Self.hear(ring, key, clock: 77_000, after: 0)
    #expect(ring.strayClocks.isEmpty && ring.beyondTheirWindows().clocks.isEmpty)
  }
}
