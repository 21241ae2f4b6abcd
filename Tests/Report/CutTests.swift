import Analysis
import CaseStore
import GRDB
import Testing

@testable import Report

/// A page of captures that were made long after each other.
@Suite("Pauses that charts leave out") struct CutTests {
  private static let second = Cases.second
  private static let start = Cases.start
  private static let month = 30 * 86_400 * second

  /// An hour and, a month later, ten minutes.
  private static let stretches = [
    Stretches.Span(from: start, to: start + 3600 * second),
    Stretches.Span(from: start + month, to: start + month + 600 * second),
  ]

  private static func scale() throws -> TimeScale {
    try #require(
      TimeScale(from: start, to: start + month + 600 * second, stretches: stretches))
  }

  @Test("have a few steps; before and behind them each stretch has its own") func places() throws {
    let scale = try Self.scale()
    let (first, second) = (scale.pieces[0], scale.pieces[1])
    #expect((first.begin, second.end) == (0, 1_000_000))
    #expect(second.begin - first.end == 4000)
    // A short one is wider than its length would make it.
    #expect(second.end - second.begin > 1_000_000 / 6)
    #expect(scale.place(Self.start - 1) == 0)
    #expect(scale.place(Self.start + 1800 * Self.second) == first.end / 2)
    #expect(scale.place(Self.start + 2 * 3600 * Self.second) == first.end)
    #expect(scale.place(Self.start + Self.month) == second.begin)
    #expect(scale.place(.max) == 1_000_000)
    #expect(
      scale.ticks().map(\.label) == [
        "2026-05-19", "10:10", "10:20", "10:30", "10:40", "10:50", "06-18", "10:05",
      ])
  }

  @Test("are as many as there are, and all steps are given away") func many() throws {
    let spans = (0..<50).map { place in
      let from = Self.start + Int64(place) * Self.month
      return Stretches.Span(from: from, to: from + Int64(place) * Self.second)
    }
    let scale = try #require(
      TimeScale(from: Self.start, to: spans[49].to, stretches: spans))
    #expect(scale.pieces.count == 50 && scale.pieces[49].end == 1_000_000)
    #expect(scale.pieces.allSatisfy { $0.end > $0.begin })
    #expect(zip(scale.pieces, scale.pieces.dropFirst()).allSatisfy { $0.end < $1.begin })
  }

  /// The small case, and ten minutes a month later.
  private static func file(continues: Bool = false) throws -> CaseFile {
    let file = try Cases.small()
    try file.insert(
      stretches.enumerated().map { place, span in
        RecordingRow(
          observerId: 1, fromNs: span.from, toNs: span.to, continues: continues && place > 0)
      })
    try file.insert([DeafRow(observerId: 1, fromNs: stretches[0].to, toNs: stretches[1].from)])
    try file.database.write {
      try $0.execute(sql: "UPDATE facts SET value = \(stretches[1].to) WHERE name = 'to_ns'")
      try $0.execute(sql: "UPDATE observers SET to_ns = \(stretches[1].to)")
    }
    return file
  }

  @Test("are marked, told, and no deafness") func told() throws {
    let page = try Cases.page(try Self.file())
    #expect(page.contains("<i class=\"cut\""))
    #expect(page.contains("nothing recorded, left out</li>"))
    #expect(page.contains("\"pieces\":[[\"\(Self.start)\""))
    #expect(page.contains("Nothing was recorded for 29 d 23 h of that, in 1 pause that charts"))
    #expect(
      page.contains("lobby was deaf for 6 min 00 s (9 % of the 1 h 10 min that it recorded)"))
    #expect(page.contains("Between its captures lobby recorded nothing for 29 d 23 h (1 pause)"))
  }

  @Test("inside a capture are left out, and deafness all the same") func inside() throws {
    let page = try Cases.page(try Self.file(continues: true))
    #expect(page.contains("<i class=\"cut\""))
    #expect(page.contains("lobby was deaf for 29 d 23 h (over 99 % of its time)"))
    #expect(!page.contains("Between its captures"))
    // A clock that was set forward looks the same.
    let orStep = "nothing was recorded, or the clock was set forward"
    #expect(
      page.contains(
        "No record is of 29 d 23 h of that, in 1 pause that charts leave out: \(orStep)."))
    #expect(page.contains("title=\"no record for 29 d 23 h, from"))
    #expect(
      page.contains("10:00:00.000: \(orStep)\"></i>") && page.contains("no record, left out</li>"))
  }

  @Test("inside a capture are no step of the clock where the recorder says that it paused")
  func paused() throws {
    let file = try Self.file(continues: true)
    try file.insert([
      PauseRow(captureId: 1, fromNs: Self.stretches[0].to, toNs: Self.stretches[1].from)
    ])
    let page = try Cases.page(file)
    #expect(page.contains("Nothing was recorded for 29 d 23 h of that"))
    #expect(page.contains("nothing recorded, left out</li>"))
  }

  @Test("are none where nothing is left out") func none() throws {
    let page = try Cases.page(try Cases.small())
    for word in ["<i class=\"cut\"", "left out</li>", "\"pieces\"", "charts leave out"] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test("leave lanes of very many spans what each stretch has") func simplified() throws {
    let file = try Self.file()
    try file.insert(
      (0..<4 * Most.spansOfLane).map { place in
        let from = Self.stretches[place % 2].from + Int64(place / 2) * Self.second / 10
        return SpanRow(
          observerId: 1, regionId: 1, fromNs: from, toNs: from + Self.second / 10,
          state: place % 4 < 2 ? "inside" : "outside")
      })
    try file.database.write { try $0.execute(sql: "DELETE FROM spans WHERE id < 3") }
    try file.database.read { database in
      let contents = try Contents(database)
      let scale = try #require(contents.scale)
      let lane = try #require(
        try Lane.all(database, contents.presences, scale.pieces).first)
      #expect(lane.isSimplified && lane.spans.count <= Most.spansOfLane)
      for piece in scale.pieces {
        #expect(lane.spans.count { $0.from >= piece.from && $0.to <= piece.to } > 20)
      }
    }
  }

  @Test("are taken out of other spans") func outside() {
    func spans(_ pairs: [(Int64, Int64)]) -> [Stretches.Span] {
      pairs.map { Stretches.Span(from: $0.0, to: $0.1) }
    }
    func outside(_ a: [(Int64, Int64)], _ b: [(Int64, Int64)]) -> [[Int64]] {
      Recorded.outside(spans(a), of: spans(b)).map { [$0.from, $0.to] }
    }
    #expect(outside([(0, 10)], []) == [[0, 10]])
    #expect(outside([(0, 10)], [(0, 10)]) == [])
    #expect(outside([(0, 10), (12, 20)], [(3, 5), (8, 14)]) == [[0, 3], [5, 8], [14, 20]])
    #expect(outside([(0, 1), (2, 3)], [(5, 6)]) == [[0, 1], [2, 3]])
  }
}
