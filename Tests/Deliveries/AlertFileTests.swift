import Analysis
import CaptureReader
import Deliveries
import Exports
import Foundation
import Testing

/// Alerts to files, in the shape of `eve.json`.
@Suite struct AlertFileTests {
  @Test("lines are appended to what is there, in order")
  func appends() throws {
    let place = try Receiving()
    try Data("{\"before\":1}\n".utf8).write(to: URL(filePath: place.path("eve.json")))
    let file = try AlertFile(place.path("eve.json"))
    for number in 0..<200 { file.deliver(Receiving.alert(number)) }
    file.finish(waiting: 60)
    #expect(
      place.lines("eve.json") == ["{\"before\":1}"] + (0..<200).map { "{\"n\":\($0),\"x\":\"\"}" })
    #expect(file.counts.delivered == 200)
  }

  @Test("what holds something else than JSON lines is left as it is")
  func foreign() throws {
    let place = try Receiving()
    let pcapng: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A, 0x1C, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A]
    for bytes in [
      Array("SQLite format 3\0".utf8), Array("a note\n".utf8), pcapng, Array("{\0}".utf8),
    ] {
      let url = URL(filePath: place.path("there"))
      try Data(bytes).write(to: url)
      #expect {
        _ = try AlertFile(place.path("there"))
      } throws: {
        ($0 as? DeliveryProblem)?.isForeign == true
      }
      #expect(throws: DeliveryProblem.self) { _ = try UndeliveredFile(place.path("there")) }
      #expect(try Data(contentsOf: url) == Data(bytes))
    }
    // The last two are what a power cut may leave.
    for text in ["", "{\"a\":1}\n\0\0\0", "\0\0\0\0"] {
      try Data(text.utf8).write(to: URL(filePath: place.path("there")))
      _ = try AlertFile(place.path("there"))
    }
  }

  @Test("a line that was cut off does not swallow the next one")
  func torn() throws {
    let place = try Receiving()
    try Data("{\"n\":0}\n{\"part".utf8).write(to: URL(filePath: place.path("eve.json")))
    let file = try AlertFile(place.path("eve.json"))
    file.deliver(Receiving.alert(1))
    file.deliver(Receiving.alert(2))
    file.finish(waiting: 60)
    #expect(
      place.lines("eve.json")
        == ["{\"n\":0}", "{\"part", "{\"n\":1,\"x\":\"\"}", "{\"n\":2,\"x\":\"\"}"])
  }

  @Test("a file that was moved away goes on until it is opened again")
  func rotatesLogs() throws {
    let place = try Receiving()
    let file = try AlertFile(place.path("eve.json"))
    file.deliver(Receiving.alert(1))
    file.finish(waiting: 60)
    try FileManager.default.moveItem(atPath: place.path("eve.json"), toPath: place.path("eve.1"))
    file.deliver(Receiving.alert(2))
    file.reopen()
    file.deliver(Receiving.alert(3))
    file.finish(waiting: 60)
    #expect(place.lines("eve.1").count == 2)
    #expect(place.lines("eve.json") == ["{\"n\":3,\"x\":\"\"}"])
  }

  @Test("a file that was removed is made anew by itself")
  func removed() throws {
    let place = try Receiving()
    let file = try AlertFile(place.path("eve.json"))
    file.deliver(Receiving.alert(1))
    file.finish(waiting: 60)
    try FileManager.default.removeItem(atPath: place.path("eve.json"))
    file.deliver(Receiving.alert(2))
    file.finish(waiting: 60)
    #expect(place.lines("eve.json") == ["{\"n\":2,\"x\":\"\"}"])
    #expect(file.counts.delivered == 2)
  }

  @Test("what cannot be written is counted and kept")
  func writeErrors() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    var settings = DeliverySettings()
    settings.undelivered = kept
    let file = try AlertFile("/dev/full", settings)
    file.deliver(Receiving.alert(1))
    file.finish(waiting: 60)
    kept.finish()
    #expect(file.counts.delivered == 0)
    #expect(file.counts.undelivered == [.writeError: 1])
    #expect(file.counts.problem == "/dev/full: no space left on device")
    #expect(try Kept.lines(place, "kept").map(\.reason) == ["write_error"])
  }

  /// A link that leads to a full disk, and then to a file.
  private func fullFile(_ place: Receiving, _ change: (inout DeliverySettings) -> Void = { _ in })
    throws -> AlertFile
  {
    try FileManager.default.createSymbolicLink(
      atPath: place.path("eve.json"), withDestinationPath: "/dev/full")
    var settings = DeliverySettings()
    change(&settings)
    return try AlertFile(place.path("eve.json"), settings)
  }

  private func makeRoom(_ place: Receiving) throws {
    try FileManager.default.removeItem(atPath: place.path("eve.json"))
    try Data().write(to: URL(filePath: place.path("eve.json")))
  }

  private func awaitMiss(_ file: AlertFile) {
    for _ in 0..<1000 where file.counts.missed == 0 { usleep(10_000) }
  }

  @Test("what cannot be written waits, and comes in its order when it can be")
  func triesAgain() throws {
    let place = try Receiving()
    let file = try fullFile(place) { $0.pauses = [1000] }
    for number in 0..<3 { file.deliver(Receiving.alert(number)) }
    awaitMiss(file)
    #expect(file.waiting == 3 && file.counts.retrying == 1 && file.counts.undeliveredTotal == 0)
    try makeRoom(place)
    file.reopen()
    file.deliver(Receiving.alert(3))
    file.finish(waiting: 60)
    #expect(place.lines("eve.json") == (0..<4).map { "{\"n\":\($0),\"x\":\"\"}" })
    #expect(file.counts.delivered == 4 && file.counts.retrying == 0 && file.waiting == 0)
    #expect(file.counts.undeliveredTotal == 0)
  }

  @Test("is tried again by itself, and for as long as the run lasts")
  func triesByItself() throws {
    let place = try Receiving()
    let file = try fullFile(place) { $0.pauses = [0.01] }
    file.deliver(Receiving.alert(0))
    for _ in 0..<1000 where file.counts.missed < 5 { usleep(10_000) }
    #expect(file.counts.missed >= 5 && file.counts.undeliveredTotal == 0)
    file.finish(waiting: 60)
    #expect(file.counts.undelivered == [.writeError: 1] && file.counts.retrying == 0)
  }

  @Test("of more than may wait the mildest go, of those as mild the latest")
  func noRoom() throws {
    let place = try Receiving()
    let kept = try UndeliveredFile(place.path("kept"))
    let file = try fullFile(place) {
      ($0.pauses, $0.mostWaiting, $0.undelivered) = ([1000], 3, kept)
    }
    let severities: [Alert.Severity] = [.info, .notice, .warning, .notice, .critical]
    for (number, severity) in severities.enumerated() {
      file.deliver(AlertLine(bytes: Array("{\"n\":\(number)}".utf8), severity: severity))
      awaitMiss(file)
    }
    #expect(file.counts.undelivered == [.queueFull: 2])
    try makeRoom(place)
    file.reopen()
    file.finish(waiting: 60)
    // The first was on its way.
    #expect(place.lines("eve.json") == ["{\"n\":0}", "{\"n\":2}", "{\"n\":4}"])
  }

  @Test("a file that cannot be kept open again leaves the old one")
  func reopenFails() throws {
    let place = try Receiving()
    try FileManager.default.createDirectory(
      atPath: place.path("logs"), withIntermediateDirectories: true)
    let file = try AlertFile(place.path("logs/eve.json"))
    try FileManager.default.moveItem(atPath: place.path("logs"), toPath: place.path("old"))
    file.reopen()
    file.deliver(Receiving.alert(1))
    file.finish(waiting: 60)
    #expect(file.counts.notReopened?.contains("cannot be opened again") == true)
    #expect(place.lines("old/eve.json").count == 1)
    try FileManager.default.moveItem(atPath: place.path("old"), toPath: place.path("logs"))
    file.reopen()
    file.finish(waiting: 60)
    #expect(file.counts.notReopened == nil)
  }

  @Test("a place that cannot be written to is said at once")
  func noSuchFolder() {
    let problem = #expect(throws: DeliveryProblem.self) {
      _ = try AlertFile("/no/such/folder/eve.json")
    }
    #expect(problem?.what.contains("no such file or directory") == true)
  }

  @Test("what waits for the file is counted, and given up when that is said")
  func waiting() throws {
    let place = try Receiving()
    let file = try AlertFile(place.path("a"))
    #expect(file.waiting == 0)
    file.giveUp()
    file.deliver(AlertLine(bytes: Array("{}\n".utf8), severity: .info))
    file.finish(waiting: 10)
    #expect(file.waiting == 0)
    #expect(file.counts.delivered == 0 && file.counts.undeliveredTotal == 1)
  }
}

