extension CaseMigration {
  /// What the frames of visits are stamped that were followed at other times.
  static let stampedStays = CaseMigration(
    name: "16 stamped stays", tables: ["stays", "remarks", "events"],
    sql: """
      -- What the first and the last sighting are stamped, where one of them was followed more than a second later:
      -- their clock had been set back.
      ALTER TABLE stays ADD COLUMN first_stamped_ns INTEGER;
      ALTER TABLE stays ADD COLUMN last_stamped_ns INTEGER;
      DROP VIEW visits;
      \(visits(
        entry: ", entry_why",
        events: ", entry_event, exit_event, \(time("first_stamped_ns")) AS first_stamped, "
          + "\(time("last_stamped_ns")) AS last_stamped"))

      """)
}
