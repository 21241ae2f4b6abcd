import GRDB

/// U+0000 in a text: SQLite keeps it, and whoever reads the text gets what stands before it, so that two names would
/// be one. It stands in a case as it is shown everywhere else: `\u{0}`.
enum ZeroCharacters {
  static let shown = #"\u{0}"#

  static func shown(utf8 bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0) else { return bytes }
    return bytes.flatMap { $0 == 0 ? Array(shown.utf8) : [$0] }
  }

  /// In the rows of a table that were added.
  /// - Parameter id: of the last one before them.
  static func show(in table: String, after id: Int64, _ database: Database) throws {
    let texts = try database.columns(in: table).filter { $0.type == "TEXT" }
      .map { "\"\($0.name)\"" }
    guard !texts.isEmpty else { return }
    let changes = texts.map { "\($0) = replace(\($0), char(0), :shown)" }.joined(separator: ", ")
    let conditions = texts.map { "instr(\($0), char(0)) > 0" }.joined(separator: " OR ")
    let statement = try database.cachedStatement(
      sql: "UPDATE \"\(table)\" SET \(changes) WHERE id > :id AND (\(conditions))")
    try statement.execute(arguments: ["shown": shown, "id": id])
  }

  static func lastID(in table: String, _ database: Database) throws -> Int64 {
    let statement = try database.cachedStatement(sql: "SELECT max(id) FROM \"\(table)\"")
    return try Int64.fetchOne(statement) ?? 0
  }
}

extension Database {
  /// Adds rows, and shows what would end a text.
  func add<Row: CaseRow>(_ rows: some Sequence<Row>) throws {
    let last = try ZeroCharacters.lastID(in: Row.databaseTableName, self)
    for row in rows { try row.insert(self) }
    try ZeroCharacters.show(in: Row.databaseTableName, after: last, self)
  }
}
