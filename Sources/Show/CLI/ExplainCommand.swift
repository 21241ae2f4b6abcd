import Analysis
import ArgumentParser
import Exports

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Why an event happened: its frames, their bytes, the rule and its numbers.",
    usage: "beacontrace explain [options] <event> <capture> ...",
    discussion: """
      Takes the captures and the options of the run that told the event; ids are those of events, \
      and of alerts, which need the same --plugin: the rule, its fields, what it cites.

      Examples:
        beacontrace explain 20c4e81f0b37a9d2 site.pcapng
            An event of a run without options.
        beacontrace explain --profile core-location 20c4e81f0b37a9d2 north.log south.log
            One of a run of two captures under another profile.
      """)

  @Argument(help: ArgumentHelp("The event's id: 16 digits, 0-9 and a-f.", valueName: "event"))
  var event: String

  @OptionGroup var input: InputOptions

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Flag(help: "The event is a ranging list.")
  var ranging = false

  func validate() throws {
    guard EventReference.id(event) != nil else {
      throw ValidationError(
        "'\(event)' is no id of an event: these have 16 digits, 0-9 and a-f, and come first. "
          + "'beacontrace events' tells them.")
    }
  }

  func run() throws {
    guard let id = EventReference.id(event) else { throw ExitCode.validationFailure }
    var none = NoSink()
    let session = Session(input)
    var settings = try follow.settings(session.captures, wantsLists: ranging)
    settings.wantsProximity = true
    try session.run(collectsStatistics: true, following: settings, into: &none) { result in
      // Why there is nothing to explain is told with the problems.
      guard !result.captures.isEmpty else { return }
      guard let timeline = result.timeline, let names = EventNames(result),
        let found = try timeline.event(id)
      else {
        Terminal.tell(
          "beacontrace: no event \(event) in "
            + "\(input.captures.count == 1 ? "this capture" : "these captures") with these "
            + "settings; give the options of the run that told it.")
        throw ExitCode.validationFailure
      }
      var reading = EvidenceReading(
        result, keepBadCRC: input.keepBadCRC, custom: settings.custom)
      reading.want(found)
      reading.read(session.sources)
      let frames = reading.frames(of: found)
      try write(ExplainText(width: Terminal.width).lines(found, names, frames: frames))
    }
  }
}
