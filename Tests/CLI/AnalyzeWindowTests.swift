import Foundation
import Testing

/// `analyze --from --to`: what was where in a part of the time.
@Suite struct AnalyzeWindowTests {
  private static let walk = "museum-walk.btsnoop.gz"
  private static let hall = ["--from", "2026-05-19 10:06", "--to", "2026-05-19 10:09"]

  private struct Figures: Equatable {
    var sightings = 0
    var first = ""
    var last = ""
    var powers: Set<Int> = []
  }

  /// Beacons of `sightings`, which cuts line by line.
  private func beacons(_ words: [String]) throws -> [String: Figures] {
    var beacons: [String: Figures] = [:]
    for line in try Tool.run(["sightings", "--format", "ndjson"] + words).lines {
      let sighting = try JSON(line)
      let id = try #require(sighting["id"]?.text)
      let time = try #require(sighting["time"]?.text)
      var beacon = beacons[id, default: Figures(first: time)]
      beacon.sightings += 1
      (beacon.first, beacon.last) = (min(beacon.first, time), max(beacon.last, time))
      if let power = sighting["measured_power"]?.int { beacon.powers.insert(power) }
      beacons[id] = beacon
    }
    return beacons
  }

  @Test(arguments: [
    hall, ["--from", "2026-05-19T10:07:00.25Z"], ["--to", "2026-05-19 10:03"],
    ["--from", "2026-05-19"],
  ])
  func beaconsAreThoseOfTheSightingsThen(_ window: [String]) throws {
    let words = window + [Self.walk]
    let expected = try beacons(words)
    #expect(!expected.isEmpty)
    let run = try Tool.run(["analyze", "--format", "json"] + words)
    let document = try JSON(run.output)
    var seen = 0
    for beacon in document["beacons"]?.list ?? [] {
      let id = try #require(beacon["id"]?.text)
      let figures = try #require(expected[id], "\(id) was not heard then")
      seen += 1
      #expect(beacon["sightings"]?.int == figures.sightings, "\(id)")
      #expect(beacon["first_seen"]?.text == figures.first, "\(id)")
      #expect(beacon["last_seen"]?.text == figures.last, "\(id)")
      if let power = beacon["measured_power"]?.int { #expect(figures.powers == [power], "\(id)") }
    }
    // Telemetry stands with the beacons of its address.
    #expect(seen > 0 && expected.count - seen <= 3)
  }

  @Test func wholeTimeIsTheSameAsNone() throws {
    let all = try JSON(try Tool.run("analyze", "--format", "json", Self.walk).output)
    let limited = try JSON(
      try Tool.run("analyze", "--format", "json", "--from", "2000-01-01", Self.walk).output)
    for key in ["captures", "beacons", "timeline", "remarks"] {
      #expect(all[key] == limited[key], "\(key)")
    }
    #expect(all["window"] == nil)
    #expect(limited["window"]?["from"]?.text == "2000-01-01T00:00:00.000000000Z")
    #expect(limited["window"]?["to"] == .null)
  }

  @Test func staysAreThoseWithAMomentInside() throws {
    func stays(_ words: [String]) throws -> [JSON] {
      let run = try Tool.run(["analyze", "--format", "json"] + words + [Self.walk])
      return try #require(try JSON(run.output)["timeline"]?["stays"]?.list)
    }
    let all = try stays([])
    let told = try stays(Self.hall)
    let inside = all.filter { stay in
      guard let since = stay["since"]?.text else { return false }
      let until = stay["until"]?.text ?? "9"
      return since < "2026-05-19T10:09" && until >= "2026-05-19T10:06"
    }
    #expect(!told.isEmpty && told.count < all.count)
    #expect(told == inside)
  }

  @Test func visitsAreWholeAndBarsAreNot() throws {
    let run = try Tool.run(["analyze"] + Self.hall + [Self.walk])
    #expect(run.status == 0)
    #expect(run.output.contains("ONLY      2026-05-19 10:06:00–10:09:00 UTC; "))
    // It began long before, and a bar is of the time that was asked for.
    #expect(run.output.contains("10:00:00  b940…fe6d  already inside  → left 10:07:11, deaf"))
    #expect(run.output.contains("b940…fe6d  2 visits, 2 min 19 s  █"))
    #expect(!run.output.contains("▶\n"))
    #expect(!run.output.contains("10:01:41"))
    #expect(
      run.lines.filter { $0.hasPrefix("ALSO HEARD") } == [
        "ALSO HEARD  reports without a beacon, which are counted of whole captures alone"
      ])
    #expect(run.lines.allSatisfy { $0.count <= 80 })
  }

  @Test func entriesNameTheBeaconWhereTheRegionHasSeveral() throws {
    let run = try Tool.run(["events", Self.walk])
    #expect(
      run.lines.contains { $0.hasSuffix("enter      8b0c…1a2f  000000000001 d3:b2:00:00:00:01") },
      "\(run.output.prefix(2000))")
  }

  /// The stay before it, which ended before the window, says that it may go on.
  @Test func whatAnEntryLeavesOpenGoesByTheTimeBefore() throws {
    let words = ["--from", "2026-05-19 10:07:30", "--to", "2026-05-19 10:09", Self.walk]
    let run = try Tool.run(["analyze"] + words)
    #expect(!run.output.contains("left 10:07:11"))
    let text = run.output.replacing(/\s+/, with: " ")
    #expect(
      text.contains(
        "may never have left: after 10:06:41 the radio is known to have heard for 198 ms only"),
      "\(run.output)")
    let document = try JSON(try Tool.run(["analyze", "--format", "json"] + words).output)
    let stays = try #require(document["timeline"]?["stays"]?.list)
    #expect(stays.count == 2)
    #expect(stays.allSatisfy { ($0["listened_before_s"]?.number ?? 99) < 1 })
  }

  @Test func capturesWithNothingThenAreCounted() throws {
    let scratch = try Scratch()
    let made = try Tool.shell(
      "$TOOL synth --print-scenario museum > a.json; $TOOL synth --scenario a.json -o may.btsnoop; "
        + "sed s/2026-05-19T/2026-08-01T/ a.json > b.json; $TOOL synth --scenario b.json -o august.btsnoop",
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    func analyze(_ words: String...) throws -> String {
      let run = try Tool.run(
        ["analyze"] + words + ["may.btsnoop", "august.btsnoop"], in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
      return run.output.replacing(/\s+/, with: " ")
    }
    let august = try analyze("--from", "2026-07-01")
    #expect(august.hasPrefix("august.btsnoop btsnoop"), "\(august)")
    #expect(august.contains("1 more capture has nothing then."))
    let none = try analyze("--from", "2026-05-20", "--to", "2026-07-01")
    #expect(
      none.hasSuffix(
        "2 captures have nothing then; what was recorded is of 2026-05-19 09:59:59–2026-08-01 10:15:00 UTC. "
      ),
      "\(none)")
  }

  @Test(arguments: [["--case", "a.sqlite"], ["--report", "a.html"]])
  func whatKeepsEverythingIsRefused(_ words: [String]) throws {
    let run = try Tool.run(["analyze"] + Self.hall + words + [Self.walk])
    #expect(run.status == 64)
    #expect(run.errors.contains("a case and its page keep everything: leave them out"))
  }

  @Test func sightingsWithoutATimeAreCounted() throws {
    let run = try Tool.run("analyze", "--from", "2000-01-01", "museum/pcapng-sections.pcapng")
    let words = run.output.replacing(/\s+/, with: " ")
    #expect(words.contains(/\d+ sightings? without a time (is|are) left out\./), "\(run.output)")
  }
}
