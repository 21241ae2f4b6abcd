import Beacons
import CaptureReader
import FrameDecoder
import Testing

/// From reports to sightings.
@Suite struct BeaconDecoderTests {
  private static let iBeacon: [UInt8] =
    [26, 0xFF, 0x4C, 0, 2, 0x15] + (0..<16).map { UInt8($0) } + [0, 1, 0, 2, 0xC5]
  private static let uid: [UInt8] =
    [23, 0x16, 0xAA, 0xFE, 0, 0xEC] + (0..<16).map { UInt8($0) } + [0, 0]
  private static let listed: [UInt8] = [3, 3, 0xAA, 0xFE]

  private static func report(_ count: Int, start: Int = 0) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: Timestamp(nanoseconds: 7), frame: 3, address: DeviceAddress(5, .random), observer: 4,
      source: .air)
    report.start = Int32(start)
    report.count = Int32(count)
    report.rssi = -60
    report.channel = 38
    report.primaryPHY = .le1M
    report.secondaryPHY = .coded
    return report
  }

  private static func decode(_ payload: [UInt8]) -> BeaconDecoder {
    var decoder = BeaconDecoder()
    payload.withRawSpan { decoder.decode([report(payload.count)].span, $0, joined: []) }
    return decoder
  }

  @Test func aSightingSaysWhoWhenAndHow() {
    let sighting = Self.decode(Self.iBeacon).sightings.first
    #expect(sighting?.time.nanoseconds == 7)
    #expect(sighting?.frame == 3)
    #expect(sighting?.address == DeviceAddress(5, .random))
    #expect(sighting?.observer == 4)
    #expect(sighting?.rssi == -60)
    #expect(sighting?.power == -59)
    #expect(sighting?.channel == 38)
    #expect(sighting?.phy == .coded)
  }

  @Test func severalBeaconsInOneAdvertisementAreAllSeen() {
    let decoder = Self.decode(Self.iBeacon + Self.listed + Self.uid + Self.iBeacon)
    #expect(decoder.sightings.array.map(\.kind) == [.iBeacon, .eddystoneUID, .iBeacon])
    #expect(decoder.sightings.array.map(\.identity) == [0, 1, 0])
    #expect(decoder.sightings.array.allSatisfy { $0.warnings.isEmpty })
  }

  @Test func eddystoneMayBeListedBehindItsData() {
    let listed = Self.decode(Self.uid + Self.listed).sightings.array
    #expect(listed.map(\.warnings) == [BeaconWarnings.none])
    let unlisted = Self.decode(Self.uid).sightings.array
    #expect(unlisted.map(\.warnings) == [BeaconWarnings.eddystoneNotListed])
  }

  @Test func dataBesideTheBatchAreReadFromThere() {
    var report = Self.report(Self.iBeacon.count, start: 2)
    report.isJoined = true
    var decoder = BeaconDecoder()
    [UInt8]().withRawSpan { decoder.decode([report].span, $0, joined: [9, 9] + Self.iBeacon) }
    #expect(decoder.sightings.array.map(\.kind) == [.iBeacon])
  }

  @Test func everyReportOfABatchStartsAfresh() {
    // Listed in the first report does not count for the second; nor do its labels.
    let tile: [UInt8] = [3, 3, 0xED, 0xFE]
    let bytes = Self.listed + tile + Self.uid
    let first = Self.report(8)
    let second = Self.report(Self.uid.count, start: 8)
    var decoder = BeaconDecoder()
    bytes.withRawSpan { decoder.decode([first, second].span, $0, joined: []) }
    #expect(decoder.sightings.array.map(\.warnings) == [.eddystoneNotListed])
    #expect(decoder.labels.isEmpty)
  }

  @Test func whatABrokenPayloadHidesIsNotSeen() {
    for cut in 1..<Self.iBeacon.count {
      let decoder = Self.decode(Array(Self.iBeacon[..<cut]))
      #expect(decoder.sightings.array.isEmpty)
    }
    // The element of iBeacon, its length one too short.
    let short = Self.decode([25] + Self.iBeacon[1..<26])
    #expect(short.sightings.array.isEmpty)
    #expect(short.reason == .iBeaconBadLength)
    #expect(short.tally.reasons[Int(BeaconReason.iBeaconBadLength.rawValue)].count == 1)
  }

  @Test func telemetryGoesByTheAddress() {
    let frame: [UInt8] = [0x20, 0, 0x0B, 0xB8, 0xFF, 0x80, 0, 0, 0, 9, 0, 0, 0, 10]
    let payload = Self.listed + [17, 0x16, 0xAA, 0xFE] + frame
    let decoder = Self.decode(payload)
    #expect(decoder.sightings.array.map(\.kind) == [.eddystoneTLM])
    let sighting = decoder.sightings.first
    #expect(sighting.flatMap({ TelemetryReading($0.extra).battery }) == 3000)
    #expect(sighting.flatMap({ TelemetryReading($0.extra).temperature }) == -128)
    #expect(decoder.identities.bytes(of: decoder.identities[0]) == [0, 0, 0, 0, 0, 5])
  }

  @Test func namesOfCodesAreComplete() {
    let warnings = BeaconWarnings.names.map { "\($0)" } + FrameWarnings.names.map { "\($0)" }
    let reasons = BeaconReason.names.map { "\($0)" } + FrameReason.names.dropFirst().map { "\($0)" }
    for names in [warnings, reasons] {
      let allowed = names.allSatisfy { name in
        !name.isEmpty && name.utf8.allSatisfy { $0 == 95 || (48...57) ~= $0 || (97...122) ~= $0 }
      }
      #expect(allowed)
    }
    #expect(
      BeaconWarnings.oldIdentifier.rawValue == 1 << UInt32(BeaconWarnings.names.count - 1))
    #expect(FrameWarnings.chainStartMissing.rawValue == 1 << UInt64(FrameWarnings.names.count - 1))
    #expect(Int(FrameReason.nordicNotAPacket.rawValue) == FrameReason.names.count - 1)
    #expect(Int(BeaconReason.eidBadLength.rawValue) == BeaconReason.names.count - 1)
    #expect(Set(BeaconFormats.all.map { $0.kind }).count == BeaconFormats.all.count)
  }
}
