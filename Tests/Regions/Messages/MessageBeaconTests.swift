import Beacons
import Regions
import Testing

@Suite struct MessageBeaconTests {
  static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
  static let bytes: [UInt8] = [
    0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89, 0x3E,
  ]

  @Test(arguments: [
    ("ibeacon:\(uuid)", MessageBeacon.Match.bytes(.iBeacon, bytes)),
    ("ibeacon:\(uuid.uppercased()):258", .bytes(.iBeacon, bytes + [1, 2])),
    (
      "ibeacon:\(uuid.replacing("-", with: "")):1:65535",
      .bytes(.iBeacon, bytes + [0, 1, 255, 255])
    ),
    ("altbeacon:\(uuid):1:2", .bytes(.altBeacon, bytes + [0, 1, 0, 2])),
    (
      "eddystone:edd1ebeac04e5defa017",
      .bytes(.eddystoneUID, [0xED, 0xD1, 0xEB, 0xEA, 0xC0, 0x4E, 0x5D, 0xEF, 0xA0, 0x17])
    ),
    (
      "eddystone:edd1ebeac04e5defa017:0000fdd1549a",
      .bytes(
        .eddystoneUID,
        [0xED, 0xD1, 0xEB, 0xEA, 0xC0, 0x4E, 0x5D, 0xEF, 0xA0, 0x17, 0, 0, 0xFD, 0xD1, 0x54, 0x9A])
    ),
    ("eid:0001020304050607", .bytes(.eddystoneEID, [0, 1, 2, 3, 4, 5, 6, 7])),
    (
      "url:https://example.com/a:1",
      .text(.eddystoneURL, "https://example.com/a:1", isPrefix: false)
    ),
    ("url:https://example.com/*", .text(.eddystoneURL, "https://example.com/", isPrefix: true)),
  ])
  func beaconsAreWrittenAsRegionsAre(_ text: String, _ match: MessageBeacon.Match) throws {
    let beacon = try MessageBeacon(text)
    #expect(beacon.match == match)
    #expect(beacon.text == text)
  }

  @Test(arguments: [
    ("", "is none of ibeacon:UUID[:MAJOR[:MINOR]], eddystone:"), ("ibeacon", "is none of"),
    ("bluecon:1", "is none of"), ("ibeacon:", "is not of the form ibeacon:UUID[:MAJOR[:MINOR]]"),
    ("ibeacon:\(uuid):", "not of the form"), ("ibeacon:\(uuid)::2", "not of the form"),
    ("ibeacon:\(uuid):65536", "not of the form"), ("ibeacon:\(uuid):-1", "not of the form"),
    ("ibeacon:\(uuid):+1", "not of the form"), ("ibeacon:\(uuid):1:2:3", "not of the form"),
    ("ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893", "not of the form"),
    ("ibeacon:f7826da64-fa2-4e98-8024-bc5b71e0893e", "not of the form"),
    ("eddystone:edd1", "not of the form eddystone:"), ("eid:0001:0203", "not of the form"),
    ("eddystone:edd1ebeac04e5defa017:00", "not of the form"),
    ("url:example.com", "is not of the form url:URL or BEGINNING*"),
    ("url:https://a*b", "not of the form"),
  ])
  func whatIsNoBeaconIsToldWithWhatIsAllowed(_ text: String, _ sentence: String) {
    let problem = #expect(throws: MessageBeaconProblem.self) { try MessageBeacon(text) }
    #expect(problem?.text.contains(sentence) == true)
  }
}
