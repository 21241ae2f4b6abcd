import Foundation
import Testing

@testable import CaseStore

/// CASE.md says what there is.
@Suite("CASE.md") struct DocumentTests {
  private static let text = Result {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Keep/CaseStore/CASE.md"),
      encoding: .utf8)
  }

  /// By heading: the words in backticks before the first colon.
  private static func sections() throws -> [String: [String]] {
    var sections: [String: [String]] = [:]
    for section in try text.get().components(separatedBy: "\n### ").dropFirst() {
      let name = section.prefix { $0 != "\n" }
      let columns = section.dropFirst(name.count).prefix { $0 != ":" }
      let words = columns.split(separator: "`", omittingEmptySubsequences: false)
      sections[String(name)] = words.enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
      }
    }
    return sections
  }

  @Test("names every table and view with its columns, in their order, and no others")
  func columns() throws {
    let there = try CaseFile.temporary().listings()
    let told = try Self.sections()
    #expect(Set(told.keys) == Set(there.map(\.name)))
    for listing in there { #expect(told[listing.name] == listing.columns, "\(listing.name)") }
  }

  private static func questions() throws -> [String] {
    try text.get().components(separatedBy: "```sql\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }.filter { !$0.contains("ATTACH") }
  }

  @Test("asks questions that SQLite understands") func questions() throws {
    let file = try CaseFile.temporary()
    let blocks = try Self.questions()
    #expect(blocks.count == 15)
    for sql in blocks {
      #expect(throws: Never.self, "\(sql)") {
        try CaseQuery(file, sql).run(begin: { _ in }, row: { _ in })
      }
    }
  }

  @Test("finds the fix next to each strongest signal: the observer's own, else one that is for all")
  func strongest() throws {
    let file = try CaseFile.temporary()
    let second: Int64 = 1_000_000_000
    try file.insert([
      BeaconRow(
        kind: "ibeacon", kindName: "iBeacon", identity: "a:1:7", groupName: "a", shortName: "1:7",
        sightings: 9, encryptedTelemetry: 0, companions: 0)
    ])
    try file.insert(["north", "south"].map { ObserverRow(name: $0, reports: 1) })
    func fix(_ time: Int64, _ longitude: Double, of observer: Int64? = nil) -> FixRow {
      FixRow(
        source: "track", observerId: observer, number: 1, timeNs: time * second, latitude: 1,
        longitude: longitude)
    }
    try file.insert([
      fix(100, 1), fix(110, 2), fix(95, 3, of: 1), fix(120, 4, of: 1), fix(200, 5, of: 1),
    ])
    let heard: [(Int64, Int64)] = [(104, 1), (104, 2), (250, 1)]
    try file.insert(
      heard.map {
        StrongestRow(beaconId: 1, timeNs: $0.0 * second, rssi: -50, observerId: $0.1)
      })
    let sql = try #require(try Self.questions().first { $0.contains("FROM strongest") })
    var rows: [[CaseValue]] = []
    try CaseQuery(file, sql).run(begin: { _ in }, row: { rows.append($0) })
    #expect(rows.map { $0[1].text } == ["north", "south", "north"])
    #expect(rows.map { $0[5].real } == [3, 1, nil])
    #expect(rows.map { $0[6].real } == [9, 4, nil])
  }
}
