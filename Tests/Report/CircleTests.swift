import CaseStore
import GRDB
import Testing

@testable import Report

/// The lanes are the case's spans; what is said beside them goes by the times without a position.
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
  /// - Parameters:
  ///   - unplaced: seconds without a position.
  ///   - form: of the case.
  private static func file(
    unplaced: [(Int64, Int64)], form: Int = CaseSchema.form, spans: [Part] = usual
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
    try file.database.write {
      try $0.execute(sql: "INSERT INTO facts VALUES ('form', \(form))")
    }
    try file.insert(
      unplaced.map { UnplacedRow(observerId: 1, fromNs: at($0.0), toNs: at($0.1)) })
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

  private static func end(_ file: CaseFile) throws -> Int64? {
    try file.database.read { try Contents($0).positions.end(of: 1) }.map { ($0 - start) / second }
  }

  @Test("end where positions end, and say so") func end() throws {
    let file = try Self.file(unplaced: [(0, 60), (3000, 3600)])
    #expect(try Self.lane(file) == Self.usual)
    let page = try Cases.page(file)
    #expect(page.contains("(10:10:00–10:20:00); at the end unknown."))
    #expect(
      page.contains(
        "inside 10:10:00.000 to 10:20:00.000; the position was not known for 11 min 00 s"))
    #expect(!page.contains("deaf for 1 min") && !page.contains("<path class=\"deaf\" d=\"M1"))
  }

  @Test("go on to the end where positions do") func nearEnd() throws {
    #expect(try Self.end(Self.file(unplaced: [(0, 60)])) == nil)
    #expect(try Self.end(Self.file(unplaced: [])) == nil)
    #expect(try Self.end(Self.file(unplaced: [(0, 60), (3540, 3600)])) == 3540)
  }

  @Test("tell how much of a stay has no positions") func gaps() throws {
    let spans = [
      Part(0, 60, .unknown), Part(60, 300, .outside), Part(300, 360, .unknown),
      Part(360, 600, .outside), Part(600, 900, .inside), Part(900, 1000, .unknown),
      Part(1000, 1200, .inside), Part(1200, 3600, .outside),
    ]
    let file = try Self.file(unplaced: [(0, 60), (300, 360), (900, 1000)], spans: spans)
    #expect(try Self.lane(file) == spans)
    #expect(
      try Cases.page(file).contains(
        "10 min 00 s in all (10:10:00–10:20:00), 1 min 40 s of it without a position;"))
  }

  @Test("of a case that does not say where positions are missing say no more than is known")
  func older() throws {
    let file = try Self.file(unplaced: [], form: 3)
    #expect(!(try Cases.page(file)).contains("of it without a position"))
    try file.database.write {
      try $0.execute(sql: "DELETE FROM stays; DELETE FROM spans WHERE state = 'inside'")
    }
    #expect(try Cases.page(file).contains("<small>not as far as known</small>"))
  }

  @Test("do not say that somebody stayed to the end who was not seen there") func open() throws {
    let file = try Self.file(
      unplaced: [(0, 60), (900, 3600)],
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
    let file = try Self.file(unplaced: [(0, 60), (3000, 3600)])
    try file.database.write {
      try $0.execute(sql: "DELETE FROM stays; DELETE FROM spans WHERE state = 'inside'")
    }
    let page = try Cases.page(file)
    #expect(page.contains("<li>Not known to have been inside: lobby.</li>"))
    #expect(page.contains("<small>not as far as known</small>"))
  }
}
