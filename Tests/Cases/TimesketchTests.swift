import CaseStore
import Foundation
import GRDB
import Testing

@Suite("Timesketch lines") struct TimesketchTests {
  @Test("hold what Timesketch asks for, and its time twice the same")
  func requiredFields() throws {
    let form = ISO8601DateFormatter()
    form.formatOptions = [.withInternetDateTime]
    let objects = try Exported("timesketch", HandMadeCase.make()).objects()
    #expect(objects.count == 8)
    for object in objects {
      let message = try #require(object["message"] as? String)
      #expect(!message.isEmpty)
      #expect((object["timestamp_desc"] as? String)?.isEmpty == false)
      let text = try #require(object["datetime"] as? String)
      // Foundation reads no microseconds: they are compared as digits.
      let match = try #require(
        text.wholeMatch(of: /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})\+00:00/))
      let date = try #require(form.date(from: "\(match.1)Z"))
      let digits = try #require(Int(match.2))
      #expect(object["timestamp"] as? Int == Int(date.timeIntervalSince1970) * 1_000_000 + digits)
      // Lists of text, or plain values: nothing that Timesketch would have to flatten.
      #expect(object.values.allSatisfy { $0 is String || $0 is NSNumber || $0 is [String] })
    }
  }

  @Test("say what happened, where, and what proves it")
  func fields() throws {
    let objects = try Exported("timesketch", HandMadeCase.make(named: "hall")).objects()
    let entry = try #require(objects.first { $0["event_id"] as? String == "20c4e81f0b37a9d2" })
    #expect(entry["message"] as? String == "hall")
    #expect(entry["datetime"] as? String == "2026-05-19T10:00:10.500000+00:00")
    #expect(entry["timestamp_desc"] as? String == "Event Time")
    #expect(entry["data_type"] as? String == "beacontrace:event")
    #expect(entry["region"] as? String == "hall")
    #expect(entry["observer"] as? String == "north")
    #expect(entry["address"] as? String == "c4:a1:00:00:01:02")
    #expect(entry["identity"] as? String == "f7826da6:1:7")
    #expect(entry["capture"] as? String == "hall")
    #expect(entry["frame"] as? Int == 3)
    #expect(entry["evidence"] as? [String] == ["hall frame 3"])
    #expect(entry["tag"] as? [String] == ["enter"])
    let exit = try #require(objects.first { $0["event_type"] as? String == "exit" })
    #expect(
      exit["message"] as? String
        == "exit: gone, the observer heard others, and a beacon still there is seldom so silent")
    let alert = try #require(objects.first { $0["timestamp_desc"] as? String == "Alert Time" })
    #expect(alert["message"] as? String == "warning: hall (follower): hall")
    #expect(alert["datetime"] as? String == "2026-05-19T10:01:10.000001+00:00")
    #expect(alert["tag"] as? [String] == ["alert", "warning"])
    #expect(alert["severity"] as? String == "warning")
    let kinds = objects.compactMap { $0["timestamp_desc"] as? String }
    #expect(kinds.prefix(4) == ["Capture Begin", "Capture End", "First Seen", "Last Seen"])
    let track = try #require(objects.last)
    #expect(track["evidence"] as? [String] == ["walk.gpx line 12"])
    #expect(track["capture"] == nil)
  }

  @Test("events without a time are told, not written")
  func withoutTime() throws {
    let exported = try Exported("timesketch", HandMadeCase.make())
    #expect(exported.remarks == ["1 event without a time left out"])
    #expect(!exported.text.contains("8000000000000002"))
  }

  @Test("a message is one line without anything that turns or colours it")
  func message() throws {
    let objects = try Exported("timesketch", HandMadeCase.make()).objects()
    for object in objects {
      let message = try #require(object["message"] as? String)
      #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
    // Fields are what they were.
    #expect(objects.contains { $0["region"] as? String == HandMadeCase.hostile })
  }

  @Test(
    "times before 1970 count downwards",
    arguments: [
      (Int64(-1), "1969-12-31T23:59:59.999999+00:00", -1),
      (-1000, "1969-12-31T23:59:59.999999+00:00", -1), (999, "1970-01-01T00:00:00.000000+00:00", 0),
    ])
  func early(_ time: Int64, _ text: String, _ number: Int) throws {
    let file = try CaseFile.temporary()
    try file.insert([
      EventRow(event: "00000000000000ff", type: "x", timeNs: time, title: "x", json: "{}")
    ])
    let object = try #require(try Exported("timesketch", file).objects().first)
    #expect(object["datetime"] as? String == text)
    #expect(object["timestamp"] as? Int == number)
  }
}

@Suite("EVE lines of a case") struct EVEExportTests {
  @Test("are those of live alerts, with the case's event in them")
  func shape() throws {
    let lines = try Exported("eve", HandMadeCase.make(named: "a \"tag\"")).lines
    #expect(
      lines == [
        #"{"timestamp":"2026-05-19T10:01:10.000001+0000","event_type":"alert","pcap_cnt":5,"#
          + #""alert":{"action":"allowed","gid":1,"signature_id":1195843271,"#
          + #""signature":"a \"tag\"","category":"follower","severity":2},"#
          + #""beacontrace":{"id":"8000000000000001","type":"alert"}}"#
      ])
  }

  @Test("a case that has been changed to say nonsense is refused")
  func severity() throws {
    let file = try HandMadeCase.make()
    try file.database.write { try $0.execute(sql: "UPDATE alerts SET severity = 'loud'") }
    #expect(throws: (any Error).self) { try Exported("eve", file) }
  }

  @Test("captures and beacons without a time are told once each") func endsWithoutTime() throws {
    let file = try HandMadeCase.make()
    try file.database.write {
      try $0.execute(
        sql: """
          UPDATE captures SET from_ns = NULL, to_ns = NULL;
          UPDATE beacons SET first_ns = NULL, last_ns = NULL
          """)
    }
    let exported = try Exported("timesketch", file)
    #expect(
      exported.remarks == [
        "1 capture without a time left out", "1 beacon without a time left out",
        "1 event without a time left out",
      ])
    #expect(try exported.objects().count == 4)
  }
}
