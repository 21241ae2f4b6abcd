extension CaseMigration {
  /// When what cannot be read was recorded; remarks say it, too.
  static let damageTimes = CaseMigration(
    name: "14 damage times", tables: ["remarks", "damage"],
    sql: """
      -- Times of the frames before and after a gap.
      ALTER TABLE damage ADD COLUMN from_ns INTEGER;
      ALTER TABLE damage ADD COLUMN to_ns INTEGER;
      """)
}
