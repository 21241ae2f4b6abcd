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

  @Test("asks questions that SQLite understands") func questions() throws {
    let file = try CaseFile.temporary()
    let blocks = try Self.text.get().components(separatedBy: "```sql\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }.filter { !$0.contains("ATTACH") }
    #expect(blocks.count == 14)
    for sql in blocks {
      #expect(throws: Never.self, "\(sql)") {
        try CaseQuery(file, sql).run(begin: { _ in }, row: { _ in })
      }
    }
  }
}
