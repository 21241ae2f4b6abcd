import Analysis
import ArgumentParser
import CaptureReader
import Exports
import FrameDecoder

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Who advertised, beacons or not: how many by the hour, or each of them.",
    usage: "beacontrace devices [options] <capture> ...",
    discussion: """
      Counts addresses of all advertisements: of beacons, and of all others, which phones, watches, \
      trackers and things are. Several captures are counted together, each address once.

      A phone changes its address every quarter of an hour or so, and may be silent: nobody can say \
      from this how many people were there. Nearest to it comes "at once", the others that were heard \
      within one minute: half of the minutes have more, half less, and "most" is of the fullest.

      The columns:
        addresses  all of them, each once
        beacons    those that sent a beacon at any time
        others     those that did not: of a public address, of a static one
                   (kept until power goes), of a private one (kept for minutes)

      With --each there is a row for every address: how often and in how many minutes it was heard, how \
      strongly (weakest, median, strongest), from when to when, and what it says it is: its name, the \
      beacons that it sends, what its data are known as. Under "perhaps then" stands the private address with \
      which it may have gone on. 'analyze --device NAME=ADDRESS' follows one.

      Examples:
        beacontrace devices site/
            By the hour.
        beacontrace devices --every 10min --min-rssi -70 door.pcapng
            Who came near the radio at the door.
        beacontrace devices --each --order first door.pcapng
            Who was there, in the order in which they came.
        beacontrace devices --format csv site/ > devices.csv
            For a spreadsheet.
      """)

  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp(
      "A row for so long: 10min, 1h, 24h; whole minutes. The default is 1h. Rows begin at whole multiples of it "
        + "in UTC, or with --local on the clocks here: 24h are days from midnight to midnight.",
      valueName: "span"))
  var every: TimeSpanOption?

  @Flag(help: "A row for every address, in place of how many there were.")
  var each = false

  @Option(help: "With --each: in which order; the default is heard, most heard first.")
  var order: AdvertiserOrder?

  @Flag(help: "With --each: list every address, not the first ones only.")
  var all = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave out what is weaker, or of no known strength: only who is near the radio.",
      valueName: "dBm"))
  var minRssi: Int8?

  @OptionGroup var time: WindowOptions

  @Option(help: "For people, for programs, or a table for spreadsheets.")
  var format = DevicesFormat.text

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    _ = try time.limits(clock.zone(isText: format == .text))
    guard length % 60_000_000_000 == 0, length <= 366 * 86_400_000_000_000
    else { throw ValidationError("--every takes whole minutes, up to a year: 10min, 1h, 24h.") }
    if each, every != nil {
      throw ValidationError("--each lists addresses, and --every counts them: give one of them.")
    }
    if !each, order != nil || all {
      throw ValidationError(
        "\(order != nil ? "--order" : "--all") means something with --each only.")
    }
  }

  private var length: Int64 { every?.nanoseconds ?? 3_600_000_000_000 }

  func run() throws { try clock.zone().whileShown { try count() } }

  private func count() throws {
    let session = try Session(input, readsAgain: true)
    var sink = NoSink()
    // What cannot be read is told by this, with its own status.
    try session.run(
      // Captures are compared by whom they hold.
      collectsStatistics: session.sources.count > 1, comparesClocks: true, tellsClocks: true,
      into: &sink
    ) { result in
      if !input.quiet { InputRemarks.tell(result) }
      try show(count(session.sources, result), result)
    }
  }

  private func count(
    _ sources: [CaptureSource], _ result: AnalysisResult
  ) throws -> AdvertiserCensus {
    let read = Set(result.captures.map(\.name))
    var options = FrameDecoder.Options()
    options.keepBadCRC = input.keepBadCRC
    var census = AdvertiserCensus(
      within: try time.limits(clock.zone()), leastRSSI: minRssi, listsEach: each)
    for source in sources where read.contains(source.name) {
      try census.read(source, options: options)
    }
    return census
  }

  private func show(_ counted: AdvertiserCensus, _ result: AnalysisResult) throws {
    var census = counted
    if each { return try list(&census, result) }
    let rows = census.rows(every: length, by: try clock.zone().wallClock)
    switch format {
    case .text:
      try write(CensusText(style: Style(colour: Terminal.hasColour)).lines(rows, census))
    case .csv: try write(CensusTables.csv(rows))
    case .json:
      try CensusTables.writeJSON(
        rows, census, every: length, result, to: StandardOutput())
    }
  }

  private func list(_ census: inout AdvertiserCensus, _ result: AnalysisResult) throws {
    let rows = census.order(order ?? .heard)
    switch format {
    case .text:
      let text = AdvertiserText(style: Style(colour: Terminal.hasColour), showsAll: all)
      try write(text.lines(rows, census, by: order ?? .heard))
    case .csv: try write(AdvertiserTables.csv(rows, census))
    case .json: try AdvertiserTables.writeJSON(rows, census, result, to: StandardOutput())
    }
  }
}

extension AdvertiserOrder: ExpressibleByArgument {}

enum DevicesFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, csv
}
