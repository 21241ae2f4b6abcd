import CaseStore
import GRDB

/// The list of events; each opens its evidence.
struct EventsSection {
  let contents: Contents
  let evidence: Evidence

  func write(_ database: Database, to page: inout PageWriter) throws {
    guard contents.eventCount > 0 else {
      let why: HTMLText =
        contents.isFollowed ? "Nothing happened in any region." : "None: no region was followed."
      try page.add(Section.html("events", "Events", "<p>\(why)</p>"))
      return
    }
    try page.add(
      """
      <section id="events" aria-labelledby="events-title"><h2 id="events-title">Events</h2>
      <p class="lead">\(evidence.extent)</p>
      \(explained)
      """)
    var columns: [Table.Column] = [
      .init(title: "Time (UTC)"), .init(title: "Event", choice: "Kind"),
      .init(title: "Region", choice: "Region"),
    ]
    if contents.hasSeveralObservers { columns.append(.init(title: "Receiver", choice: "Receiver")) }
    if contents.profiles.count > 1 { columns.append(.init(title: "Profile", choice: "Profile")) }
    let table = Table(
      id: "event-table", caption: "Events in their order",
      columns: columns + [.init(title: "Id and evidence")], filter: "events")
    try page.add(table.opening)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT events.id, event, type, time_ns, region_id, observer_id, profile_id, state, grade,
          alerts.title
        FROM events LEFT JOIN alerts ON type = 'alert' AND event_id = events.id
        ORDER BY events.id LIMIT \(Most.events)
        """)
    while let row = try rows.next() { try page.add(html(row)) }
    try page.add(Table.closing)
    try page.add("</section>\n")
  }

  private func html(_ row: Row) -> HTMLText {
    let (id, event, type): (Int64, String, String) = (row[0], row[1], row[2])
    let (time, region, observer): (Int64?, Int64?, Int64?) = (row[3], row[4], row[5])
    let (state, grade): (String?, String?) = (row[7], row[8])
    // The visit says why.
    let doubt = type == "enter" && evidence.isDoubtful(id) ? "not proved" : nil
    let detail = grade ?? (type == "state" ? state : doubt)
    let kind = type.replacing("_", with: " ")
    let alert = (row[9] as String?).map { "\(kind): \($0)" }
    let what = alert ?? detail.map { "\(kind), \($0)" } ?? kind
    let at: HTMLText =
      contents.hasSeveralObservers ? "<td class=\"name\">\(contents.observer(observer))</td>" : ""
    let profile: Int64? = row[6]
    let by: HTMLText =
      contents.profiles.count > 1
      ? "<td>\(contents.profiles.first { $0.id == profile }?.name ?? "")</td>" : ""
    return """
      <tr><td class="t">\(contents.time(time))</td><td data-value="\(kind)">\(what)</td><td class="name">\(contents.region(region))</td>\(at)\(by)\
      \(EventCell(evidence: evidence).html(id, event))</tr>

      """
  }

  /// How any event is explained by its id, by the very line, and where those are that are not listed.
  private var explained: HTMLText {
    let others = contents.eventCount - Most.events
    let rest: HTMLText =
      others > 0
      ? """
      <p class="note">\(Words.counted(others, "more event")) not shown, behind those of this table. They are in \
      the case: \(CaseQuery.html("SELECT * FROM timeline LIMIT -1 OFFSET \(Most.events)"))</p>

      """ : ""
    return """
      <p class="note">Any event or alert by its id, from the captures: \
      <code id="explain">\(Self.explain(contents))</code> or, without them, from a case: \
      <code>beacontrace explain ID CASE</code></p>
      \(rest)
      """
  }

  /// - Returns: a line for a shell, with ID where the event's id belongs.
  static func explain(_ contents: Contents) -> String {
    // Which rows a case keeps makes no difference to what happened.
    let options = contents.options.filter {
      $0 != "--keep-sightings" && $0 != "--keep-proximity"
    }
    let names = contents.captures.map { contents.shown($0.name) }
    let end = names.contains { $0.hasPrefix("-") && $0 != "-" } ? ["--"] : []
    return
      (["beacontrace", "explain"] + options.map { Words.quoted($0) } + ["ID"] + end
      + names.map { Words.quoted($0) }).joined(separator: " ")
  }
}
