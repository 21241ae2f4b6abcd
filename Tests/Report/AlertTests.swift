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

  private static func table(_ page: String) throws -> Substring {
    try #require(page.firstMatch(of: /<table id="alert-table".*?<\/table>/.dotMatchesNewlines()))
      .output
  }

  private static func row(_ words: String, in page: String) throws -> Substring {
    try #require(table(page).split(separator: "<tr>").first { $0.contains(words) })
  }

  @Test("of a rule that raises many do not hide those of another one in the summary")
  func inTurn() throws {
    let file = try Self.file()
    for place in 0..<9 {
      let id = Int64(10 + place)
      try file.insert([
        EventRow(
          id: id, event: "00000000000000c\(place)", type: "alert",
          timeNs: Self.start + Int64(place) * Self.second, observerId: 1, regionId: 1, profileId: 1,
          title: "again", json: "{}")
      ])
      try file.insert([
        AlertRow(
          eventId: id, severity: "warning", title: place < 6 ? "again" : "other \(place)", text: "",
          plugin: "many", pluginVersion: "1", pluginSha256: "", dedupeKey: "", heldBack: 0,
          fields: "{}")
      ])
    }
    let page = try Cases.page(file)
    let list = try #require(page.firstMatch(of: /<ul class="worst">.*?<\/ul>/.dotMatchesNewlines()))
      .output
    #expect(list.contains("again (6 times, this the first)"))
    #expect(list.contains("Beware of gate") && list.contains("alert 3") && list.contains("alert 4"))
    #expect(list.contains("and 1 warning more"))
  }

  @Test("name their receiver where there are several") func receivers() throws {
    let page = try Cases.page(Self.file())
    let head = "<th scope=\"col\" data-choice=\"Receiver\">Receiver</th>"
    #expect(try Self.table(page).contains(head))
    #expect(try Self.row("alert 3", in: page).contains("<td class=\"name\">yard</td>"))
    #expect(
      try Self.row("Beware", in: page).contains(
        "<td class=\"name\"><span data-value>gate</span></td><td class=\"name\">gate</td>"))
    // One that is about all receivers together is nobody's.
    #expect(try Self.row("alert 4", in: page).contains("<td class=\"name\"></td>"))
    #expect(page.contains(" alert 3 at yard</li>") && page.contains(" alert 4</li>"))
    let one = try Cases.page(Cases.small())
    #expect(try !Self.row("Beware", in: one).contains(" at lobby"))
    #expect(try !Self.table(one).contains(head))
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

  @Test("have one mark where they lie too near each other, which the script can divide") func many()
    throws
  {
    let file = try Cases.small()
    for number in 0..<12 {
      let id = Int64(10 + number)
      try file.insert([
        EventRow(
          id: id, event: "00000000000000\(id)", type: "alert",
          timeNs: Self.start + Int64(2000 + number) * Self.second, observerId: 1, regionId: 1,
          profileId: 1,
          title: "late", json: "{}")
      ])
      try file.insert([
        AlertRow(
          eventId: id, severity: number % 4 == 0 ? "critical" : "info", title: Cases.hostile,
          text: "", plugin: "rule", pluginVersion: "1", pluginSha256: "", dedupeKey: "",
          heldBack: 0, fields: "{}")
      ])
    }
    let page = try Cases.page(file)
    let words = "12 alerts, 10:33:20.000 to 10:33:31.000: 9 info, 3 critical"
    #expect(page.contains("title=\"\(words)\" aria-label=\"\(words)\">12</button>"))
    #expect(page.matches(of: /<button class="alert-mark/).count == 2)
    let data = try #require(page.firstMatch(of: /id="marks">([^<]*)<\/script>/)).1
    #expect(data.contains("[555555,10,\"0000000000000010\",\"critical\",\"10:33:20.000\","))
    #expect(data.contains("\"lanes\":[{\"alerts\":[0,1,2,3,4,5,6,7,8,9,10,11,12],"))
  }
}
