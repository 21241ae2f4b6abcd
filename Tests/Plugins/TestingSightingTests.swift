import Foundation
import Plugins
import Testing

/// What a test writes by hand is what a plugin hears.
@Suite("Sightings of a test", .timeLimit(.minutes(60)))
struct TestingSightingTests {
  struct Heard: Sendable, CustomTestStringConvertible {
    let entry: String
    /// Names of fields and their values, as print shows them.
    let fields: [String: String]
    var testDescription: String { entry }
    init(_ entry: String, _ fields: [String: String]) {
      self.entry = entry
      self.fields = fields
    }
  }

  private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

  static let cases = [
    Heard(
      "ibeacon = '\(uuid):1:65535', rssi = -127",
      [
        "kind": "ibeacon", "uuid": uuid, "major": "1", "minor": "65535", "measured_power": "-59",
        "rssi": "-127", "address": "c0:00:00:00:00:01", "address_type": "random_static",
        "time": "1767225600.25",
      ]),
    Heard(
      "ibeacon = '\(uuid):0:0', measured_power = -70, address = '00:11:22:33:44:55', "
        + "address_type = 'public'",
      [
        "measured_power": "-70", "address": "00:11:22:33:44:55", "address_type": "public",
        "rssi": "-60",
      ]),
    Heard(
      "eddystone = 'EDD1EBEAC04E5DEFA017:0000FDD1549A', tx_power = 4",
      [
        "kind": "eddystone-uid", "id": "edd1ebeac04e5defa017:0000fdd1549a", "tx_power": "4",
      ]),
    Heard(
      "url = 'https://www.example.com/a'",
      ["kind": "eddystone-url", "url": "https://www.example.com/a", "tx_power": "-18"]),
    Heard(
      "eid = 'a1b2c3d4e5f60718'", ["kind": "eddystone-eid", "eid": "a1b2c3d4e5f60718"]),
    Heard(
      "altbeacon = '2f234454cf6d4a0fadf2f4911ba9ffa600010002', measured_power = -66",
      [
        "kind": "altbeacon", "id": "2f234454cf6d4a0fadf2f4911ba9ffa600010002",
        "measured_power": "-66",
      ]),
    Heard(
      "altbeacon = '2f234454-cf6d-4a0f-adf2-f4911ba9ffa6:1:2'",
      ["id": "2f234454cf6d4a0fadf2f4911ba9ffa600010002", "measured_power": "-59"]),
    Heard(
      "eddystone_tlm = { battery_mv = 2900, temperature_c = -3.5, adv_count = 7, uptime_s = 12.3 }",
      [
        "kind": "eddystone-tlm", "battery_mv": "2900", "temperature_c": "-3.5", "adv_count": "7",
        "uptime_s": "12.3",
      ]),
    Heard("eddystone_tlm = {}", ["battery_mv": "nil", "temperature_c": "nil", "adv_count": "0"]),
    Heard(
      "eddystone_etlm = '000102030405060708090a0b0c0d0e0f'",
      [
        "kind": "eddystone-etlm", "ciphertext": "000102030405060708090a0b", "salt": "0c0d",
        "mic": "0e0f",
      ]),
    Heard(
      "adv_data = '0201060303aafe0e16aafe10ee036578616d706c6500'", ["url": "https://example.com/"]),
  ]

  @Test("are heard as they are written", arguments: cases)
  func entriesAreHeard(_ heard: Heard) throws {
    let names = heard.fields.keys.sorted()
    let plugin = """
      on("sighting", function(s)
        \(names.map { "print(\"\($0)\", s.\($0))" }.joined(separator: "\n"))
      end)
      """
    let lines = names.map { "\"\($0)\\t\(heard.fields[$0] ?? "")\"" }.joined(separator: ",\n")
    let test = "sightings = { { at = 0.25, \(heard.entry) } }, alerts = {},\nprint = { \(lines) }"
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("of other advertisers reach decoders") func decodersAreAsked() throws {
    let plugin = """
      decoder "a" { company = 0x0499, decode = function(ad) return { id = ad.data } end }
      decoder "b" { service = 0xFCD2, decode = function(ad) return { id = ad.data } end }
      on("sighting", function(s) print(s.id) end)
      """
    let test = """
      sightings = {
        { at = 0, manufacturer = 0x0499, data = "\(String(repeating: "41", count: 27))" },
        { at = 1, service = 0xFCD2, data = "4243" },
      },
      alerts = {}, print = { "a:\(String(repeating: "A", count: 27))", "b:BC" },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("are repeated up to the last moment, and put in order of time")
  func repeatsComeInOrder() throws {
    let plugin = "on('sighting', function(s) print(s.address:sub(-1), s.time - 1767225600) end)"
    let test = """
      sightings = {
        { at = 0.2, ["until"] = 0.5, every = 0.1, url = "https://a.com/" },
        { at = 0.4, url = "https://b.com/" }, { at = 0, url = "https://c.com/" },
      },
      alerts = {}, finish = function() end,
      print = { "3\\t0.0" },
      """
    let lines = try TestingFolder.outcome(plugin, test).lines
    let came = lines.compactMap {
      $0.hasPrefix("  + ") || $0.hasPrefix("> + ") ? $0.dropFirst(4).first : nil
    }
    #expect(String(came) == "11121")
  }

  @Test("have addresses of their own where none is written; the radio's doings are told")
  func theRadioIsObeyed() throws {
    let plugin = """
      on("observer", function(e) print(e.what, e.observer, e.time - 1767225600) end)
      on("sighting", function(s) print(s.address) end)
      """
    let test = """
      sightings = {
        { at = 0, url = "https://a.com/" }, { at = 1, url = "https://a.com/" },
        { at = 2, scan = "on" }, { at = 3, scan = "off" },
      },
      alerts = {},
      print = {
        "recording_on\\ttest\\t0.0", "c0:00:00:00:00:01", "c0:00:00:00:00:02",
        "scan_on\\ttest\\t2.0", "scan_off\\ttest\\t3.0", "recording_off\\ttest\\t3.0",
      },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("are in no capture between two of them")
  func recordingsEnd() throws {
    let plugin = """
      on("observer", function(e) print(e.what, e.capture, e.frame, e.time - 1767225600) end)
      on("sighting", function(s) print(s.capture, s.frame) end)
      """
    let test = """
      sightings = {
        { at = 0, ["until"] = 9, every = 3, url = "https://a.com/" },
        { at = 4, recording = "off" }, { at = 9, recording = "on" },
      },
      alerts = {},
      print = {
        "recording_on\\ttest.btsnoop\\t1\\t0.0", "test.btsnoop\\t1", "test.btsnoop\\t2",
        "recording_off\\ttest.btsnoop\\t3\\t4.0", "recording_on\\ttest 2.btsnoop\\t1\\t9.0",
        "recording_off\\ttest 2.btsnoop\\t1\\t9.0",
      },
      """
    #expect(
      try TestingFolder.outcome(plugin, test).lines.filter { $0.contains("recording") } == [])
  }
}
