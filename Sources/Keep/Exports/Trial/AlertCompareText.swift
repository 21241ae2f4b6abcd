package import Analysis
import CaptureReader

/// `plugin compare` for people: both rules, then the alerts that vanish, appear and change. 80 columns.
package struct AlertCompareText {
  private let style: Style
  private let showsAll: Bool
  private static let mostRows = 12
  private static let indent = 20

  package init(style: Style, showsAll: Bool) {
    self.style = style
    self.showsAll = showsAll
  }

  package func lines(_ comparison: AlertComparison, _ sides: ComparedRules) -> [String] {
    let (old, new) = (sides.old, sides.new)
    var lines = side("OLD", old) + side("NEW", new) + recorded(old.run)
    lines += [""] + TextLayout.wrap(Self.counts(comparison), indent: 0)
    lines += section(
      "VANISHED", "alerts of the old one alone", comparison.vanished, old.run, \.time
    ) {
      alert($0, old)
    }
    lines += section(
      "APPEARED", "alerts of the new one alone", comparison.appeared, new.run, \.time
    ) {
      alert($0, new)
    }
    lines += section(
      "CHANGED", "alerts of both that say something else", comparison.changed, old.run, \.old.time
    ) {
      changed($0, old, new)
    }
    return lines + explain(comparison, sides)
  }

  private func side(_ name: String, _ rule: ComparedRule) -> [String] {
    let report = rule.run.report
    var parts = [TextColumns.printable(rule.word)]
    if !report.rule.version.isEmpty {
      parts.append("version \(TextColumns.printable(report.rule.version))")
    }
    parts.append(TextColumns.counted(report.alerts, "alert"))
    if report.heldBack > 0 {
      parts.append("\(TextColumns.grouped(report.heldBack)) held back (once_per, at_most)")
    }
    if report.errorCount > 0 { parts.append(ProblemText.failures(report)) }
    var lines = TextFit.wrap(
      TextColumns.left(name, 8) + parts.joined(separator: ", "), indent: 0, hanging: 8,
      width: AnalysisText.width)
    lines[0] = style.bold(name) + lines[0].dropFirst(name.count)
    return lines
  }

  private func recorded(_ run: RuleRun) -> [String] {
    let captures =
      run.result.captures.count == 1
      ? TextColumns.printable(run.result.captures[0].name)
      : TextColumns.counted(run.result.captures.count, "capture")
    let span = run.timeline.recorded.map { ", \(TextColumns.spanAndZone($0.from, $0.to))" } ?? ""
    return TextFit.wrap("on \(captures)\(span)", indent: 8, width: AnalysisText.width)
  }

  private static func counts(_ comparison: AlertComparison) -> String {
    guard comparison.differs else {
      if comparison.same == 0 { return "No difference: no alerts." }
      return "No difference: \(TextColumns.counted(comparison.same, "alert")), "
        + "the same of the same frames."
    }
    let number = TextColumns.grouped
    let near = StressText.number(Double(comparison.near) / 1e9)
    return "\(TextColumns.counted(comparison.same, "alert")) as before, "
      + "\(number(comparison.vanished.count)) vanished, "
      + "\(number(comparison.appeared.count)) appeared, \(number(comparison.changed.count)) changed "
      + "(of the same observer, region, beacon and dedupe_key; without a key, up to \(near) s apart)"
  }

  /// - Parameters:
  ///   - run: whose days stand above them, where it has several.
  ///   - time: of a row.
  private func section<Row>(
    _ heading: String, _ what: String, _ rows: [Row], _ run: RuleRun, _ time: (Row) -> Timestamp,
    _ lines: (Row) -> [String]
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let listed = showsAll ? rows[...] : rows.prefix(Self.mostRows)
    var result = ["", style.bold(heading) + "  \(what)"]
    let hasDays = Self.hasDays(run)
    var days = DayHeadings()
    for row in listed {
      if hasDays, let day = days.next(time(row)) { result.append(day) }
      result += lines(row)
    }
    let more = rows.count - listed.count
    if more > 0 { result.append("  …and \(TextColumns.grouped(more)) more (--all)") }
    return result
  }

  /// What it says, whom it is about, which frames it cites.
  private func alert(_ event: TimelineEvent, _ rule: ComparedRule) -> [String] {
    head(event, rule)
      + wrapped(about(event, rule)) + wrapped(Self.frames(event, rule))
  }

  private func head(_ event: TimelineEvent, _ rule: ComparedRule) -> [String] {
    guard let alert = rule.names.alert(event) else { return [] }
    return AlertLines(style: style, showsAll: true, width: AnalysisText.width)
      .lines(event, alert, "")
  }

  /// Whether it recorded on more than one.
  private static func hasDays(_ run: RuleRun) -> Bool {
    guard let span = run.timeline.recorded else { return false }
    return TextColumns.date(span.from) != TextColumns.date(span.to)
  }

  private func wrapped(_ text: String) -> [String] {
    TextFit.wrap(text, indent: Self.indent, width: AnalysisText.width)
  }

  private func about(_ event: TimelineEvent, _ rule: ComparedRule) -> String {
    var parts: [String] = []
    if let region = rule.names.region(event) { parts.append("region \(TextFit.name(region, 40))") }
    if let transmitter = event.transmitter { parts.append(rule.names.sender(transmitter).words) }
    if rule.run.timeline.observers.count > 1, let observer = rule.names.observer(event) {
      parts.append("at \(TextFit.observer(observer, 40))")
    }
    return parts.joined(separator: ", ")
  }

  /// `frames 17, 29 and 4 more of site.pcapng`.
  private static func frames(_ event: TimelineEvent, _ rule: ComparedRule) -> String {
    guard !event.evidence.isEmpty else { return "cites no frame" }
    var files: [String] = []
    var numbers: [String: [Int]] = [:]
    for item in event.evidence {
      let what = item.source == .capture ? "frame" : "line"
      let file = "\(what) \(rule.names.file(item))"
      if numbers[file] == nil { files.append(file) }
      numbers[file, default: []].append(item.number)
    }
    return files.map { file in
      let all = numbers[file] ?? []
      let parts = file.split(separator: " ", maxSplits: 1)
      let shown = all.prefix(8).map { "\($0)" }.joined(separator: ", ")
      let more = all.count > 8 ? " and \(all.count - 8) more" : ""
      return TextColumns.printable("\(parts[0])\(all.count == 1 ? "" : "s") \(shown)\(more) of ")
        + TextColumns.printable("\(parts.last ?? "")")
    }.joined(separator: "; ")
  }

  private func changed(
    _ pair: AlertComparison.Pair, _ old: ComparedRule, _ new: ComparedRule
  ) -> [String] {
    var lines = head(pair.old, old) + wrapped(about(pair.old, old))
    guard let before = old.names.alert(pair.old), let now = new.names.alert(pair.new) else {
      return lines
    }
    lines += wrapped("now \(EventReference.text(pair.new.id)), other:")
    for change in pair.changes {
      let words =
        switch change {
        case .time:
          "time: \(Figures.clock(pair.old.time)) → \(Self.time(of: pair.new, besides: pair.old))"
        case .beacon:
          "beacon: \(Self.beacon(pair.old, old)) → \(Self.beacon(pair.new, new))"
        case .severity: "severity: \(before.severity.rawValue) → \(now.severity.rawValue)"
        case .title: "title: \(Self.quoted(before.title)) → \(Self.quoted(now.title))"
        case .text: "text: → \(Self.quoted(now.text))"
        case .fields: "fields: \(Self.fields(before)) → \(Self.fields(now))"
        case .evidence:
          "evidence: \(Self.frames(pair.old, old)) → \(Self.frames(pair.new, new))"
        }
      lines += TextFit.wrap(
        words, indent: Self.indent, hanging: 2, width: AnalysisText.width)
    }
    return lines
  }

  /// With its day, where that is another one.
  private static func time(of event: TimelineEvent, besides other: TimelineEvent) -> String {
    let clock = Figures.clock(event.time)
    guard event.time.isKnown, other.time.isKnown else { return clock }
    let day = TextColumns.date(event.time)
    return day == TextColumns.date(other.time) ? clock : "\(day) \(clock)"
  }

  private static func beacon(_ event: TimelineEvent, _ rule: ComparedRule) -> String {
    event.transmitter.map { rule.names.sender($0).words } ?? "none"
  }

  private static func quoted(_ text: String) -> String {
    text.isEmpty ? "none" : "\"\(TextColumns.printableLine(text))\""
  }

  private static func fields(_ alert: Alert) -> String {
    guard !alert.fields.isEmpty else { return "none" }
    var text = ByteText()
    text.fields(alert)
    return TextColumns.printable(text.string)
  }

  private func explain(_ comparison: AlertComparison, _ sides: ComparedRules) -> [String] {
    guard comparison.differs else { return [] }
    var commands: [[String]] = []
    if !comparison.vanished.isEmpty || !comparison.changed.isEmpty {
      commands.append(sides.old.explain)
    }
    if !comparison.appeared.isEmpty || !comparison.changed.isEmpty {
      commands.append(sides.new.explain)
    }
    return ["", "Why an alert came, by its id:"]
      + commands.flatMap { CommandLines.lines($0, indent: 2) }
  }
}
