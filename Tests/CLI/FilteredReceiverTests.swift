import Foundation
import Testing

/// A site of two receivers, of which one is started with its controller's duplicate filter: what rules tell.
@Suite("A receiver that filters duplicates", .timeLimit(.minutes(60)))
struct FilteredReceiverTests {
  private static let uuid = SiteScene.uuid
  private let scratch: Scratch

  /// `1:1` at the gate alone, where it dies, `1:2` in the store alone, `1:3` nearer to the store, `1:4` in both.
  init() throws { scratch = try Scratch() }

  /// - Parameter scan: further keys of it.
  private func record(
    _ name: String, at place: Int, seconds: Int = 3600, dies: Bool = true, scan: String = "",
    start: String = "2026-11-24T08:00:00Z", to path: String
  ) throws {
    let beacons = [(1, 2, ", \"dies_s\": 900"), (2, 98, ""), (3, 70, ""), (4, 50, "")].map {
      let end = dies ? $0.2 : ""
      return """
        {"name": "b\($0.0)", "kind": "ibeacon", "uuid": "\(Self.uuid)", "major": 1, "minor": \($0.0),
         "address": "c4:b0:00:00:01:0\($0.0)", "at": [\($0.1), 1], "interval_ms": 1000\(end)}
        """
    }
    try scratch.synthesize(
      name,
      """
      {"name": "\(name)", "start": "\(start)", "duration_s": \(seconds), "observer": [[0, \(place), 0]],
       "radio": {"exponent": 2.0, "noise_db": 3, "sensitivity_dbm": -96, "loss": 0.1, "seed": \(place + 1)},
       "scan": {"commands": "legacy", "interval_ms": 100, "window_ms": 100\(scan)},
       "beacons": [\(beacons.joined(separator: ",\n"))]}
      """)
    let target = scratch.folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: scratch.folder.appending(path: "\(name).btsnoop"), to: target)
  }

  private func site(_ scan: String) throws {
    try record("gate", at: 0, to: "site/2026-11-24/gate/capture.btsnoop")
    try record("store", at: 100, scan: scan, to: "site/2026-11-24/store/capture.btsnoop")
    // The month before nobody filtered.
    for (name, place) in [("gate", 0), ("store", 100)] {
      try record(
        name, at: place, seconds: 120, dies: false, start: "2026-10-20T08:00:00Z",
        to: "site/2026-10-20/\(name)/capture.btsnoop")
    }
  }

  @Test("which tells of nobody for an exit period is not called deaf: it may have heard")
  func notDeaf() throws {
    try record(
      "gate", at: 0, seconds: 600, dies: false, scan: ", \"filter_duplicates_s\": 90",
      to: "f/gate.btsnoop")
    func words(_ command: String...) throws -> String {
      let run = try Tool.run(command, in: scratch.folder)
      try #require(run.status == 0, "\(run.errors)")
      #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
      return run.output.split { " \n".contains($0) }.joined(separator: " ")
    }
    let told = try words("analyze", "f/gate.btsnoop")
    #expect(
      told.contains("not able to tell: duplicates were filtered (who stays is not told of again)"),
      "\(told)")
    #expect(
      told.contains("the radio left out whom it had told of already (duplicates filtered)"),
      "\(told)")
    #expect(!told.contains("not able to hear"), "\(told)")
    let events = try Tool.run(
      ["events", "--format", "ndjson", "f/gate.btsnoop"], in: scratch.folder
    ).lines.map { try JSON(Data($0.utf8)) }
    let exit = try #require(events.first { $0["type"]?.text == "exit" }?["id"]?.text)
    let entry = try #require(events.first { $0["type"]?.text == "enter" }?["id"]?.text)
    #expect(
      try words("explain", exit, "f/gate.btsnoop").contains("not known: nothing was recorded"))
    #expect(
      try words("explain", entry, "f/gate.btsnoop").contains(
        "it left out whom it had told of already"))
    #expect(
      try words("compare", "f/gate.btsnoop", "f/gate.btsnoop").contains("listened 10 min"))
  }

  @Test("leaves the same open in its entries, whatever profiles are followed beside")
  func profiles() throws {
    try record(
      "gate", at: 0, seconds: 900, dies: false, scan: ", \"filter_duplicates_s\": 25",
      to: "f/gate.btsnoop")
    func entries(_ profiles: String) throws -> [String] {
      let run = try Tool.run(
        ["events", "-q", "--format", "ndjson", "--profile", profiles, "f/gate.btsnoop"],
        in: scratch.folder)
      try #require(run.status == 0, "\(run.errors)")
      return try run.lines.filter { line in
        let event = try JSON(line)
        return event["type"]?.text == "enter" && event["profile"]?.text == "abl-legacy"
      }
    }
    let alone = try entries("abl-legacy")
    #expect(alone.count > 10)
    #expect(try entries("site,abl-legacy") == alone)
    #expect(try entries("abl-legacy,site") == alone)
  }

  private static let rules = [
    "beacon-silent", "interval-drift", "nearest-receiver", "receiver-silent",
  ].flatMap { ["--plugin", $0] }

  /// `OBSERVER: TITLE`.
  private func alerts(_ command: String...) throws -> [String] {
    let run = try Tool.run(
      command + ["--format", "ndjson", "--set", "beacon-silent.nowhere=true"] + Self.rules,
      in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    return try run.lines.map { try JSON(Data($0.utf8)) }.filter { $0["type"]?.text == "alert" }
      .map { "\($0["observer"]?.text ?? "?"): \($0["title"]?.text ?? "")" }
  }

  @Test("is told once, and makes nothing else untrue", arguments: [60, 200])
  func filtered(_ seconds: Int) throws {
    try site(", \"filter_duplicates_s\": \(seconds)")
    let told = try alerts(
      "events", "-q", "--observers", "folder", "site/2026-10-20", "site/2026-11-24")
    #expect(told == ["store: store filters duplicates", "gate: \(Self.uuid):1:1 is silent"])
    let live = try alerts(
      "replay", "--speed", "max", "--no-summary", "site/2026-11-24/gate/capture.btsnoop",
      "site/2026-11-24/store/capture.btsnoop")
    #expect(
      live == [
        "store/capture: store/capture filters duplicates",
        "gate/capture: \(Self.uuid):1:1 is silent",
      ])
  }

  @Test("has its visits counted where another one has better, and listed by --all")
  func visits() throws {
    try site(", \"filter_duplicates_s\": 60")
    let words = ["--observers", "folder", "site/2026-11-24"]
    let text = try Tool.run(["analyze"] + words, in: scratch.folder)
    let json = try JSON(
      Tool.run(["analyze", "--format", "json"] + words, in: scratch.folder).bytes)
    let stays = json["timeline"]?["stays"]?.list ?? []
    let filtered = stays.count {
      $0["observer"]?.text == "store" && $0["grade"]?.text != "gone"
        && ($0["duplicates_filtered_s"]?.number ?? 0) > 0
    }
    #expect(filtered > 3)
    let told = text.lines.first { $0.contains("its controller left out what is") } ?? ""
    #expect(told.hasPrefix("  …\(filtered) visits at store more (--all)"), "\(text.output)")
    let listed = { (run: Run) in run.lines.count { $0.contains("at store; ") } }
    #expect(listed(text) == stays.count { $0["observer"]?.text == "store" } - filtered)
    let all = try Tool.run(["analyze", "--all"] + words, in: scratch.folder)
    #expect(listed(all) == stays.count { $0["observer"]?.text == "store" })
    #expect(!all.output.contains("its controller left out"))
    // Alone it has nobody who says it better.
    let alone = try Tool.run(["analyze", "site/2026-11-24/store"], in: scratch.folder)
    #expect(!alone.output.contains("its controller left out"), "\(alone.output)")
  }

  @Test("that does not say so misleads: what is told of the other is told because of it")
  func unknown() throws {
    try site(", \"filter_duplicates_s\": 60")
    let path = scratch.folder.appending(path: "site/2026-11-24/store/capture.btsnoop")
    var bytes = Array(try Data(contentsOf: path))
    // Set Scan Enable.
    let command: [UInt8] = [1, 0x0C, 0x20, 2, 1, 1]
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: command) })
    bytes[place + 5] = 0
    try Data(bytes).write(to: path)
    let told = try alerts(
      "events", "-q", "--observers", "folder", "site/2026-10-20", "site/2026-11-24")
    #expect(told.contains { $0.contains(":1:2 sends every 60") }, "\(told)")
    #expect(told.contains { $0.contains("is heard best by gate, before by store") }, "\(told)")
    #expect(!told.contains { $0.contains("filters duplicates") }, "\(told)")
  }

  @Test("has no more reports of an address in a made-up capture than its filter lets pass")
  func synthesized() throws {
    try record(
      "store", at: 100, seconds: 600, scan: ", \"filter_duplicates_s\": 100", to: "a/c.btsnoop")
    let run = try Tool.run(
      "sightings", "--format", "ndjson", "--where", "minor == 2", "a/c.btsnoop", in: scratch.folder)
    #expect(run.lines.count == 6)
  }
}
