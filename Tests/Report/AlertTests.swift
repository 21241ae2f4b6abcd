import CaseStore
import FoundationEssentials
import GRDB
import Testing

@testable import Report

@Suite("Alerts on the page") struct AlertTests {
  private static let (start, second) = (Cases.start, Cases.second)

  /// The small case, with the region at another receiver, too, and an alert of each and of nobody's.
  private static func file() throws -> CaseFile {
    let file = try Cases.small(name: "gate")
    try file.insert([
      ObserverRow(name: "yard", fromNs: start, toNs: start + 3600 * second, reports: 1)
    ])
    try file.insert([StateRow(profileId: 1, observerId: 2, regionId: 1, state: "outside")])
    try file.insert([
      SpanRow(
        observerId: 2, regionId: 1, fromNs: start, toNs: start + 3600 * second, state: "outside")
    ])
    let observers: [Int64?] = [2, nil]
    for (place, observer) in observers.enumerated() {
      let id = Int64(3 + place)
      try file.insert([
        EventRow(
          event: "00000000000000b\(id)", type: "alert", timeNs: start + 1800 * second,
          observerId: observer, regionId: 1, profileId: 1, title: "alert \(id)", json: "{}")
      ])
      try file.insert([
        AlertRow(
          eventId: id, severity: "warning", title: "alert \(id)", text: "", plugin: "rule",
          pluginVersion: "1", pluginSha256: "", dedupeKey: "", heldBack: 0, fields: "{}")
      ])
    }
    return file
  }

  private static func row(_ words: String, in page: String) throws -> Substring {
    let table = try #require(
      page.firstMatch(of: /<table id="alert-table".*?<\/table>/.dotMatchesNewlines())
    )
    .output
    return try #require(table.split(separator: "<tr>").first { $0.contains(words) })
  }

  @Test("name their receiver where there are several") func receivers() throws {
    let page = try Cases.page(Self.file())
    #expect(page.contains("<th scope=\"col\">Receiver</th><th scope=\"col\">Rule</th>"))
    #expect(try Self.row("alert 3", in: page).contains("<td class=\"name\">yard</td>"))
    #expect(
      try Self.row("Beware", in: page).contains(
        "<td class=\"name\">gate</td><td class=\"name\">gate</td>"))
    // One that is about all receivers together is nobody's.
    #expect(try Self.row("alert 4", in: page).contains("<td class=\"name\"></td>"))
    #expect(page.contains(" alert 3 at yard</li>") && page.contains(" alert 4</li>"))
    let one = try Cases.page(Cases.small())
    #expect(try !Self.row("Beware", in: one).contains(" at lobby"))
    #expect(!one.contains("<th scope=\"col\">Receiver</th><th scope=\"col\">Rule</th>"))
  }

  @Test("stand in the lane of their receiver") func lanes() throws {
    let page = try Cases.page(Self.file())
    let lanes = try #require(page.split(separator: "<div class=\"axis\"").first).components(
      separatedBy: "<div class=\"lane\">"
    ).dropFirst()
    let yard = try #require(lanes.first { $0.contains("<span>yard</span>") })
    let gate = try #require(lanes.first { $0.contains("<span>gate</span>") })
    #expect(yard.contains("alert 3 at yard") && !yard.contains("alert 4"))
    #expect(gate.contains("alert 4\"") && !gate.contains("alert 3"))
  }
}
