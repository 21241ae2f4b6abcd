import Analysis
import CaptureWriter
import Deliveries
import Exports
import Plugins
import StateFile

/// Says while a run goes on what becomes of all that it is to write, and of its rules: when something goes
/// wrong, and when it is well again.
final class OutputWatch {
  private let outputs: LiveSession.Outputs
  private let host: PluginHost?
  private let notices: RunNotices
  private let screen: LiveScreen
  private var reader = LiveReader()
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var deliveries: [DeliveryWatch]
  /// What was said last of it.
  private var recordingProblem: String?
  private var notRemoved: String?
  /// Files of a ring that went for want of room: so many are told next.
  private var nextGivenAway = 1
  private var stateProblem: String?
  private var statusProblem: String?
  private var isKeepingLost = false
  /// Files that SIGHUP was to open anew.
  private var reopened: ReopenedFiles
  /// Of each rule by its name: failed calls that the next word waits for.
  private var nextErrors: [String: Int] = [:]
  /// By name of the rule: why its file's text does not judge, as it was said last.
  private var notReplaced: [String: String] = [:]
  /// Names of rules whose decoders are off.
  private var decodingOff: Set<String> = []
  private var pace = PacketRate.Pace(every: .seconds(1))

  init(
    _ outputs: LiveSession.Outputs, _ host: PluginHost?, _ notices: RunNotices, _ screen: LiveScreen
  ) {
    self.screen = screen
    start = clock.now
    self.outputs = outputs
    self.host = host
    self.notices = notices
    reopened = ReopenedFiles(outputs)
    deliveries = outputs.deliveries.map {
      DeliveryWatch($0.name, keptIn: outputs.undelivered?.path, givesUp: $0.givesUp)
    }
  }

  /// To be called some times a second.
  /// - Parameter isLast: the run has ended.
  func look(isLast: Bool = false) {
    lookAtRecording()
    lookAtOldFiles()
    lookAtRing()
    lookAtState()
    lookAtStatus()
    lookAtDeliveries()
    if !isLast { for remark in reopened.next() { notices.tell(remark.text, remark.severity) } }
    if !isLast { lookAtReader() }
    if isLast || pace.isDue() { lookAtRules() }
  }

  /// Says at once that packets are not recorded, and that they are again.
  private func lookAtRecording() {
    guard let recorder = outputs.recorder else { return }
    let state = recorder.state
    guard state.problem != recordingProblem else { return }
    // Where not even the first file could be begun none has a name yet.
    let name = TextColumns.printable(state.path.isEmpty ? recorder.path : state.path)
    if let problem = state.problem {
      notices.tell(
        "\(name): packets are not recorded: \(problem). It is tried again every few seconds.",
        .critical)
    } else {
      notices.tell("\(name): packets are recorded again.", .notice)
    }
    recordingProblem = state.problem
  }

  /// Files that were to go and stay take room that nobody has counted on.
  private func lookAtOldFiles() {
    guard let recorder = outputs.recorder else { return }
    let problem = recorder.state.notRemoved
    guard problem != notRemoved else { return }
    let name = TextColumns.printable(recorder.path)
    if let problem {
      notices.tell(
        "\(name): more files than --keep says stay: \(TextColumns.printable(problem)). It is tried again with "
          + "each new file.", .warning)
    } else {
      notices.tell("\(name): no more files stay than --keep says.", .notice)
    }
    notRemoved = problem
  }

  /// Files that were to stay go where the disk is full: the first is told, the tenth, the hundredth.
  private func lookAtRing() {
    guard let state = outputs.recorder?.state, state.givenAway >= nextGivenAway else { return }
    while nextGivenAway <= state.givenAway { nextGivenAway *= 10 }
    let files = TextColumns.counted(state.givenAway, "older file")
    notices.tell(
      "\(TextColumns.printable(state.path)): the disk is full: \(files) of the recording removed so far to "
        + "make room.", .warning)
  }

  /// The line is told by the state itself.
  private func lookAtState() {
    guard let state = outputs.state, state.problem != stateProblem else { return }
    let name = TextColumns.printable(state.name)
    if let problem = state.problem {
      let what =
        state.isPartial ? "not all of the run's state is kept" : "the run's state cannot be kept"
      notices.alert("\(name): \(what): \(problem).", .warning)
    } else {
      notices.alert("\(name): the run's state is kept again.", .notice)
    }
    stateProblem = state.problem
  }

  /// Whoever watches over the run reads an old text then, and takes the run for stuck.
  private func lookAtStatus() {
    guard let status = outputs.status, status.problem != statusProblem else { return }
    let name = TextColumns.printable(status.name)
    if let problem = status.problem {
      notices.tell(
        "\(name): how the run goes cannot be written there: \(problem). It is tried again.",
        .warning)
    } else {
      notices.tell("\(name): how the run goes is written there again.", .notice)
    }
    statusProblem = status.problem
  }

