import Foundation
import Testing

/// Advice on exit periods: the program, and that it counts what the engine says.
@Suite(.timeLimit(.minutes(60)))
struct AdviseTests {
  /// A hall with two beacons, one with telemetry, of which so much is lost.
  private static func record(
    _ loss: Double, window: (Int, of: Int) = (100, of: 100), in scratch: Scratch
  ) throws -> String {
    let tag: [String: Any] = [
      "name": "tag", "kind": "ibeacon", "uuid": "5a4bcfce-174e-4bac-a814-092e77f6b7e5",
      "major": 1, "minor": 1, "at": [1, 2], "interval_ms": 1000, "measured_power": -59,
    ]
    let climate: [String: Any] = [
      "name": "climate", "kind": "eddystone-uid", "namespace": "6c0e9a1f33d24f7f9b01",
      "instance": "000000000003", "at": [2, 2], "interval_ms": 500, "tx_power": -18,
      "telemetry_every": 10, "battery_mv": 3000, "temperature_c": 20,
    ]
    let scenario: [String: Any] = [
      "name": "hall", "summary": "hall", "start": "2026-05-11T08:00:00Z", "duration_s": 900,
      "radio": ["exponent": 2.0, "noise_db": 0, "sensitivity_dbm": -96, "loss": loss],
      "rooms": [], "observer": [[0, 0, 0]], "beacons": [tag, climate],
      "scan": [
        "commands": "legacy", "interval_ms": window.of, "window_ms": window.0,
        "pauses": [[300, 320]],
      ],
    ]
    try scratch.write(
      "hall.json", [UInt8](try JSONSerialization.data(withJSONObject: scenario)))
    let made = try Tool.run(
      "synth", "--scenario", "hall.json", "--out", "hall.btsnoop", in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    return scratch.folder.appending(path: "hall.btsnoop").path
  }

  /// Exits by region, observer and grade.
  private static func told(_ words: [String]) throws -> [String: Int] {
    let run = try Tool.run(["events", "-q", "--format", "ndjson"] + words)
    try #require(run.status == 0, "\(run.errors)")
    var counts: [String: Int] = [:]
    for line in run.lines {
      let event = try JSON(line)
      guard event["type"]?.text == "exit" else { continue }
      let parts = ["region", "observer", "grade"].map { event[$0]?.text ?? "" }
      counts[parts.joined(separator: " "), default: 0] += 1
    }
    return counts
  }

  private static func advised(_ words: [String]) throws -> [Double: [String: Int]] {
    let run = try Tool.run(["advise", "-q", "--format", "json"] + words)
    try #require(run.status == 0, "\(run.errors)")
    var counts: [Double: [String: Int]] = [:]
    for region in try JSON(run.bytes)["regions"]?.list ?? [] {
      let name = "\(region["region"]?.text ?? "") \(region["observer"]?.text ?? "") "
      for row in region["exit_periods"]?.list ?? [] {
        let period = try #require(row["exit_after_s"]?.number)
        for (key, grade) in [("gone", "gone"), ("thin", "thin"), ("graded_deaf", "deaf")] {
          let count = row[key]?.int ?? -1
          if count != 0 { counts[period, default: [:]][name + grade] = count }
        }
        let exits = row["exits"]?.int
        let classes = ["looks_false", "deaf", "stayed_away", "not_known"].compactMap {
          row[$0]?.int
        }
        let grades = ["gone", "thin", "graded_deaf"].compactMap { row[$0]?.int }
        #expect(classes.reduce(0, +) == exits && grades.reduce(0, +) == exits)
      }
    }
    return counts
  }

  private static func compare(_ words: [String], _ periods: [Double]) throws {
    let list = periods.map { "\($0)" }.joined(separator: ",")
    let advised = try advised(["--exit-after", list] + words)
    for period in periods {
      let told = try told(["--set", "exit_after=\(period)"] + words)
      #expect(advised[period] ?? [:] == told, "\(period) s of \(words)")
    }
  }

  @Test(
    "exits are those that events tells with each period",
    arguments: [
      [], ["--profile", "abl-legacy"], ["--profile", "core-location"],
      ["--region", "near=address:c4:a1:00:00:04:02,min_rssi=-80"],
      [
        "--region", "all=ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d", "--set", "scan_window=2",
        "--set", "scan_interval=5",
      ],
    ])
  func walk(_ words: [String]) throws {
    try Self.compare(words + [Captures.walk], [0.5, 3, 10, 43.42])
  }

  @Test("exits are those that events tells, of lossy captures", arguments: [0.1, 0.3, 0.6])
  func lossy(_ loss: Double) throws {
    let scratch = try Scratch()
    try Self.compare([try Self.record(loss, in: scratch)], [1.1, 3, 5, 10, 20, 30])
  }

  @Test("the shortest period that would have done does, and a little less does not")
  func exact() throws {
    let scratch = try Scratch()
    let capture = try Self.record(0.6, in: scratch)
    func regions(_ periods: String) throws -> [JSON] {
      let run = try Tool.run("advise", "-q", "--format", "json", "--exit-after", periods, capture)
      return try #require(try JSON(run.bytes)["regions"]?.list)
    }
    for (place, region) in try regions("3,30").enumerated() {
      let exact = try #require(region["shortest_exact_s"]?.number)
      // As nanoseconds: a sum of binary fractions has too many digits.
      let nanoseconds = Int((exact * 1e9).rounded())
      let texts = [nanoseconds - 1000, nanoseconds].map { (time: Int) -> String in
        let digits = String(time % 1_000_000_000 + 1_000_000_000).dropFirst()
        return "\(time / 1_000_000_000).\(digits)"
      }
      let around = try regions(texts.joined(separator: ","))[place]["exit_periods"]?.list ?? []
      #expect((around[0]["looks_false"]?.int ?? 0) > 0)
      #expect(around[1]["looks_false"]?.int == 0 && around[1]["exit_after_s"]?.number == exact)
    }
  }

  @Test(
    "interval and loss of a beacon are those that it was made with", arguments: [0.1, 0.3, 0.6])
  func pace(_ loss: Double) throws {
    let scratch = try Scratch()
    let capture = try Self.record(loss, in: scratch)
    let run = try Tool.run("advise", "-q", "--format", "json", capture)
    let regions = try #require(try JSON(run.bytes)["regions"]?.list)
    for (name, interval) in [("ibeacon", 1005.0), ("eddystone-uid", 505)] {
      let beacon = try #require(
        regions.flatMap { $0["beacons"]?.list ?? [] }.first { $0["kind"]?.text == name })
      #expect(beacon["loss_by"]?.text == (name == "ibeacon" ? "gaps" : "adv_cnt"))
      #expect(abs((beacon["loss"]?.number ?? 0) - loss) < 0.04)
      #expect(abs((beacon["interval_ms"]?.number ?? 0) - interval) < 0.03 * interval)
      // One of ten is telemetry, and so is never heard as the beacon's own.
      let missed = name == "ibeacon" ? loss : 1 - 0.9 * (1 - loss)
      #expect(abs((beacon["missed"]?.number ?? 0) - missed) < 0.04)
    }
  }

