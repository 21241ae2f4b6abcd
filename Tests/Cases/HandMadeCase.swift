import CaseStore
import Cases
import Exports
import Foundation
import GRDB
import Testing

/// A case whose rows were made by hand: two observers, two regions, two visits, three events and an
/// alert, with text that is up to no good.
enum HandMadeCase {
  /// A formula, the end of a line, an escape sequence, text turned around, a quote, a tag.
  static let hostile = "=cmd|' /C calc'!A0\r\n\u{1B}[31m\u{202E}\"</script>,"

  /// 2026-05-19T10:00:00Z.
  static let start: Int64 = 1_779_184_800_000_000_000
  static func ns(_ seconds: Double) -> Int64 { start + Int64(seconds * 1e9) }

  static func make(named name: String = hostile) throws -> CaseFile {
    let file = try CaseFile.temporary()
    try file.database.write { database in
      for (fact, seconds) in [("from_ns", 0.0), ("to_ns", 600)] {
        try database.execute(
          sql: "INSERT INTO facts VALUES (?, ?)", arguments: [fact, ns(seconds)])
      }
    }
    try file.insert([capture(name)])
    try file.insert([FileRow(role: "track", name: "walk.gpx")])
    try file.insert([
      ObserverRow(name: "north", fromNs: ns(0), toNs: ns(600), reports: 5),
      ObserverRow(name: name, reports: 4),
    ])
    try file.insert([
      BeaconRow(
        kind: "ibeacon", kindName: "iBeacon", identity: "f7826da6:1:7", groupName: "f7826da6",
        shortName: name, sightings: 9, firstNs: ns(1), lastNs: ns(599), encryptedTelemetry: 0,
        companions: 0)
    ])
    try file.insert([
      TransmitterRow(
        beaconId: 1, address: "c4:a1:00:00:01:02", addressType: "random_static", sightings: 9,
        observers: "north")
    ])
    try file.insert([ProfileRow(name: "site", numbers: "{}")])
    try file.insert([
      RegionRow(name: name, condition: "x", definition: "hall=ibeacon:f7826da6"),
      RegionRow(
        name: "yard", condition: "x", definition: "yard=circle:52.5,13.4,100", latitude: 52.5,
        longitude: 13.4, radiusM: 100),
    ])
    try fillEvents(file, name)
    try fillDrawn(file)
    return file
  }

  static func capture(_ name: String) -> CaptureRow {
    CaptureRow(
      name: name, bytes: 10, sha256: String(repeating: "a", count: 64), container: "pcapng",
      linkTypes: "254", fromNs: ns(0), toNs: ns(600), records: 9, advertising: 9, other: 0,
      malformed: 0, truncated: 0, crcFailed: 0, unsupported: 0, reports: 9, lostPackets: 0,
      stepBackNs: 0, stepForwardNs: 0, isDamaged: false)
  }

