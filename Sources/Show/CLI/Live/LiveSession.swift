import Analysis
import ArgumentParser
import CaptureReader
import CaptureWriter
import Deliveries
import Dispatch
import Exports
import FrameDecoder
import Glibc
import LiveCapture
import Plugins
import Regions
import StateFile

/// A run over packets as they come: `live` and `replay`. It opens what the run writes, follows, shows,
/// and closes everything in order.
final class LiveSession {
  /// What the run writes, opened before it begins.
  struct Outputs {
    var recorder: CaptureRecorder?
    var alerts: AlertRecorder?
    var deliveries: [any Delivery] = []
    var undelivered: UndeliveredFile?
    /// What a power cut took from files of alerts, a clause each.
    var damages: [String] = []
    var state: StateFile?
    var status: StatusFile?
    /// Alerts around which packets are recorded.
    var leastRecorded = Alert.Severity.info
    /// Ends the work of rules that are behind.
    let recess = JudgeRecess()

    /// Those that are to have every packet.
    var recorders: [any ItemRecorder] {
      var all: [any ItemRecorder] = []
      if let recorder { all.append(recorder) }
      if let alerts { all.append(alerts) }
      return all
    }
  }

  let screen: LiveScreen
  private let output: LiveOutputOptions
  private let outputs: Outputs
  private let stream: LiveStream
  private var settings: FollowSettings
  private let host: PluginHost?
  private let listener: LiveListener
  private let traces = BeaconTraces()
  private let hungUp = Notice()
  private let notices: RunNotices
  private let watch: OutputWatch
  let standing: LiveStanding
  private let heartbeat: Heartbeat
  private var reloads = PacketRate.Pace(every: .seconds(1))
  private var isStateLost = false
  /// What the summary says that packets came from.
  private let kind: String
  /// What SIGHUP leaves as it is.
  var settled = SettledFiles([])
  /// Looks after the radio.
  var tend: (AnalysisProgress) -> Void = { _ in }
  /// Ends what the run began beside it: the capture, a scan.
  var atEnd: () -> Void = {}
  /// How long receivers of alerts may take at the end, seconds: as long as one may for an alert.
  private static let patience = DeliverySettings().timeout
  /// How long rules may go on with what waits when the run is to end, and a replay waits for its reader,
  /// seconds.
  private static let patienceWithRules = 2.0
  /// A run without an end keeps so many events and stays for its summary.
  private static let mostKept = 10_000

  init(
    _ stream: LiveStream, _ settings: FollowSettings, _ output: LiveOutputOptions,
    _ outputs: Outputs, screen: LiveScreen, _ notices: RunNotices, service: ServiceManager?,
    isReplay: Bool = false
  ) throws {
    self.stream = stream
    self.output = output
    self.outputs = outputs
    self.screen = screen
    self.notices = notices
    guard let export = EventExports.named(output.format.rawValue) else {
      throw ExitCode.validationFailure
    }
    // A replay waits for those who are behind.
    let pace =
      isReplay
      ? nil
      : LivePace(
        stream.name, hasRules: settings.judge != nil, stateIsGoodFor: outputs.state?.goodFor)
    listener = LiveListener(
      export, screen, width: screen.hasBoard ? nil : Terminal.width, profiles: settings.profiles,
      outputs, notices, pace: pace,
      failed: { stream.stop() })
    kind = isReplay ? "replay" : "live"
    var settings = settings
    settings.listener = listener
    settings.recess = outputs.recess
    settings.mostKept = Self.mostKept
    settings.wantsProximity = output.proximity
    let host = settings.judge as? PluginHost
    if let state = outputs.state {
      settings.restored = state.restored { screen.tell("beacontrace: \($0)") }
      settings.keeper = state.keeper(of: host) { screen.tell("beacontrace: \($0)") }
    }
    self.settings = settings
    self.host = host
    watch = OutputWatch(outputs, host, notices, screen)
    standing = LiveStanding(stream, outputs, listener, watch, isReplay: isReplay)
    heartbeat = Heartbeat(service, outputs.status, standing)
  }

  /// Runs until the stream ends; SIGINT and SIGTERM end it.
  /// - Parameter signals: where they have been listened to before.
  func run(_ signals: StopSignals = StopSignals()) throws {
    listen(to: signals)
    defer { withExtendedLifetime(signals) {} }
    var options = Analysis.Options()
    options.follow = settings
    options.decoder.notesClock = true
    options.readsAhead = false
    var sink = SinkBox(try sightingSink())
    screen.begin()
    // The end, where a summary has them, may be weeks away.
    for warning in settings.warnings + settings.regions.warnings {
      screen.tell("beacontrace: \(ProblemText.sentence(warning))")
    }
    var analysis = Analysis([.live(stream)], options: options)
    let outcome = Result { () throws -> AnalysisResult in
      let result = try analysis.run(into: &sink) { self.goOn($0) }
      try sink.pause()
      try listener.check()
      return result
    }
    // Whatever ended it: what was begun is written, before anything may wait for a terminal.
    heartbeat.end()
    watch.look(isLast: true)
    atEnd()
    let problems = closeOutputs()
    watch.finish()
    heartbeat.finish()
    let shown = screen.finish()
    tell(endLines(problems, shown))
    guard shown.isDone else { throw ExitStatus.output }
    try screen.check()
    var result = try outcome.get()
    if let ring = settings.keys {
      result.timeline?.warnings += KeyOptions.remarks(
        ring, result.oddIdentifiers, settings)
    }
    try conclude(result)
    if screen.isLost { throw ExitStatus.output }
  }

