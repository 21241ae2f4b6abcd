import BeaconKeys
import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Testing

/// What shows that identifiers of a key do not come of one clock that runs.
@Suite struct HeardIdentifiersTests {
  private static let cipher = EphemeralIdentifier(
    key: [UInt8](hex: "0102030405060708090a111213141516"), exponent: 6)
  private static let second: Int64 = 1_000_000_000
  private static let start: Int64 = 1_000_000
  private static let ring = KeyRing([
    BeaconKey(
      name: "cart", cipher: cipher,
      clock: BeaconClock(
        seconds: 100_000, moment: Timestamp(nanoseconds: start * second)))
  ])

  /// Something that was sent: by the receiver's clock, and at what the beacon's clock said; both from the beginning on.
  private struct Sent {
    let time: Int
    let clock: Int
    var address: UInt64 = 1
  }

  private static func beacon(_ range: Range<Int>, ahead: Int = 0, _ address: UInt64 = 1) -> [Sent] {
    range.map { Sent(time: $0, clock: $0 + ahead, address: address) }
  }

  private static func still(_ range: Range<Int>, _ clock: Int) -> [Sent] {
    range.map { Sent(time: $0, clock: clock, address: 9) }
  }

  private static func heard(_ sent: [Sent]) throws -> HeardIdentifiers {
    let all = try log(of: sent).all
    #expect(all.count == 1)
    return try #require(all.first).heard
  }

  private static func log(of sent: [Sent]) throws -> IdentifierLog {
    var decoder = CaptureDecoder(keys: ring)
    for (number, one) in sent.enumerated() {
      let data = Payload.eddystoneEID(
        cipher.identifier(at: UInt32(100_000 + one.clock)), power: -18)
      var packet = Packet(
        HCI.advertisingReport(
          HCI.LegacyReport(type: 3, Address(one.address, isRandom: true), data, rssi: -60)),
        on: .hciH4)
      packet.time = Timestamp(nanoseconds: (start + Int64(one.time)) * second)
      let batch = Batch([packet][...], from: number + 1, gap: 16, tail: 200)
      batch.bytes.withRawSpan { decoder.decode(batch.records.span, $0) }
    }
    let log = decoder.beacons.identifiers
    return try #require(log)
  }

  /// Three days beyond where the line has it, and found later.
  @Test func whatIsOfNobodyIsKnownWhenItIsFound() throws {
    let log = try Self.log(of: Self.beacon(0..<10) + Self.beacon(10..<500, ahead: 259_200))
    #expect(!log.unknown.isEmpty)
    let slots = stride(from: 359_168, to: 360_000, by: 64).map { slot in
      (
        Self.cipher.identifier(at: UInt32(slot)).reduce(0) { $0 << 8 | UInt64($1) },
        UInt32(slot)
      )
    }
    let found = log.unknown.heard(Dictionary(uniqueKeysWithValues: slots), period: 64)
    let voice = try #require(found.first?.heard.voices.first)
    #expect(found.count == 1 && found[0].heard.voices.count == 1 && voice.still == nil)
    #expect(voice.first.time.nanoseconds == (Self.start + 10) * Self.second)
    #expect(voice.last.time.nanoseconds == (Self.start + 499) * Self.second)
  }

  @Test func timesThatNoNumberLiesBetweenAreTaken() throws {
    let ends = [-9_200_000_000, 9_200_000_000, 0, 9_200_000_000, -9_200_000_000, 9_200_000_000]
    let heard = try Self.heard(ends.map { Sent(time: $0, clock: 0) } + Self.beacon(0..<10))
    #expect(heard.voices.reduce(0) { $0 + $1.sightings } > 10)
  }

  @Test func aClockThatRunsIsOneVoice() throws {
    let heard = try Self.heard(Self.beacon(0..<4000))
    #expect(heard.voices.count == 1)
    #expect(heard.voices[0].sightings == 4000)
    // 100 000 lies within one.
    #expect(heard.voices[0].identifiers == 63)
    #expect(heard.voices[0].still == nil && heard.returns.isEmpty)
  }

  /// The moment of change is drawn by chance: one may last nearly twice as long, the next hardly.
  @Test func changesAtRandomMomentsAreOfOneClock() throws {
    // 100 000 is 32 s behind a beginning.
    let sent = (0..<2000).map { time in
      let number = (time + 32) / 64
      let late = number.isMultiple(of: 2) && (time + 32) % 64 < 63
      return Sent(time: time, clock: (number - (late ? 1 : 0)) * 64)
    }
    let heard = try Self.heard(sent)
    #expect(heard.voices.count == 1 && heard.voices[0].still == nil && heard.returns.isEmpty)
  }

  @Test(arguments: [-3600, -100, -40, 40, 100, 3600])
  func aReceiversClockThatIsSetContradictsNobody(_ step: Int) throws {
    let sent = Self.beacon(0..<4000).map {
      Sent(time: $0.time + ($0.time >= 2010 ? step : 0), clock: $0.clock)
    }
    let heard = try Self.heard(sent)
    #expect(heard.voices.allSatisfy { $0.still == nil } && heard.returns.isEmpty)
  }

  private static func pace(_ sent: [Sent]) throws -> Int64? {
    let heard = try heard(sent)
    return heard.pace.unexpected(period: heard.period)
  }

