extension CaseMigration {
  /// Ids of events that do not go by frame numbers any more: the same tables, filled with others.
  static let eventIDs = CaseMigration(
    name: "10 event ids", tables: ["events", "citations", "steps"], sql: "")
}
