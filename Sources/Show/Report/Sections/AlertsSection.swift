import CaseStore
import GRDB

/// What rules raised.
struct AlertsSection {
  let contents: Contents
  private let cell: EventCell
  /// Of the alerts' events.
  private let events: [Int64: (event: String, time: Int64?, observer: Int64?)]

  init(_ contents: Contents, _ evidence: Evidence, _ database: Database) throws {
    self.contents = contents
    cell = EventCell(evidence: evidence)
    events = Dictionary(
      uniqueKeysWithValues: try Row.fetchAll(
        database,
        sql: """
          SELECT id, event, time_ns, observer_id FROM events
          WHERE id IN (SELECT event_id FROM alerts ORDER BY id LIMIT \(Most.alerts))
          """
      ).map { ($0[0], ($0[1], $0[2], $0[3])) })
  }

  var html: HTMLText {
    guard contents.alerts.count > 0 else {
      let why: HTMLText =
        contents.plugins.isEmpty
        ? "None: no plugin judged this run (<code>--plugin</code>)."
        : "None was raised by \(Words.list(contents.plugins.map(\.name)))."
      return Section.html("alerts", "Alerts", "<p>\(why)</p>")
    }
    var columns: [Table.Column] = [
      .init(title: "Time (UTC)"), .init(title: "Severity", choice: "Severity"),
      .init(title: "What"),
      .init(title: "Region", choice: "Region"),
    ]
    if contents.hasSeveralObservers { columns.append(.init(title: "Receiver", choice: "Receiver")) }
    let table = Table(
      id: "alert-table", caption: "Alerts in the order in which they were raised",
      columns: columns + [.init(title: "Rule", choice: "Rule"), .init(title: "Id and evidence")],
      filter: contents.alerts.count > 8 ? "alerts" : nil)
    return Section.html(
      "alerts", "Alerts",
      notes + table.html(contents.alerts.rows.map { row($0) }))
  }

  /// What qualifies the table: above it, as nobody reads on behind hundreds of rows.
  private var notes: HTMLText {
    let lacking = contents.alerts.rows.count { !cell.evidence.has($0.eventId) }
    let evidence: HTMLText =
      lacking > 0
      ? """
      <p class="note">What decided \(Words.number(lacking)) of these is not in this page; \
      <a href="#events">Events</a> says how to get it by their ids.</p>

      """ : ""
    return CaseQuery.rest(contents.alerts.others, "alert", table: "alerts") + evidence
  }

  private func row(_ alert: AlertRow) -> HTMLText {
    let event = events[alert.eventId]
    let text: HTMLText =
      alert.text.isEmpty || alert.text == alert.title
      ? "" : "<br><small>\(Self.lines(alert.text))</small>"
    let held: HTMLText =
      alert.heldBack > 0
      ? "<br><small>\(Words.counted(alert.heldBack, "more like it", "more like it")) held back</small>"
      : ""
    // An alert may be about what all of them heard together.
    let receiver: HTMLText =
      contents.hasSeveralObservers
      ? "<td class=\"name\">\(contents.observer(event?.observer))</td>" : ""
    return """
      <tr><td class="t">\(contents.time(event?.time))</td><td><span class="severity" data-severity="\(alert.severity)">\
      \(alert.severity)</span></td><td class="text"><b>\(alert.title)</b>\(text)\(held)</td><td class="name">\(regions(of: alert))</td>\(receiver)\
      <td class="name" data-value="\(alert.plugin)">\(alert.plugin) \(alert.pluginVersion)</td>\(cell.html(alert.eventId, event?.event ?? ""))</tr>

      """
  }

  private func regions(of alert: AlertRow) -> HTMLText {
    let names = contents.alertRegions[alert.eventId].map { contents.region($0) }
    let rest = names.count - Self.mostRegions
    let shown = names.prefix(Self.mostRegions).map { "<span data-value>\($0)</span>" as HTMLText }
    guard rest > 0 else { return shown.joined(", ") }
    // All of them can be chosen by, as far as that is anybody's choice.
    let others = names.dropFirst(Self.mostRegions).prefix(Self.mostChoices).map {
      "<span data-value hidden>\($0)</span>" as HTMLText
    }
    return "\(shown.joined(", ")) and \(Words.number(rest)) more\(others.joined())"
  }

  private static let (mostRegions, mostChoices) = (3, 20)

  private static func lines(_ text: String) -> HTMLText {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { HTMLText(text: String($0)) }
      .joined("<br>")
  }
}
