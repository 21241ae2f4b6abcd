import Analysis
import CaptureReader

/// `plugin stress` for people: a line a run, then from where on alerts are lost and new. 80 columns.
package struct StressText {
  private let style: Style
  private let showsAll: Bool
  private static let mostRows = 12
  private static let label = 18

  package init(style: Style, showsAll: Bool) {
    self.style = style
    self.showsAll = showsAll
  }

  /// Without decimals where it has none.
  package static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  package func lines(_ rule: StressedRule) -> [String] {
    var lines = heading(rule) + [""] + table(rule.test)
    if rule.test.undisturbed.alerts.isEmpty {
      lines += TextFit.wrap(
        "No alert came of it undisturbed: whether one would be lost was not tried. Take a capture, or options, with "
          + "which it has something to tell.", indent: 0, hanging: 0, width: AnalysisText.width)
    }
    for findings in rule.findings { lines += [""] + self.findings(findings, rule.test) }
    if let trial = rule.test.trials.first, rule.test.trials.count == 1 {
      lines += section("CHANGED", trial.firstChanged.map { Self.changed($0) }, trial.changed)
      lines += section("MOVED", trial.firstMoved.map { Self.moved($0) }, trial.moved)
      lines += section("LOST", trial.firstLost.map { Self.words($0) }, trial.lost)
      lines += section("NEW", trial.firstNew.map { Self.words($0) }, trial.new)
    }
    return lines + commands(rule)
  }

  private func heading(_ rule: StressedRule) -> [String] {
    let run = rule.test.undisturbed
    let captures =
      run.result.captures.count == 1
      ? TextColumns.printable(run.result.captures[0].name)
      : TextColumns.counted(run.result.captures.count, "capture")
    let span = run.timeline.recorded.map { ", \(TextColumns.spanAndZone($0.from, $0.to))" } ?? ""
    var lines = TextFit.wrap(
      "RULE    \(TextColumns.printable(rule.word)) on \(captures)\(span)", indent: 0, hanging: 8,
      width: AnalysisText.width)
    lines[0] = style.bold("RULE") + lines[0].dropFirst(4)
    return lines
  }

  private func table(_ test: StressTest) -> [String] {
    func row(_ what: String, _ cells: [String]) -> String {
      TextColumns.row(TextColumns.left(what, Self.label), cells, [6, 8, 8, 8, 8, 8, 8])
    }
    let number = TextColumns.grouped
    let undisturbed = test.undisturbed
    var lines = [
      style.bold(
        row("DISTURBED BY", ["seed", "kept", "changed", "moved", "lost", "new", "failed"])),
      row(
        "nothing",
        [
          "", number(undisturbed.alerts.count), "", "", "", "",
          number(undisturbed.report.errorCount),
        ]),
    ]
    for trial in test.trials {
      let what = "\(trial.disturbance.name) \(trial.disturbance.levelText)"
      lines.append(
        row(
          what,
          [
            "\(trial.disturbance.seed)", number(trial.kept), number(trial.changed),
            number(trial.moved), number(trial.lost), number(trial.new),
            number(trial.report.errorCount),
          ]))
    }
    return lines
  }

  private func findings(_ found: StressedRule.Findings, _ test: StressTest) -> [String] {
    let most = test.trials.last { $0.disturbance.name == found.kind }?.disturbance.levelText ?? ""
    func line(_ what: String, _ place: Int?, _ words: (StressTest.Trial) -> String) -> [String] {
      let text =
        place.map { place in
          let trial = test.trials[place]
          let start = "from \(trial.disturbance.levelText) on (seed \(trial.disturbance.seed))"
          return "\(start): \(words(trial))"
        } ?? "none up to \(most)"
      return TextFit.wrap(
        TextColumns.left("  \(what)", Self.label) + text, indent: 0, hanging: Self.label,
        width: AnalysisText.width)
    }
    let hadAny = !test.undisturbed.alerts.isEmpty
    let ofThose =
      hadAny
      ? line("alerts changed", found.firstChanged) { Self.changed($0.firstChanged.first) }
        + line("alerts moved", found.firstMoved) { Self.moved($0.firstMoved.first) }
        + line("alerts lost", found.firstLost) { Self.words($0.firstLost.first) } : []
    return [style.bold(found.kind.uppercased())] + ofThose
      + line("new alerts", found.firstNew) { Self.words($0.firstNew.first) }
      + line("failed calls", found.firstFailed) { trial in
        ProblemText.failures(trial.report)
          + (trial.report.firstError.map { "; first \(TextColumns.printable($0))" } ?? "")
      }
  }

  /// `12:03:31 warning nobody in the lobby`.
  private static func words(_ told: StressTest.Told?) -> String {
    guard let told else { return "" }
    let time = told.time.isKnown ? TextColumns.clock(told.time) : "--:--:--"
    let title = told.title.isEmpty ? "without a title" : told.title
    let region = told.region.map { " (region \(TextFit.name($0, 40)))" } ?? ""
    return "\(time) \(told.severity.rawValue) \(TextColumns.printableLine(title))\(region)"
  }

  /// `12:03:31 warning empty for 30 s, now 12:03:42 'empty for 41 s'`.
  private static func moved(_ found: (told: StressTest.Told, now: StressTest.Told)?) -> String {
    guard let found else { return "" }
    let title = found.now.title
    let other = title == found.told.title ? "" : " '\(TextColumns.printableLine(title))'"
    return "\(words(found.told)), now \(TextColumns.clock(found.now.time))\(other)"
  }

  /// `12:03:31 warning 3 in the lobby, now '2 in the lobby', other text`.
  private static func changed(
    _ found: (told: StressTest.Told, now: StressTest.Told, changes: [AlertComparison.Change])?
  ) -> String {
    guard let found else { return "" }
    var parts = [words(found.told)]
    if found.changes.contains(.title) {
      parts.append("now '\(TextColumns.printableLine(found.now.title))'")
    }
    if found.changes.contains(.severity) { parts.append("now \(found.now.severity.rawValue)") }
    let others = found.changes.filter { $0 != .title && $0 != .severity }.map(\.rawValue)
    if !others.isEmpty { parts.append("other \(others.joined(separator: " and "))") }
    return parts.joined(separator: ", ")
  }

  private func section(_ heading: String, _ rows: [String], _ count: Int) -> [String] {
    guard count > 0 else { return [] }
    let listed = showsAll ? rows[...] : rows.prefix(Self.mostRows)
    var lines = ["", style.bold(heading)]
    for row in listed {
      lines += TextFit.wrap(row, indent: 2, hanging: 10, width: AnalysisText.width)
    }
    let more = count - listed.count
    let how = showsAll || rows.count == listed.count ? "" : " (--all)"
    if more > 0 { lines.append("  …and \(TextColumns.grouped(more)) more\(how)") }
    return lines
  }

  /// What shows the first finds again.
  private func commands(_ rule: StressedRule) -> [String] {
    guard rule.test.trials.count > 1 else { return [] }
    var places: [Int] = []
    for findings in rule.findings {
      let found = [
        findings.firstChanged, findings.firstMoved, findings.firstLost, findings.firstNew,
        findings.firstFailed,
      ]
      for case let place? in found
      where !places.contains(place) {
        places.append(place)
      }
    }
    guard !places.isEmpty else { return [] }
    return ["", "One run alone, with the alerts that differ:"]
      + places.sorted().flatMap { CommandLines.lines(rule.commands[$0], indent: 2) }
  }
}
