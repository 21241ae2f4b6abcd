import GRDB
import Testing

@testable import CaseStore

/// Who was near whom.
@Suite("Meetings in a case") struct MeetingTests {
  private static let second: Int64 = 1_000_000_000

  /// Two observers, three regions; `stays` are profile, observer, region, from, to, last seen.
  private static func file(_ stays: [[Int64]], deaf: [[Int64]] = []) throws -> CaseFile {
    let file = try CaseFile.temporary()
    try file.insert([
      ObserverRow(name: "north", reports: 1), ObserverRow(name: "south", reports: 1),
    ])
    try file.insert(["site", "other"].map { ProfileRow(name: $0, numbers: "{}") })
    try file.insert(
      ["a", "b", "c"].map { RegionRow(name: $0, condition: $0, definition: $0) })
    try file.insert(
      stays.map {
        StayRow(
          profileId: $0[0], observerId: $0[1], regionId: $0[2], sinceNs: $0[3] * second,
          wasInsideAlready: false, untilNs: $0[4] * second, durationNs: ($0[4] - $0[3]) * second,
          lastSeenNs: $0[5] * second)
      })
    try file.insert(
      deaf.map { DeafRow(observerId: $0[0], fromNs: $0[1] * second, toNs: $0[2] * second) })
    return file
  }

  private static func told(_ file: CaseFile) throws -> [String] {
    var rows: [String] = []
    let select = """
      SELECT profile, region, observer, other_region, other_observer, substr(since, 15, 5),
        substr(until, 15, 5), duration_s, substr(both_heard_until, 15, 5), deaf_s, other_deaf_s
      FROM meetings ORDER BY since, visit, other_visit
      """
    try file.forEach(select: select) { row in
      rows.append(
        row.map { value in value.text ?? value.real.map { "\(Int($0))" } ?? "-" }
          .joined(separator: " "))
    }
    return rows
  }

  @Test("are two regions at one observer, and two observers in one region") func pairs() throws {
    let file = try Self.file([
      [1, 1, 1, 0, 60, 50], [1, 1, 2, 30, 90, 80], [1, 2, 1, 40, 100, 90],
      [1, 2, 3, 200, 260, 250],
      // Of another profile: no pair with the others.
      [2, 1, 3, 0, 300, 280],
    ])
    #expect(
      try Self.told(file) == [
        "site a north b north 00:30 01:00 30 00:50 0 0",
        "site a north a south 00:40 01:00 20 00:50 0 0",
      ])
  }

  @Test("need a common time, and begin at one moment once") func bounds() throws {
    #expect(try Self.told(Self.file([[1, 1, 1, 0, 60, 50], [1, 1, 2, 60, 90, 80]])).isEmpty)
    #expect(
      try Self.told(Self.file([[1, 1, 2, 0, 60, 50], [1, 1, 1, 0, 90, 80]]))
        == ["site b north a north 00:00 01:00 60 00:50 0 0"])
  }

  @Test("say for how long each observer was deaf, and whether both were still heard")
  func doubts() throws {
    let stays: [[Int64]] = [[1, 1, 1, 0, 60, 20], [1, 2, 1, 30, 90, 80]]
    let deaf: [[Int64]] = [[1, 0, 10], [1, 25, 35], [1, 50, 70], [2, 58, 59], [2, 60, 80]]
    #expect(
      try Self.told(Self.file(stays, deaf: deaf))
        == ["site a north a south 00:30 01:00 30 - 15 1"])
  }

  @Test("are found by the order of visits, not by comparing each with all") func plan() throws {
    let file = try Self.file([])
    var plan = ""
    try file.forEach(select: "EXPLAIN QUERY PLAN SELECT * FROM meetings") { row in
      plan += (row.last?.text ?? "") + "\n"
    }
    #expect(plan.contains("stays_by_observer (profile_id=? AND observer_id=? AND since_ns>? AND"))
    #expect(plan.contains("stays_by_region (profile_id=? AND region_id=? AND since_ns>? AND"))
  }
}
