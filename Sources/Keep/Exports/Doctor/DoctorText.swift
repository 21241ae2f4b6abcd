package import LiveCapture

/// `doctor` for people.
package enum DoctorText {
  package static func lines(_ report: DoctorReport, style: Style = Style(colour: false)) -> [String]
  {
    var lines = TextLayout.wrap(conclusion(report), indent: 0) + [""]
    lines[0] = style.bold(lines[0])
    for check in report.checks { lines += text(check, style) }
    return lines
  }

  private static let detailAt = 24

  private static func text(_ check: DoctorReport.Check, _ style: Style) -> [String] {
    let head =
      "  " + TextColumns.left(check.verdict.rawValue, 9)
      + TextColumns.left(name(check.name), detailAt - 11)
    let details = TextLayout.wrap(TextColumns.printable(check.detail), indent: detailAt)
    var lines = [(check.verdict == .yes ? head : style.warning(head)) + details[0].dropFirst(24)]
    lines += details.dropFirst()
    for (place, remedy) in check.remedies.enumerated() {
      let word = place == 0 ? "mend: " : "or: "
      let wrapped = TextLayout.wrap(
        word + TextColumns.printable(remedy), indent: detailAt, hanging: 2)
      lines +=
        isCommand(remedy) ? [spaces(detailAt) + word + TextColumns.printable(remedy)] : wrapped
    }
    return lines
  }

  /// A command stays on one line, to be copied.
  private static func isCommand(_ remedy: String) -> Bool {
    ["sudo ", "beacontrace ", "bluetoothctl "].contains { remedy.hasPrefix($0) }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private static func name(_ name: DoctorReport.Check.Name) -> String {
    switch name {
    case .kernel: "kernel"
    case .controller: "controller"
    case .rfkill: "rfkill"
    case .powered: "powered"
    case .lowEnergy: "Low Energy"
    case .permission: "permission"
    case .scanning: "scanning"
    case .duplicates: "duplicates"
    case .libpcap: "libpcap"
    }
  }

  private static func conclusion(_ report: DoctorReport) -> String {
    let controller = report.facts.controller?.name ?? "this machine"
    switch report.outcome {
    case .ready: return "\(controller) can be captured, and all is well."
    case .possible:
      return "\(controller) can be captured; what it lacks, or what cannot be told, is below."
    case .notPermitted: return "\(controller) could be captured, but not by this user."
    case .impossible: return "Nothing can be captured yet; the first no below is what to mend."
    }
  }
}
