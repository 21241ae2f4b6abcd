import Analysis
import ArgumentParser
import CaptureReader
import CaseStore
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
        interval  usual time between two of them of one address: about the median
        RSSI      how strongly it was heard, in dBm: weakest, median, strongest
        power     what the beacon says of its own strength, in dBm: at 1 m
                  (iBeacon, AltBeacon) or where it leaves (Eddystone)
        !         what to mind; WORTH KNOWING says it in words

      REGIONS has a bar over time for each region, VISITS what was entered and left, and what each \
      exit is worth: gone, deaf or thin (see 'beacontrace help events', which tells how regions are \
      written, too). A visit lasts to its exit: the exit period behind its last sighting is included in \
      its time, and in the sums of REGIONS. 'nearest 0.9 m (0.6-1.3)' is where the strongest signal of a \
      visit would come from in free sight, and in brackets its own scatter, one standard deviation: walls \
      and bodies make everything seem farther, so it is no bound of where somebody was. Bars leave out \
      pauses (┆) in which no observer recorded for over an hour, and for \
      longer than what was recorded before or behind; with room for a few of them alone, the longest.

      Examples:
        beacontrace analyze site.pcapng
            One capture.
        beacontrace analyze --format json north.log south.log > site.json
            Two captures as one story, for a program.
        beacontrace analyze --region tag=address:c4:a1:00:00:04:01 a.log
            One region of your own.
        beacontrace analyze --from '2026-05-19 14:00' --to '2026-05-19 14:20' logs/
            Twenty minutes of a folder: the beacons then, and who was where.
        beacontrace analyze --report site.html site.pcapng
            What was found as a page, to look at and to hand over.
        ssh gateway tcpdump -U -i bluetooth-monitor -w - | beacontrace analyze -
            What another machine hears, told when tcpdump ends.
      """)

  @OptionGroup var input: InputOptions

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @Flag(name: .customLong("no-regions"), help: "Beacons only; nothing is followed.")
  var isWithoutRegions = false

  @Option(name: .customLong("format"), help: DocumentFormat.help)
  var writtenFormat = StoryFormat(.text)

  private var format: DocumentFormat { writtenFormat.format ?? .text }

  @Flag(help: "List every beacon, remark and unread input, not the first ones only.")
  var all = false

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Keep everything that was found in this SQLite file; one that is there is added to, and its "
        + "captures are analyzed together with the new ones. See 'beacontrace help case'.",
      valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var caseFile: String?

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a page for people to this HTML file: one file with everything in it, for any browser.",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var reportFile: String?

  @OptionGroup var heading: ReportTitle

  @Flag(name: .customLong("keep-sightings"), help: "Each sighting, too, in the case.")
  var keepsSightings = false

  @Flag(
    name: .customLong("keep-proximity"),
    help: "Each change of proximity, too, in the case and on the page.")
  var keepsProximity = false

  @OptionGroup var time: WindowOptions

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    guard writtenFormat.format != nil else {
      throw ValidationError(
        "analyze tells a story, as text or json. Tables are written by 'beacontrace export --to csv -o "
          + "tables CAPTURE'; one of them by 'beacontrace case query --format csv'.")
    }
    let limits = try time.limits(clock.zone(isText: format == .text))
    if limits != nil, caseFile != nil || reportFile != nil {
      throw ValidationError(
        "--from and --to shorten what is printed; a case and its page keep everything: leave them out. "
          + "The page can be zoomed, and case query asks a case.")
    }
    if heading.title != nil, reportFile == nil {
      throw ValidationError("--title is the page's: name that, too, with --report.")
    }
    if caseFile == "-" {
      throw ValidationError(
        "--case - : a case is a file, and standard output is none; name a file.")
    }
    if reportFile == "-" {
      throw ValidationError(
        "--report - : standard output has the timeline; name a file, or write a case and then its page: "
          + "beacontrace case report -o - CASE.")
    }
    if isWithoutRegions, let first = follow.wordsOfFollowing.first {
      throw ValidationError(
        "--no-regions follows nothing, and \(first) is about following: leave out one of them.")
    }
    if keepsSightings && caseFile == nil {
      throw ValidationError("--keep-sightings keeps them in a case: name one with --case.")
    }
    if keepsProximity && caseFile == nil && reportFile == nil {
      throw ValidationError(
        "--keep-proximity keeps changes of proximity in a case: name one with --case. "
          + "'beacontrace events' tells them.")
    }
    try files(input.captures).validate()
  }

  /// - Parameter captures: what is read; folders stand for what is in them.
  private func files(_ captures: [String]) -> RunFiles {
    var files = RunFiles()
    files.reads(captures, "a capture")
    follow.add(to: &files)
    // A case that is there is added to.
    files.writes(caseFile, "--case", beside: [".unfinished"])
    files.writes(reportFile, "--report", beside: [".unfinished"])
    return files
  }

  func run() throws {
    if let reportFile {
      try files(InputList(input.captures).sources.map(\.name)).check()
      try KeptFile.check(reportFile)
    }
    if let caseFile {
      return try CaseWriting.run(
        caseFile, input, caseOptions(), written: [reportFile].compactMap { $0 }
      ) { result, file, outcome in
        try show(result)
        if outcome != .notWritten {
          try wrote(
            caseFile, seal: try file.sealDigits(), isUnchanged: outcome == .unchanged)
        }
        try report(file, isFirst: outcome == .notWritten)
      }
    }
    if reportFile != nil {
      return try CaseWriting.telling("temporary case") {
        var run = CaseRun(input: input, options: try caseOptions())
        run.written = [reportFile].compactMap { $0 }
        try run.fill(try CaseFile.temporary()) { result, file in
          try show(result)
          try report(file)
        }
      }
    }
    var sink = NoSink()
    let session = try Session(input, observer: follow.observer)
    let settings = isWithoutRegions ? nil : try follow.settings(session.captures)
    let keys = isWithoutRegions ? try follow.keys.ring() : nil
    // Who follows says it itself.
    let observers = isWithoutRegions ? try follow.observer.names(session.captures) : [:]
    let limits = try time.limits(clock.zone())
    try clock.zone().whileShown {
      try session.run(
        collectsStatistics: true, following: settings, within: limits, observers: observers,
        keys: keys, comparesClocks: true, into: &sink
      ) { try show($0) }
    }
  }

  private func caseOptions() throws -> CaseOptions {
    var options = try CaseOptions.parse([])
    options.follow = follow
    options.isWithoutRegions = isWithoutRegions
    options.keepsBadCRC = input.keepBadCRC
    options.clocks = input.clocks
    options.keepsSightings = keepsSightings
    options.keepsProximity = keepsProximity
    return options
  }

  private func show(_ result: AnalysisResult) throws {
    switch format {
    case .json: try AnalysisJSON.write(result, to: StandardOutput())
    case .text:
      let text = AnalysisText(
        style: Style(colour: Terminal.hasColour), showsAll: all, width: Terminal.width)
      try clock.zone().whileShown { try write(text.lines(result)) }
    }
  }

  private func report(_ file: CaseFile, isFirst: Bool = true) throws {
    guard let reportFile else { return }
    let earlier = EarlierFile(reportFile)
    try ReportFile.write(file, title: heading.title, to: reportFile)
    try wrote(reportFile, inPlaceOf: earlier, isFirst: isFirst)
  }

  /// Below what is for people; a document for programs stays one.
  /// - Parameters:
  ///   - seal: of a case.
  ///   - isUnchanged: it was left as it was.
  private func wrote(
    _ path: String, inPlaceOf earlier: EarlierFile? = nil, isFirst: Bool = true,
    seal: String? = nil,
    isUnchanged: Bool = false
  ) throws {
    let lines = FileSum.wrote(path, inPlaceOf: earlier, seal: seal, isUnchanged: isUnchanged)
    switch format {
    case .text: try write(isFirst ? [""] + lines : lines)
    case .json: if !input.quiet { for line in lines { Terminal.tell(line) } }
    }
  }
}

/// How a document is written.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json

  static let help: ArgumentHelp = "For people, or for programs."
}

/// The same, of a command that people ask for tables, too; nil: for one of those.
struct StoryFormat: ExpressibleByArgument {
  let format: DocumentFormat?

  init(_ format: DocumentFormat) { self.format = format }

  init?(argument: String) {
    format = DocumentFormat(argument: argument)
    if format == nil, !["csv", "ndjson"].contains(argument) { return nil }
  }

  var defaultValueDescription: String { format?.rawValue ?? "" }
  static var allValueStrings: [String] { DocumentFormat.allValueStrings }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// Lines to standard output.
func write(_ lines: [String]) throws {
  guard !lines.isEmpty else { return }
  var output = StandardOutput()
  try output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
}
