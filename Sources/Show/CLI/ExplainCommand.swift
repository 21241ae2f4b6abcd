import Analysis
import ArgumentParser
import CaseStore
import Cases
import Exports

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Why an event happened: its frames, their bytes, the rule and its numbers.",
    usage: """
      beacontrace explain [options] <event> <capture> ...
             beacontrace explain [--format <format>] <event> <case>
      """,
    discussion: """
      Takes the captures and the options of the run that told the event; ids are those of events, \
      and of alerts, which need the same --plugin: the rule, its fields, what it cites. Out of a case \
      it needs neither: a case keeps the chains of all alerts and of the first 5 000 other events. \
      Changes of proximity are in it with 'analyze --keep-proximity' only; without that they are \
      explained from the captures.

      Examples:
        beacontrace explain 20c4e81f0b37a9d2 site.pcapng
            An event of a run without options.
        beacontrace explain --profile core-location 20c4e81f0b37a9d2 a.log b.log
            One of a run of two captures under another profile.
        beacontrace explain 20c4e81f0b37a9d2 site.sqlite
            An event of a case, without its captures; in UTC, as it is kept there.
        beacontrace explain --format json 20c4e81f0b37a9d2 site.pcapng
            The same for a program: steps, frames with their bytes and fields.
      """)

  @Argument(help: ArgumentHelp("The event's id: 16 digits, 0-9 and a-f.", valueName: "event"))
  var event: String

  @OptionGroup var input: InputOptions

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Flag(help: "The event is a ranging list.")
  var ranging = false

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    _ = try clock.zone(isText: format == .text)
    guard EventReference.id(event) != nil else {
      throw ValidationError(
        "'\(TextColumns.printable(event))' is no id of an event: these have 16 digits, 0-9 and a-f, and come first. "
          + "'beacontrace events' tells them.")
    }
  }

  func run() throws {
    guard let id = EventReference.id(event) else { throw ExitCode.validationFailure }
    if input.captures.count == 1, CaseFile.isCase(input.captures[0]) {
      return try explain(id, outOf: input.captures[0])
    }
    if let file = input.captures.first(where: { CaseFile.isCase($0) }) {
      Terminal.tell(
        "beacontrace: \(TextColumns.printable(file)) is a case, which stands by itself: give it alone, or the "
          + "captures alone.")
      throw ExitCode.validationFailure
    }
    let session = try Session(input, readsAgain: true, observer: follow.observer)
    var settings = try follow.settings(session.captures, wantsLists: ranging)
    settings.wantsProximity = ranging
    // Changes of proximity are most of what there is, and seldom what is asked about: without them first.
    var found = Found.nothing
    var status: ExitCode?
    do {
      try look(for: id, session, settings, isRepeat: false, &found)
    } catch let code as ExitCode where found == .noEvent {
      status = code
    }
    if found == .noEvent, !ranging {
      // Rules and decoders have heard all of it once: these are others.
      settings = try follow.settings(session.captures, tell: { _ in })
      settings.wantsProximity = true
      try look(for: id, session, settings, isRepeat: true, &found)
    }
    if found == .noEvent {
      tellUnknown(session.captures.count)
      throw ExitCode.validationFailure
    }
    if let status { throw status }
  }

  private enum Found {
    /// No capture could be read; why is told with the problems.
    case nothing
    case noEvent
    case event
  }

  /// Reads the captures and tells why the event happened, if it did.
  private func look(
    for id: UInt64, _ session: Session, _ settings: FollowSettings, isRepeat: Bool,
    _ outcome: inout Found
  ) throws {
    var none = NoSink()
    try session.run(
      collectsStatistics: true, following: settings, isRepeat: isRepeat, into: &none
    ) { result in
      if !isRepeat { session.tellMade(result.captures) }
      guard !result.captures.isEmpty else { return }
      outcome = .noEvent
      guard let timeline = result.timeline, let names = EventNames(result),
        let found = timeline.event(id)
      else { return }
      outcome = .event
      var reading = EvidenceReading(
        result, keepBadCRC: input.keepBadCRC, custom: settings.custom,
        keys: settings.keys)
      reading.want(found)
      try reading.read(session.sources)
      let frames = reading.frames(of: found)
      try clock.zone().whileShown {
        try tell(Explanation(found, names, frames: frames, captures: result.captures))
      }
    }
  }

  private func tellUnknown(_ captures: Int) {
    Terminal.tell(
      "beacontrace: no event \(event) in "
        + "\(captures == 1 ? "this capture" : "these captures") with these "
        + "settings; give the options of the run that told it. Ids go by the observer's name, "
        + "too: where that was another one (live, --name) give --observer NAME=FILE. Those of alerts "
        + "go by their rule and its text: give --plugin, and the file as it was then. A run that went on "
        + "from a state (--state) tells others than its captures alone do; a case keeps what to explain."
    )
  }

  private func tell(_ explanation: Explanation) throws {
    switch format {
    case .text: try write(ExplainText(width: Terminal.width).lines(explanation))
    case .json: try ExplainJSON.write(explanation, to: StandardOutput())
    }
  }

  /// What a case has none of, and who explains that.
  private func lacking(_ file: CaseFile, _ event: String) throws -> String {
    let contents = try CaseContents(file)
    // How much a case keeps is nothing that explain asks.
    let words = contents.words.filter { $0 != "--keep-sightings" && $0 != "--keep-proximity" }
    let names = contents.captures.map(\.name)
    let end = names.contains { $0.hasPrefix("-") && $0 != "-" } ? ["--"] : []
    func command(_ options: [String]) -> String {
      (["beacontrace", "explain"] + options + words + [event] + end + names)
        .map { ShellWord.quoted($0) }.joined(separator: " ")
    }
    return try file.fact("keeps_proximity") == "1"
      ? "It has no ranging lists but those that an alert cites; from the captures they are explained "
        + "by: \(command(["--ranging"]))"
      : "It was made without --keep-proximity, and has no changes of proximity (nor ranging lists) but "
        + "those that an alert cites; from the captures they are explained by: "
        + command(ranging ? ["--ranging"] : [])
  }

  private func explain(_ id: UInt64, outOf path: String) throws {
    if clock.local {
      Terminal.tell(
        "beacontrace: --local: a case keeps its explanations in UTC; leave it out, or explain the event "
          + "from the captures.")
      throw ExitCode.validationFailure
    }
    let ofInput =
      (input.clocks.words.isEmpty ? [] : ["--clock"]) + (input.keepBadCRC ? ["--keep-bad-crc"] : [])
    if let word = follow.words.first ?? ofInput.first {
      Terminal.tell(
        "beacontrace: \(word): a case has the options of its run; leave it out.")
      throw ExitCode.validationFailure
    }
    try CaseWriting.telling(path) {
      let file = try CaseFile.openSealed(path, orSay: "Nothing is explained out of that")
      switch try CaseExplanation.find(id, in: file) {
      case .chain(let explanation):
        try file.forEach(RemarkRow.self) { remark in
          guard Remarks.codesOfMade.contains(remark.code ?? "") else { return }
          Terminal.tell("beacontrace: \(TextColumns.printable(remark.text))")
        }
        try tell(explanation)
      case .eventAlone(let title):
        throw CaseProblem(
          path, "the chain behind this event is not kept in it: \(title)",
          remedy:
            "A case has those of all alerts, of what has to be proved and of the first 5 000 other "
            + "events; explain it from the captures.")
      case .nothing:
        Terminal.tell(
          "beacontrace: no event \(event) in this case. \(try lacking(file, event))")
        throw ExitCode.validationFailure
      }
    }
  }
}
