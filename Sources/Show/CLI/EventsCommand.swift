import Analysis
import ArgumentParser
import Exports

struct EventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "What region monitoring would have reported: enter, exit, proximity.",
    usage: "beacontrace events [options] <capture> ...",
    discussion: """
      Each event has an id of 16 digits, the same for the same captures and settings; explain says \
      why it happened. Exits have a grade: gone (others were heard, and the silence is no chance), \
      deaf (the radio may not have been able to hear), thin (the silence may be chance).

      \(RegionHelp.text)

      Examples:
        beacontrace events site.pcapng
            Regions by what was heard: every UUID and namespace.
        beacontrace events --region door=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7,exit_after=10 site.pcapng
            One beacon, left after ten seconds of silence.
        beacontrace events --profile core-location,android-beacon-library --format ndjson site.pcapng
            What two kinds of phone would have reported, for a program.
      """)

  @OptionGroup var input: InputOptions

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Option(help: "Lines for people, JSON lines, or a table for spreadsheets.")
  var format = EventFormat(name: "text")

  @Flag(help: "Ranging lists, too: every transmitter of a region at every period.")
  var ranging = false

  func run() throws {
    guard let export = EventExports.named(format.name) else { throw ExitCode.validationFailure }
    var none = NoSink()
    let session = Session(input)
    var settings = try follow.settings(session.captures, wantsLists: ranging)
    settings.wantsProximity = true
    try session.run(collectsStatistics: true, following: settings, into: &none) { result in
      guard let timeline = result.timeline, let names = EventNames(result) else { return }
      var sink = export.open(StandardOutput(), Terminal.width)
      try timeline.forEachBatch { try sink.take($0, names) }
      try sink.end()
    }
  }
}

/// One of the registered forms.
struct EventFormat: ExpressibleByArgument {
  let name: String

  init(name: String) { self.name = name }

  init?(argument: String) {
    guard EventExports.named(argument) != nil else { return nil }
    name = argument
  }

  var defaultValueDescription: String { name }
  static var allValueStrings: [String] { EventExports.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
