import Analysis
import ArgumentParser
import Exports
import Plugins

struct SightingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sightings",
    abstract: "Every beacon sighting on a line of its own.",
    usage: "beacontrace sightings [options] <capture> ...",
    discussion: """
      A sighting is one advertisement of a beacon, as one radio heard it: time, RSSI in dBm, \
      address, identity. Sightings of several captures come merged by time. The keys of ndjson and \
      the columns of csv are a contract: they never change their meaning.

      Examples:
        beacontrace sightings phone.log | less
            To read.
        beacontrace sightings --format ndjson north.log south.log > sightings.ndjson
            One JSON object a line, merged by time.
        tcpdump -U -i bluetooth-monitor -w - | beacontrace sightings -
            As they are heard.
      """)

  @OptionGroup var input: InputOptions

  @Option(help: "Lines for people, JSON lines, or a table for spreadsheets.")
  var format = SightingFormat(name: "text")

  @Option(
    help: ArgumentHelp(
      "Only those for which a Lua expression over the fields is true, such as 'rssi and rssi > -60' "
        + "or 'kind == \"ibeacon\" and major == 1'.",
      valueName: "expression"))
  var `where`: String?

  @OptionGroup var keys: KeyOptions

  @OptionGroup var time: WindowOptions

  @OptionGroup var clock: ClockOptions

  func validate() throws { _ = try time.window(clock.zone(isText: format.name == "text")) }

  func run() throws { try clock.zone().whileShown { try write() } }

  private func write() throws {
    guard let export = Exports.named(format.name) else { throw ExitCode.validationFailure }
    var lines = SinkBox(export.open(StandardOutput(), Terminal.width))
    guard let expression = `where` else { return try read(into: &lines) }
    var sink = try WhereOption.sink(expression, into: lines)
    try read(into: &sink)
    try WhereOption.conclude(expression, sink.tally, "sighting", isQuiet: input.quiet)
  }

  /// An expression is asked of what is in the window alone.
  private func read(into sink: inout some FindingSink) throws {
    guard let window = try time.window(clock.zone()) else {
      let keys = try keys.ring()
      return try Session(input).run(
        collectsStatistics: false, streams: true, keys: keys, into: &sink
      ) { _ in }
    }
    let keys = try keys.ring()
    var inside = WindowSink(window, into: sink)
    defer {
      sink = inside.sink
      if !input.quiet { window.conclude("sighting") }
    }
    try Session(input).run(
      collectsStatistics: false, streams: true, keys: keys, into: &inside
    ) { _ in }
  }
}

/// One of the registered exports.
struct SightingFormat: ExpressibleByArgument {
  let name: String

  init(name: String) { self.name = name }

  init?(argument: String) {
    guard Exports.named(argument) != nil else { return nil }
    name = argument
  }

  var defaultValueDescription: String { name }
  static var allValueStrings: [String] { Exports.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
