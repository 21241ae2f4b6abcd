import Analysis
import ArgumentParser
import CaptureReader
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
        beacontrace sightings --where 'major == 4' --write cut.pcapng site.log
            The frames of these beacons, for Wireshark.
      """)

  @OptionGroup var input: InputOptions

  @Option(help: "Lines for people, JSON lines, or a table for spreadsheets.")
  var format = SightingFormat(name: "text")

  @Option(
    help: ArgumentHelp(
      "Only those for which a Lua expression is true, such as 'rssi and rssi > -60' or 'kind == \"ibeacon\" "
        + "and major == 1'. Its names are the keys of --format ndjson; time is in seconds since 1970. What a kind "
        + "does not have is nil: 'battery_mv and battery_mv < 2500' asks first, as a comparison with nil fails "
        + "(status 70).",
      valueName: "expression"))
  var `where`: String?

  @Option(
    name: .customLong("write"),
    help: ArgumentHelp(
      "In the place of lines: the frames of the sightings as pcapng, all of them where a report came in several, "
        + "with a comment on each where it comes from; comments that they had are not kept. Frames are kept whole: an "
        + "HCI event that holds several reports carries the other devices' too.",
      valueName: "file"),
    completion: .file())
  var written: String?

  @OptionGroup var observer: ObserverOptions

  @OptionGroup var keys: KeyOptions

  @OptionGroup var time: WindowOptions

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    _ = try time.window(clock.zone(isText: format.name == "text"))
    guard written != nil else { return }
    guard format.name == "text" else {
      throw ValidationError("--write writes frames in the place of lines: leave --format out.")
    }
    if let written, let ending = Self.otherEndings.first(where: { written.hasSuffix($0) }) {
      throw ValidationError(
        "--write writes pcapng, and not \(ending): call it "
          + "\(TextColumns.printable(String(written.dropLast(ending.count)))).pcapng.")
    }
    try files(input.captures).validate()
  }

  /// What somebody expects another form in.
  private static let otherEndings = [
    ".pcapng.gz", ".pcapng.zst", ".gz", ".zst", ".xz", ".bz2", ".zip", ".pcap", ".btsnoop", ".cfa",
    ".pklg", ".csv", ".json", ".ndjson", ".txt", ".sqlite", ".html",
  ]

  private func files(_ captures: [String]) -> RunFiles {
    var files = RunFiles()
    files.reads(captures, "a capture")
    files.writes(written, "--write", beside: [".unfinished"])
    return files
  }

  func run() throws {
    if let written { return try clock.zone().whileShown { try cut(into: written) } }
    try clock.zone().whileShown { try write() }
  }

  private func write() throws {
    guard let export = Exports.named(format.name) else { throw ExitCode.validationFailure }
    var lines = SinkBox(export.open(StandardOutput(endsWithReader: true), Terminal.width))
    guard let expression = `where` else { return try read(session(), into: &lines) }
    var sink = try WhereOption.sink(expression, into: lines, isQuiet: input.quiet)
    try WhereOption.conclude(expression, { sink.tally }, "sighting", isQuiet: input.quiet) {
      try read(session(), into: &sink)
    }
  }

  private func session(readsAgain: Bool = false) throws -> Session {
    try Session(input, readsAgain: readsAgain, observer: observer)
  }

  /// Two readings: which frames, then these.
  private func cut(into path: String) throws {
    try files(InputList(input.captures).sources.map(\.name)).check()
    try KeptFile.check(path, takesCuts: true)
    let session = try session(readsAgain: true)
    let frames = CutFrames()
    // In a box: the reading is not compiled once more for this.
    var sink = SinkBox(frames)
    guard let expression = `where` else {
      return try read(session, into: &sink) { try write(frames, session.sources, $0, to: path) }
    }
    var chosen = try WhereOption.sink(expression, into: sink, isQuiet: input.quiet)
    try WhereOption.conclude(expression, { chosen.tally }, "sighting", isQuiet: input.quiet) {
      try read(session, into: &chosen) { try write(frames, session.sources, $0, to: path) }
    }
  }

  private func write(
    _ frames: CutFrames, _ sources: [CaptureSource], _ result: AnalysisResult, to path: String
  ) throws {
    // Why there was nothing to cut from is told.
    guard !result.captures.isEmpty else { return }
    frames.addParts(sources, keepBadCRC: input.keepBadCRC)
    let from = [time.from.map { "--from \($0)" }, time.to.map { "--to \($0)" }].compactMap { $0 }
    let words = (`where`.map { ["--where '\($0)'"] } ?? []) + from
    let earlier = EarlierFile(path)
    do {
      let cut = try ExportedFile.write(path) {
        try FrameCut.write(
          frames, sources, result,
          words: words.isEmpty ? "all sightings" : words.joined(separator: " "), to: &$0)
      }
      guard !input.quiet else { return }
      Terminal.tell(
        frames.count == 0
          ? "\(earlier.wrote): a capture without a frame, as no sighting was left to write one of."
          : "\(earlier.wrote): \(TextColumns.counted(cut.written, "frame")) of "
            + "\(TextColumns.counted(frames.captures, "capture")), "
            + "\(TextColumns.counted(frames.sightings, "sighting")).")
      if cut.unknown > 0 {
        Terminal.tell(
          "beacontrace: \(TextColumns.counted(cut.unknown, "frame")) of unknown packets, left out.")
      }
    } catch let problem as ExportedFile.Problem {
      Terminal.tell("beacontrace: \(problem)")
      throw ExitStatus.output
    }
  }

  /// An expression is asked of what is in the window alone.
  private func read(
    _ session: Session, into sink: inout some FindingSink,
    show: (AnalysisResult) throws -> Void = { _ in }
  ) throws {
    let keys = try keys.ring()
    let observers = try observer.names(session.captures)
    func told(_ result: AnalysisResult) throws {
      if !input.quiet, keys == nil { NoBeacons.tell(result) }
      try show(result)
    }
    guard let window = try time.window(clock.zone()) else {
      return try session.run(
        collectsStatistics: false, streams: written == nil, observers: observers, keys: keys,
        tellsClocks: true, into: &sink, show: told)
    }
    var inside = WindowSink(window, into: sink)
    defer {
      sink = inside.sink
      if !input.quiet { window.conclude("sighting") }
    }
    try session.run(
      collectsStatistics: false, streams: written == nil, observers: observers, keys: keys,
      tellsClocks: true, into: &inside, show: told)
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
