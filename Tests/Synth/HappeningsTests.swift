import Foundation
import Testing

@testable import Synth

/// What happens at a site, as the truth tells it and as the capture has it.
struct HappeningsTests {
  static let workshop = Result {
    try Site(.bundled("workshop"), try RecordingForm(container: "pcap-ns", link: "201"))
  }
  static let corridor = Result {
    try Site(.bundled("corridor"), try RecordingForm(container: "btsnoop"))
  }

  /// Seconds of the day.
  static func second(_ time: Any?) -> Double {
    let parts = (time as? String ?? "").dropFirst(11).dropLast().split(separator: ":")
      .compactMap { Double($0) }
    return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] - 36_000 : .nan
  }

  static func beacon(_ site: Site, _ name: String) throws -> [String: Any] {
    try #require(site.lines("beacon").first { $0["beacon"] as? String == name })
  }

  @Test func addressesRotate() throws {
    let trolley = try Self.beacon(Self.workshop.get(), "trolley")
    let addresses = try #require(trolley["addresses"] as? [[String: Any]])
    #expect(addresses.count == 3)
    #expect(Set(addresses.compactMap { $0["address"] as? String }).count == 3)
    for (number, address) in addresses.enumerated() {
      let second = Self.second(address["from"])
      #expect(second >= Double(20 * number) && second < Double(20 * number) + 0.5)
    }
  }

  @Test func ephemeralIdentifiersRotate() throws {
    let locator = try Self.beacon(Self.workshop.get(), "locator")
    let identities = try #require(locator["identities"] as? [[String: Any]])
    // Every sixteen seconds; the beacon's clock shows 600, which is eight beyond a multiple.
    #expect(identities.map { Int(Self.second($0["from"])) } == [0, 8, 24, 40, 56])
    #expect(Set(identities.compactMap { $0["id"] as? String }).count == 5)
  }

  @Test func deadBeaconsAreSilent() throws {
    let site = try Self.workshop.get()
    let mast = try Self.beacon(site, "mast")
    #expect(Self.second(mast["dies"]) == 50)
    #expect(Self.second(mast["last_heard"]) < 50)
    #expect(mast["heard"] as? Int ?? 0 > 10)
  }

  @Test func clonesSendTheSameFromAnotherAddress() throws {
    let site = try Self.workshop.get()
    let copy = try Self.beacon(site, "copy")
    let bench = try Self.beacon(site, "bench")
    #expect(copy["clone_of"] as? String == "bench")
    func id(_ beacon: [String: Any]) -> String? {
      (beacon["identities"] as? [[String: Any]])?.first?["id"] as? String
    }
    func address(_ beacon: [String: Any]) -> String? {
      (beacon["addresses"] as? [[String: Any]])?.first?["address"] as? String
    }
    #expect(id(copy) == id(bench))
    #expect(address(copy) != address(bench))
  }

  /// Nothing is heard while the scan is off; the clock is an hour ahead by then.
  @Test func pausesAreSilent() throws {
    let site = try Self.workshop.get()
    let pause = try #require(site.lines("pause").first)
    let (from, to) = (Self.second(pause["from"]) + 3600, Self.second(pause["to"]) + 3600)
    #expect((from, to) == (3630, 3633))
    let times = try site.sightings.map { line in
      let sighting = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return Self.second(sighting?["time"])
    }
    // Reports may wait twenty milliseconds for others.
    #expect(!times.contains { $0 > from + 0.02 && $0 < to })
    #expect(times.contains { $0 < 25 } && times.contains { $0 > 3625 && $0 < from })
  }

  /// The scan is off until the run ends, not until a moment behind it.
  @Test func pausesEndWithTheRun() throws {
    let json = """
      {"name": "off", "duration_s": 30, "scan": {"pauses": [[15, 1000], [2000, 2001]]},
        "crowd": {"identities": 20}}
      """
    let site = try Site(
      try Scenario(json: Array(json.utf8)), try RecordingForm(container: "btsnoop"))
    let pauses = site.lines("pause").map { [Self.second($0["from"]), Self.second($0["to"])] }
    #expect(pauses == [[15, 30]])
    #expect(try site.difference() == nil)
  }

  /// A quarter of each second: of who advertises ten times a second about a quarter arrives, in these windows alone.
  /// A sniffer has none.
  @Test(arguments: [("btsnoop", "1002", true), ("pcap", "251", false)])
  func windowsAreHeeded(_ container: String, _ link: String, _ isHost: Bool) throws {
    let json = """
      {"name": "duty", "duration_s": 60, "radio": {"noise_db": 0}, "observer": [[0, 0, 0]],
        "scan": {"interval_ms": 1000, "window_ms": 250}, "beacons": [{"name": "b", "kind": "ibeacon",
        "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "major": 1, "minor": 1, "at": [1, 1],
        "interval_ms": 100}]}
      """
    let site = try Site(
      try Scenario(json: Array(json.utf8)), try RecordingForm(container: container, link: link))
    let times = try site.sightings.map { line in
      let sighting = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return Self.second(sighting?["time"])
    }
    guard isHost else {
      #expect(times.count > 500)
      return
    }
    #expect((120...180).contains(times.count))
    // The scan begins 198.5 ms before the recording's zero.
    #expect(times.allSatisfy { ($0 + 0.1985).truncatingRemainder(dividingBy: 1) < 0.2501 })
  }

  @Test func reportsShareEvents() throws {
    let site = try Self.workshop.get()
    #expect(site.sightings.contains { $0.contains("\"report\":1,") })
    #expect(site.sightings.contains { $0.contains("\"phy\":\"coded\"") })
  }

  /// Ten advertisers, each every 20 ms: five reports come within the patience of an event. One of them says more
  /// in `extended` than in `legacy`, where five always have room; a controller never makes an event of more than
  /// 255 bytes.
  @Test(arguments: [("legacy", 4), ("extended", 3)])
  func eventsHoldAsManyReportsAsHaveRoom(_ commands: String, _ last: Int) throws {
    let beacons = (1...10).map { number in
      """
      {"name": "b\(number)", "kind": "ibeacon", "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "major": 1,
      "minor": \(number), "at": [1, \(number)], "interval_ms": 20}
      """
    }
    let json = """
      {"name": "dense", "duration_s": 5, "radio": {"noise_db": 0},
        "scan": {"commands": "\(commands)", "reports_per_event": 5},
        "beacons": [\(beacons.joined(separator: ","))]}
      """
    for link in ["187", "201", "254"] {
      let site = try Site(
        try Scenario(json: Array(json.utf8)), try RecordingForm(container: "pcap", link: link))
      #expect(try site.difference() == nil)
      #expect(site.sightings.contains { $0.contains("\"report\":\(last),") })
      #expect(!site.sightings.contains { $0.contains("\"report\":\(last + 1),") })
      let heard = site.lines("beacon").compactMap { $0["heard"] as? Int }.reduce(0, +)
      #expect(heard == site.sightings.count && heard > 1500)
    }
  }

  /// A packet's name has room for so much of a beacon's.
  @Test(arguments: ["extended", "coded"])
  func namesOfAnyLengthAreAdvertised(_ advertising: String) throws {
    let name = String(repeating: "ü", count: 300)
    let json = """
      {"name": "long", "duration_s": 5, "scan": {"commands": "extended"}, "beacons": [{"name": "\(name)",
      "kind": "ibeacon", "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "major": 1, "minor": 1, "at": [1, 1],
      "advertising": "\(advertising)"}]}
      """
    for link in ["201", "272-v1"] {
      let site = try Site(
        try Scenario(json: Array(json.utf8)), try RecordingForm(container: "pcap", link: link))
      #expect(try site.difference() == nil)
      #expect(site.sightings.count >= 4)
    }
  }

  /// A beacon of the region that is never heard, and seldom advertises, makes no other one heard longer.
  @Test func regionsAreInRangeWhileABeaconIs() throws {
    let ibeacon = #""kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1"#
    let json = """
      {"name": "g", "duration_s": 100,
        "radio": {"exponent": 2, "noise_db": 0, "sensitivity_dbm": -80},
        "rooms": [{"name": "r", "corner": [-5.3, -5.1], "size": [10, 10],
          "region": "ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d"}],
        "observer": [[0, 1, 1], [30, 1, 1], [30.05, 500, 1], [48.95, 500, 1], [49, 1, 1]],
        "beacons": [
          {"name": "a", \(ibeacon), "minor": 1, "at": [0.5, 0.5], "interval_ms": 100},
          {"name": "far", \(ibeacon), "minor": 2, "at": [9000, 9000], "interval_ms": 10000}]}
      """
    let site = try Site(
      try Scenario(json: Array(json.utf8)), try RecordingForm(container: "pcapng"))
    let own = site.lines("in_range").filter { $0["beacon"] as? String == "a" }
    let region = site.lines("region_in_range")
    #expect(own.count == 2 && site.lines("in_range").count == 2)
    for key in ["from", "to"] {
      #expect(region.map { $0[key] as? String } == own.map { $0[key] as? String })
    }
  }

  /// What two beacons have together is one stretch, from the first one's beginning to the last one's end.
  @Test func stretchesThatOverlapAreOne() {
    func stretch(_ from: Int64, _ to: Int64, _ nearest: Double) -> BeaconHistory.Stretch {
      BeaconHistory.Stretch(from: from, to: to, nearest: nearest)
    }
    let union = BeaconHistory.union([
      stretch(50, 60, 3), stretch(0, 20, 2), stretch(10, 30, 1), stretch(12, 14, 4),
      stretch(60, 61, 5), stretch(62, 62, 6),
    ])
    #expect(union.map(\.from) == [0, 50, 62] && union.map(\.to) == [30, 61, 62])
    #expect(union.map(\.nearest) == [1, 3, 6])
  }

  /// In the corridor a room's beacons are in range about as long as the visitor is in the room.
  @Test func visitsAreThoseOfTheWalk() throws {
    let site = try Self.corridor.get()
    let visits = site.lines("visit")
    #expect(
      visits.compactMap { $0["room"] as? String } == [
        "office", "office", "lab", "store", "store", "library", "archive",
      ])
    let ranges = site.lines("region_in_range")
    for visit in visits {
      let (enter, exit) = (Self.second(visit["enter"]), Self.second(visit["exit"]))
      let range = ranges.first { range in
        range["room"] as? String == visit["room"] as? String
          && abs(Self.second(range["from"]) - enter) < 4 && abs(Self.second(range["to"]) - exit) < 4
      }
      #expect(range != nil, "\(visit)")
    }
    #expect(ranges.count == visits.count)
    #expect(ranges.allSatisfy { ($0["nearest_m"] as? Double ?? 99) < 6 })
  }

  @Test func lossIsAsAsked() throws {
    let form = try RecordingForm(container: "btsnoop")
    func heard(_ loss: Double) throws -> Double {
      var scenario = try Scenario.bundled("crowd", seconds: 20)
      scenario.radio.loss = loss
      let line = try #require(try Site(scenario, form).lines("crowd").first)
      return Double(line["heard"] as? Int ?? 0) / Double(line["sent"] as? Int ?? 1)
    }
    #expect(try heard(0) == 1)
    #expect(abs(try heard(0.3) - 0.7) < 0.02)
    #expect(try heard(1) == 0)
  }
}
