import CaseStore
import GRDB
import Testing

@testable import Report

/// The case of one receiver and one visit, from 600 s to 1200 s, with positions.
@Suite("The map") struct MapTests {
  private static func at(_ seconds: Double) -> Int64 {
    Cases.start + Int64(seconds * Double(Cases.second))
  }

  /// A fix each 10 s from 580 s to 1220 s; a thousandth of a degree eastward each second.
  private static func way(of observer: Int64?, latitude: Double) -> [FixRow] {
    stride(from: 580.0, through: 1220, by: 10).map {
      fix($0, latitude, of: observer, source: observer == nil ? "track" : "capture")
    }
  }

  private static func fix(
    _ seconds: Double, _ latitude: Double, of observer: Int64? = nil, source: String = "track",
    gap: Bool? = false
  ) -> FixRow {
    FixRow(
      source: source, observerId: observer, fileId: source == "track" ? 1 : nil, number: 1,
      timeNs: at(seconds), latitude: latitude, longitude: seconds / 1000, gapBefore: gap)
  }

  /// With a second receiver, and its visit at the same time.
  private static func twoReceivers() throws -> CaseFile {
    let file = try Cases.small()
    try file.insert([
      ObserverRow(name: "east", fromNs: at(0), toNs: at(3600), reports: 3)
    ])
    try file.insert([
      StayRow(
        profileId: 1, observerId: 2, regionId: 1, sinceNs: at(605), wasInsideAlready: false,
        untilNs: at(1200), lastSeenNs: at(1165))
    ])
    return file
  }

  private static func marks(_ file: CaseFile) throws -> MapMarks {
    try file.database.read { try MapMarks(Contents($0), $0) }
  }

  private static func isNear(_ one: Double?, _ other: Double) -> Bool {
    one.map { abs($0 - other) < 1e-4 } ?? false
  }

  @Test("has the visits of a receiver on its own way") func ownWay() throws {
    let file = try Self.twoReceivers()
    try file.insert(Self.way(of: 1, latitude: 1) + Self.way(of: 2, latitude: 2))
    let marks = try Self.marks(file).visits
    #expect(marks.map(\.kind) == [.begin, .end, .begin, .end])
    for (mark, latitude) in zip(marks, [1.0, 1, 2, 2]) {
      #expect(Self.isNear(mark.latitude, latitude), "\(mark.title)")
    }
    #expect(marks[2].title == "lobby at east: visit begins 10:10:05.000")
  }

  @Test("takes the way that is for all where a receiver has none of its own") func common() throws {
    let file = try Self.twoReceivers()
    try file.insert(Self.way(of: 1, latitude: 1) + Self.way(of: nil, latitude: 3))
    let marks = try Self.marks(file).visits
    for (mark, latitude) in zip(marks, [1.0, 1, 3, 3]) {
      #expect(Self.isNear(mark.latitude, latitude), "\(mark.title)")
    }
  }

  @Test("takes the track of a receiver before that of all, and nobody else's")
  func ownTrack() throws {
    let file = try Self.twoReceivers()
    let own = Self.way(of: 2, latitude: 2).map { fix -> FixRow in
      var fix = fix
      (fix.source, fix.fileId) = ("track", 2)
      return fix
    }
    try file.insert(own)
    let alone = try Self.marks(file)
    #expect(alone.visits.count == 2 && alone.unplacedEnds == 2)
    try file.insert(Self.way(of: nil, latitude: 3))
    for (mark, latitude) in zip(try Self.marks(file).visits, [3.0, 3, 2, 2]) {
      #expect(Self.isNear(mark.latitude, latitude), "\(mark.title)")
    }
  }

