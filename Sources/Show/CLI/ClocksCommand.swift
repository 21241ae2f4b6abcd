import Analysis
import ArgumentParser
import Exports
import FoundationEssentials

struct ClocksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clocks",
    abstract: "How the clocks of captures go by one another.",
    usage: "beacontrace clocks [options] <capture> ...",
    discussion: """
      Captures that were made at the same time hold the same packets, each by its own clock. The times of a \
      beacon's advertisements are partly chance, so that packets are found again whatever the clocks \
      say, hours or years apart; at least twenty or so have to be in common.

      The columns:
        clock    by how much a capture's clock is ahead or behind, half of the
                 time more and half of the time less
        drift    how much faster it is: 1 ppm is 3.6 ms an hour; from five minutes
                 in common on
        packets  advertisements that both hold, by which that is known

      A clock that was set while it recorded has a line for each part. Which of the clocks is \
      right, packets do not tell. Times are those of the capture that the others are compared with.

      Examples:
        beacontrace clocks site/
            Whether the captures of a folder can be read together as they are,
            and which --clock options mend that.
        beacontrace clocks --against north.pcapng site/
            By the clock that is known to be right.
      """)

  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp(
      "The capture whose clock the others are compared with; without it that which heard most.",
      valueName: "capture"),
    completion: .file())
  var against: String?

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @OptionGroup var clock: ClockOptions

  func validate() throws { _ = try clock.zone(isText: format == .text) }

  func run() throws { try clock.zone().whileShown { try compare() } }

  private func compare() throws {
    let session = try Session(input)
    let names = CaptureNames(session.captures)
    let place = try against.flatMap { try self.place(of: $0, in: names) }
    let arrivals = ArrivalSink()
    // In a box: the reading is not compiled once more for this.
    var sink = SinkBox(arrivals)
    // What cannot be read is told by this, with its own status.
    try session.run(collectsStatistics: false, into: &sink) { result in
      guard result.captures.count > 1 else { return }
      try show(
        ClockComparison(arrivals.logs(captures: session.captures.count), against: place), result)
    }
    guard session.captures.count > 1 else {
      throw Self.refusal("a clock is compared with that of another capture: name two or more.")
    }
  }

  private func show(_ comparison: ClockComparison, _ result: AnalysisResult) throws {
    switch format {
    case .json: try ClocksJSON.write(comparison, result, to: StandardOutput())
    case .text:
      try write(ClocksText(style: Style(colour: Terminal.hasColour), result).lines(comparison))
    }
  }

  /// Nil where what was named cannot be read, which is told by the reading.
  private func place(of word: String, in names: CaptureNames) throws -> Int? {
    let places = names.places(of: word)
    if places.count == 1 { return places[0] }
    guard places.count > 1 || FileManager.default.fileExists(atPath: word) || names.names.count > 1
    else { return nil }
    throw Self.refusal(
      places.isEmpty
        ? "--against '\(word)' is none of the captures; name it among them, too."
        : "--against '\(word)' stands for \(places.count) captures; name one.")
  }

  /// The usage of the whole tool, which would stand with an error of the parser, says nothing about this.
  private static func refusal(_ sentence: String) -> ExitCode {
    Terminal.tell("beacontrace: \(TextColumns.printable(sentence))")
    return .validationFailure
  }
}
