extension CaseMigration {
  /// What tells whether a case has been changed since it was written.
  static let seal = CaseMigration(
    name: "3 seal",
    sql: """
      -- SHA-256 over each table's rows in their order (see CASE.md).
      CREATE TABLE digests (
        name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
      -- One row: words, and SHA-256 of the whole file with these 64 digits as zeros.
      CREATE TABLE seal (mark TEXT NOT NULL);

      """)
}
