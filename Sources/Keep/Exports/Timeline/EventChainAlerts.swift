import Analysis
import Beacons
import CaptureReader
import Regions

/// Alerts: which rule gave one, and what it cites.
extension EventChain {
  func alert(_ alert: Alert) -> [Step] {
    let rule = [
      "plugin \(TextColumns.printable(alert.rule.plugin))",
      alert.rule.version.isEmpty ? nil : "version \(TextColumns.printable(alert.rule.version))",
      "sha256 \(alert.rule.sha256)",
    ]
    var steps: [Step] = [
      .words(label: "rule", rule.compactMap { $0 }.joined(separator: ", "))
    ]
    if !alert.text.isEmpty {
      let lines = TextColumns.printableLines(alert.text)
      steps.append(.words(label: "text", lines.joined(separator: "\n")))
    }
    for field in alert.fields {
      steps.append(.words(label: Self.label(field.name), Self.words(field.value)))
    }
    if let region {
      steps.append(.words(label: "region", TextColumns.printable(Self.definition(region))))
    }
    if alert.heldBack > 0 {
      steps.append(
        .words(
          label: "held back before it",
          TextColumns.counted(alert.heldBack, "alert") + " (once_per, at_most)"))
    }
    steps.append(
      event.evidence.isEmpty
        ? .words(label: "cited frame", "none") : .evidence(label: "cited frame"))
    for (place, id) in alert.events.enumerated() {
      steps += cited(id, label: place == 0 ? "cited event" : "and")
    }
    return steps + [.words(label: "event id", EventReference.text(event.id))]
  }

  /// A name that is longer than the column stands shortened there.
  private static func label(_ name: String) -> String {
    TextFit.cut(TextColumns.printable(name), ExplainText.column - 4)
  }

  private static func words(_ value: CustomValue) -> String {
    switch value {
    case .text(let text): TextColumns.printable(text)
    case .int(let number): "\(number)"
    case .number(let number): "\(number)"
    case .flag(let flag): flag ? "yes" : "no"
    }
  }

  /// What happened, and what follows from it.
  private func cited(_ id: UInt64, label: String) -> [Step] {
    let reference = EventReference.text(id)
    guard let cited = find(id) else {
      return [.words(label: label, "\(reference), which is not among the events of this run")]
    }
    let chain = EventChain(
      cited, names, [], find: find, stays: stays,
      profileNumbers: cited.profile == event.profile ? profileNumbers : nil)
    var steps: [Step] = [.words(label: label, "\(chain.title); \(reference)")]
    if cited.type == .alert { return steps }
    for case .words("therefore", let why) in chain.steps() {
      steps.append(.words(label: "therefore", why))
    }
    return steps
  }
}
