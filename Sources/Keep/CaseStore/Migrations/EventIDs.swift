extension CaseMigration {
  /// Ids of events that do not go by frame numbers any more, and entries that say what they leave open: the same
  /// tables, filled with others.
  static let eventIDs = CaseMigration(
    name: "10 event ids", tables: ["events", "citations", "steps"], sql: "")
}
