import CaseStore
import Exports
import Testing

@testable import Cases

/// What a query finds, as it goes out.
@Suite("A query's output") struct QueryOutputTests {
  private final class Kept: TextOutput {
    var text = ""
    func write(_ bytes: [UInt8]) throws { text += String(decoding: bytes, as: UTF8.self) }
  }

  private func written(
    _ form: QueryForm, _ columns: [String], _ rows: [[CaseValue]], width: Int? = nil
  ) throws -> String {
    let kept = Kept()
    var output = QueryOutput(form, kept, width: width)
    try output.begin(columns)
    for row in rows { try output.take(row) }
    try output.end()
    return kept.text
  }

  private static let values: [CaseValue] = [
    .null, .text(""), .text("NULL"), .int(-3), .real(0.5), .blob([0, 255]),
  ]

  @Test(
    "tells NULL from texts",
    arguments: [
      (QueryForm.text, "NULL  ''  'NULL'  -3  0.5  00ff\n"),
      (.csv, ",\"\",NULL,-3,0.5,00ff\r\n"),
      (.json, "{\"a\":null,\"b\":\"\",\"c\":\"NULL\",\"d\":-3,\"e\":0.5,\"f\":\"00ff\"}\n]\n"),
      (.ndjson, "{\"a\":null,\"b\":\"\",\"c\":\"NULL\",\"d\":-3,\"e\":0.5,\"f\":\"00ff\"}\n"),
    ])
  func null(_ form: QueryForm, _ end: String) throws {
    let text = try written(form, ["a", "b", "c", "d", "e", "f"], [Self.values])
    #expect(text.hasSuffix(end), "\(text)")
  }

  @Test(
    "makes text of others harmless, in cells and in names of columns",
    arguments: QueryForm.allCases,
    ["\u{1b}[31mred", "=cmd|' /C calc'!A0", "a\r\nb", "x\u{202e}y", "\u{0}", "a,\"b\""])
  func hostile(_ form: QueryForm, _ words: String) throws {
    let text = try written(
      form, [words, "n"], [[.text(words), .int(1)], [.text("plain"), .int(2)]])
    let controls = text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n" && $0 != "\r") || $0.value == 0x7f
    }
    #expect(controls.isEmpty, "\(text)")
    let lines = text.split(separator: form == .csv ? "\r\n" : "\n")
    let expected: [QueryForm: Int] = [.text: 4, .csv: 3, .json: 4, .ndjson: 2]
    #expect(lines.count == expected[form], "\(text)")
    if form == .csv { #expect(!lines.contains { $0.hasPrefix("=") || $0.hasPrefix("\"=") }) }
    if form == .text { #expect(!text.contains("\u{202e}")) }
  }

  @Test("has each key once where several columns have one name")
  func names() throws {
    let text = try written(
      .ndjson, ["id", "id_2", "id", "id"], [[.int(1), .int(2), .int(3), .int(4)]])
    #expect(text == "{\"id\":1,\"id_2\":2,\"id_3\":3,\"id_4\":4}\n")
  }

  @Test("keeps JSON in a cell JSON")
  func jsonInCells() throws {
    let text = try written(.csv, ["j"], [[.text("{\"a\":\"x\u{202e}\u{7f}\"}")]])
    #expect(text == "j\r\n\"{\"\"a\"\":\"\"x\\u202e\\u007f\"\"}\"\r\n", "\(text)")
  }

  @Test("fits a terminal, the widest columns giving way, and is cut nowhere else")
  func fits() throws {
    let row: [CaseValue] = [.int(1), .text(String(repeating: "w", count: 200)), .text("end")]
    let narrow = try written(.text, ["id", "words", "last"], [row], width: 40)
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 })
    #expect(narrow.contains("…") && narrow.contains("end"))
    let wide = try written(.text, ["id", "words", "last"], [row])
    #expect(wide.contains(String(repeating: "w", count: 200)))
  }

  @Test("has a line for each cell, and cuts nothing, where columns would leave too little of them")
  func lines() throws {
    let words = String(repeating: "w", count: 50)
    let rows: [[CaseValue]] = [
      [.int(1), .text(words), .text(words), .null], [.int(2), .text("b"), .text(""), .int(4)],
    ]
    let names = ["n", "first", "second", "other"]
    #expect(
      try written(.text, names, rows, width: 40) == """
        ── 1 ───────────────────────────────────
        n       1
        first   \(words)
        second  \(words)
        other   NULL
        ── 2 ───────────────────────────────────
        n       2
        first   b
        second  ''
        other   4

        """)
    #expect(try written(.text, names, rows).hasPrefix("n  first   "))
    #expect(try written(.text, names, [], width: 10).hasPrefix("n  first"))
  }

  @Test("without rows has its columns") func empty() throws {
    #expect(try written(.csv, ["a"], []) == "a\r\n")
    #expect(try written(.json, ["a"], []) == "[]\n")
    #expect(try written(.text, ["a"], []) == "a\n─\n")
  }

  @Test("has columns as wide as the widest cell takes on a terminal")
  func cells() {
    var table = FittedTable(width: 80)
    table.begin(["名前", "n"])
    _ = table.take(["展示室", "1"])
    _ = table.take(["hall", "2"])
    #expect(table.end() == ["名前    n", "──────  ─", "展示室  1", "hall    2"])
  }
}
