import Analysis
import ArgumentParser
import Exports
import Plugins

struct EventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "What region monitoring would have reported: enter, exit, proximity.",
    usage: "beacontrace events [options] <capture> ...",
    discussion: """
      Each event has an id of 16 digits, the same for the same captures and settings; explain says \
      why it happened. Exits have a grade: gone (others were heard; of a beacon still there and heard as \
      before, at most one sighting in twenty would be followed by such a silence: a long recording has \
      several), deaf (the radio may not have been able to hear), thin (the silence may be chance, or the \
      beacon's packets among those that the recorder lost or the controller was told to leave out: \
      duplicates, who is not on its list or does not pass its content filter).

      With --plugin, what its rules say comes among them as events of the type alert, with severity, \
      title and text. Regions that plugins and --site declare may take what a decoder of theirs \
      finds, or have a rule of their own (contains); explain shows both.

      \(RegionHelp.text)

      Examples:
        beacontrace events site.pcapng
            Regions by what was heard: every UUID and namespace.
        beacontrace events --region tag=address:c4:a1:00:00:04:01 site.pcapng
            What one transmitter did.
        beacontrace events --region hall=eddystone:edd1ebeac04e5defa017 a.log
            One region: all beacons of an Eddystone namespace.
        beacontrace events --no-proximity may/
            Who came and went, without how near they were meanwhile.
        beacontrace events --profile site,core-location --format ndjson a.log
            What two sets of rules make of it, for a program.
        beacontrace events --plugin beacon-silent --fail-from warning a.log
            For a script: its exit status says whether there was an alert.
      """)

  @OptionGroup var input: InputOptions

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Option(help: "Lines for people, JSON lines, or a table for spreadsheets.")
  var format = EventFormat(name: "text")

  @Flag(
    inversion: .prefixedNo,
    help: "Changes of proximity: of a beacon that sends seldom, two for each sighting.")
  var proximity = true

  @Flag(help: "Ranging lists, too: every transmitter of a region at every period.")
  var ranging = false

  @Option(
    help: ArgumentHelp(
      "Only those for which a Lua expression over the fields is true, such as 'type == \"exit\" and "
        + "grade == \"gone\"'.",
      valueName: "expression"))
  var `where`: String?

  @Option(
    name: .customLong("fail-from"),
    help: ArgumentHelp(
      "Exit status 1 where an alert of this severity or above is printed, for scripts.",
      valueName: "severity"))
  var failFrom: Alert.Severity?

  @OptionGroup var time: WindowOptions

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    _ = try time.window(clock.zone(isText: format.name == "text"))
    if failFrom != nil, follow.rules.plugins.isEmpty {
      throw ValidationError(
        "--fail-from is about alerts, which rules make: name some with --plugin.")
    }
  }

  func run() throws { try clock.zone().whileShown { try write() } }

  private func write() throws {
    guard let export = EventExports.named(format.name) else { throw ExitCode.validationFailure }
    var none = NoSink()
    let session = try Session(input, observer: follow.observer)
    let window = try time.window(clock.zone())
    let filter = try `where`.map { try WhereOption.ofEvents($0, isQuiet: input.quiet) }
    var settings = try follow.settings(session.captures, wantsLists: ranging)
    settings.wantsProximity = proximity
    var hasFailed = false
    let run = {
      try session.run(
        collectsStatistics: true, following: settings, comparesClocks: !input.quiet,
        tellsClocks: true,
        into: &none
      ) { result in
        if !input.quiet { remark(result, settings) }
        guard let timeline = result.timeline, let names = EventNames(result) else { return }
        var sink = export.open(
          StandardOutput(endsWithReader: failFrom == nil), Terminal.width)
        let view = filter.map { _ in RunView(result, settings) }
        try timeline.forEachBatch { events in
          var taken = events
          if window != nil { taken = taken.filter { window?.takes($0.time) ?? true } }
          if let filter, let view {
            taken = taken.filter {
              filter.takes($0, timeline.alerts, view, profile: names.profile($0))
            }
          }
          try sink.take(taken, names)
          if let failFrom, !hasFailed {
            hasFailed = timeline.hasAlert(from: failFrom, among: taken)
          }
        }
        if !input.quiet {
          window?.conclude("event", advice: "'analyze' with these times says who was inside.")
        }
        try sink.end()
      }
    }
    if let filter {
      try WhereOption.conclude(
        filter.text, { filter.tally }, "event", isQuiet: input.quiet, behind: run)
    } else {
      try run()
    }
    if hasFailed { throw ExitStatus.alerted }
  }

  private func remark(_ result: AnalysisResult, _ settings: FollowSettings) {
    for warning in result.timeline?.warnings ?? [] {
      Terminal.tell("beacontrace: \(ProblemText.sentence(warning))")
    }
    for hint in result.timeline?.hints ?? [] where hint.code == "power_unusable" {
      Terminal.tell("beacontrace: \(TextColumns.printable(hint.text))")
    }
    for sentence in Remarks.stepsBack(result.captures) {
      Terminal.tell("beacontrace: \(TextColumns.printable(sentence))")
    }
    InputRemarks.tell(result)
    let hasRules = !(result.timeline?.judges ?? []).isEmpty
    if settings.keys == nil, !hasRules { NoBeacons.tell(result) }
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