  private static func fillEvents(_ file: CaseFile, _ name: String) throws {
    try file.insert([
      StayRow(
        profileId: 1, observerId: 1, regionId: 1, sinceNs: ns(10.5), wasInsideAlready: false,
        untilNs: ns(70), durationNs: 59_500_000_000, lastSeenNs: ns(40), sightings: 5,
        grade: "gone", why: name, firstCaptureId: 1, firstFrame: 3),
      StayRow(
        profileId: 1, observerId: 2, regionId: 1, sinceNs: ns(100), wasInsideAlready: true,
        lastSeenNs: ns(590)),
    ])
    try file.insert([
      EventRow(
        event: "20c4e81f0b37a9d2", type: "enter", timeNs: ns(10.5), observerId: 1, regionId: 1,
        profileId: 1, transmitterId: 1, title: name,
        json: #"{"id":"20c4e81f0b37a9d2","type":"enter"}"#),
      EventRow(
        event: "00000000000000ff", type: "exit", timeNs: ns(70), observerId: 1, regionId: 1,
        profileId: 1, grade: "gone", title: "exit", json: #"{"id":"00000000000000ff"}"#),
      EventRow(
        event: "8000000000000001", type: "alert", timeNs: ns(70.000001), title: name,
        json: #"{"id":"8000000000000001","type":"alert"}"#),
      EventRow(
        event: "8000000000000002", type: "state", observerId: 1, regionId: 2, profileId: 1,
        title: "without a time", json: "{}"),
      EventRow(
        event: "8000000000000003", type: "enter", timeNs: ns(120), observerId: 1, regionId: 2,
        profileId: 1, title: "in the yard", json: #"{"latitude":52.5,"longitude":13.4}"#),
    ])
    try file.insert([
      AlertRow(
        eventId: 3, severity: "warning", title: name, text: name, plugin: "follower",
        pluginVersion: "1", pluginSha256: "00", dedupeKey: "k", heldBack: 0, fields: "{}")
    ])
    try file.insert([CitationRow(alertId: 1, event: "20c4e81f0b37a9d2")])
    try file.insert([
      EvidenceRow(eventId: 1, captureId: 1, number: 3),
      EvidenceRow(eventId: 2, captureId: 1, number: 5),
      EvidenceRow(eventId: 3, captureId: 1, number: 5),
      EvidenceRow(eventId: 5, fileId: 1, number: 12),
    ])
    try file.insert([
      FrameRow(
        captureId: 1, frame: 5, timeNs: ns(40), linkType: 254, rssi: -70,
        address: "c4:a1:00:00:01:02", bytes: Data([0, 0, 0, 3, 0x3E, 0])),
      FrameRow(
        captureId: 1, frame: 3, timeNs: ns(10.5), linkType: 254, bytes: Data([0, 0, 0, 3, 0x3E])),
    ])
  }

  private static func fillDrawn(_ file: CaseFile) throws {
    try file.insert([
      SignalBinRow(
        beaconId: 1, fromNs: ns(0), toNs: ns(10), sightings: 3, rssiMin: -80, rssiMedian: -70,
        rssiMax: -60),
      SignalBinRow(
        beaconId: 1, fromNs: ns(10), toNs: ns(20), sightings: 3, rssiMedian: -71),
      SignalBinRow(
        beaconId: 1, fromNs: ns(50), toNs: ns(60), sightings: 3, rssiMedian: -72),
    ])
    try file.insert([
      RangingRow(
        timeNs: ns(11), observerId: 1, regionId: 1, place: 1, transmitterId: 1, proximity: "near",
        accuracyM: 1.5, others: 0)
    ])
    try file.insert([
      FixRow(
        source: "track", fileId: 1, number: 1, timeNs: ns(0), latitude: 52.5, longitude: 13.4),
      FixRow(
        source: "track", fileId: 1, number: 2, timeNs: ns(20), latitude: 52.5, longitude: 13.42),
      FixRow(
        source: "track", fileId: 1, number: 3, timeNs: ns(80), latitude: 52.5, longitude: 13.44),
    ])
  }
}

/// What has been written.
final class CollectedBytes: TextOutput {
  private(set) var bytes: [UInt8] = []
  func write(_ bytes: [UInt8]) { self.bytes += bytes }
}

/// What a form makes of a case.
struct Exported {
  /// By file; of one file alone under the empty name.
  var files: [String: [UInt8]] = [:]
  var remarks: [String] = []

  init(_ name: String, _ file: CaseFile) throws {
    let form = try #require(CaseExports.named(name))
    var outputs: [String: CollectedBytes] = [:]
    switch form.shape {
    case .text(let write), .binary(let write):
      let collected = CollectedBytes()
      var output: any TextOutput = collected
      remarks = try write(file, &output)
      outputs[""] = collected
    case .folder(let write):
      remarks = try write(file) { name in
        let collected = CollectedBytes()
        outputs[name] = collected
        return collected
      }
    }
    files = outputs.mapValues(\.bytes)
  }

  var bytes: [UInt8] { files[""] ?? [] }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// By line feed alone.
  var lines: [String] {
    text.utf8.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}

@Suite("Forms of cases") struct CaseExportsTests {
  @Test("the same case gives the same bytes", arguments: CaseExports.all.map(\.name))
  func repeatable(_ name: String) throws {
    let first = try Exported(name, HandMadeCase.make())
    let second = try Exported(name, HandMadeCase.make())
    #expect(first.files == second.files)
    #expect(first.files.allSatisfy { !$0.value.isEmpty })
  }

  @Test("an empty case is no error", arguments: CaseExports.all.map(\.name))
  func empty(_ name: String) throws {
    _ = try Exported(name, CaseFile.temporary())
  }

  @Test("every form has a name of its own, a sentence, and what its files are called")
  func table() {
    #expect(Set(CaseExports.all.map(\.name)).count == CaseExports.all.count)
    for form in CaseExports.all {
      #expect(form.purpose.hasSuffix("."))
      #expect(!form.usualName.contains("/"))
      #expect(CaseExports.named(form.name)?.usualName == form.usualName)
    }
    #expect(CaseExports.named("parquet") == nil)
  }

  @Test(
    "no control character of a name stands in what is text",
    arguments: ["timesketch", "geojson", "eve", "ndjson", "csv"])
  func control(_ name: String) throws {
    let exported = try Exported(name, HandMadeCase.make())
    for (file, bytes) in exported.files {
      let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D }
      #expect(isPlain, "\(file)")
    }
  }
}
