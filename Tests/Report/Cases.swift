import CaseStore
import Exports
import Foundation
import GRDB

@testable import Report

/// Cases made by hand, and the page of them.
enum Cases {
  static let second: Int64 = 1_000_000_000
  /// 2026-05-19T10:00:00Z.
  static let start: Int64 = 1_779_184_800 * second
  static let hostile = "</script><img src=x onerror=alert(1)>\"'\u{202E}\u{1B}[31m\0"

  private final class Collected: TextOutput {
    var bytes: [UInt8] = []
    func write(_ more: [UInt8]) { bytes += more }
  }

  static func page(_ file: CaseFile, title: String? = nil) throws -> String {
    let output = Collected()
    try Report(file, title: title).write(to: output)
    // Blanks at which no line ends are blanks to whoever reads.
    return String(decoding: output.bytes, as: UTF8.self).replacing("\u{A0}", with: " ")
  }

  /// One observer, an hour, one region that is entered and left, one beacon.
  static func small(name: String = "lobby") throws -> CaseFile {
    let file = try CaseFile.temporary()
    try file.database.write { database in
      try database.execute(
        sql: """
          INSERT INTO facts VALUES ('tool_version', '1.2.3'), ('from_ns', \(start)),
            ('to_ns', \(start + 3600 * second)), ('default_regions', 0)
          """)
    }
    try file.insert([OptionRow(word: "--region"), OptionRow(word: "\(name)=ibeacon:1")])
    try file.insert([
      CaptureRow(
        name: "\(name).pcap", bytes: 1000, sha256: String(repeating: "ab", count: 32),
        container: "pcap", linkTypes: "251", fromNs: start, toNs: start + 3600 * second,
        records: 40, advertising: 38, other: 2, malformed: 0, truncated: 0, crcFailed: 0,
        unsupported: 0, reports: 38, lostPackets: 0, stepBackNs: 0, stepForwardNs: 0,
        isDamaged: false)
    ])
    try file.insert([
      ObserverRow(name: name, fromNs: start, toNs: start + 3600 * second, reports: 38)
    ])
    try file.insert([DeafRow(observerId: 1, fromNs: start, toNs: start + 360 * second)])
    try file.insert([
      BeaconRow(
        kind: "ibeacon", kindName: "iBeacon", identity: name, groupName: "", shortName: name,
        sightings: 30, firstNs: start, lastNs: start + 100 * second, rssiMin: -90, rssiMedian: -70,
        rssiMax: -60, powerMin: -59, powerMax: -59, powerAtM: 1, encryptedTelemetry: 0,
        companions: 0, warnings: name)
    ])
    try file.insert([
      TransmitterRow(
        beaconId: 1, address: "c0:00:00:00:00:01", addressType: "random", sightings: 30,
        observers: name)
    ])
    try file.insert([ProfileRow(name: "site", numbers: #"{"exit_after_s":30}"#)])
    try file.insert([RegionRow(name: name, condition: "ibeacon:1", definition: name)])
    try addVisit(to: file, name)
    return file
  }

  private static func addVisit(to file: CaseFile, _ name: String) throws {
    let (since, until) = (start + 600 * second, start + 1200 * second)
    try file.insert([
      StayRow(
        profileId: 1, observerId: 1, regionId: 1, sinceNs: since, wasInsideAlready: false,
        untilNs: until, durationNs: until - since, sightings: 30, grade: "deaf", why: name,
        nearestNs: since, nearestM: 1.2, nearestMinM: 0.8, nearestMaxM: 1.9)
    ])
    try file.insert([StateRow(profileId: 1, observerId: 1, regionId: 1, state: "outside")])
    try file.insert([
      SpanRow(observerId: 1, regionId: 1, fromNs: start, toNs: since, state: "outside"),
      SpanRow(observerId: 1, regionId: 1, fromNs: since, toNs: until, state: "inside"),
    ])
    try file.insert([
      EventRow(
        event: "00000000000000a1", type: "enter", timeNs: since, observerId: 1, regionId: 1,
        profileId: 1, state: "inside", title: "enter of \(name)", json: "{}"),
      EventRow(
        event: "00000000000000a2", type: "alert", timeNs: until, observerId: 1, regionId: 1,
        profileId: 1, title: "alert of \(name)", json: "{}"),
    ])
    try file.insert([
      AlertRow(
        eventId: 2, severity: "warning", title: "Beware of \(name)", text: name, plugin: name,
        pluginVersion: "1", pluginSha256: "", dedupeKey: "", heldBack: 2, fields: "{}")
    ])
    try file.insert([CitationRow(alertId: 1, event: "00000000000000a1")])
    try file.insert([
      StepRow(eventId: 1, label: "first match"),
      StepRow(eventId: 1, label: "therefore", text: name),
    ])
    try file.insert([
      FrameRow(
        captureId: 1, frame: 7, timeNs: since, rssi: -60, address: name,
        bytes: Data([0x04, 0x3E, 0xFF]))
    ])
    try file.insert([
      EvidenceRow(eventId: 1, captureId: 1, number: 7, words: name, marks: "[[\"uuid\",1,2]]")
    ])
  }
}
