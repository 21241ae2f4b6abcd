import Foundation
import Testing

/// Since when something is otherwise, and who changed places, as it is told.
@Suite("what compare says of moments and places", .timeLimit(.minutes(60)))
struct ComparedMomentsTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func beacon(_ minor: Int, _ x: Int, _ more: [String: Any] = [:]) -> [String: Any] {
    let own: [String: Any] = [
      "name": "b\(minor)", "kind": "ibeacon", "uuid": "5a4bcfce-174e-4bac-a814-092e77f6b7e5",
      "major": 1, "minor": minor, "address": "c4:b0:00:00:01:0\(minor)", "at": [x, 2],
      "interval_ms": 1000, "measured_power": -59, "signal_dbm": -59,
    ]
    return own.merging(more) { $1 }
  }

  /// Ten minutes, heard by two receivers that do not reach as far as the other one.
  /// - Parameter south: how far that one stands beside its place, metres.
  private func record(
    _ side: String, on day: String, _ beacons: [[String: Any]], south: Int = 0
  ) throws {
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: side), withIntermediateDirectories: true)
    for (name, x) in [("north", 0), ("south", 900)] {
      let scenario: [String: Any] = [
        "name": name, "start": "\(day)T08:00:00Z", "duration_s": 600,
        "radio": ["exponent": 2.0, "noise_db": 2, "sensitivity_dbm": -96, "loss": 0.1],
        "rooms": [], "observer": [[0, x, name == "south" ? south : 0]], "beacons": beacons,
        "scan": ["commands": "legacy", "interval_ms": 100, "window_ms": 100, "pauses": []],
      ]
      try scratch.write(
        "\(name).json", [UInt8](try JSONSerialization.data(withJSONObject: scenario)))
      let made = try Tool.run(
        "synth", "--scenario", "\(name).json", "--out", "\(side)/\(name).btsnoop",
        in: scratch.folder)
      try #require(made.status == 0, "\(made.errors)")
    }
  }

  /// 1 and 2 changed places, 3 sends less often and 4 is copied from the middle on.
  @Test("an interval, a copy and two that changed places have their moments and each other")
  func told() throws {
    let still = (5...8).map { Self.beacon($0, $0 % 2 * 900) }
    try record(
      "before", on: "2026-05-11",
      still + [
        Self.beacon(1, 2), Self.beacon(2, 902), Self.beacon(3, 3), Self.beacon(4, 4),
      ])
    try record(
      "after", on: "2026-05-18",
      still + [
        Self.beacon(1, 902), Self.beacon(2, 2), Self.beacon(3, 3, ["dies_s": 300]),
        Self.beacon(3, 3, ["name": "slow", "appears_s": 300.5, "interval_ms": 3000]),
        Self.beacon(4, 4),
        Self.beacon(
          4, 5, ["name": "copy", "address": "e7:0d:5c:31:9a:42", "appears_s": 300]),
      ])
    let run = try Tool.run("compare", "before", "after", in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    for sentence in [
      "sightings; 5a4b…b7e5:1:2 is heard where it was: they may have changed places",
      "sightings; 5a4b…b7e5:1:1 is heard where it was: they may have changed places",
      "5a4b…b7e5:1:3 1.0 s → 3.0 s, since about 2026-05-18 08:0",
      "several devices or a clone; e7:0d:5c:31:9a:42, first heard 2026-05-18 08:05:0",
    ] {
      #expect(words.contains(sentence), "\(sentence)\n\(run.output)")
    }
    #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(run.output)")
    try inJSON()
    let all = try Tool.run("analyze", "after", in: scratch.folder)
    let said = all.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      said.contains("; e7:0d:5c:31:9a:42 was first heard 2026-05-18 08:05:0"), "\(all.output)")
  }

  /// Nine beacons at the one that was moved, of which one sends less often: that is compared.
  @Test("what is not compared of a receiver that was moved is told as that")
  func moved() throws {
    let still = (1...8).map { Self.beacon($0, 900) }
    let north = (1...3).map {
      Self.beacon(10 + $0, 0, ["address": "c4:b0:00:00:02:0\($0)"])
    }
    try record("before", on: "2026-05-11", still + north + [Self.beacon(9, 900)])
    try record(
      "after", on: "2026-05-18", still + north + [Self.beacon(9, 900, ["interval_ms": 4000])],
      south: 22)
    let run = try Tool.run("compare", "before", "after", in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains(
        "The radio of south was moved, is another one, or something stands in its way. Its signals, "
          + "and how often it hears somebody, are not compared, and who is missing may be out of its reach."
      ),
      "\(run.output)")
    #expect(words.contains("5a4b…b7e5:1:9 1.0 s → 4.0 s"), "\(run.output)")
  }

  private func inJSON() throws {
    let run = try Tool.run("compare", "--format", "json", "before", "after", in: scratch.folder)
    let changed = try JSON(run.bytes)["changed"]?.list ?? []
    let changes = changed.flatMap {
      ($0["changes"]?.list ?? []) + ($0["changes_lately"]?.list ?? [])
    }
    func first(_ what: String) -> JSON? { changes.first { $0["what"]?.text == what } }
    #expect(first("interval_ms")?["since"]?.text?.hasPrefix("2026-05-18T08:0") == true)
    #expect(first("addresses_at_once")?["added_first_seen"]?.list?.count == 1)
    #expect(
      first("heard_by")?["changed_places_with"]?["id"]?.text?.hasPrefix("5a4bcfce") == true,
      "\(run.output)")
  }
}
