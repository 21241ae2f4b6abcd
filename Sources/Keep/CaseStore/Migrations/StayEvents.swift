extension CaseMigration {
  /// From a visit to what proves it.
  static let stayEvents = CaseMigration(
    name: "13 stay events", tables: ["stays"],
    sql: """
      -- events.event of its entry (or of the state of whoever was inside already) and of its exit, where
      -- they were told.
      ALTER TABLE stays ADD COLUMN entry_event TEXT;
      ALTER TABLE stays ADD COLUMN exit_event TEXT;
      DROP VIEW visits;
      \(visits(entry: ", entry_why", events: ", entry_event, exit_event"))

      """)
}
