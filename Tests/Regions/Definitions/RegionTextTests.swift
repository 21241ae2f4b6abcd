import Beacons
import TestSupport
import Testing

@testable import Regions

private let digits = "f7826da64fa24e988024bc5b71e0893e"
private let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

@Suite struct RegionTextTests {
  @Test func aFormatWithoutAKindOfRegionNamesItself() {
    let condition = RegionCondition.identity(IdentityPrefix(.eddystoneTLM, [1, 2, 3, 4, 5, 6]))
    #expect(RegionKinds.text(condition) == "eddystone-tlm:010203040506")
  }

  @Test(arguments: [
    "lobby=ibeacon:\(uuid)",
    "lobby=ibeacon:\(uuid):1",
    "lobby=ibeacon:\(uuid):1:65535",
    "a b=eddystone:edd1ebeac04e5defa017",
    "x=eddystone:edd1ebeac04e5defa017:0000fdd1549a",
    "menu=url:https://example.com/menu,today",
    "site=url:https://example.com/*",
    "key=eid:a1b2c3d4e5f60718",
    "key=eid:front-door",
    "alt=altbeacon:\(uuid):7:9",
    "alt=altbeacon:\(uuid):1234:5678",
    "tag=address:c2:35:33:30:25:50",
    "phone=address:phone",
    "l=ibeacon:\(uuid),address=phone,min_rssi=-70.0,leave_rssi=-75.0",
    "yard=circle:52.52,13.405,50.0",
    "tags=decoder:ruuvi",
    "tag=decoder:ruuvi:c4:a1,exit_after=20",
    "l=ibeacon:\(uuid),address=c2:35:33:30:25:50,min_rssi=-70.0,leave_rssi=-75.0",
    "l=ibeacon:\(uuid),within=near,notify_on_entry=no,notify_entry_state_on_display=yes",
    "l=ibeacon:\(uuid),within=2.5,leave_within=4.0,notify_on_exit=no,exit_after=10,cycle=1.1",
  ])
  func readsWhatItWrites(_ text: String) throws {
    #expect(try Region.parse(text).text == text)
  }

  @Test func uuidsMayBeWrittenWithoutHyphens() throws {
    let plain = try Region.parse("a=ibeacon:F7826DA64FA24E988024BC5B71E0893E")
    #expect(plain.text == "a=ibeacon:\(uuid)")
  }

  @Test("An AltBeacon's id may be written as it is sent: 40 hexadecimal digits")
  func altBeaconsInOnePiece() throws {
    let id = "F7826DA64FA24E988024BC5B71E0893E00050001"
    let whole = try Region.parse("a=altbeacon:\(id),exit_after=10")
    #expect(whole.text == "a=altbeacon:\(uuid):5:1,exit_after=10")
  }

  @Test func leaveThresholdsFollowUnlessSet() throws {
    let signal = try Region.parse("a=ibeacon:\(uuid),min_rssi=-70")
    #expect(signal.gate.minRSSI == Hysteresis(enter: -70, leave: -75))
    let metres = try Region.parse("a=ibeacon:\(uuid),within=2m")
    #expect(metres.gate.within == .metres(Hysteresis(enter: 2, leave: 2.5)))
    let before = try Region.parse("a=ibeacon:\(uuid),leave_rssi=-71,min_rssi=-70")
    #expect(before.gate.minRSSI == Hysteresis(enter: -70, leave: -71))
  }

