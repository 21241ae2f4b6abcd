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

      Captures of one observer (--observers folder, --observer) have one clock, and an option of a folder \
      is for all captures in it. Where the difference of two clocks becomes another one, as one was set, there \
      is a line for each part. Which of them was set, and which is right, packets do not tell; where a third \
      one keeps its difference to one of them, it was the other. Times are those of the capture that the others are compared with.

      Examples:
        beacontrace clocks site/
            Whether the captures of a folder can be read together as they are,
            and which --clock options mend that.
        beacontrace clocks --observers folder site/
            Receiver by receiver, where each has a folder of recordings.
        beacontrace clocks --against north.pcapng site/
            By the clock that is known to be right.
      """)

  @OptionGroup var input: InputOptions

  @OptionGroup var observer: ObserverOptions

  @Option(
    help: ArgumentHelp(
      "The capture, or the observer, whose clock the others are compared with; without it one of the most "
        + "that agree, or that which heard most.",
      valueName: "capture"),
    completion: .file())
  var against: String?

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @OptionGroup var clock: ClockOptions

  func validate() throws { _ = try clock.zone(isText: format == .text) }

  func run() throws { try clock.zone().whileShown { try compare() } }

  private func compare() throws {
    let session = try Session(input, observer: observer)
    let names = CaptureNames(session.captures)
    let observers = try observer.names(session.captures)
    let clocks = ComparedClock.all(session.captures, observers: observers)
    guard clocks.count > 1 || session.captures.count < 2 else {
      throw Self.refusal(
        "a clock is compared with that of another observer, and all captures are of \(clocks[0].name)."
      )
    }
    let place = try against.flatMap { try self.place(of: $0, in: names, clocks) }
    if let loose = try observer.loose(session.captures), !input.quiet {
      Terminal.tell("beacontrace: \(TextColumns.printable(loose)).")
    }
    let arrivals = ArrivalSink()
    // In a box: the reading is not compiled once more for this.
    var sink = SinkBox(arrivals)
    // What cannot be read is told by this, with its own status.
    try session.run(
      collectsStatistics: false, observers: observers, comparesSignals: true, tellsClocks: true,
      into: &sink
    ) { result in
      // Programs get a document of what could not be read, too; people have been told.
      guard result.captures.count > 1 || (format == .json && !result.problems.isEmpty)
      else { return }
      try show(ClockComparison(arrivals.logs(clocks), against: place), clocks, result)
    }
    guard session.captures.count > 1 else {
      throw Self.refusal("a clock is compared with that of another capture: name two or more.")
    }
  }

  private func show(
    _ comparison: ClockComparison, _ clocks: [ComparedClock], _ result: AnalysisResult
  ) throws {
    switch format {
    case .json: try ClocksJSON.write(comparison, of: clocks, result, to: StandardOutput())
    case .text:
      let text = ClocksText(style: Style(colour: Terminal.hasColour), clocks, result)
      try write(text.lines(comparison))
    }
  }

  /// Nil where what was named cannot be read, which is told by the reading.
  private func place(
    of word: String, in names: CaptureNames, _ clocks: [ComparedClock]
  ) throws -> Int? {
    if let place = clocks.firstIndex(where: { $0.name == word }) { return place }
    let places = names.places(of: word)
    let own = clocks.indices.filter { !Set(places).isDisjoint(with: clocks[$0].captures) }
    if own.count == 1 { return own[0] }
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