  @Test("has an end between two fixes, and none where they are more than 30 s apart")
  func between() throws {
    let file = try Cases.small()
    try file.insert([
      Self.fix(590, 1), Self.fix(620, 1), Self.fix(1190, 1), Self.fix(1221, 1),
    ])
    let marks = try Self.marks(file)
    #expect(marks.visits.map(\.kind) == [.begin])
    #expect(Self.isNear(marks.visits.first?.longitude, 0.6))
    #expect(
      try Cases.page(file).contains(
        "1 end of a visit is not marked, as no position is known there."))
  }

  @Test("has the ring where somebody was heard last") func lastHeard() throws {
    let file = try Self.twoReceivers()
    try file.insert(Self.way(of: 2, latitude: 2))
    let end = try #require(try Self.marks(file).visits.last)
    #expect(Self.isNear(end.longitude, 1.165))
    #expect(
      end.title == "lobby at east: visit ends 10:20:00.000, last heard 10:19:25.000")
    #expect(try Cases.page(file).contains("and a ring where somebody was last heard in it"))
  }

  @Test("has a visit of a circle where its border was crossed") func crossed() throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(
        sql: """
          UPDATE regions SET latitude = 1, longitude = 0.6, radius_m = 50;
          UPDATE events SET json = '{"crossed_at":"2026-05-19T10:09:45.000000000Z"}'
            WHERE type = 'enter';
          """)
    }
    try file.insert(Self.way(of: nil, latitude: 1))
    let begin = try #require(try Self.marks(file).visits.first)
    #expect(Self.isNear(begin.longitude, 0.585))
    #expect(
      begin.title
        == "lobby: visit begins 10:10:00.000, border crossed 10:09:45.000")
  }

  @Test("draws circles as large as the main profile follows them") func largest() throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(sql: "UPDATE regions SET latitude = 1, longitude = 2, radius_m = 50")
    }
    // With a margin of 5 m.
    #expect(try Cases.page(file).contains(", over 110 m."))
    try file.database.write {
      try $0.execute(sql: #"UPDATE profiles SET numbers = '{"max_radius_m":20.0}'"#)
    }
    #expect(try Cases.page(file).contains(", over 50 m."))
  }

  // MARK: Ways

  /// How many lines there are.
  private static func lines(_ file: CaseFile) throws -> Int {
    let page = try Cases.page(file)
    let path = try #require(page.firstMatch(of: /<path class="track" d="([^"]*)"/))
    return path.1.count { $0 == "M" }
  }

  @Test("begins another line behind a gap") func gap() throws {
    let file = try Cases.small()
    try file.insert([
      Self.fix(0, 1), Self.fix(10, 1), Self.fix(310, 1, gap: true), Self.fix(320, 1),
    ])
    #expect(try Self.lines(file) == 2)
  }

  @Test("of a case that does not say where gaps are goes by the times") func older() throws {
    let file = try Cases.small()
    try file.insert([0, 10, 310, 320].map { Self.fix($0, 1, gap: nil) })
    #expect(try Self.lines(file) == 2)
  }

  @Test("finds a gap between fixes that are not drawn, and no other one") func thinned() throws {
    let file = try Cases.small()
    // One in three is drawn.
    try file.insert((0..<9000).map { Self.fix(Double($0) * 20, 1, gap: $0 == 4000) })
    #expect(try Self.lines(file) == 2)
    try file.database.write { try $0.execute(sql: "UPDATE fixes SET gap_before = 0") }
    #expect(try Self.lines(file) == 1)
  }

  // MARK: Strongest signals

  @Test("marks where a beacon was heard best") func strongest() throws {
    let file = try Self.twoReceivers()
    try file.insert(Self.way(of: 1, latitude: 1) + Self.way(of: 2, latitude: 2))
    try file.insert([
      StrongestRow(beaconId: 1, timeNs: Self.at(700), rssi: -48, observerId: 2),
      StrongestRow(beaconId: 1, timeNs: Self.at(3000), rssi: -60, observerId: 1),
    ])
    let marks = try Self.marks(file)
    let best = try #require(marks.strongest.first)
    #expect(marks.strongest.count == 1 && marks.unplacedSignals == 1)
    #expect(Self.isNear(best.latitude, 2) && Self.isNear(best.longitude, 0.7))
    let page = try Cases.page(file)
    #expect(page.contains("iBeacon lobby: heard best at east 10:11:40.000, −48 dBm</title>"))
    #expect(page.contains("and a diamond where a beacon was heard best"))
    #expect(page.contains("1 strongest signal is not marked, as no position is known there."))
  }

  @Test("marks no more than it has room for, and says so") func bounded() throws {
    let file = try Cases.small()
    try file.insert(Self.way(of: nil, latitude: 1))
    try file.insert(
      (0..<Most.marks + 5).map { _ in
        StrongestRow(beaconId: 1, timeNs: Self.at(700), rssi: -48, observerId: 1)
      })
    #expect(try Self.marks(file).strongest.count == Most.marks)
    #expect(try Cases.page(file).contains("5 more strongest signals are not marked."))
  }
}
