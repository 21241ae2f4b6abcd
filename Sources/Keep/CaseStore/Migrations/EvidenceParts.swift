extension CaseMigration {
  /// All frames of a report that was put together of several: who is in it stands in a later one.
  static let evidenceParts = CaseMigration(
    name: "17 evidence parts", tables: ["evidence", "frames", "steps"],
    sql: """
      -- The frame that the event cites, of one that is but a part of the same report.
      ALTER TABLE evidence ADD COLUMN part_of INTEGER;

      """)
}
