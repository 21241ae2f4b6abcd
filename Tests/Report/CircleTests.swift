import CaseStore
import GRDB
import Testing

@testable import Report

/// The lanes are the case's spans; what is said beside them goes by its fixes.
@Suite("Circles on the page") struct CircleTests {
  private static let second = Cases.second
  private static let start = Cases.start

  private struct Part: Equatable, CustomStringConvertible {
    let from: Int64
    let to: Int64
    let state: Lane.State
    var description: String { "\(from)–\(to) \(state)" }

    init(_ from: Int64, _ to: Int64, _ state: Lane.State) {
      (self.from, self.to, self.state) = (from, to, state)
    }
  }

  private static let usual = [
    Part(0, 60, .unknown), Part(60, 600, .outside), Part(600, 1200, .inside),
    Part(1200, 3000, .outside), Part(3000, 3600, .unknown),
  ]

  /// The small case with a circle in place of its region: an hour, outside until 600 s, inside until
  /// 1200 s.
  /// - Parameter fixes: seconds.
  private static func file(
    fixes: [Int64], source: String = "track", spans: [Part] = usual
  ) throws -> CaseFile {
    let file = try Cases.small()
    let at = { (seconds: Int64) in start + seconds * second }
    try file.database.write { database in
      try database.execute(
        sql: """
          UPDATE regions SET condition = 'circle:1,2,50', definition = 'lobby=circle:1,2,50',
            latitude = 1, longitude = 2, radius_m = 50;
          UPDATE stays SET grade = NULL, why = NULL; DELETE FROM spans; DELETE FROM states;
          """)
    }
    if source == "track" { try file.insert([FileRow(role: "track", name: "w.gpx")]) }
    try file.insert(
      fixes.enumerated().map { number, seconds in
        FixRow(
          source: source, observerId: source == "track" ? nil : 1, number: number + 1,
          timeNs: at(seconds), latitude: 1, longitude: 2)
      })
    try file.insert([
      EventRow(
        event: "00000000000000a3", type: "state", timeNs: at(60), observerId: 1, regionId: 1,
        profileId: 1, state: "outside", title: "", json: "{}")
    ])
    try file.insert(
      spans.map {
        SpanRow(
          observerId: 1, regionId: 1, fromNs: at($0.from), toNs: at($0.to), state: $0.state.rawValue
        )
      })
    return file
  }

  private static func lane(_ file: CaseFile) throws -> [Part] {
    try file.database.read { database in
      let contents = try Contents(database)
      let lane = try #require(
        try Lane.all(database, contents.presences).first)
      return lane.spans.map {
        Part(($0.from - start) / second, ($0.to - start) / second, $0.state)
      }
    }
  }

  private static func steps(_ from: Int64, _ to: Int64) -> [Int64] {
    Array(stride(from: from, through: to, by: 30))
  }

  private static func end(_ file: CaseFile) throws -> Int64? {
    try file.database.read { try Contents($0).positions.end(of: 1) }.map { ($0 - start) / second }
  }

  @Test("end where positions end, and say so") func end() throws {
    let file = try Self.file(fixes: Self.steps(60, 3000))
    #expect(try Self.lane(file) == Self.usual)
    let page = try Cases.page(file)
    #expect(page.contains("(10:10:00–10:20:00); at the end unknown."))
    #expect(
      page.contains(
        "inside 10:10:00.000 to 10:20:00.000; the position was not known for 11 min 00 s"))
    #expect(!page.contains("deaf for 1 min") && !page.contains("<path class=\"deaf\" d=\"M1"))
  }

  @Test("go on to the end where the last position is near it") func nearEnd() throws {
    #expect(try Self.end(Self.file(fixes: Self.steps(60, 3570))) == nil)
    #expect(try Self.end(Self.file(fixes: Self.steps(60, 5000))) == nil)
    #expect(try Self.end(Self.file(fixes: Self.steps(60, 3540))) == 3540)
  }

  @Test("tell how much of a stay has no positions") func gaps() throws {
    let fixes = Self.steps(60, 300) + Self.steps(360, 900) + Self.steps(1000, 3600)
    let spans = [
      Part(0, 60, .unknown), Part(60, 300, .outside), Part(300, 360, .unknown),
      Part(360, 600, .outside), Part(600, 900, .inside), Part(900, 1000, .unknown),
      Part(1000, 1200, .inside), Part(1200, 3600, .outside),
    ]
    let file = try Self.file(fixes: fixes, spans: spans)
    #expect(try Self.lane(file) == spans)
    #expect(
      try Cases.page(file).contains(
        "10 min 00 s in all (10:10:00–10:20:00), 1 min 40 s of it without a position;"))
  }

  @Test("of positions that were thinned out say nothing of gaps") func thinned() throws {
    let file = try Self.file(fixes: Array(stride(from: 60, through: 3000, by: 300)))
    try file.insert([RemarkRow(kind: "remark", code: "fixes_thinned", text: "")])
    #expect(!(try Cases.page(file)).contains("of it without a position"))
  }

  @Test("go by positions in captures where there is no track") func captures() throws {
    let file = try Self.file(fixes: Self.steps(60, 3000), source: "capture")
    #expect(try Self.end(file) == 3000)
    try file.insert([FileRow(role: "track", name: "empty.gpx")])
    #expect(try Self.end(file) == 0)
  }

  @Test("do not say that somebody stayed to the end who was not seen there") func open() throws {
    let file = try Self.file(
      fixes: Self.steps(60, 900),
      spans: [
        Part(0, 60, .unknown), Part(60, 600, .outside), Part(600, 900, .inside),
        Part(900, 3600, .unknown),
      ])
    try file.database.write {
      try $0.execute(sql: "UPDATE stays SET until_ns = NULL, duration_ns = 3000000000000")
    }
    let page = try Cases.page(file)
    #expect(
      page.contains(
        "(from 10:10:00 on), 45 min 00 s of it without a position; "
          + "inside when the positions end, at the end unknown."))
    #expect(page.contains("not known: inside when the positions end, 10:15:00.000"))
    #expect(!page.contains("still inside at the end"))
  }

  @Test("without a visit say no more than is known") func never() throws {
    let file = try Self.file(fixes: Self.steps(60, 3000))
    try file.database.write {
      try $0.execute(sql: "DELETE FROM stays; DELETE FROM spans WHERE state = 'inside'")
    }
    let page = try Cases.page(file)
    #expect(page.contains("<li>Not known to have been inside: lobby.</li>"))
    #expect(page.contains("<small>not as far as known</small>"))
  }
}
