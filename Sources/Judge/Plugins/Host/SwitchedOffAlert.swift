import Analysis
import CLuaGuard
import CaptureReader
import FrameDecoder

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
      "\(ErrorLedger.mostInARow) errors in a row, the last one: \(Self.ended(sentence)) It tells nothing "
      + "from now on; mend the file, or set other options."
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

  /// What others say may be a question, which ends by itself.
  fileprivate static func ended(_ sentence: String) -> String {
    ".?!".contains(sentence.last ?? " ") ? sentence : sentence + "."
  }

  /// The same of its decoders, which run ahead in a state of their own: its handlers go on without what they would
  /// have found.
  /// - Parameter twin: as it was loaded for decoding, and does not run any more.
  fileprivate func tellDecodersOff(_ twin: Plugin) {
    guard let view = moment.view else { return }
    var alert = Alert(
      time: now, severity: .critical, title: "Decoders of '\(file.name)' are switched off",
      rule: twin.rule)
    alert.text =
      "\(ErrorLedger.mostInARow) errors in a row, the last one: "
      + "\(Self.ended(twin.record.lastError ?? "not known")) What they would have found from then on is "
      + "missing; mend the file, or set other options, and start anew: decoders come into force with a start."
    AlertEvidence(plugin: self, view: view).addHandled(to: &alert)
    record.alertsTold += 1
    record.alerts.append((place, alert))
  }
}

extension PluginHost {
  /// A decoder that has been switched off was to be asked about a report.
  func tellDecodersOff(
    _ note: ObserverNote, _ decoder: Int, observer: Int, _ capture: UInt32, _ view: RunView
  ) {
    guard let twin = decoders?.plugin(ofDecoder: decoder),
      !decodersToldOff.contains(twin.file.name),
      let own = plugins.first(where: { $0.file.name == twin.file.name }), own.isOn
    else { return }
    decodersToldOff.insert(twin.file.name)
    open(view)
    defer { moment.view = nil }
    let evidence = TimelineEvent.Evidence(
      source: .capture, file: Int(capture), number: note.frame)
    moment.handling = .frame(evidence, observer: observer)
    own.tellDecodersOff(twin)
  }
}
