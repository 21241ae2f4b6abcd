extension CaseMigration {
  /// What the captures' observers are called, which other captures do not change.
  static let names = CaseMigration(
    name: "8 names", tables: ["captures"],
    sql: """
      -- What the names of a capture's observers begin with; NULL in cases of older forms.
      ALTER TABLE captures ADD COLUMN observer TEXT;
      """)
}