  @Test(
    "of a radio that listens a part of the time neither interval nor loss is told, but for how long it did"
  )
  func partly() throws {
    let scratch = try Scratch()
    let capture = try Self.record(0.05, window: (1000, of: 4000), in: scratch)
    let run = try Tool.run("advise", "-q", capture)
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains(" of scanning, of which the radio listened for 3 min 39 s (25 %)"), "\(words)")
    #expect(
      words.contains("the radio listened 25 % of the time: its gaps tell neither interval nor loss")
    )
    #expect(!words.contains("expected a day"))
    let json = try JSON(try Tool.run("advise", "-q", "--format", "json", capture).bytes)
    let place = try #require(json["regions"]?.list?.first)
    let (inside, listened) = (place["inside_s"]?.number ?? 0, place["listened_s"]?.number ?? 0)
    #expect(abs(listened / inside - 0.25) < 0.01)
    let beacon = try #require(place["beacons"]?.list?.first)
    #expect(beacon["not_known_for"]?.text == "radio_listened_partly")
    #expect(beacon["interval_ms"] == .null && beacon["loss"] == .null)
  }

  @Test("people read it in 80 columns, and the same twice")
  func text() throws {
    let run = try Tool.run("advise", Captures.walk)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(run.output)")
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains(
        "60 s is the shortest of these without an exit that looks false (43.42 s would have done).")
    )
    #expect(words.contains("fewer than"))
    // Three seconds agree with the model; what was out of reach for longer shows in thirty alone.
    #expect(
      words.contains(
        "Silences of single beacons over 30 s: under 0.01 expected here, 6 heard: losses come together"
      ))
    #expect(try Tool.run("advise", Captures.walk).bytes == run.bytes)
  }

  @Test(
    "what it cannot take is refused",
    arguments: [
      (["--exit-after", "0"], "must be above 0"), (["--exit-after", "3,x"], "no span of time"),
      (["--profile", "site,abl-legacy"], "one profile"),
      (["--returned-within", "soon"], "no span of time"),
    ])
  func refused(_ words: [String], _ complaint: String) throws {
    let run = try Tool.run(["advise"] + words + [Captures.walk])
    #expect(run.status == 64 && run.errors.contains(complaint), "\(run.errors)")
  }
}
