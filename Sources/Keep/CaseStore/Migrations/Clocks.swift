extension CaseMigration {
  /// Clocks that were moved, and who is no radio.
  static let clocks = CaseMigration(
    name: "9 clocks", tables: ["captures", "observers"],
    sql: """
      -- By how much the times of a capture are later than they stand in it; NULL where that differs, which
      -- moved_how tells in words, and in cases of older forms.
      ALTER TABLE captures ADD COLUMN moved_ns INTEGER;
      ALTER TABLE captures ADD COLUMN moved_how TEXT;
      -- 1: messages of a host about itself, no radio; NULL in cases of older forms.
      ALTER TABLE observers ADD COLUMN is_host INTEGER;
      """)
}