  @Test(arguments: [
    ("lobby", "has no name"),
    ("ibeacon:\(uuid),exit_after=3", "has no name before its kind"),
    (
      "hall, west=ibeacon:\(uuid)",
      "the name 'hall, west' has a comma, which separates options; write the region's name without "
        + "commas: hall west=…"
    ),
    ("l=ibecon:\(uuid)", "unknown kind 'ibecon' (did you mean 'ibeacon'?); known are ibeacon, "),
    (
      "l=address:c23533302550",
      "address 'c23533302550' has no colons; write it with colons: c2:35:33:30:25:50"
    ),
    ("l=address:c235.3330.2550", "write it with colons: c2:35:33:30:25:50"),
    ("l=address:0xc23533302550", "write it with colons: c2:35:33:30:25:50"),
    ("l=address:c2:35:33:30:25", "address 'c2:35:33:30:25' is malformed"),
    ("l=address:phone,within=2", "'within' says nothing of a device by itself"),
    ("l=ibeacon", "nothing behind 'ibeacon'; write ibeacon:UUID[:MAJOR[:MINOR]]"),
    ("l=ibeacon:f7826da6", "UUID 'f7826da6' is malformed; write 32 hexadecimal digits"),
    ("l=ibeacon:\(uuid)::2", "minor 2 without major; write ibeacon:UUID[:MAJOR[:MINOR]]"),
    ("l=ibeacon:\(uuid):", "is empty; write ibeacon:UUID[:MAJOR[:MINOR]]"),
    ("l=ibeacon:\(uuid):1:2:3", "has 4 parts"),
    ("l=ibeacon:\(uuid):65536", "major '65536' is not a number from 0 to 65535"),
    ("l=ibeacon:\(uuid):1:x", "minor 'x' is not a number from 0 to 65535"),
    ("l=eddystone:edd1", "namespace 'edd1' is malformed; write 20 hexadecimal digits"),
    ("l=eddystone:edd1ebeac04e5defa017:1", "instance '1' is malformed; write 12 hexadecimal"),
    ("l=url:example.com", "begins with neither http:// nor https://"),
    ("l=url:https://a*b", "characters that no Eddystone URL has"),
    ("l=altbeacon:\(uuid)::2", "a part of"),
    ("l=altbeacon:\(digits):00050001", "write altbeacon:\(uuid):5:1, or the 40 digits together"),
    ("l=altbeacon:\(digits) 0005 0001", "write altbeacon:\(uuid):5:1, or the 40 digits together"),
    ("l=altbeacon:\(digits)0005", "id1 '\(digits)0005' is malformed"),
    ("l=address:c2:35", "address 'c2:35' is malformed; write six bytes"),
    ("l=decoder:ruuvi:", "a part of 'ruuvi:' is empty; write decoder:NAME[:ID]"),
    ("l=decoder::c4", "a part of ':c4' is empty"),
    ("l=circle:52.52,13.405", "has 2 of three numbers; write circle:LATITUDE,LONGITUDE,RADIUS"),
    ("l=circle:91,13.405,50", "latitude '91' is not a number from -90.0 to 90.0"),
    ("l=circle:nan,13.405,50", "latitude 'nan' is not a number"),
    ("l=circle:52.52,13.405,50,exit_after=3", "'exit_after' says nothing of a circle"),
    ("l=ibeacon:\(uuid),exit_after=-3", "exit_after '-3' is negative; write seconds"),
    ("l=ibeacon:\(uuid),exit_after=0", "exit_after is 0; it must be above 0"),
    ("l=ibeacon:\(uuid),exit_after=ten", "exit_after 'ten' is no span of time"),
    ("l=ibeacon:\(uuid),exit_after=1.", "exit_after '1.' is no span of time"),
    ("l=ibeacon:\(uuid),exit_after=99999999999999999999", "is no span of time"),
    ("l=ibeacon:\(uuid),exit_after=9223372036.9", "is too long; at most 8784h"),
    ("l=ibeacon:\(uuid),exit_afer=3", "unknown key 'exit_afer' (did you mean 'exit_after'?)"),
    ("l=ibeacon:\(uuid),limit=3", "'limit' cannot differ from region to region"),
    ("l=ibeacon:\(uuid),exit_after=3,exit_after=4", "'exit_after' is given twice"),
    ("l=ibeacon:\(uuid),exit_after=3,4", "unknown key '4'"),
    ("l=ibeacon:\(uuid),within=-1", "within '-1' is no distance; write metres above 0"),
    ("l=ibeacon:\(uuid),leave_within=1", "leave_within without within"),
    ("l=ibeacon:\(uuid),within=3,leave_within=1", "leave_within is below within"),
    ("l=ibeacon:\(uuid),leave_rssi=-70", "leave_rssi without min_rssi"),
    ("l=ibeacon:\(uuid),min_rssi=-70,leave_rssi=-60", "leave_rssi is above min_rssi"),
    ("l=ibeacon:\(uuid),notify_on_exit=maybe", "neither yes nor no; write yes or no"),
    ("l=ibeacon:\(uuid),smoothing=kalmann", "(did you mean 'kalman'?)"),
  ])
  func eachMistakeGetsASentence(_ text: String, _ sentence: String) {
    let problem = #expect(throws: SettingProblem.self) { try Region.parse(text) }
    let said = problem.map { "\($0)" } ?? ""
    #expect(said.contains(sentence), "\(said)")
    #expect(!said.contains("\n"))
  }

  /// Whatever is read is written in a way that reads the same; nothing traps.
  @Test func textAtRandomIsReadOrRefused() throws {
    var random = Seeded(20_260_519)
    let seeds = [
      "l=ibeacon:\(uuid):1:2,exit_after=10,within=near", "y=circle:52.52,13.405,50",
      "e=eddystone:edd1ebeac04e5defa017:0000fdd1549a,min_rssi=-70,leave_rssi=-80",
      "u=url:https://example.com/*,cycle=1.1", "a=address:c2:35:33:30:25:50,notify_on_exit=no",
    ]
    var read = 0
    for _ in 0..<20_000 {
      var bytes = Array(random.pick(seeds).utf8)
      for _ in 0...random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = random.pick(Array("=:,.-_ 09afgz*é".utf8))
        default: bytes.insert(random.pick(Array("=:,.-09ef".utf8)), at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let region = try? Region.parse(text) else { continue }
      read += 1
      #expect(try Region.parse(region.text).text == region.text, "\(text)")
    }
    #expect(read > 1000)
  }

  @Test("A second region with the same identifier replaces the first, with a warning")
  func laterDefinitionReplaces() throws {
    let list = RegionList([
      try Region.parse("a=ibeacon:\(uuid):1"), try Region.parse("b=ibeacon:\(uuid):2"),
      try Region.parse("a=ibeacon:\(uuid):3"),
    ])
    #expect(list.regions.map(\.text) == ["a=ibeacon:\(uuid):3", "b=ibeacon:\(uuid):2"])
    #expect(list.warnings.count == 1 && list.warnings[0].contains("'a' is defined twice"))
  }
}
