extension CaseMigration {
  /// Signals of each observer by themselves, where several heard a beacon.
  static let signalsApart = CaseMigration(
    name: "11 signals apart", tables: ["signal_bins", "strongest"],
    sql: """
      -- Who heard it; NULL in cases of older forms, which have the signals of all observers in one.
      ALTER TABLE signal_bins ADD COLUMN observer_id INTEGER REFERENCES observers;
      ALTER TABLE strongest ADD COLUMN observer_id INTEGER REFERENCES observers;
      """)
}
