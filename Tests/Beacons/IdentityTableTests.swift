import Beacons
import CaptureReader
import FrameDecoder
import Testing

/// Identities and their numbers.
@Suite struct IdentityTableTests {
  private static func identity(_ number: UInt64) -> BeaconIdentity {
    BeaconIdentity(kind: .iBeacon, count: 20, number &* 0x9E37_79B9, number, number << 32)
  }

  @Test func numbersStayTheSameWhileTheTableGrows() {
    var table = IdentityTable()
    for number in UInt64(0)..<50_000 {
      #expect(table.intern(Self.identity(number)) == UInt32(number))
    }
    #expect(table.count == 50_000)
    for number in UInt64(0)..<50_000 {
      #expect(table.intern(Self.identity(number)) == UInt32(number))
      #expect(table[UInt32(number)] == Self.identity(number))
    }
    #expect(table.count == 50_000)
  }

  @Test func kindAndLengthTellIdentitiesApart() {
    var table = IdentityTable()
    let numbers = [
      table.intern(BeaconIdentity(kind: .iBeacon, count: 20, 1, 2, 3)),
      table.intern(BeaconIdentity(kind: .altBeacon, count: 20, 1, 2, 3)),
      table.intern(BeaconIdentity(kind: .eddystoneURL, count: 2, 0, 0, 0)),
      table.intern(BeaconIdentity(kind: .eddystoneURL, count: 3, 0, 0, 0)),
    ]
    #expect(Set(numbers).count == 4)
  }

  @Test func bytesComeBackAsTheyWere() {
    let identity = BeaconIdentity(
      kind: .eddystoneUID, count: 16, 0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F)
    #expect(IdentityTable().bytes(of: identity) == (0..<16).map { UInt8($0) })
    #expect(identity.byte(23) == 0)
    #expect(identity.byte(24) == 0)
  }
}

/// URLs of any length: extended advertising has room for more than an identity.
@Suite struct LongURLTests {
  private static func payload(_ body: [UInt8]) -> [UInt8] {
    let frame: [UInt8] = [0xAA, 0xFE, 0x10, 0xEC, 0x03] + body
    return [3, 3, 0xAA, 0xFE, UInt8(frame.count + 1), 0x16] + frame
  }

  private static func decode(_ payloads: [[UInt8]]) -> BeaconDecoder {
    var decoder = BeaconDecoder()
    let report = AdvertisingReport(
      time: .none, frame: 1, address: DeviceAddress(1, .random), observer: 0, source: .extended)
    for payload in payloads { payload.withRawSpan { decoder.decode(report, $0) } }
    return decoder
  }

  @Test(arguments: [1, 17, 18, 22, 23, 24, 25, 100, 240])
  func nothingOfALongURLIsLost(_ length: Int) {
    let body = (0..<length).map { UInt8(0x61 + $0 % 26) }
    let decoder = Self.decode([Self.payload(body)])
    let sighting = decoder.sightings.first
    let table = decoder.identities
    let bytes = sighting.map { table.bytes(of: table[$0.identity]) }
    #expect(bytes == [3] + body)
    #expect(sighting?.kind == .eddystoneURL)
    #expect(sighting?.warnings.contains(.urlLongerThan17) == (length > 17))
    #expect(
      bytes.map(EddystoneURL.identityText) == "https://" + String(decoding: body, as: UTF8.self))
  }

  @Test func longURLsAreTheSameOnlyWhenEveryByteIs() {
    let long = [UInt8](repeating: 0x61, count: 60)
    var other = long
    other[59] = 0x62
    let decoder = Self.decode([long, other, long, Array(long.dropLast())].map(Self.payload))
    #expect(decoder.sightings.array.map(\.identity) == [0, 1, 0, 2])
    #expect(decoder.identities.count == 3)
  }
}