  private func listen(to signals: StopSignals) {
    let (hungUp, stream, recess, screen) = (hungUp, stream, outputs.recess, screen)
    let deliveries = outputs.deliveries
    signals.handle(
      stop: {
        stream.stop()
        screen.limitPatience(to: .seconds(Self.patienceWithRules))
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patienceWithRules) {
          recess.begin()
        }
      },
      hurry: {
        recess.begin()
        screen.limitPatience(to: .zero)
        for delivery in deliveries { delivery.giveUp() }
      },
      hangUp: { hungUp.raise() })
  }

  private func endLines(_ problems: [String], _ shown: LiveScreen.Shown) -> [String] {
    var lines: [String] = []
    if !shown.isDone {
      lines.append("beacontrace: standard output is not read: the last lines were not shown.")
    }
    if shown.dropped > 0 {
      let words = TextColumns.counted(shown.dropped, "line")
      let sightings =
        shown.sightings == shown.dropped
        ? ", all sightings,"
        : shown.sightings > 0 ? ", \(TextColumns.grouped(shown.sightings)) of them sightings," : ""
      lines.append("\(words)\(sightings) not shown: standard output was not read fast enough.")
    }
    lines += problems.map { "beacontrace: \($0)" }
    lines += LiveEnd.losses(stream.counts, outputs)
    return output.quiet ? lines : lines + LiveEnd.kept(outputs)
  }

  /// Lines on standard error; where that is a terminal that stands still, nobody waits for it.
  private func tell(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "beacontrace.end").async {
      for line in lines { Terminal.tell(line) }
      done.signal()
    }
    _ = done.wait(timeout: .now() + 1)
  }

  private func sightingSink() throws -> any FindingSink {
    if screen.hasBoard { return TracingSink(traces) }
    guard output.sightings else { return NoSink() }
    guard let export = Exports.named(output.format.rawValue) else {
      throw ExitCode.validationFailure
    }
    return export.open(ScreenOutput(screen: screen, areSightings: true), Terminal.width)
  }

  /// Between two readings, some times a second.
  private func goOn(_ progress: AnalysisProgress) {
    tend(progress)
    let wasHungUp = hungUp.lower()
    if wasHungUp {
      for delivery in outputs.deliveries { delivery.reopen() }
      outputs.undelivered?.reopen()
      if let remark = settled.remark { notices.tell(remark, .warning) }
    }
    if let host, !output.isWithoutReload, reloads.isDue() || wasHungUp {
      host.reloadChanged(revives: wasHungUp)
    }
    watch.look()
    listener.keepPace()
    if let remark = standing.note(progress) {
      notices.tell("\(stream.name): \(remark.text)", remark.isBad ? .critical : .notice)
    }
    heartbeat.beat(progress)
    screen.show { self.standing.status(progress).line(Terminal.errorWidth) }
    screen.show(board: { self.board(progress) })
    if screen.isFailed { stream.stop() }
  }

  private func board(_ progress: AnalysisProgress) -> LiveBoard {
    var board = LiveBoard()
    board.status = standing.status(progress)
    (board.beacons, board.notTraced) = traces.now
    listener.fill(&board)
    return board
  }

  private func conclude(_ result: AnalysisResult) throws {
    if !output.isWithoutSummary { try summarise(result) }
    for problem in result.problems { Terminal.tell("beacontrace: \(ProblemText.line(problem))") }
    let failed = (result.timeline?.judges ?? []).filter { $0.errorCount > 0 }
    for plugin in failed { Terminal.tell("beacontrace: \(ProblemText.line(plugin))") }
    if !result.problems.isEmpty { throw ExitStatus.noInput }
    if isStateLost || LiveEnd.isIncomplete(outputs) { throw ExitStatus.output }
    if result.timeline?.hasDamagedTracks == true { throw ExitStatus.damaged }
    if !failed.isEmpty || outputs.recess.sightings > 0 { throw ExitStatus.plugin }
  }

  /// As `analyze` has it: for people where lines are for people, else out of the way of programs.
  private func summarise(_ result: AnalysisResult) throws {
    var result = result
    for place in result.captures.indices { result.captures[place].format = kind }
    let lines =
      AnalysisText(
        style: Style(colour: Terminal.hasColour), showsAll: output.all, width: Terminal.width
      ).lines(result) + LiveEnd.silence(until: listener.clock, result)
    if output.format == .text {
      try write([""] + lines)
    } else if !output.quiet {
      for line in lines { Terminal.tell(line) }
    }
  }

  /// - Returns: what went wrong with it, a sentence each.
  private func closeOutputs() -> [String] {
    // Once more after the stream's end: alerts may have come since, of what is left at the finish.
    outputs.alerts?.end()
    var problems: [String] = []
    if let state = outputs.state {
      do throws(StateProblem) { try state.finish() } catch {
        problems.append("\(error)")
        isStateLost = true
      }
    }
    let deliveries = outputs.deliveries
    let clock = ContinuousClock()
    let start = clock.now
    // Half a second nobody minds.
    while deliveries.contains(where: { $0.waiting > 0 }), clock.now - start < .milliseconds(500) {
      usleep(10_000)
    }
    if deliveries.contains(where: { $0.waiting > 0 }) {
      screen.tell(
        "Waiting up to \(Int(Self.patience)) s for the receivers of alerts; Ctrl-C gives them up.")
    }
    DispatchQueue.concurrentPerform(iterations: deliveries.count) { place in
      deliveries[place].finish(waiting: Self.patience)
    }
    outputs.undelivered?.finish()
    return problems
  }
}
