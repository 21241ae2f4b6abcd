extension CaseMigration {
  /// What an entry is worth.
  static let entries = CaseMigration(
    name: "7 entries", tables: ["stays"],
    sql: """
      -- Where an entry is not proved, because the radio could not hear for long enough before it:
      -- heard_before_ns is the last sighting before, or the observer's first record; listened_before_ns
      -- for how long the radio could hear between that and the entry; entry_why says it in words.
      ALTER TABLE stays ADD COLUMN heard_before_ns INTEGER;
      ALTER TABLE stays ADD COLUMN listened_before_ns INTEGER;
      ALTER TABLE stays ADD COLUMN entry_why TEXT;
      DROP VIEW visits;
      \(visits(entry: ", entry_why"))

      """)
}
