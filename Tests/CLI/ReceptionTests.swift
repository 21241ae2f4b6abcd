import Foundation
import Testing

/// Which receiver hears which beacon, and how well.
@Suite("receivers of a beacon", .timeLimit(.minutes(60)))
struct ReceptionTests {
  private let scratch: Scratch
  private static let both = ["door.btsnoop", "hall.pcapng"]

  /// `b` is out of the hall's reach.
  init() throws {
    scratch = try Scratch()
    for (seed, name) in Self.both.enumerated() {
      let reach = seed == 0 ? #"{"name": "b", "kind": "ibeacon", "minor": 2, "at": [2, 0], "# : ""
      let second =
        reach.isEmpty
        ? ""
        : ", " + reach
          + #""uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1, "address": "c4:a1:00:00:01:02", "interval_ms": 500}"#
      let scenario = """
        {"name": "hall", "start": "2026-05-19T10:00:00Z", "duration_s": 120,
          "radio": {"loss": 0.2, "seed": \(seed)}, "observer": [[0, \(seed * 6), 0]],
          "beacons": [
            {"name": "a", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
              "minor": 1, "address": "c4:a1:00:00:01:01", "at": [1, 0], "interval_ms": 300}\(second)]}
        """
      try scratch.write("\(name).json", Array(scenario.utf8))
      let made = try Tool.run(
        "synth", "--scenario", "\(name).json", "--out", name, in: scratch.folder)
      try #require(made.status == 0, "\(made.errors)")
    }
  }

