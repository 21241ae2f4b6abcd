extension CaseMigration {
  /// What tells a time in which nobody recorded from one in which a receiver was deaf.
  static let recordings = CaseMigration(
    name: "6 recordings", tables: ["recordings", "signal_bins"],
    sql: """
      -- When an observer recorded. continues: 1 where its capture is that of the row before, and has no
      -- record for over an hour between the two.
      CREATE TABLE recordings (
        id INTEGER PRIMARY KEY, observer_id INTEGER NOT NULL REFERENCES observers,
        from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL, continues INTEGER NOT NULL);

      """)
}
