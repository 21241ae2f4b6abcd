import Analysis
import CLuaGuard
import CaptureReader

extension Plugin {
  /// Whoever watches alerts alone has to hear that a rule does not watch any more: the program itself
  /// says so under the rule's name. Nothing holds it back.
  /// - Parameters:
  ///   - sentence: the last error.
  ///   - sighting: of the run that was being handled; nil: whatever was, or was told last.
  func tellSwitchedOff(
    at time: Timestamp, because sentence: String, _ sighting: guard_sighting?
  ) {
    guard role == .rules, !isLoading, let view = moment.view else { return }
    var alert = Alert(
      time: time, severity: .critical, title: "Rule '\(file.name)' is switched off", rule: rule)
    alert.text =
      "\(ErrorLedger.mostInARow) errors in a row, the last one: \(sentence). It tells nothing from now "
      + "on; mend the file, or set other options."
    let cited = AlertEvidence(plugin: self, view: view)
    if let sighting, case .run(let run) = moment.handling {
      alert.evidence = [
        TimelineEvent.Evidence(
          source: .capture, file: Int(run.capture), number: Int(sighting.frame))
      ]
    } else {
      cited.addHandled(to: &alert)
    }
    if alert.evidence.isEmpty { cited.addTold(to: &alert) }
    record.alertsTold += 1
    record.alerts.append((place, alert))
  }
}
