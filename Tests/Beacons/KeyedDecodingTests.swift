import BeaconKeys
import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Testing

/// Sightings of beacons whose keys are there.
@Suite struct KeyedDecodingTests {
  private static let cipher = EphemeralIdentifier(
    key: [UInt8](hex: "0102030405060708090a111213141516"), exponent: 10)
  private static let second: Int64 = 1_000_000_000
  private static let ring = KeyRing([
    BeaconKey(
      name: "cart", cipher: cipher,
      clock: BeaconClock(seconds: 65_280, moment: Timestamp(nanoseconds: 0)))
  ])

  private static func eid(_ clock: UInt32) -> [UInt8] {
    Payload.eddystoneEID(cipher.identifier(at: clock), power: -18)
  }

  private static let plain = [UInt8](hex: "0b22f5c0000000010000000a")

  private static func telemetry(_ clock: UInt32) -> [UInt8] {
    let (secret, check) = cipher.telemetry(plain, at: clock, salt: [0, 1])
    return Payload.eddystoneETLM(cipher: secret, salt: [0, 1], check: check)
  }

  /// What a recording with one sighting a second comes to: kinds, ids and warnings.
  private static func decode(
    _ payloads: [(data: [UInt8], address: UInt64)], keys: KeyRing? = ring
  ) -> [String] {
    var decoder = CaptureDecoder(keys: keys)
    var told: [String] = []
    for (number, payload) in payloads.enumerated() {
      let address = Address(payload.address, isRandom: true)
      var packet = Packet(
        HCI.advertisingReport(HCI.LegacyReport(type: 3, address, payload.data, rssi: -60)),
        on: .hciH4)
      packet.time = Timestamp(nanoseconds: Int64(number) * second)
      let batch = Batch([packet][...], from: number + 1, gap: 16, tail: 200)
      batch.bytes.withRawSpan { decoder.decode(batch.records.span, $0) }
      let table = decoder.beacons.identities
      for sighting in decoder.beacons.sightings.array {
        let format = BeaconFormats.format(sighting.kind)
        var text =
          "\(format.name) \(format.identityText(table.bytes(of: table[sighting.identity])))"
        if sighting.warnings.contains(.telemetryTagMismatch) { text += " mismatch" }
        if sighting.warnings.contains(.oldIdentifier) { text += " old" }
        told.append(text)
      }
    }
    return told
  }

  @Test func identifiersAreOneBeacon() {
    let told = Self.decode([(Self.eid(65_280), 1), (Self.eid(67_000), 2), (Self.eid(67_000), 2)])
    #expect(told == [String](repeating: "eddystone-eid-resolved cart", count: 3))
    #expect(
      Self.decode([(Self.eid(0), 1)], keys: nil) == ["eddystone-eid a9b76a71c5f89290"])
  }

  @Test func telemetryIsOpenedBehindItsIdentifierAlone() throws {
    let (eid, telemetry) = (Self.eid(65_300), Self.telemetry(65_300))
    let told = Self.decode([(telemetry, 1), (eid, 1), (telemetry, 1), (telemetry, 2)])
    #expect(
      told == [
        "eddystone-etlm 00:00:00:00:00:01", "eddystone-eid-resolved cart",
        "eddystone-etlm-opened 00:00:00:00:00:01", "eddystone-etlm 00:00:00:00:00:02",
      ])
  }

  @Test func telemetryThatTheKeyDoesNotOpenIsCounted() throws {
    let other = EphemeralIdentifier(key: [UInt8](repeating: 7, count: 16), exponent: 10)
    let (secret, check) = other.telemetry(Self.plain, at: 65_300, salt: [0, 1])
    let wrong = Payload.eddystoneETLM(cipher: secret, salt: [0, 1], check: check)
    var decoder = BeaconDecoder(keys: Self.ring)
    let sent = [wrong, Self.eid(65_300), wrong, Self.telemetry(65_300), wrong]
    for (number, data) in sent.enumerated() {
      var report = AdvertisingReport(
        time: Timestamp(nanoseconds: Int64(number) * Self.second), frame: number + 1,
        address: DeviceAddress(5, .random), observer: 0, source: .legacy)
      report.count = Int32(data.count)
      data.withRawSpan { decoder.decode([report].span, $0, joined: []) }
    }
    let told = try #require(decoder.identifiers?.telemetry.first)
    #expect(told.place.key == 0 && told.place.observer == 0)
    // The first one came before its identifier.
    #expect(told.telemetry.unopened.count == 2 && told.telemetry.unopened.firstFrame == 3)
    #expect(told.telemetry.opened == 1)
    #expect(told.telemetry.first == Timestamp(nanoseconds: 2 * Self.second))
    #expect(told.telemetry.last == Timestamp(nanoseconds: 4 * Self.second))
  }

  @Test func theFieldsOfWhatWasOpened() throws {
    var decoder = BeaconDecoder(keys: Self.ring)
    for data in [Self.eid(65_300), Self.telemetry(65_300)] {
      var report = AdvertisingReport(
        time: Timestamp(nanoseconds: 0), frame: 1, address: DeviceAddress(5, .random), observer: 0,
        source: .legacy)
      report.count = Int32(data.count)
      data.withRawSpan { decoder.decode([report].span, $0, joined: []) }
      let sighting = try #require(decoder.sightings.array.first)
      let fields = BeaconFormats.format(sighting.kind).fields(
        of: sighting, id: decoder.identities[sighting.identity], decoder.identities)
      let told = fields.map { "\($0.name) \($0.value)" }
      if sighting.kind == .eddystoneResolved {
        #expect(
          told == [
            "key text(\"cart\")", "eid_sent text(\"\(Self.cipher.identifier(at: 65_300).hex)\")",
            "clock_s int(64512)", "lasts_s int(1024)", "clock_due_s int(65280)",
            "tx_power int(-18)",
          ])
      } else {
        #expect(
          told == [
            "version int(1)", "battery_mv int(2850)",
            "temperature_c decimal(numerator: -2624, denominator: 256)", "adv_count int(1)",
            "uptime_s decimal(numerator: 10, denominator: 10)",
          ])
      }
    }
  }

  @Test func telemetryThatNoNeighbourOpensIsTold() {
    let told = Self.decode([(Self.eid(65_300), 1), (Self.telemetry(90_000), 1)])
    #expect(told[1] == "eddystone-etlm 00:00:00:00:00:01 mismatch")
  }

  /// Also from the address that sent them first, which a replayer can take.
  @Test func identifiersThatComeBackAreTold() {
    let (first, second, third) = (Self.eid(65_300), Self.eid(66_400), Self.eid(67_400))
    let told = Self.decode([
      (first, 1), (second, 2), (first, 1), (third, 3), (first, 1), (first, 9), (second, 2),
    ])
    #expect(
      told.map { $0.hasSuffix(" old") } == [false, false, false, false, true, true, false])
  }

  @Test func whatIsOfNoKeyStaysAsItIs() {
    let stranger = Payload.eddystoneEID([1, 2, 3, 4, 5, 6, 7, 8], power: -18)
    #expect(
      Self.decode([(stranger, 1), (stranger, 1)])
        == [String](repeating: "eddystone-eid 0102030405060708", count: 2))
  }
}
