import Foundation
import Testing

/// What `info` and `analyze` say, against the index of the captures.
@Suite(.timeLimit(.minutes(60)))
struct DocumentTests {
  @Test(arguments: Captures.rows)
  func infoSaysWhatTheIndexSays(_ row: IndexRow) throws {
    let run = try Tool.run("info", "--format", "json", row.file)
    #expect(run.status == 0)
    let capture = try #require(try JSON(run.bytes)["captures"]?.list?.first)
    try Self.compare(capture, row)
    let text = try Tool.run("info", row.file)
    #expect(text.lines.contains("  sha256      \(row.sha256)"))
    Self.expectNarrow(text)
  }

  private static func compare(_ capture: JSON, _ row: IndexRow) throws {
    #expect(capture["capture"]?.text == row.file)
    #expect(capture["sha256"]?.text == row.sha256)
    #expect(capture["container"]?.text == row.container)
    #expect(capture["compression"] == row.compression.map { .text($0) } ?? .null)
    #expect(capture["reports"]?.int == row.reports)
    #expect(capture["damage"]?.list?.isEmpty == true)
    let records = try #require(capture["records"]?.members)
    let total = try #require(records["total"]?.int)
    let classes = records.filter { $0.key != "total" }.values.compactMap(\.int)
    #expect(total == row.records)
    #expect(classes.reduce(0, +) == total)
    let labels = capture["other_advertisers"]?.members?.compactMapValues(\.int)
    #expect(labels?.filter { $0.key != "unlabelled" } == row.labels)
    let reasons = capture["reasons"]?.members?.values.flatMap { $0.list ?? [] } ?? []
    let codes = ((capture["warnings"]?.list ?? []) + reasons).map { entry in
      (entry["code"]?.text ?? "?", entry["count"]?.int ?? 0)
    }
    #expect(Dictionary(codes, uniquingKeysWith: +) == row.codes)
    let listening = capture["observers"]?.list?.compactMap { $0["reports"]?.int } ?? []
    #expect(listening.reduce(0, +) == row.reports)
  }

  @Test(arguments: Captures.smallRows)
  func beaconsAddUp(_ row: IndexRow) throws {
    let run = try Tool.run("analyze", "--format", "json", row.file)
    #expect(run.status == 0)
    let document = try JSON(run.bytes)
    try Self.compare(try #require(document["captures"]?.list?.first), row)
    let beacons = try #require(document["beacons"]?.list)
    var sums: [String: Int] = [:]
    for beacon in beacons {
      let sightings = try #require(beacon["sightings"]?.int)
      sums[beacon["kind"]?.text ?? "?", default: 0] += sightings
      let transmitters = try #require(beacon["transmitters"]?.list)
      #expect(transmitters.compactMap { $0["sightings"]?.int }.reduce(0, +) == sightings)
      #expect(transmitters.allSatisfy { $0["first_capture"]?.text == row.file })
    }
    // All telemetry of these captures belongs to beacons.
    let telemetry: Set = ["eddystone-tlm", "eddystone-etlm"]
    #expect(sums == row.sightings.filter { !telemetry.contains($0.key) })
    #expect(beacons.count == row.identities)
    let joined = beacons.contains { $0["telemetry"] != nil }
    #expect(joined == (row.sightings["eddystone-tlm"] != nil))
  }

  @Test(arguments: Captures.rows)
  func screensAreEightyColumnsWide(_ row: IndexRow) throws {
    let run = try Tool.run("analyze", row.file)
    #expect(run.status == 0)
    #expect(run.output.contains("BEACONS"))
    Self.expectNarrow(run)
    if row.identities < 1000 { Self.expectNarrow(try Tool.run("analyze", "--all", row.file)) }
  }

  private static func expectNarrow(_ run: Run) {
    for line in run.lines {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(arguments: [
    ["analyze"], ["analyze", "--format", "json"], ["info"], ["info", "--format", "json"],
    ["analyze", "--all"],
  ])
  func twoRunsGiveTheSameBytes(_ command: [String]) throws {
    let words = command + ["museum", Captures.walk, "recorded/multi.pcap"]
    let first = try Tool.run(words)
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    #expect(try Tool.run(words).bytes == first.bytes)
  }

  /// Both put an identity into words, each in its own way.
  @Test(arguments: Captures.smallRows)
  func analyzeAndSightingsNameIdentitiesAlike(_ row: IndexRow) throws {
    let parts = [
      "kind", "id", "uuid", "major", "minor", "namespace", "instance", "url", "eid", "id1", "id2",
      "id3",
    ]
    func named(_ object: JSON) -> [String: JSON] {
      (object.members ?? [:]).filter { parts.contains($0.key) }
    }
    let document = try JSON(Tool.run("analyze", "--format", "json", row.file).bytes)
    let beacons = try #require(document["beacons"]?.list)
    var sighted: [String: [String: JSON]] = [:]
    for line in try SightingsTests.ndjson(row.file) {
      let object = try JSON(line)
      let key = "\(object["kind"]?.text ?? "") \(object["id"]?.text ?? "")"
      sighted[key] = named(object)
    }
    for beacon in beacons {
      let key = "\(beacon["kind"]?.text ?? "") \(beacon["id"]?.text ?? "")"
      #expect(sighted[key] == named(beacon), "\(key)")
    }
  }

  /// The first screen. `UPDATE_GOLDEN=1` writes it again.
  @Test func firstScreen() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Expected/analyze-museum-walk.txt")
    let run = try Tool.run("analyze", Captures.walk)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try run.bytes.write(to: file)
    }
    #expect(run.output == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  /// One beacon heard by two radios is one beacon.
  @Test func observersOfOneBeacon() throws {
    let run = try Tool.run("analyze", "--format", "json", Captures.h4, Captures.air)
    let beacons = try #require(try JSON(run.bytes)["beacons"]?.list)
    let beacon = try #require(beacons.first { $0["minor"]?.int == 1 && $0["major"]?.int == 1 })
    let observers = beacon["transmitters"]?.list?.first?["observers"]?.list?.compactMap(\.text)
    #expect(observers == ["btsnoop-h4", "pcap-256-air-header"])
  }
}