/// The shape of a line.
@Suite struct EVELineTests {
  static func alert(_ severity: Alert.Severity, plugin: String = "follower") -> Alert {
    Alert(
      time: Timestamp(nanoseconds: 1_779_184_800_123_456_789), severity: severity,
      title: "A \"tag\"\nfollows",
      rule: Alert.Rule(plugin: plugin, version: "1.2", sha256: "00"))
  }

  @Test("as Suricata writes it, with the event's own fields behind")
  func shape() {
    let line = EVELine.bytes(
      Self.alert(.warning), event: Array("{\"id\":\"00ff\"}\n".utf8), frame: 12)
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"timestamp":"2026-05-19T10:00:00.123456+0000","event_type":"alert","pcap_cnt":12,"#
        + #""alert":{"action":"allowed","gid":1,"signature_id":1195843271,"#
        + #""signature":"A \"tag\"\nfollows","category":"follower","severity":2},"#
        + #""beacontrace":{"id":"00ff"}}"#)
  }

  @Test("1 is the severest")
  func severities() throws {
    struct Line: Decodable {
      struct Alert: Decodable { let severity: Int }
      let alert: Alert
    }
    let found = try Alert.Severity.allCases.map {
      let line = EVELine.bytes(Self.alert($0), event: Array("{}".utf8), frame: nil)
      return try JSONDecoder().decode(Line.self, from: Data(line)).alert.severity
    }
    #expect(Alert.Severity.allCases == [.info, .notice, .warning, .critical])
    #expect(found == [4, 3, 2, 1])
  }

  @Test("an alert without a time or a frame is a line all the same")
  func withoutTime() throws {
    var alert = Self.alert(.info)
    alert.time = .none
    let line = EVELine.bytes(alert, event: Array("{}".utf8), frame: nil)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    #expect(object["timestamp"] is NSNull)
    #expect(object["pcap_cnt"] == nil)
  }
}
