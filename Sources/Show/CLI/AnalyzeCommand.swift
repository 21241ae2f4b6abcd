import Analysis
import ArgumentParser
import Exports

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "The story of captures: what was recorded, which beacons, who was where.",
    usage: "beacontrace analyze [options] <capture> ...",
    discussion: """
      Several captures are merged by time; each observer (the radio that listened) is kept apart.

      The columns:
        seen      sightings: how often the beacon was heard
        interval  usual time between two of them, the median
        RSSI      how strongly it was heard, in dBm: weakest, median, strongest
        power     what the beacon says of its own strength, in dBm: at 1 m
                  (iBeacon, AltBeacon) or where it leaves (Eddystone)
        !         what to mind; WORTH KNOWING says it in words

      REGIONS has a bar over time for each region, VISITS what was entered and left, and what each \
      exit is worth: gone, deaf or thin (see 'beacontrace help events', which tells how regions are \
      written, too).

      Examples:
        beacontrace analyze site.pcapng
            One capture.
        beacontrace analyze --format json north.log south.log > site.json
            Two captures as one story, for a program.
        beacontrace analyze --region tag=address:c4:a1:00:00:04:01 a.log
            One region of your own.
        ssh gateway tcpdump -U -i bluetooth-monitor -w - | beacontrace analyze -
            What another machine hears, told when tcpdump ends.
      """)

  @OptionGroup var input: InputOptions

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Flag(name: .customLong("no-regions"), help: "Beacons only; nothing is followed.")
  var isWithoutRegions = false

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @Flag(help: "List every beacon and every remark, not the first ones only.")
  var all = false

  func run() throws {
    var sink = NoSink()
    let session = Session(input)
    let settings = isWithoutRegions ? nil : try follow.settings(session.captures)
    try session.run(collectsStatistics: true, following: settings, into: &sink) { result in
      switch format {
      case .json: try AnalysisJSON.write(result, to: StandardOutput())
      case .text:
        let text = AnalysisText(
          style: Style(colour: Terminal.hasColour), showsAll: all, width: Terminal.width)
        try write(text.lines(result))
      }
    }
  }
}

/// How a document is written.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json

  static let help: ArgumentHelp = "For people, or for programs."
}

/// Lines to standard output.
func write(_ lines: [String]) throws {
  guard !lines.isEmpty else { return }
  var output = StandardOutput()
  try output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
}
