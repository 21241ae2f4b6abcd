import Foundation
import Testing

/// Captures that were made months apart.
@Suite struct LongPauseTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let made = try Tool.shell(
      "$TOOL synth --print-scenario museum > a.json; $TOOL synth --scenario a.json -o may.btsnoop; "
        + "sed s/2026-05-19T/2026-09-14T/ a.json > b.json; $TOOL synth --scenario b.json -o fall.btsnoop",
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  private func run(_ words: String...) throws -> Run {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: scratch.folder.appending(path: name), encoding: .utf8)
  }

  @Test func aPauseInsideACaptureIsToldWithItsTimes() throws {
    let scene = try SiteScene()
    try scene.record("a", seconds: 300)
    try scene.record("b", seconds: 300, start: "2026-11-17T10:00:00Z")
    // As one capture: the second one's records behind the first one's.
    let joined = try Tool.shell(
      "(cat a.btsnoop; tail -c +17 b.btsnoop) > hall.btsnoop", in: scene.scratch.folder)
    #expect(joined.status == 0)
    let words = try scene.words("analyze", "--no-regions", "hall.btsnoop")
    #expect(
      words.contains(/by up to 54 min \d\d s \(09:0[45]:\d\d–(09:59:59|10:00:00); first at frame/),
      "\(words)")
  }

  private static let together = ["--observer", "phone=may.btsnoop,fall.btsnoop"]

  @Test(arguments: [[], together])
  func barsOfEachAreAsFineAsIfItWereAlone(_ observer: [String]) throws {
    let both = try Tool.run(
      ["analyze"] + observer + ["may.btsnoop", "fall.btsnoop"], in: scratch.folder)
    let bars = both.lines.drop { !$0.hasPrefix("REGIONS") }
    #expect(!bars.isEmpty && bars.allSatisfy { $0.count <= 80 })
    #expect(both.output.contains(/2026-05-19 +┆09-14\n/), "\(both.output)")
    #expect(both.output.contains("  ┆ 1 pause left out: nothing recorded for 117 d 23 h"))
    // The pause in May's scan is seen, and who is inside in either.
    let bar = try #require(both.lines.first { $0.contains("█┆█") })
    let halves = bar.split(separator: "┆")
    #expect(halves.count == 2 && halves.allSatisfy { $0.count { $0 == "█" } > 10 }, "\(bar)")
    #expect(halves[0].contains("█▓▒█"), "\(bar)")
  }

  @Test func whatLiesBetweenCapturesIsNotDeafness() throws {
    _ = try Tool.run(
      ["analyze", "--report", "page.html", "--case", "site.sqlite"] + Self.together
        + ["may.btsnoop", "fall.btsnoop"], in: scratch.folder)
    let page = try text("page.html").replacing("\u{A0}", with: " ")
    #expect(
      page.contains(
        /phone was deaf for 2 min 20 s \(8 % of the 30 min 00 s that it recorded\)/))
    #expect(page.contains("Between its captures phone recorded nothing for 117 d 23 h (1 pause)"))
    #expect(
      page.contains(
        "Nothing was recorded for 117 d 23 h of that, in 1 pause that charts leave out."))
    let rows = try run(
      "case", "query", "--format", "csv", "site.sqlite",
      "SELECT count(*), sum(continues), max(to_ns - from_ns) < 1000000000000 FROM recordings")
    #expect(rows.lines.last?.trimmingCharacters(in: .whitespacesAndNewlines) == "2,0,1")
    // Grades of exits go by the silence, whatever it was.
    let document = try JSON(
      try Tool.run(
        ["analyze", "--format", "json"] + Self.together + ["may.btsnoop", "fall.btsnoop"],
        in: scratch.folder
      ).output)
    let observer = try #require(document["timeline"]?["observers"]?.list?.first)
    let unrecorded = try #require(observer["unrecorded"]?.list)
    #expect(unrecorded.count == 1)
    let from = try #require(unrecorded.first?["from"]?.text)
    #expect(from.hasPrefix("2026-05-19T10:1"))
  }

  @Test func binsOfEachAreAsNarrowAsIfItWereAlone() throws {
    func bins(_ name: String, _ captures: String...) throws -> [String] {
      _ = try Tool.run(["analyze", "--case", name] + captures, in: scratch.folder)
      return try run(
        "case", "query", "--format", "csv", name,
        """
        SELECT identity, from_ns, to_ns, signal_bins.sightings FROM signal_bins
        JOIN beacons ON beacons.id = beacon_id WHERE to_ns < 1785000000000000000
        ORDER BY identity, from_ns
        """
      ).lines
    }
    let alone = try bins("may.sqlite", "may.btsnoop")
    #expect(alone.count > 100)
    #expect(try bins("both.sqlite", "may.btsnoop", "fall.btsnoop") == alone)
  }

  @Test func theSameBytesAgain() throws {
    for name in ["a.html", "b.html"] {
      _ = try run("analyze", "--report", name, "may.btsnoop", "fall.btsnoop")
    }
    #expect(try text("a.html") == text("b.html"))
  }
}
