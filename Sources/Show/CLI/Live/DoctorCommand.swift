import ArgumentParser
import Exports
import LiveCapture

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Whether this machine can capture live, and what mends it where it cannot.",
    usage: "beacontrace doctor [options]",
    discussion: """
      Asks what an app has to ask before it monitors regions: is there a controller, is it powered and \
      not blocked, may this user open it, does it scan and how, are duplicates kept. Each no comes \
      with the command that mends it. To tell whether something scans it listens for a moment.

      Examples:
        beacontrace doctor
            Of the first controller.
        beacontrace doctor --controller hci1 --format json
            Of another one, for a program.

      Exit status:
        0   live captures can be made
        64  usage
        69  they cannot
        77  only the permission is missing
      """)

  @Option(
    help: ArgumentHelp("Which controller: hci0. The first without it.", valueName: "name"))
  var controller: String?

  @Option(
    name: .customLong("listen"),
    help: ArgumentHelp("How long to listen for a scan.", valueName: "span"))
  var listening = TimeSpanOption(nanoseconds: Int64(DoctorFacts.usualListening) * 1_000_000)

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  func run() throws {
    let report = DoctorReport(
      DoctorFacts.gather(
        controller: controller, listening: Int(listening.nanoseconds / 1_000_000)))
    switch format {
    case .json: try DoctorJSON.write(report, to: StandardOutput())
    case .text:
      try write(DoctorText.lines(report, style: Style(colour: Terminal.hasColour)))
    }
    switch report.outcome {
    case .ready, .possible: break
    case .notPermitted: throw ExitStatus.noPermission
    case .impossible: throw ExitStatus.unavailable
    }
  }
}
