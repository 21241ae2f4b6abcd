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

  @Argument(help: ArgumentHelp("Files.", valueName: "capture"), completion: .file())
  var captures: [String]

  @Option(help: ArgumentHelp("How many times as fast, or max.", valueName: "times"))
  var speed = ReplaySpeed(argument: "1")!

  @Flag(name: .customLong("loop"), help: "Begin anew at the end, until it is stopped.")
  var isEndless = false

  @OptionGroup var output: LiveOutputOptions
  @OptionGroup(title: "Regions") var follow: FollowOptions
  @OptionGroup(title: "Recording") var recording: RecordingOptions
  @OptionGroup(title: "Restarts") var state: StateOptions

  func validate() throws {
    if captures.contains("-") {
      throw ValidationError(
        "What is replayed is read twice: write standard input (-) to a file first.")
    }
  }

  func run() throws {
    var names = ObserverNames()
    let loop: ReplayLoop
    do throws(CaptureProblem) {
      loop = try ReplayLoop(
        captures, names: captures.map { names.stem(of: $0) }, pace: speed.pace,
        isEndless: isEndless)
    } catch {
      Terminal.tell("beacontrace: \(ProblemText.line(error))")
      throw ExitStatus.noInput
    }
    guard !loop.interfaces.isEmpty else {
      Terminal.tell(
        "beacontrace: there is no packet to replay in \(captures.joined(separator: ", ")).")
      throw ExitStatus.noInput
    }
    let screen = LiveScreen(hasStatus: !output.quiet)
    let state = try LiveOutputs.state(state)
    let name = captures.count == 1 ? captures[0] : "replay"
    let settings = try follow.settings(
      [name], saved: state?.plugins ?? SavedStates(), mayReload: !output.isWithoutReload)
    let outputs = try LiveOutputs.open(output, recording, state, interfaces: loop.interfaces)
    let ring = RecordRing()
    let stream = LiveStream(
      ring, name: name, interfaces: loop.interfaces, recorders: outputs.recorders)
    let session = try LiveSession(stream, settings, output, outputs, screen: screen)
    loop.start(into: ring) { screen.tell("beacontrace: \(ProblemText.line($0))") }
    try session.run()
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
