import Analysis
import CaptureReader
import CaseStore
import Exports

/// Alerts as `live --alerts` writes them: the same lines for the same alerts.
enum EVEExport {
  static let form = CaseExport(
    name: "eve", purpose: "Alerts for programs that collect Suricata's eve.json, a line each.",
    usualName: "eve.json", shape: .text(write))

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    let evidence = try CitedEvidence(file)
    let events = try eventsOfAlerts(file)
    var text = ByteText()
    try file.forEach(AlertRow.self) { alert in
      guard let event = events[alert.eventId] else { return }
      guard let severity = Alert.Severity(rawValue: alert.severity) else {
        throw CaseNonsense("alert \(alert.id ?? 0) has the severity '\(alert.severity)'")
      }
      text.append(
        EVELine.bytes(
          at: event.time, severity, title: alert.title, plugin: alert.plugin,
          event: Array(event.json.utf8), frame: evidence.frames(alert.eventId).first?.number))
      text.text("\n")
      try text.flush(to: &output, keeping: Exports.chunk)
    }
    try text.flush(to: &output)
    return []
  }

  private static func eventsOfAlerts(_ file: CaseFile) throws -> [Int64: (
    time: Timestamp, json: String
  )] {
    var events: [Int64: (time: Timestamp, json: String)] = [:]
    let select =
      "SELECT id, time_ns, json FROM events WHERE id IN (SELECT event_id FROM alerts) ORDER BY id"
    try file.forEach(select: select) { row in
      events[row[0].int ?? 0] = (Timestamp(column: row[1].int), row[2].text ?? "{}")
    }
    return events
  }
}
