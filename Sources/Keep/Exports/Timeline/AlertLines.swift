package import Analysis
import CaptureReader
import Regions

/// ALERTS: what rules said, when, and by which plugin.
struct AlertLines {
  let style: Style
  let showsAll: Bool
  let width: Int
  private static let indent = 20

  /// None where nobody judged the run: site files have no rules.
  func lines(_ timeline: Timeline) -> [String] {
    let judges = timeline.judges
    let hasRules = judges.isEmpty || !judges.allSatisfy(\.onlyDeclares)
    guard timeline.isJudged, hasRules else { return [] }
    let notes = timeline.judges.flatMap(notes)
    let events = timeline.events.filter { $0.type == .alert && timeline.tells(of: $0) }
    guard !events.isEmpty else { return [style.bold("ALERTS") + "    none"] + notes }
    let shown = showsAll ? events : Self.worst(events, timeline)
    let labels = ObserverLabels(timeline, 24)
    var days = DayHeadings()
    var lines: [String] = []
    for event in shown {
      guard let alert = event.alert.map({ timeline.alerts[$0] }) else { continue }
      if let day = days.next(event.time) {
        lines.append(lines.isEmpty ? style.bold("ALERTS") + "    \(day)" : day)
      }
      lines += self.lines(event, alert, Self.receiver(alert, timeline, labels))
    }
    return lines + rest(events, shown, timeline) + notes
  }

  /// What the alerts do not say: what was held back, and that a rule could not judge everything.
  private func notes(_ judge: JudgeReport) -> [String] {
    var lines: [String] = []
    if judge.heldBack > 0 {
      let count = TextColumns.counted(judge.heldBack, "alert")
      lines += note("\(count) held back (once_per, at_most)", of: judge)
    }
    if judge.errorCount > 0 { lines += note(ProblemText.failures(judge), of: judge) }
    return lines
  }

  private func note(_ words: String, of judge: JudgeReport) -> [String] {
    TextFit.wrap(
      TextColumns.printable("plugin \(judge.rule.plugin): \(words)"), indent: 2, hanging: 4,
      width: min(width, AnalysisText.width))
  }

  /// As many as there is room for, the severest before the others, still in the order of their time.
  private static func worst(_ events: [TimelineEvent], _ timeline: Timeline) -> [TimelineEvent] {
    guard events.count > TimelineText.mostAlerts else { return events }
    let places = events.indices.sorted {
      (-severity(events[$0], timeline), $0) < (-severity(events[$1], timeline), $1)
    }
    return places.prefix(TimelineText.mostAlerts).sorted().map { events[$0] }
  }

  /// 0 for the mildest.
  private static func severity(_ event: TimelineEvent, _ timeline: Timeline) -> Int {
    let severity = event.alert.map { timeline.alerts[$0].severity }
    return severity.flatMap { Alert.Severity.allCases.firstIndex(of: $0) } ?? 0
  }

  /// `…12 more: 2 warning, 10 info (--all)`.
  private func rest(
    _ events: [TimelineEvent], _ shown: [TimelineEvent], _ timeline: Timeline
  ) -> [String] {
    guard shown.count < events.count else { return [] }
    let parts = Alert.Severity.allCases.enumerated().reversed().compactMap { place, severity in
      let count =
        events.count { Self.severity($0, timeline) == place }
        - shown.count { Self.severity($0, timeline) == place }
      return count > 0 ? "\(TextColumns.grouped(count)) \(severity.rawValue)" : nil
    }
    let sum = TextColumns.grouped(events.count - shown.count)
    return ["  …\(sum) more: \(parts.joined(separator: ", ")) (--all)"]
  }

  /// Whose radio it is about, where there are several: what it says may hold for no other.
  private static func receiver(
    _ alert: Alert, _ timeline: Timeline, _ labels: ObserverLabels
  ) -> String {
    guard timeline.observers.count > 1, let observer = alert.observer else { return "" }
    return " at \(labels[timeline.observers[observer].name])"
  }

  /// `10:06:21  warning   one identity, two transmitters (clone)        7f3a91c04be2d856`.
  func lines(_ event: TimelineEvent, _ alert: Alert, _ receiver: String) -> [String] {
    let titled = AlertText.titled(alert) + receiver
    let severity = TextColumns.left(alert.severity.rawValue, AlertText.widestSeverity)
    let clock = event.time.isKnown ? TextColumns.clock(event.time) : "--:--:--"
    let head = "\(clock)  \(severity)  "
    let id = EventReference.text(event.id)
    let room = min(width, AnalysisText.width)
    let beside = room - id.columns - 2
    var lines = TextFit.wrap(titled, indent: Self.indent, width: room)
    // A title that leaves no room for the id is wrapped earlier, unless that leaves too little of it.
    if lines[lines.count - 1].columns > beside, beside >= 2 * Self.indent {
      lines = TextFit.wrap(titled, indent: Self.indent, width: beside)
    }
    lines[0] = head + lines[0].dropFirst(head.count)
    let last = lines[lines.count - 1]
    if last.columns <= beside {
      lines[lines.count - 1] = last + TextColumns.right(id, room - last.columns)
    } else {
      lines.append(TextColumns.right(id, room))
    }
    return lines
      + TextColumns.printableLines(alert.text).flatMap {
        TextFit.wrap($0, indent: Self.indent, width: room)
      }.map { style.dim($0) }
  }
}

/// An alert in words.
package enum AlertText {
  static let widestSeverity = Alert.Severity.allCases.map(\.rawValue.count).max() ?? 0

  /// `exhibit A was silent for 2 minutes (silent)`.
  static func titled(_ alert: Alert) -> String {
    let title = alert.title.isEmpty ? "without a title" : alert.title
    return TextColumns.printableLine("\(title) (\(alert.rule.plugin))")
  }

  /// With its severity before it, and how many were held back.
  package static func line(_ alert: Alert) -> String {
    "\(alert.severity.rawValue): \(titled(alert))"
      + (alert.heldBack > 0 ? ", \(TextColumns.grouped(alert.heldBack)) held back before it" : "")
  }
}
