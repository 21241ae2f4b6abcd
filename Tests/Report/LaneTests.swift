import Analysis
import CaseStore
import FoundationEssentials
import GRDB
import Testing

@testable import Report

@Suite("Lanes of the timeline") struct LaneTests {
  private static let second = Cases.second
  private static let start = Cases.start

  /// Stays of half a second each second, with exits of the grades in turn.
  private static func busy(stays count: Int, _ grades: [String]) throws -> CaseFile {
    let file = try Cases.small()
    try file.insert(
      (0..<count).map { place in
        let since = start + Int64(place) * second
        return StayRow(
          profileId: 1, observerId: 1, regionId: 1, sinceNs: since, wasInsideAlready: false,
          untilNs: since + second / 2, durationNs: second / 2, sightings: 1,
          grade: grades[place % grades.count])
      })
    return file
  }

  @Test("with very many changes still have as much of each state as there was")
  func simplified() throws {
    let file = try Cases.small()
    let states = ["inside", "deaf", "inside", "outside", "unknown"]
    var totals: [String: Int64] = [:]
    var spans: [SpanRow] = []
    var from = Self.start + 1200 * Self.second
    for place in 0..<2 * Most.spansOfLane {
      let length = Int64(1 + place % 7) * Self.second / 10
      let state = states[place % states.count]
      totals[state, default: 0] += length
      spans.append(
        SpanRow(observerId: 1, regionId: 1, fromNs: from, toNs: from + length, state: state))
      from += length
    }
    totals["outside", default: 0] += 600 * Self.second
    totals["inside", default: 0] += 600 * Self.second
    try file.insert(spans)
    try file.database.read { database in
      let contents = try Contents(database)
      let lane = try #require(
        try Lane.all(database, contents.presences).first)
      #expect(lane.isSimplified)
      #expect(lane.spans.count <= Most.spansOfLane)
      for state in Lane.State.allCases {
        let drawn = lane.spans.filter { $0.state == state }.reduce(0) { $0 + $1.to - $1.from }
        #expect(drawn == totals[state.rawValue] ?? 0, "\(state)")
      }
      #expect(lane.spans.first?.from == Self.start)
      #expect(lane.spans.last?.to == from)
      for (one, next) in zip(lane.spans, lane.spans.dropFirst()) { #expect(one.to == next.from) }
    }
  }

  @Test("show stays beyond the table of visits, and say where they end") func stays() throws {
    let few = try Cases.page(Self.busy(stays: Most.rows + 100, ["gone"]))
    #expect(!few.contains("stand at the first"))
    // With the one that was there.
    #expect(Self.strokes(few) == Most.rows + 101)
    let many = try Cases.page(
      Self.busy(stays: Most.spansOfLane + 100, ["gone", "thin", "deaf"]))
    #expect(many.contains("Strokes, or their number, stand at the first 1 500 stays of a lane"))
    #expect(Self.strokes(many) == Most.spansOfLane)
    let letters = Self.page(many, /class="doubt"[^>]*title="([0-9 ]+) exits,/)
    #expect(letters + many.matches(of: /title="exit at/).count == Most.marks)
    // What would be a smear is a number.
    #expect(many.matches(of: /class="strokes"/).count < 40)
    #expect(many.matches(of: /class="doubt"/).count < 20)
  }

  /// Those that begin a stay, drawn or counted.
  private static func strokes(_ page: String) -> Int {
    let drawn = page.matches(of: /<path class="enter" d="([^"]*)"/).reduce(0) { sum, match in
      // The legend has one of its own.
      match.1 == "M8 1v26" ? sum : sum + match.1.filter { $0 == "M" }.count
    }
    return drawn + self.page(page, /class="strokes"[^>]*title="([0-9 ]+) begin and/)
  }

  /// The sum of the numbers that were found.
  private static func page(_ page: String, _ pattern: Regex<(Substring, Substring)>) -> Int {
    page.matches(of: pattern).reduce(0) { $0 + (Int($1.1.replacing(" ", with: "")) ?? 0) }
  }