  private func run(_ words: [String]) throws -> Run {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func beacons(_ captures: [String]) throws -> [JSON] {
    try JSON(try run(["analyze", "--format", "json"] + captures).bytes)["beacons"]?.list ?? []
  }

  private static let figures = [
    "sightings", "first_seen", "last_seen", "median_interval_ms", "rssi_min", "rssi_median",
    "rssi_max",
  ]

  @Test("each has the figures that its capture has alone") func figures() throws {
    let together = try beacons(Self.both)
    #expect(together.count == 2)
    var compared = 0
    for (capture, observer) in zip(Self.both, ["door", "hall/bluetooth0"]) {
      let alone = try beacons([capture])
      #expect(alone.allSatisfy { $0["receivers"] == nil })
      for beacon in together {
        let heard = beacon["receivers"]?.list?.first { $0["observer"]?.text == observer }
        let own = alone.first { $0["id"] == beacon["id"] }
        #expect((heard == nil) == (own == nil))
        for key in Self.figures {
          #expect(heard?[key] == own?[key], "\(key)")
          compared += heard == nil ? 0 : 1
        }
      }
    }
    #expect(compared == 3 * Self.figures.count)
    for beacon in together {
      let sum = (beacon["receivers"]?.list ?? []).compactMap { $0["sightings"]?.number }.reduce(
        0, +)
      #expect(sum == beacon["sightings"]?.number)
    }
  }

  @Test("the text names them, who hears it best first") func text() throws {
    let receivers = try beacons(Self.both).map { $0["receivers"]?.list ?? [] }
    let lines = try run(["analyze"] + Self.both).lines.filter { $0.contains("heard by") }
    let expected = receivers.map { heard in
      "    heard by "
        + heard.sorted { ($1["rssi_median"]?.number ?? 0) < ($0["rssi_median"]?.number ?? 0) }.map {
          "\($0["observer"]?.text ?? "") \(Int($0["rssi_median"]?.number ?? 0))"
        }.joined(separator: ", ")
    }
    #expect(lines == expected)
    #expect(lines.contains { $0.hasPrefix("    heard by door -") && !$0.contains(",") })
    #expect(!(try run(["analyze", Self.both[0]]).output.contains("heard by")))
  }

  @Test("a case has them in a view, and its page in a table") func inCase() throws {
    _ = try run(["analyze", "--case", "x.sqlite", "--report", "x.html"] + Self.both)
    let rows = try run([
      "case", "query", "--format", "csv", "x.sqlite",
      "SELECT identity, observer, sightings, rssi_min, rssi_median, rssi_max FROM heard_by",
    ]).lines.dropFirst().map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    let expected = try beacons(Self.both).flatMap { beacon in
      (beacon["receivers"]?.list ?? []).map { heard in
        let numbers = ["sightings", "rssi_min", "rssi_median", "rssi_max"].map {
          String(Int(heard[$0]?.number ?? 0))
        }
        return ([beacon["id"]?.text ?? "", heard["observer"]?.text ?? ""] + numbers)
          .joined(separator: ",")
      }
    }
    #expect(Array(rows) == expected)
    let page = try String(
      contentsOf: scratch.folder.appending(path: "x.html"), encoding: .utf8)
    let table = try #require(page.components(separatedBy: "id=\"reception-table\"").last)
    #expect(page.contains("id=\"reception-table\""))
    #expect(table.contains("<th scope=\"col\" class=\"n\">door</th>"))
    _ = try run(["analyze", "--report", "one.html", Self.both[0]])
    let one = try String(
      contentsOf: scratch.folder.appending(path: "one.html"), encoding: .utf8)
    #expect(!one.contains("id=\"reception-table\""))
  }

  @Test("add up to what each receiver heard, in the text, in JSON and on the page") func sums()
    throws
  {
    let json = try JSON(try run(["analyze", "--format", "json"] + Self.both).bytes)
    let receivers = json["receivers"]?.list ?? []
    #expect(receivers.compactMap { $0["observer"]?.text } == ["door", "hall/bluetooth0"])
    let text = try run(["analyze", "--report", "x.html"] + Self.both)
    let page = try String(
      contentsOf: scratch.folder.appending(path: "x.html"), encoding: .utf8)
    let row = try #require(text.lines.firstIndex { $0.hasPrefix("RECEIVERS ") })
    for (place, receiver) in receivers.enumerated() {
      let name = receiver["observer"]?.text ?? ""
      let heard = (json["beacons"]?.list ?? []).map { $0["receivers"]?.list ?? [] }
        .filter { $0.contains { $0["observer"]?.text == name } }
      let own = heard.compactMap { $0.first { $0["observer"]?.text == name } }
      let sum = own.compactMap { $0["sightings"]?.number }.reduce(0, +)
      #expect(receiver["sightings"]?.number == sum)
      #expect(receiver["beacons"]?.number == Double(own.count))
      let alone = heard.count { $0.count == 1 }
      #expect(receiver["beacons_alone"]?.number == Double(alone))
      let weakest = own.compactMap { $0["rssi_min"]?.number }.min()
      #expect(receiver["rssi_min"]?.number == weakest)
      #expect(receiver["listened_s"]?.number ?? 0 > 118)
      let cells = text.lines[row + 1 + place].split(separator: " ").suffix(6).map(String.init)
      #expect(
        cells == ["99", "%", "\(own.count)", "\(alone)", "\(Int(sum))", "\(Int(weakest ?? 0))"])
      #expect(
        page.contains(
          "data-sort=\"\(Double(own.count))\">\(own.count)</td><td class=\"n\" data-sort=\"\(Double(alone))\">"
        ))
    }
    #expect(
      try JSON(try run(["analyze", "--format", "json", Self.both[0]]).bytes)["receivers"] == nil)
  }

  @Test("of many that are taken for radios of their own the best alone is named") func many() throws
  {
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "many"), withIntermediateDirectories: true)
    _ = try run([
      "replay", "--speed", "max", "-q", "--no-summary", "--write", "many/cap.pcapng",
      "--rotate-size", "3k", Self.both[0],
    ])
    let few = try run(["analyze", "many"]).lines.filter { $0.contains("heard by") }
    #expect(!few.isEmpty)
    #expect(few.allSatisfy { $0.contains(" others") && !$0.contains(",") }, "\(few)")
  }
}
