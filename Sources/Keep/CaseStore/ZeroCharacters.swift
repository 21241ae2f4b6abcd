import GRDB

/// U+0000 in a text: whoever reads it with SQLite, or binds it as GRDB does, gets what stands before it, so that two
/// names would be one. It stands in a case as it is shown everywhere else: `\u{0}`.
enum ZeroCharacters {
  private static let shown = Array(#"\u{0}"#.utf8)

  static func shown(utf8 bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0) else { return bytes }
    return bytes.flatMap { $0 == 0 ? shown : [$0] }
  }

  static func shown(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(decoding: shown(utf8: Array(text.utf8)), as: UTF8.self)
  }
}

extension Database {
  /// Adds rows, without what would end a text.
  func add<Row: CaseRow>(_ rows: some Sequence<Row>) throws {
    let names = try columns(in: Row.databaseTableName).map(\.name)
    let writer = try TableWriter(self, Row.databaseTableName)
    for row in rows {
      let values = try row.databaseDictionary
      for name in names { writer.value(values[name] ?? .null) }
      try writer.end()
    }
  }
}
