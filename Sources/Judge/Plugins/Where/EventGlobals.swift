import Analysis

/// What an expression over events can name: the fields of any event. One that has no such field has nil.
enum EventGlobals {
  /// What rules' own events have beside what all have.
  static let alertNames = [
    "severity", "title", "text", "plugin", "plugin_version", "plugin_sha256", "dedupe_key",
    "held_back", "events", "fields",
  ]

  static let names: Set<String> = {
    // What is noted while reading is told to handlers only, and no event of the run.
    let noted: [HandledEvent] = [.malformed, .clock, .observer, .start, .finish]
    let events = Reference.events.filter { event in
      !event.isSighting && !noted.contains { $0.rawValue == event.name }
    }
    return Set(events.flatMap(\.fields).map(\.name) + alertNames)
  }()

  private static let inOrder = names.sorted()

  /// - Parameters:
  ///   - profile: the name of the event's profile.
  ///   - alert: what the event tells, where it is one of a rule's.
  static func table(_ event: TimelineEvent, _ view: RunView, profile: String, _ alert: Alert?)
    -> LuaTable
  {
    let values = EventValues(view: view)
    var table = values.table(event)
    // The view knows the first profile alone; what is said last holds.
    table.set("profile", .text(profile))
    if let alert { add(alert, to: &table) }
    let given = Set(table.names)
    // A name with nil is known, and absent.
    for name in inOrder where !given.contains(name) { table.append(.text(name), .none) }
    return table
  }

  private static func add(_ alert: Alert, to table: inout LuaTable) {
    table.set("severity", .text(alert.severity.rawValue))
    table.set("title", .text(alert.title))
    if !alert.text.isEmpty { table.set("text", .text(alert.text)) }
    table.set("plugin", .text(alert.rule.plugin))
    if !alert.rule.version.isEmpty { table.set("plugin_version", .text(alert.rule.version)) }
    table.set("plugin_sha256", .text(alert.rule.sha256))
    table.set("dedupe_key", .text(alert.dedupeKey.isEmpty ? alert.title : alert.dedupeKey))
    table.set("held_back", .integer(Int64(alert.heldBack)))
    table.set(
      "events", .table(LuaTable(list: alert.events.map { .text(EventValues.reference($0)) })))
    var fields = LuaTable()
    for field in alert.fields { fields.set(field.name, LuaValue(field.value)) }
    table.set("fields", .table(fields))
  }
}