  @Test func identifiersThatChangeTooEarlyOrTooLateAreOfAClockThatRunsWrong() throws {
    let fast = try Self.pace((0..<600).map { Sent(time: $0, clock: 3 * $0) })
    #expect(try (21...22).contains(#require(fast) / Self.second))
    let slow = try Self.pace((0..<2000).map { Sent(time: $0, clock: $0 / 2) })
    #expect(try #require(slow) / Self.second == 128)
    // A few per cent, as soon as that is more than chance.
    let some = { (seconds: Int) in
      try Self.pace((0..<seconds).map { Sent(time: $0, clock: $0 + $0 / 16) })
    }
    #expect(try some(1000) == nil && some(6000) != nil)
  }

  @Test func aClockThatRunsIsNotTooFastWhateverIsHeardOfIt() throws {
    #expect(try Self.pace(Self.beacon(0..<4000)) == nil)
    // One in fifty, and one of every other identifier.
    #expect(try Self.pace((0..<80).map { Sent(time: $0 * 50, clock: $0 * 50) }) == nil)
    #expect(try Self.pace(Self.beacon(0..<4000).filter { ($0.time + 32) / 64 % 2 == 0 }) == nil)
    // Changes at random moments, and clocks of receivers that are set.
    #expect(
      try Self.pace(
        (0..<2000).map { Sent(time: $0, clock: $0 - ($0 / 64 % 2 == 0 ? 31 : 0)) }) == nil)
    for step in [-3600, -100, 100, 3600] {
      #expect(
        try Self.pace(
          Self.beacon(0..<600).map {
            Sent(time: $0.time + ($0.time >= 300 ? step : 0), clock: $0.clock)
          }) == nil, "\(step)")
    }
    // Two devices with one key.
    #expect(
      try Self.pace(
        (0..<600).flatMap { [Sent(time: $0, clock: $0), Sent(time: $0, clock: $0 + 64)] }) == nil)
  }

  /// Files that were joined in the wrong order: their times go back as far as their identifiers.
  @Test func framesInTheWrongOrderAreNoReplay() throws {
    let heard = try Self.heard(Self.beacon(2000..<3000) + Self.beacon(0..<1000))
    #expect(heard.voices.count == 1 && heard.returns.isEmpty)
  }

  @Test func oneThatIsSentForTooLongStandsStill() throws {
    let short = try Self.heard(Self.still(0..<129, -40_000))
    #expect(short.voices.count == 1 && short.voices[0].still == nil)
    let heard = try Self.heard(Self.still(0..<300, -40_000))
    #expect(heard.voices.count == 1)
    let still = try #require(heard.voices[0].still)
    #expect(still.length == 299 * Self.second && still.sightings == 300)
    #expect(still.first.frame == 1 && still.last.frame == 300)
    #expect(still.first.address == DeviceAddress(9, .random))
  }

  /// Also of a beacon that is heard every few minutes, and less often than its identifiers change.
  @Test func soDoesOneThatIsHeardSeldom() throws {
    let heard = try Self.heard((0..<5).map { Sent(time: $0 * 200, clock: 0) })
    #expect(heard.voices.count == 1)
    #expect(heard.voices[0].still?.length == 600 * Self.second)
  }

  /// A pause in which the receiver's clock was set says nothing of how long it was sent.
  @Test func aLongPauseAloneIsNoTooLong() throws {
    let heard = try Self.heard(
      Self.beacon(0..<20) + [Sent(time: 3600, clock: 20)] + Self.beacon(3601..<3640, ahead: -3580))
    #expect(heard.voices.allSatisfy { $0.still == nil })
  }

  /// Captures of one time that were joined, and receivers whose clocks differ in one capture.
  @Test func whatSeveralReceiversHeardAtATimeCountsOnce() throws {
    let joined = Self.beacon(0..<600) + Self.beacon(0..<600) + Self.beacon(0..<600)
    #expect(try Self.heard(joined).voices.allSatisfy { $0.still == nil })
    let entangled = (0..<600).flatMap { second in
      [Sent(time: second, clock: second), Sent(time: second + 3, clock: second)]
    }
    #expect(try Self.heard(entangled).voices.allSatisfy { $0.still == nil })
  }

  @Test func oneThatComesBackIsOfAnotherVoice() throws {
    let heard = try Self.heard(
      Self.beacon(0..<2400) + Self.beacon(2400..<2500, ahead: -1800, 9) + Self.beacon(2500..<3000))
    #expect(heard.voices.count == 2)
    #expect(heard.voices[1].sightings == 100 && heard.voices[1].identifiers == 3)
    #expect(heard.returns.count == 1)
    let back = try #require(heard.returns.first)
    #expect(back.low == 1 && back.high == 0)
    #expect(back.moment.frame == 2401 && back.before.frame == 2400)
    #expect(heard.voices[0].last.frame == 3000)
  }

  @Test func oneOfTheFutureIsWhatTheBeaconComesBehind() throws {
    let heard = try Self.heard(
      Self.beacon(0..<1000) + Self.still(1000..<1050, 41_000) + Self.beacon(1050..<2000))
    let back = try #require(heard.returns.first)
    #expect(heard.returns.count == 1 && back.low == 0 && back.high == 1)
    #expect(heard.voices[1].identifiers == 1 && heard.voices[0].identifiers > 20)
  }

  /// When the beacon comes to send it, it is the beacon's.
  @Test func oneOfTheFutureHasItsTurn() throws {
    let heard = try Self.heard(
      Self.beacon(0..<1000) + Self.still(1000..<1005, 1800) + Self.beacon(1005..<3000))
    #expect(heard.voices.count == 2 && heard.voices[1].sightings == 5)
    #expect(heard.voices.allSatisfy { $0.still == nil })
  }
}
