import Analysis
import ArgumentParser
import CaptureReader
import Exports
import LiveCapture
import Plugins
import StateFile

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Recorded captures as if they were just being made: for trying rules, and to show.",
    usage: "beacontrace replay [options] <capture> ...",
    discussion: """
      The way of live, with captures in the place of the radio: several are put together by time, and \
      come at their own pace, faster, or as fast as they are taken. Frame numbers are those of the \
      replay: of one capture, those of the file.

      Examples:
        beacontrace replay --plugin door.lua site.pcapng
            What a rule would have said, when it would have said it.
        beacontrace replay --speed 60 --format ndjson site.pcapng
            An hour in a minute.
        beacontrace replay --speed max --loop site.pcapng > /dev/null
            Round and round, to see what a machine can take.
      """)

  @Argument(
    help: ArgumentHelp(
      "Captures to replay; several are merged by time.", valueName: "capture"), completion: .file())
  var captures: [String]

  @Option(help: ArgumentHelp("How many times as fast: 60, 0.5, or max.", valueName: "times"))
  var speed = ReplaySpeed(argument: "1")!

  @Flag(name: .customLong("loop"), help: "Begin again at the end, until it is stopped.")
  var isEndless = false

  @OptionGroup var clocks: CaptureClocks
  @OptionGroup var output: LiveOutputOptions
  @OptionGroup(title: "Regions") var follow: FollowOptions
  @OptionGroup(title: "Recording") var recording: RecordingOptions
  @OptionGroup(title: "Restarts") var state: StateOptions

  func validate() throws {
    if captures.contains("-") {
      throw ValidationError(
        "What is replayed is read twice: write standard input (-) to a file first.")
    }
    try clocks.check()
    try LiveFiles.all(captures, follow, output, recording, state).validate()
    try output.needRules(hasRules: !follow.rules.plugins.isEmpty, recording)
    if output.observerName != nil, !follow.observer.isEmpty {
      throw ValidationError("--name and --observer both name the observer: give one of them.")
    }
  }

  func run() throws {
    let (all, copies) = try sources()
    let sources = copies.sources
    let files = sources.map(\.name)
    let named = try observers(files)
    let stems = ObserverNames.stems(
      of: files,
      given: Dictionary(named.map { (files[$0], $1) }, uniquingKeysWith: { one, _ in one }))
    let loop = try loop(sources, stems)
    let screen = LiveScreen(
      hasStatus: !output.quiet, board: try output.board(),
      outlivesReader: recording.isAny || output.hasReceivers,
      mayDrop: false)
    let service = ServiceManager()
    let name = files.count == 1 ? files[0] : "replay"
    let known = try LiveOutputs.state(state)
    // Several are named one by one, not as one.
    var follow = follow
    if files.count > 1 { follow.observer = try ObserverOptions.none() }
    let settled = SettledFiles(follow.settledFiles)
    var settings = try follow.settings(
      [name], saved: known?.plugins ?? SavedStates(), mayReload: !output.isWithoutReload)
    if let name = output.observerName {
      guard files.count == 1 else {
        Terminal.tell(
          "beacontrace: --name: in a replay of several captures each is an observer of its own. "
            + "Replay one, or leave --name out.")
        throw ExitCode.validationFailure
      }
      settings.observerNames[0] = name
    }
    // Those that are left out, too.
    try LiveFiles.check(
      LiveFiles.all(all, follow, output, recording, state), settings.judge as? PluginHost)
    copies.tell()
    let outputs = try LiveOutputs.open(
      output, recording, known, interfaces: loop.interfaces, isReplay: true)
    if files.count > 1 { settings.origins = Self.origins(loop, stems, named) }
    let ring = RecordRing()
    let stream = LiveStream(
      ring, name: name, interfaces: loop.interfaces, recorders: outputs.recorders)
    let notices = RunNotices(screen, givesAlerts: output.givesSelfAlerts)
    notices.begin(
      outputs.deliveries,
      observer: settings.observerNames[0] ?? (files.count == 1 ? stems[0] : name))
    notices.alert(of: outputs)
    let session = try LiveSession(
      stream, settings, output, outputs, screen: screen, notices, service: service, isReplay: true)
    session.settled = settled
    let isCutShort = Notice()
    loop.start(into: ring) {
      screen.tell("beacontrace: \(ProblemText.line($0))")
      isCutShort.raise()
    } waiting: {
      // A screen shows the time of the replay.
      if !output.quiet, !output.isScreen { screen.tell("beacontrace: \(Self.sentence($0))") }
    }
    try output.clock.zone().whileShown { try session.run() }
    if isCutShort.lower() { throw ExitStatus.noInput }
    if !loop.damages.isEmpty { throw ExitStatus.damaged }
  }

  private static func sentence(_ wait: ReplayLoop.Wait) -> String {
    let takes = TextColumns.duration(Int64(min(wait.seconds * 1e9, 9e18)))
    return
      "nothing comes now in \(TextColumns.duration(wait.length)) of the recording, which takes "
      + "\(takes) at this speed; --speed max does not wait."
  }

  /// The captures opened; what is damaged in them is told.
  private func loop(_ sources: [CaptureSource], _ stems: [String]) throws -> ReplayLoop {
    let loop: ReplayLoop
    do throws(CaptureProblem) {
      loop = try ReplayLoop(sources, names: stems, pace: speed.pace, isEndless: isEndless)
    } catch {
      Terminal.tell("beacontrace: \(ProblemText.line(error))")
      throw ExitStatus.noInput
    }
    for (path, sentence) in loop.damages {
      Terminal.tell(TextColumns.printable("beacontrace: \(path) \(sentence)."))
    }
    guard !loop.interfaces.isEmpty else {
      Terminal.tell(
        "beacontrace: there is no packet to replay in \(captures.joined(separator: ", ")).")
      throw ExitStatus.noInput
    }
    return loop
  }

  /// - Parameter named: by place of the capture: what somebody called its observer.
  private static func origins(_ loop: ReplayLoop, _ stems: [String], _ named: [Int: String])
    -> [ObserverNames.Origin]
  {
    loop.origins.map {
      ObserverNames.Origin(
        capture: $0.capture, stem: stems[$0.capture], interfaceNames: $0.names,
        place: $0.interface, isNamed: named[$0.capture] != nil)
    }
  }

  /// What the observers of captures are called, where somebody said it, by place of the capture.
  private func observers(_ files: [String]) throws -> [Int: String] {
    guard files.count > 1, !follow.observer.isEmpty else { return [:] }
    let names = try follow.observer.names(files)
    var captures: [String: Int] = [:]
    for (place, name) in names.sorted(by: { $0.key < $1.key }) {
      if captures.updateValue(place, forKey: name) != nil {
        Terminal.tell(
          "beacontrace: \(TextColumns.printable(name)) has several captures, and in a replay each is an "
            + "observer of its own: replay one of each, or leave --observer and --observers out. events and "
            + "analyze put them together.")
        throw ExitCode.validationFailure
      }
    }
    return names
  }

  /// The captures, folders looked through, by clocks that were set right.
  private func sources() throws -> (all: [String], copies: CopiedInputs) {
    let list = InputList(captures)
    for problem in list.problems { Terminal.tell("beacontrace: \(ProblemText.line(problem))") }
    guard list.problems.isEmpty else { throw ExitStatus.noInput }
    if let stream = list.sources.first(where: { !$0.canBeReadAgain }) {
      Terminal.tell(
        "beacontrace: \(TextColumns.printable(stream.name)) is no file: what is replayed is read twice; "
          + "write it to a file first.")
      throw ExitCode.validationFailure
    }
    do {
      let copies = try CopiedInputs(
        ClockShift.apply(clocks.words, to: list.sources), keeping: [],
        receivers: follow.observer.names(_:))
      return (list.sources.map(\.name), copies)
    } catch let problem as ValidationError {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.message))")
      throw ExitCode.validationFailure
    }
  }
}

/// How fast captures are replayed.
struct ReplaySpeed: ExpressibleByArgument {
  let pace: ReplayLoop.Pace
  private let text: String

  init?(argument: String) {
    text = argument
    if argument == "max" {
      pace = .most
    } else if let times = Double(argument), times >= 0.001, times <= 1_000_000 {
      pace = .times(times)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { text }
}
