import Testing

@testable import Synth

/// Scenarios that cannot be: one sentence with the place and what may stand there.
struct ScenarioTests {
  @Test(arguments: Scenarios.all.map(\.name))
  func bundledOnesCanBeRead(_ name: String) throws {
    let scenario = try Scenario.bundled(name)
    #expect(scenario.name == name)
    #expect(!scenario.summary.isEmpty)
  }

  private static func room(_ keys: String, then: String = "") -> String {
    #"{"name": "x", "rooms": [{"name": "r", "corner": [0, 0], \#(keys)}\#(then)]}"#
  }

  @Test(arguments: ["[-5, 5]", "[5, -5]", "[0, 5]", "[5, 0]"])
  func roomsHaveASize(_ size: String) {
    expect(
      Self.room(#""size": \#(size)"#), "rooms[0].size",
      "must be [width, height], both more than 0: corner is the one with the smallest x and y")
  }

  @Test func roomsHaveNamesOfTheirOwn() {
    let other = #", {"name": "r", "corner": [5, 0], "size": [1, 1]}"#
    expect(
      Self.room(#""size": [1, 1]"#, then: other), "rooms[1].name",
      "must be its own: another room is called \"r\", too")
  }

  static let uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"

  /// As a beacon's own values: in capitals, with hyphens and without.
  @Test(arguments: [
    ("ibeacon:\(uuid.uppercased())", "ibeacon:\(uuid)"),
    ("ibeacon:\(uuid.filter { $0 != "-" }):7", "ibeacon:\(uuid):7"),
    ("ibeacon:\(uuid):07:65535", "ibeacon:\(uuid):7:65535"),
    (
      "altbeacon:2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6-0005-0001",
      "altbeacon:2f234454cf6d4a0fadf2f4911ba9ffa600050001"
    ),
    (
      "eddystone-uid:8B0CA750E54C6E4D1A2F:00000000000A",
      "eddystone-uid:8b0ca750e54c6e4d1a2f:00000000000a"
    ),
    ("eddystone-eid:00112233AABBCCDD", "eddystone-eid:00112233aabbccdd"),
    ("eddystone-url:https://x.org/A", "eddystone-url:https://x.org/A"),
  ])
  func regionsAreReadAsBeaconsAre(_ text: String, _ region: String) throws {
    let json = Self.room(#""size": [1, 1], "region": "\#(text)""#)
    #expect(try Scenario(json: Array(json.utf8)).rooms.map(\.region) == [region])
  }

  @Test(arguments: [
    (
      "ibeacon:\(uuid)0",
      "must be ibeacon:UUID, :MAJOR and :MINOR behind it or not, not \"ibeacon:b9"
    ),
    ("ibeacon:\(uuid):65536", "must be ibeacon:UUID"), ("ibeacon:\(uuid):", "must be ibeacon:UUID"),
    ("ibeacon:\(uuid):1:2:3", "must be ibeacon:UUID"),
    ("altbeacon:2f23", "must be altbeacon:ID, 40 hexadecimal digits, not"),
    (
      "eddystone-uid:8b0ca750e54c6e4d1a2f:1",
      "must be eddystone-uid:NAMESPACE of 20 hexadecimal digits"
    ),
    ("eddystone-eid:00", "must be eddystone-eid:EID, 16 hexadecimal digits"),
    ("eddystone-url:ftp://x", "must be eddystone-url:URL, not"),
    ("device:phone", "must be device: and nothing behind the colon, not"),
    ("eddystone:8b0ca750e54c6e4d1a2f", "must be KIND:IDENTITY with a kind of ibeacon, altbeacon"),
  ])
  func regionsThatNoBeaconHas(_ text: String, _ says: String) {
    expect(Self.room(#""size": [1, 1], "region": "\#(text)""#), "rooms[0].region", says)
  }

  static let beacon = """
    {"name": "a", "kind": "ibeacon", "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0", \
    "major": 1, "minor": 2, "at": [0, 0]}
    """

  @Test(arguments: [
    ("[]", "", "must be an object, not a list"),
    (#"{}"#, "name", "is missing"),
    (#"{"name": 5}"#, "name", "must be text, not 5"),
    (#"{"name": "x", "nam": 5}"#, "nam", "is not known here; there are: name, summary, start,"),
    (
      #"{"name": "x", "start": "yesterday"}"#, "start",
      "must be a time such as 2026-05-19T10:00:00Z, from 2000 to 2099, not \"yesterday\""
    ),
    (
      #"{"name": "x", "duration_s": -1}"#, "duration_s",
      "must be a number from 1 to 10000000, not -1"
    ),
    (#"{"name": "x", "radio": {"loss": 2}}"#, "radio.loss", "must be a number from 0 to 1, not 2"),
    (
      #"{"name": "x", "scan": {"commands": "both"}}"#, "scan.commands",
      "must be legacy or extended, not \"both\""
    ),
    (
      #"{"name": "x", "scan": {"pauses": [[3, 5], [4, 9]]}}"#, "scan.pauses[1]",
      "must last 0.1 s at least and begin behind the pause before"
    ),
    (
      #"{"name": "x", "observer": [[0, 1], [5, 2]]}"#, "observer[0]", "must be [second, x, y]"
    ),
    (
      #"{"name": "x", "observer": [[5, 1, 1], [5, 2, 2]]}"#, "observer[1]",
      "must come later than the point before"
    ),
    (
      #"{"name": "x", "rooms": [{"name": "r", "corner": [0, 0], "size": [1, 1], "region": "x:1"}]}"#,
      "rooms[0].region", "must be KIND:IDENTITY with a kind of ibeacon, altbeacon"
    ),
    (
      #"{"name": "x", "damage": [{"kind": "fire"}]}"#, "damage[0].kind",
      "must be one of malformed, zero-reports, cut, snap, crc, length, junk, tail, not \"fire\""
    ),
    (#"{"name": "x", "crowd": {}}"#, "crowd.identities", "is missing"),
  ])
  func problems(_ json: String, _ path: String, _ text: String) {
    expect(json, path, text)
  }

  @Test(arguments: [
    (#""major": 1"#, #""major": 70000"#, "major", "must be a whole number from 0 to 65535"),
    (#""major": 1, "#, "", "major", "is missing"),
    (
      #""kind": "ibeacon""#, #""kind": "beacon""#, "kind",
      "must be one of ibeacon, altbeacon, eddystone-uid, eddystone-url, eddystone-eid, device, not \"beacon\""
    ),
    ("96e0", "96", "uuid", "must be 32 hexadecimal digits, not"),
    (#", "at": [0, 0]"#, "", "at", "is missing, and there is no path either"),
    (
      "[0, 0]", #"[0, 0], "path": [[0, 1, 1], [9, 2, 2]]"#, "path",
      "and at contradict each other: leave one of them out"
    ),
    ("[0, 0]", #"[0, 0], "dies_s": 0"#, "dies_s", "must be later than it appears"),
    ("[0, 0]", #"[0, 0], "address": "x""#, "address", "must be like c4:a1:00:00:01:01, not \"x\""),
    (
      "[0, 0]", #"[0, 0], "advertising": "loud""#, "advertising",
      "must be legacy, extended or coded, not \"loud\""
    ),
    ("[0, 0]", #"[0, 0], "colour": 1"#, "colour", "is not known here"),
  ])
  func problemsOfBeacons(_ old: String, _ new: String, _ key: String, _ text: String) {
    let beacon = Self.beacon.replacing(old, with: new)
    expect(
      #"{"name": "x", "beacons": [\#(Self.beacon.replacing("\"a\"", with: "\"b\"")), \#(beacon)]}"#,
      "beacons[1].\(key)", text)
  }

  @Test func clonesNeedAnOriginal() {
    expect(
      #"{"name": "x", "beacons": [{"name": "b", "clone_of": "a", "at": [0, 0]}]}"#,
      "beacons[0].clone_of", "must name a beacon before it, not \"a\"")
    expect(
      #"{"name": "x", "beacons": [\#(Self.beacon), \#(Self.beacon)]}"#, "beacons[1].name",
      "must be its own: another beacon is called \"a\", too")
  }

  @Test(arguments: [
    ("", "is no JSON: in line 1 it ends too early"),
    ("{\n  \"name\": x\n}", "is no JSON: in line 2 'x' is no value"),
    ("{\"name\": \"x\"\n\n \"start\": 1}", "is no JSON: in line 3 '}' is missing or a comma"),
    ("{\"name\" 1}", "is no JSON: in line 1 ':' is missing behind \"name\""),
    ("{name: 1}", "is no JSON: in line 1 a name in quotes is missing"),
    ("{\"name\": \"x}", "is no JSON: in line 1 a text is not closed"),
    ("{\"name\": \"\\x\"}", "is no JSON: in line 1 there is an unknown '\\x'"),
    ("{} {}", "is no JSON: in line 1 there is more behind its end"),
    ("{\"name\": \"x\", \"name\": \"y\"}", "is no JSON: in line 1 \"name\" stands a second time"),
    ("{\"name\": 01x}", "is no JSON: in line 1 '01x' is no value"),
    (String(repeating: "[", count: 100_000), "is no JSON: in line 1 there are too many brackets"),
  ])
  func syntaxErrorsSayWhere(_ json: String, _ text: String) { expect(json, "", text) }

  @Test func escapesAndNumbers() throws {
    let json = #"{"name": "a\u0041\n\"ü", "duration_s": 1.5e1, "summary": null}"#
    let scenario = try Scenario(json: Array(json.replacing("\\\\", with: "\\").utf8))
    #expect(scenario.name == "aA\n\"ü")
    #expect(scenario.duration == 15_000_000_000)
  }

  private func expect(_ json: String, _ path: String, _ text: String) {
    do throws(ScenarioProblem) {
      _ = try Scenario(json: Array(json.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.path == path)
      #expect(error.text.hasPrefix(text), "\(error.text)")
    }
  }

  @Test(arguments: [
    ("pcap", "1002", "pcap cannot hold link type '1002'; it can: 201, 187, 254,"),
    ("tar", "201", "there is no container 'tar'; there are: btsnoop, pcap,"),
  ])
  func formsThatAreNot(_ container: String, _ link: String, _ text: String) {
    do throws(SettingsProblem) {
      _ = try RecordingForm(container: container, link: link)
      Issue.record("there is one")
    } catch {
      #expect(error.text.hasPrefix(text))
    }
  }

  private static func clockThatSteps(seconds: Int) throws -> Scenario {
    try Scenario(
      json: Array(
        """
        {"name": "steps", "duration_s": 60, "clock_steps": [{"at_s": 30, "step_s": \(seconds)}],
        "beacons": [{"name": "one", "kind": "ibeacon", "at": [1, 1], "major": 1, "minor": 2,
        "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d"}]}
        """.utf8))
  }

  /// 32 bits of microseconds are 71.6 minutes.
  @Test(arguments: ["btsnooz", "btsnooz-v1"])
  func recordsTooFarApartForTheContainer(_ container: String) throws {
    let form = try RecordingForm(container: container)
    #expect(try Site(Self.clockThatSteps(seconds: 4200), form).difference() == nil)
    let error = #expect(throws: SettingsProblem.self) {
      try Site(Self.clockThatSteps(seconds: 4400), form)
    }
    #expect(error?.text.hasPrefix("\(container) cannot keep records that are more than") == true)
    let wide = try RecordingForm(container: "btsnooz-wide")
    #expect(try Site(Self.clockThatSteps(seconds: 4400), wide).difference() == nil)
  }

  @Test(arguments: [
    ("btsnoop", "crc", "damage 'crc' cannot be done here: only packets of the air"),
    ("btsnooz-wide", "junk", "damage 'junk' cannot be done here: btsnooz-wide is compressed"),
    ("packetlogger", "snap", "damage 'snap' cannot be done here: packetlogger does not keep"),
    ("btsnooz", "cut", "btsnooz cannot keep a clock that steps back; btsnooz-wide can"),
  ])
  func damageThatCannotBe(_ container: String, _ kind: String, _ text: String) throws {
    var scenario = try Scenario.bundled("workshop")
    scenario.damage = try Strike.list(kind, over: 1000, countsRecords: false, seed: 1)
    let form = try RecordingForm(container: container)
    do throws(SettingsProblem) {
      _ = try Synthesis(scenario, form, Synthesis.Settings())
      Issue.record("it can")
    } catch {
      #expect(error.text.hasPrefix(text), "\(error.text)")
    }
  }

  @Test(arguments: [
    ("fire", "there is no damage 'fire'; there are: malformed, zero-reports,"),
    ("cut:0", "'cut:0' must be KIND or KIND:N with N from 1 to 100000"),
    ("cut:x", "'cut:x' must be KIND or KIND:N"), ("", "there is no damage ''"),
  ])
  func damageThatIsNot(_ list: String, _ text: String) {
    do throws(SettingsProblem) {
      _ = try Strike.list(list, over: 1000, countsRecords: false, seed: 1)
      Issue.record("it is")
    } catch {
      #expect(error.text.hasPrefix(text), "\(error.text)")
    }
  }
}
