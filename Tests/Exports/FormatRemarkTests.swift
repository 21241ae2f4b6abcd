import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// Faults of formats that are kept all the same: one line each, with the beacons that have it.
@Suite("Faults of formats") struct FormatRemarkTests {
  private static func remarks(_ sent: [[UInt8]]) throws -> [Remark] {
    let records = sent.enumerated().map { number, data in
      let address = Address(0xC000_0000_0C00 + UInt64(number), isRandom: true)
      let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: -60))
      return Record(
        1_779_184_800_000_000_000 + Int64(number) * 10_000_000, packet.h4,
        tag: packet.btsnoopFlags)
    }
    var analysis = Analysis([
      .bytes(BtsnoopWriter(datalink: 1002).file(records), name: "gate.log")
    ])
    var none = NoSink()
    let result = try analysis.run(into: &none)
    let beacons = result.statistics.summaries()
    return Remarks.formats(beacons, BeaconNames(result, beacons))
  }

  private static let uid: [UInt8] = [0x00, 0xEE] + [UInt8](1...16)

  /// An iBeacon with a byte behind it.
  private static func long(_ minor: UInt8) -> [UInt8] {
    Payload.manufacturer(0x004C, [0x02, 0x15] + [UInt8](0..<16) + [0, 1, 0, minor, 0xC5, 0x64])
  }

  @Test func eachIsNamedOnceWithItsBeacons() throws {
    let unlisted = Payload.serviceData(0xFEAA, Self.uid + [0, 0])
    let url = Payload.eddystoneURL(scheme: 3, rest: [0x61, 0x0E], power: -18)
    let told = try Self.remarks([Self.long(1), unlisted, url])
    #expect(
      told.map(\.code) == ["trailing_bytes", "eddystone_uuid_not_listed", "url_reserved_code"])
    #expect(
      told.map(\.text) == [
        "1 beacon is sent with bytes behind what the format ends with; receivers that ask for the exact length do "
          + "not take that (trailing_bytes): iBeacon 0001…0e0f:1:1.",
        "1 beacon is sent without the UUID feaa in the list of services, which Eddystone asks for; receivers that "
          + "filter by it miss that (eddystone_uuid_not_listed): Eddystone-UID 0102…090a:0b0c0d0e0f10.",
        "1 beacon is sent with bytes in the URL that are reserved, told as %XX (url_reserved_code): "
          + "Eddystone-URL https://a%0E.",
      ])
    #expect(told[0].kind == "ibeacon" && told[0].id?.hasSuffix(":1:1") == true)
  }

  @Test func ofManyAFewAreNamed() throws {
    let told = try Self.remarks((1...9).map { Self.long($0) })
    #expect(told.count == 1)
    #expect(told[0].text.hasPrefix("9 beacons are sent with bytes behind"))
    #expect(told[0].text.hasSuffix("iBeacon 0001…0e0f:1:4 and 5 more."))
  }

  @Test func whatIsAllowedIsNotTold() throws {
    let good = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
    #expect(try Self.remarks([good, Payload.eddystone(Self.uid)]).isEmpty)
  }
}
