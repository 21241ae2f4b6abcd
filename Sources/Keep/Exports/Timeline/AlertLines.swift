import Analysis
import CaptureReader
import Regions

/// ALERTS: what rules said, when, and by which plugin.
struct AlertLines {
  let style: Style
  let showsAll: Bool
  let width: Int
  private static let indent = 20

  /// None where nobody judged the run.
  func lines(_ timeline: Timeline) -> [String] {
    guard timeline.isJudged else { return [] }
    guard !timeline.alerts.isEmpty else { return [style.bold("ALERTS") + "    none"] }
    let events = timeline.events.filter { $0.type == .alert }
    let shown = showsAll ? events[...] : events.prefix(TimelineText.mostAlerts)
    var day = ""
    var lines: [String] = []
    for event in shown {
      guard let alert = event.alert.map({ timeline.alerts[$0] }) else { continue }
      let date = event.time.isKnown ? TextColumns.date(event.time) : "without a time"
      if lines.isEmpty {
        lines.append(style.bold("ALERTS") + "    \(date)" + (event.time.isKnown ? ", UTC" : ""))
      } else if date != day {
        lines.append(date)
      }
      day = date
      lines += self.lines(event, alert)
    }
    let rest = events.count - shown.count
    return lines + (rest > 0 ? ["  …\(TextColumns.grouped(rest)) more (--all)"] : [])
  }

  /// `10:06:21  warning   one identity, two transmitters (clone)        7f3a91c04be2d856`.
  private func lines(_ event: TimelineEvent, _ alert: Alert) -> [String] {
    let severity = TextColumns.left(alert.severity.rawValue, AlertText.widestSeverity)
    let clock = event.time.isKnown ? TextColumns.clock(event.time) : "--:--:--"
    let head = "\(clock)  \(severity)  "
    let id = EventReference.text(event.id)
    var lines = TextFit.wrap(
      AlertText.titled(alert), indent: Self.indent, width: min(width, AnalysisText.width))
    lines[0] = head + lines[0].dropFirst(head.count)
    let room = min(width, AnalysisText.width)
    let last = lines[lines.count - 1]
    if last.count + 2 + id.count <= room {
      lines[lines.count - 1] = last + TextColumns.right(id, room - last.count)
    } else {
      lines.append(TextColumns.right(id, room))
    }
    return lines
  }
}

/// An alert in words.
enum AlertText {
  static let widestSeverity = Alert.Severity.allCases.map(\.rawValue.count).max() ?? 0

  /// `exhibit A was silent for 2 minutes (silent)`.
  static func titled(_ alert: Alert) -> String {
    let title = alert.title.isEmpty ? "without a title" : alert.title
    return TextColumns.printable("\(title) (\(alert.rule.plugin))")
  }

  /// With its severity before it, and how many were held back.
  static func line(_ alert: Alert) -> String {
    "\(alert.severity.rawValue): \(titled(alert))"
      + (alert.heldBack > 0 ? ", \(TextColumns.grouped(alert.heldBack)) held back before it" : "")
  }
}
