extension CaseMigration {
  /// Where nobody knows of circles.
  static let unplaced = CaseMigration(
    name: "4 unplaced", tables: ["unplaced"],
    sql: """
      -- Where circles are followed: when it was not known where an observer was.
      CREATE TABLE unplaced (
        id INTEGER PRIMARY KEY, observer_id INTEGER NOT NULL REFERENCES observers,
        from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL);

      """)
}