  /// The case's own region, the first one, has an alert and an exit at which the receiver was deaf.
  @Test("are those with alerts and doubtful exits, wherever they stand, where not all are drawn")
  func chosen() throws {
    let file = try Cases.small()
    let many = 2 * Most.lanes
    try file.insert((2...many).map { RegionRow(name: "r\($0)", condition: "x", definition: "x") })
    try file.insert(
      (2...many).map { place in
        StayRow(
          profileId: 1, observerId: 1, regionId: Int64(place), sinceNs: Self.start,
          wasInsideAlready: false, untilNs: Self.start + Self.second, durationNs: Self.second,
          sightings: 1, grade: place == many - 1 ? "thin" : "gone")
      })
    try file.insert([
      EventRow(
        event: "00000000000000b1", type: "alert", timeNs: Self.start, observerId: 1,
        regionId: Int64(many), profileId: 1, title: "far down", json: "{}")
    ])
    try file.insert([
      AlertRow(
        eventId: 3, severity: "info", title: "far down", text: "", plugin: "rule",
        pluginVersion: "1", pluginSha256: "", dedupeKey: "", heldBack: 0, fields: "{}")
    ])
    try file.database.read { database in
      let contents = try Contents(database)
      let (presences, alerted) = (contents.presences, contents.alertRegions.all)
      #expect(alerted == [1, Int64(many)])
      let regions = try Lane.all(database, presences, alerted: alerted).map(\.region)
      #expect(regions == (1...Int64(Most.lanes - 2)) + [Int64(many - 1), Int64(many)])
      #expect(
        Presence.choose(2, of: presences, alerted: alerted).map(\.region) == [1, Int64(many)])
      #expect(Presence.choose(many, of: presences, alerted: alerted).count == many)
    }
    let page = try Cases.page(file)
    let left = many - Most.lanes
    #expect(page.contains("\(left) more lanes not drawn: those with alerts come first"))
    // In the summary and in the lanes of the page, too.
    #expect(page.contains("108 more regions with visits, below"))
    for name in ["summary", "timeline"] {
      let begin = try #require(page.firstRange(of: "<section id=\"\(name)\""))
      let part = try #require(page[begin.lowerBound...].split(separator: "</section>").first)
      #expect(part.contains("r\(many)") && part.contains("r\(many - 1)"), "\(name)")
      #expect(!part.contains("r\(Most.lanes)<"), "\(name)")
    }
  }

  @Test("have one mark for those that lie too near each other") func groups() {
    let pixel = TimeScale.width / 920
    let places = [0, 1, 9 * pixel, 10 * pixel, 10 * pixel, 25 * pixel]
    #expect(MarkGroups.of(places, reach: 10) == [0..<3, 3..<5, 5..<6])
    #expect(MarkGroups.of([], reach: 10).isEmpty)
    #expect(MarkGroups.kinds(["b", "a", "b", "c"]) == "2 b, 1 a, 1 c")
  }

  @Test("have the date where a recording is not all of one day") func dates() throws {
    let file = try Cases.small()
    #expect(try Cases.page(file).contains("title=\"exit at 10:20:00.000: deaf\""))
    try file.database.write {
      try $0.execute(
        sql: "UPDATE facts SET value = ? WHERE name = 'to_ns'",
        arguments: [Self.start + 86_400 * Self.second])
    }
    let page = try Cases.page(file)
    #expect(page.contains("title=\"exit at 2026-05-19 10:20:00.000: deaf\""))
    #expect(page.contains("inside 2026-05-19 10:10:00.000 to 2026-05-19 10:20:00.000"))
    #expect(page.contains("warning at 2026-05-19 10:20:00.000"))
  }

  @Test("tell a stay that was heard from one that goes on while the receiver is deaf")
  func deafness() throws {
    let file = try Cases.small()
    let (from, to) = (Self.start + 900 * Self.second, Self.start + 1500 * Self.second)
    try file.insert([
      SpanRow(
        observerId: 1, regionId: 1, fromNs: Self.start + 1200 * Self.second, toNs: to, state: "deaf"
      ),
      SpanRow(observerId: 1, regionId: 1, fromNs: to, toNs: to + Self.second, state: "outside"),
    ])
    try file.insert([DeafRow(observerId: 1, fromNs: from, toNs: to)])
    let lane = try file.database.read { database in
      let contents = try Contents(database)
      return try #require(try Lane.all(database, contents.presences, deaf: contents.deaf).first)
    }
    let states = lane.spans.map { "\($0.state) \(($0.to - $0.from) / Self.second)" }
    #expect(states == ["outside 600", "inside 300", "insideDeaf 300", "deaf 300", "outside 1"])
    #expect(lane.stays.map(\.length) == [600 * Self.second])
    let page = try Cases.page(file)
    #expect(page.contains("<path class=\"inside\" d=\"M166666 20h83334M250000 20h83333\"/>"))
    #expect(page.contains("<path class=\"gaps\" d=\"M250000 20h83333\"/>"))
    #expect(page.contains("<path class=\"deaf\" d=\"M250000 18h83333M333333 18h83333\"/>"))
    #expect(
      page.contains(
        "inside 10:10:00.000 to 10:20:00.000; of that as last known, while the receiver was deaf, 5 min 00 s;"
      ))
    #expect(page.contains("inside as last known, while the receiver was deaf</li>"))
  }
}
