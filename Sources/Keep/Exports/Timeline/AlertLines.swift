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
    let shown = showsAll ? events.map { Group($0) } : Self.worst(events, timeline)
    let labels = ObserverLabels(timeline, 24)
    var days = DayHeadings()
    var lines: [String] = []
    for group in shown {
      let event = group.first
      guard let alert = event.alert.map({ timeline.alerts[$0] }) else { continue }
      if let day = days.next(event.time) {
        lines.append(lines.isEmpty ? style.bold("ALERTS") + "    \(day)" : day)
      }
      let receiver = group.isOfSeveral ? "" : Self.receiver(alert, timeline, labels)
      lines += self.lines(event, alert, receiver)
      lines += others(of: group)
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

  /// Alerts that say the same: the first of them, and how many follow until when.
  private struct Group {
    let first: TimelineEvent
    var others = 0
    var last: TimelineEvent
    /// Whether they are about several receivers.
    var isOfSeveral = false

    init(_ event: TimelineEvent) { (first, last) = (event, event) }
  }

  /// As many as there is room for, the severest before the others, still in the order of their time. Where there
  /// are more, those that say the same are one.
  private static func worst(_ events: [TimelineEvent], _ timeline: Timeline) -> [Group] {
    guard events.count > TimelineText.mostAlerts else { return events.map { Group($0) } }
    let groups = groups(events, timeline)
    let places = groups.indices.sorted {
      (-severity(groups[$0].first, timeline), $0) < (-severity(groups[$1].first, timeline), $1)
    }
    return places.prefix(TimelineText.mostAlerts).sorted().map { groups[$0] }
  }

  /// By rule, severity and title, whoever's radio they are about.
  private static func groups(_ events: [TimelineEvent], _ timeline: Timeline) -> [Group] {
    struct Key: Hashable {
      let plugin, title: String
      let severity: Alert.Severity
    }
    var groups: [Group] = []
    var places: [Key: Int] = [:]
    for event in events {
      guard let alert = event.alert.map({ timeline.alerts[$0] }) else { continue }
      let key = Key(plugin: alert.rule.plugin, title: alert.title, severity: alert.severity)
      if let place = places[key] {
        groups[place].others += 1
        groups[place].last = event
        let first = groups[place].first.alert.map { timeline.alerts[$0].observer }
        if first != alert.observer { groups[place].isOfSeveral = true }
      } else {
        places[key] = groups.count
        groups.append(Group(event))
      }
    }
    return groups
  }

  /// `15 more like it, the last at 09:50:12 (--all)`.
  private func others(of group: Group) -> [String] {
    guard group.others > 0 else { return [] }
    let last = group.last.time
    let time =
      last.isKnown ? ", the last at \(TextColumns.clock(last, besides: group.first.time))" : ""
    let words = "\(TextColumns.grouped(group.others)) more like it\(time) (--all)"
    return TextFit.wrap(words, indent: Self.indent, width: min(width, AnalysisText.width))
  }

  /// 0 for the mildest.
  private static func severity(_ event: TimelineEvent, _ timeline: Timeline) -> Int {
    let severity = event.alert.map { timeline.alerts[$0].severity }
    return severity.flatMap { Alert.Severity.allCases.firstIndex(of: $0) } ?? 0
  }

  /// `…12 more: 2 warning, 10 info (--all)`.
  private func rest(
    _ events: [TimelineEvent], _ shown: [Group], _ timeline: Timeline
  ) -> [String] {
    let told = shown.reduce(0) { $0 + 1 + $1.others }
    guard told < events.count else { return [] }
    let parts = Alert.Severity.allCases.enumerated().reversed().compactMap { place, severity in
      let count =
        events.count { Self.severity($0, timeline) == place }
        - shown.reduce(0) {
          $0 + (Self.severity($1.first, timeline) == place ? 1 + $1.others : 0)
        }
      return count > 0 ? "\(TextColumns.grouped(count)) \(severity.rawValue)" : nil
    }
    let sum = TextColumns.grouped(events.count - told)
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
