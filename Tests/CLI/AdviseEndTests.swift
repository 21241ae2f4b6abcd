import Foundation
import Testing

/// Advice on beacons that are not heard any more at the end: their longest silence between two sightings is short.
@Suite("Advice on beacons that fell silent", .timeLimit(.minutes(60)))
struct AdviseEndTests {
  private let scratch: Scratch

  /// `1:1` dies a quarter of an hour before the end, `1:2` half a minute before it, `1:3` goes on.
  init() throws {
    scratch = try Scratch()
    let beacons = [(1, 900), (2, 1770), (3, 0)].map { minor, dies in
      """
      {"name": "b\(minor)", "kind": "ibeacon", "uuid": "\(SiteScene.uuid)", "major": 1, "minor": \(minor),
       "address": "c4:b0:00:00:01:0\(minor)", "at": [3, 1], "interval_ms": 1000\
      \(dies > 0 ? ", \"dies_s\": \(dies)" : "")}
      """
    }
    try scratch.synthesize(
      "hall",
      """
      {"name": "hall", "start": "2026-11-24T08:00:00Z", "duration_s": 1800, "observer": [[0, 0, 0]],
       "radio": {"exponent": 2.0, "noise_db": 3, "sensitivity_dbm": -96, "loss": 0.1},
       "scan": {"commands": "legacy", "interval_ms": 100, "window_ms": 100},
       "beacons": [\(beacons.joined(separator: ",\n"))]}
      """)
  }

  private func advise(_ words: String...) throws -> Run {
    let run = try Tool.run(["advise", "-q", "hall.btsnoop"] + words, in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    return run
  }

  @Test("they are marked, with the time since when; not what has been silent for a moment")
  func marked() throws {
    let told = try advise()
    #expect(told.lines.allSatisfy { $0.count <= 80 }, "\(told.output)")
    #expect(told.output.components(separatedBy: "! not heard since").count == 2, "\(told.output)")
    #expect(told.output.contains("! not heard since 2026-11-24 08:14:5"), "\(told.output)")
    #expect(told.output.contains("for 15 min"), "\(told.output)")
  }

  @Test("JSON has when each was heard last, and the silence behind it up to the end that counts")
  func json() throws {
    func silences(_ words: String...) throws -> [String: Double] {
      let run = try Tool.run(
        ["advise", "-q", "--format", "json", "hall.btsnoop"] + words, in: scratch.folder)
      let beacons = try JSON(run.bytes)["regions"]?.list?.first?["beacons"]?.list ?? []
      return Dictionary(
        uniqueKeysWithValues: beacons.map {
          (String($0["id"]?.text?.suffix(1) ?? ""), $0["silent_at_end_s"]?.number ?? -1)
        })
    }
    let all = try silences()
    #expect(abs((all["1"] ?? 0) - 900) < 10 && abs((all["2"] ?? 0) - 30) < 10, "\(all)")
    #expect((all["3"] ?? 99) < 10, "\(all)")
    let part = try silences("--to", "2026-11-24T08:20:00Z")
    #expect(abs((part["1"] ?? 0) - 300) < 10 && (part["2"] ?? 99) < 10, "\(part)")
  }
}