  /// What goes wrong with receivers of alerts, when it does, and where they are kept meanwhile.
  private func lookAtDeliveries() {
    let now = ContinuousClock.now
    for (place, delivery) in outputs.deliveries.enumerated() {
      let remark = deliveries[place].next(
        delivery.counts, waiting: delivery.waiting, longest: delivery.longestWait, now: now)
      guard let remark else { continue }
      notices.tell(remark.text, remark.severity, besides: delivery)
      if let severity = remark.forReceiver { notices.alert(remark.text, severity, only: delivery) }
    }
    guard let file = outputs.undelivered, file.isFailing != isKeepingLost else { return }
    isKeepingLost = file.isFailing
    let problem = TextColumns.printable(file.problem ?? file.path)
    if isKeepingLost {
      notices.tell("\(problem): alerts that are not delivered cannot be kept.", .warning)
    } else {
      notices.tell(
        "\(TextColumns.printable(file.path)): alerts are kept again; "
          + "\(TextColumns.grouped(file.lost)) were not.", .notice)
    }
  }

  /// Once more when receivers have had their last alerts: of what is lost the run's last lines tell, and nobody is left
  /// to get an alert of it.
  func finish() {
    for (place, delivery) in outputs.deliveries.enumerated() {
      let remark = deliveries[place].next(
        delivery.counts, waiting: delivery.waiting, longest: delivery.longestWait, now: .now)
      guard let remark, remark.severity == .notice else { continue }
      screen.tell("beacontrace: \(remark.text)")
    }
  }

  /// Who takes the lines, where nobody waits for him. What is left at the end is told there.
  private func lookAtReader() {
    guard let standing = screen.standing else { return }
    let now = (clock.now - start) / .seconds(1)
    guard let remark = reader.next(standing, now: now) else { return }
    notices.tell(remark.text, remark.isBad ? .warning : .notice)
  }

  /// Errors of rules: the first, the tenth, the hundredth. A rule that is switched off gives an alert of its
  /// own; of decoders it does so when the run ends only.
  private func lookAtRules() {
    let reports = host?.reports ?? []
    for report in reports { lookAtText(of: report) }
    for report in reports where report.isDecodingOff && decodingOff.insert(report.name).inserted {
      notices.alert(
        "Decoders of '\(report.name)' are switched off."
          + (report.firstError.map { "\nThe first error: \($0)" } ?? ""), .critical)
    }
    for report in reports where report.errorCount >= nextErrors[report.name, default: 1] {
      while nextErrors[report.name, default: 1] <= report.errorCount {
        nextErrors[report.name, default: 1] *= 10
      }
      guard !report.isSwitchedOff || report.isDecodingOff else { continue }
      notices.alert(
        "Rule '\(report.name)' fails: \(TextColumns.counted(report.errorCount, "error")) so far."
          + (report.firstError.map { "\nThe first: \($0)" } ?? ""), .warning)
    }
  }

  /// Somebody who has changed a rule takes it for the one that judges. The line is told by the host.
  private func lookAtText(of report: JudgeReport) {
    let why = report.notReplaced
    guard why != notReplaced[report.name] else { return }
    notReplaced[report.name] = why
    if let why {
      notices.alert(
        "Rule '\(report.name)' is not replaced: the text before goes on.\n\(why)", .warning)
    } else {
      notices.alert("Rule '\(report.name)' is the text of its file again.", .notice)
    }
  }

  func fill(_ health: inout LiveHealth) {
    if let state = outputs.recorder?.state {
      health.recording = LiveHealth.Kept(state.path, problem: state.problem)
      health.notRemoved = state.notRemoved
    }
    if let state = outputs.alerts?.state {
      health.alertRecording = LiveHealth.Kept(state.path, problem: state.problem)
    }
    if let state = outputs.state {
      health.state = LiveHealth.Kept(state.name, problem: state.problem)
    }
    if let file = outputs.undelivered {
      health.undelivered = LiveHealth.Kept(file.path, problem: file.isFailing ? file.problem : nil)
    }
    health.notReopened = reopened.problems
    (health.output, health.outputProblem) = (screen.standing, reader.problem)
    health.receivers = outputs.deliveries.enumerated().map { place, delivery in
      let counts = delivery.counts
      return LiveHealth.Receiver(
        delivery.name, delivered: counts.delivered, waiting: delivery.waiting,
        isLate: deliveries[place].isLate, longestWait: delivery.longestWait,
        undelivered: counts.undeliveredTotal,
        problem: deliveries[place].isFailing ? counts.problem : nil)
    }
    health.rules = (host?.reports ?? []).map {
      LiveHealth.Rule(
        $0.name, isOn: !$0.isSwitchedOff, errors: $0.errorCount, notReplaced: $0.notReplaced)
    }
  }
}

extension JudgeReport {
  fileprivate var name: String { rule.plugin }
}
