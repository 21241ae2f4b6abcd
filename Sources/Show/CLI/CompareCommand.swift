import Analysis
import ArgumentParser
import BeaconKeys
import CaptureReader
import Exports
import FrameDecoder

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "What changed between two recordings of a site.",
    usage: "beacontrace compare [options] <before> <after>",
    discussion: """
      Each side is a capture or a folder of captures; where it is several of them, --after stands \
      between the sides. Beacons are matched by what they say they are (iBeacon, Eddystone UID and \
      URL, AltBeacon); Eddystone EIDs, which change, are counted only. A case is no side: name the \
      captures it was made of.

      The parts:
        MISSING    heard before and not now. gone: those that its radio heard beside
                   it are heard now; deaf: fewer than half of them are, or its radio
                   takes no part now or hears most signals otherwise, so it may be
                   the radio; thin: fewer than ten sightings were to be expected
                   now, of a radio that walks by what it had heard in as much time,
                   or its radio filters duplicates now, or passes on only whom
                   it was told to (its list, Android's content filter)
        NEW        heard now and not before
        SILENT     heard all along, and then no more while others were: for ten
                   times as long as ever before, and for five minutes and a tenth
                   of the recording; for a minute, where it was heard all along
                   before, too. Or away for five minutes and more
        HEARD BY   other receivers than before, or a tenth as often by all that
                   heard it, where they stand still, or walk and hear the others
                   as before; where one of them was moved, also by one of the
                   others alone, a tenth or ten times as often
        ADDRESSES  swapped, other ones, of another kind, several that alternate,
                   or one where they followed one another, and the other way round
        POWER      what a beacon says of its own strength
        INTERVAL   how often it sends, a tenth (20 ms at least) more or less, where
                   its gaps tell that: by the shortest of them, as longer ones may
                   be missed; and since when, where it changed within the later
                   side
        BATTERY    100 mV more or less, or no longer measured
        TEMPERATURE
                   no longer measured, or not before
        RESTARTED  by the uptime that a beacon tells
        UPTIME     that does not go as time does, so that it tells no start
        SIGNAL     the median, 6 dB more or less, with 50 sightings on either side

      Files that can be read again are read twice: what is true of the last quarter of the \
      later side, and not of all of it, is told as of that time. Where several radios listen at the \
      same time, those of one name (of one capture name) on both sides are compared with each other; where \
      a side has several captures of one name, those whose folders are called alike are \
      (before/anna/btsnoop_hci.log and after/anna/btsnoop_hci.log). A date in a name does not \
      count (west-2026-05-12.pcapng and west-2026-05-19.pcapng). With --observers folder radios are \
      folders: those of one name, or whose names differ by a date alone, are compared, also where one listened \
      after the other. Of the dongles of \
      one computer (pi/hci0, pi/hci1) those of one controller are compared, where captures tell it: their \
      numbers change. Signals of different controllers are not compared.

      The exit status says nothing of differences; JSON has their counts.

      Examples:
        beacontrace compare last-week.pcapng this-week.pcapng
            Who is missing, who is new, who was changed.
        beacontrace compare --format json may/ june/ | jq .counts
            Two folders, for a program.
        beacontrace compare --region door=address:c4:a1:00:00:04:01 may/ june/
            Beacons are called as the site calls them (--regions FILE for many).
        beacontrace compare may/*.log --after june/*.log
            Several captures on either side.
      """)

  @OptionGroup var input: InputOptions

  @Option(
    name: .customLong("after"), parsing: .upToNextOption,
    help: ArgumentHelp(
      "The later side, where one of the sides is several captures.", valueName: "capture"),
    completion: .file())
  var after: [String] = []

  @OptionGroup(title: "Names") var naming: NamingOptions

  @OptionGroup var observer: ObserverOptions

  @OptionGroup var keys: KeyOptions

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @Flag(help: "List every beacon, not the first ones of each part only.")
  var all = false

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    _ = try clock.zone(isText: format == .text)
    if after.isEmpty, input.captures.count != 2 {
      throw ValidationError(
        "Two sides are compared, a capture or a folder each: <before> <after>. With more captures --after "
          + "stands between the sides.")
    }
    if (input.captures + after).filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input (-) can be read once only.")
    }
  }

  func run() throws {
    let sides = after.isEmpty ? (input.captures.prefix(1), input.captures.suffix(1)) : nil
    let later = sides.map { Array($0.1) } ?? after
    let earlier = Array(sides?.0 ?? input.captures[...])
    // Of the later side the last part is read once more, and the earlier one where walks were shorter now.
    let sessions = try (
      session(earlier, beside: later, readsAgain: true) {
        try observer.names($0, Self.names(later)).before
      },
      session(later, beside: earlier, readsAgain: true) {
        try observer.names(Self.names(earlier), $0).now
      }
    )
    let observers = try observer.names(sessions.0.captures, sessions.1.captures)
    func others(_ captures: [String], _ named: [Int: String]) -> [String] {
      captures.indices.filter { named[$0] == nil }.map { captures[$0] }
    }
    let names = ComparedNames(
      before: others(sessions.0.captures, observers.before),
      now: others(sessions.1.captures, observers.now))
    let ring = try keys.ring()
    let called = try naming.names()
    let before = try read(sessions.0, names.before, observers.before, ring)
    let now = try read(sessions.1, names.now, observers.now, ring)
    if let ring { sessions.1.tellUnused(ring, OddIdentifiers()) }
    let failure = before.failure ?? now.failure
    guard let before = before.side, let now = now.side else {
      throw failure ?? ExitStatus.noInput
    }
    guard before.isRead, now.isRead else {
      // People have been told what could not be read; programs get a document of it.
      if format == .json { try CompareJSON.writeUncompared(before, now, to: StandardOutput()) }
      throw failure ?? ExitStatus.noInput
    }
    let (lately, moments) = try lately(now, sessions.1.sources, names.now, observers.now, ring)
    let areNamed =
      observers.before.count == sessions.0.captures.count
      && observers.now.count == sessions.1.captures.count
    let walks = try walks(
      ShorterWalks(before, now, doubts: names.doubts, areNamed: areNamed), before,
      sessions.0.sources, names.before, observers.before, ring)
    let comparison = Comparison(
      before: before, now: now, lately: lately, moments: moments, walks: walks,
      doubts: names.doubts, areNamed: areNamed, keys: ring)
    switch format {
    case .json: try CompareJSON.write(comparison, names: called, to: StandardOutput())
    case .text:
      let text = CompareText(style: Style(colour: Terminal.hasColour), showsAll: all)
      try clock.zone().whileShown { try write(text.lines(comparison, names: called)) }
    }
    if let failure { throw failure }
  }

  /// - Parameter others: the captures of the other side: what says something of their clocks alone is
  ///   not for this one.
  private func session(
    _ captures: [String], beside others: [String], readsAgain: Bool = false,
    receivers: @escaping ([String]) throws -> [Int: String]
  ) throws -> Session {
    try Session(
      try options(captures, beside: others), readsAgain: readsAgain, observer: observer,
      receivers: receivers)
  }

  private static func names(_ captures: [String]) -> [String] {
    InputList(captures).sources.map(\.name)
  }

  private func options(_ captures: [String], beside others: [String]) throws -> InputOptions {
    var options = input
    options.captures = captures
    guard !input.clocks.words.isEmpty else { return options }
    let (own, their) = (Self.names(captures), Self.names(others))
    options.clocks.words = try input.clocks.words.filter {
      // What is about neither is told by the session.
      try ClockShift.isAbout($0, own) || !ClockShift.isAbout($0, their)
    }
    return options
  }

  /// Reads the captures of one side. What is wrong with some of them is told at once, and ends the program
  /// with its status when the rest has been compared.
  private func read(
    _ session: Session, _ names: [String: String], _ observers: [Int: String], _ keys: KeyRing?
  ) throws -> (side: ComparedSide?, failure: ExitCode?) {
    var side: ComparedSide?
    var sink = NoSink()
    do {
      try session.run(
        collectsStatistics: true, named: names, observers: observers, keys: keys, readsOn: true,
        comparesClocks: true, comparesSignals: true, comparesBeacons: true, tellsClocks: true,
        into: &sink
      ) { side = ComparedSide($0) }
    } catch let status as ExitCode {
      return (side, status)
    }
    return (side, nil)
  }

  /// The last part of the later side, and when intervals changed in all of it; nil where that is too short, or cannot
  /// be read again, which is told.
  /// What is wrong with it has been told.
  private func lately(
    _ side: ComparedSide, _ sources: [CaptureSource], _ names: [String: String],
    _ observers: [Int: String], _ keys: KeyRing?
  ) throws -> (side: ComparedSide?, moments: IntervalMoments?) {
    guard let from = side.lastPart else { return (nil, nil) }
    var settings = again(names, observers, keys)
    settings.limits = TimeLimits(from: from.nanoseconds, to: nil)
    var moments = IntervalMoments(side)
    let result = try read(sources, again: settings, side, into: &moments)
    return result.map { (ComparedSide($0), moments) } ?? (nil, nil)
  }

  /// What radios that walk heard in the earlier side before they had gone on for as long as now; nil where none went
  /// on for less long, or it cannot be read again, which is told.
  private func walks(
    _ shorter: ShorterWalks?, _ side: ComparedSide, _ sources: [CaptureSource],
    _ names: [String: String], _ observers: [Int: String], _ keys: KeyRing?
  ) throws -> ShorterWalks? {
    guard var walks = shorter else { return nil }
    var settings = again(names, observers, keys)
    settings.collectsStatistics = false
    return try read(sources, again: settings, side, into: &walks).map { _ in walks }
  }

  private func again(
    _ names: [String: String], _ observers: [Int: String], _ keys: KeyRing?
  ) -> Analysis.Options {
    var settings = Analysis.Options()
    settings.decoder.keepBadCRC = input.keepBadCRC
    settings.stems = names
    settings.observerNames = observers
    settings.keys = keys
    settings.comparesBeacons = true
    return settings
  }

  /// Nil where it cannot be read again.
  private func read(
    _ sources: [CaptureSource], again settings: Analysis.Options, _ side: ComparedSide,
    into sink: inout some FindingSink
  ) throws -> AnalysisResult? {
    var analysis = Analysis(sources, options: settings)
    let result = try analysis.run(into: &sink)
    let told = Set(side.result.problems.map(\.capture))
    let new = result.problems.filter { !told.contains($0.capture) }
    for problem in new { Terminal.tell("beacontrace: \(ProblemText.line(problem))") }
    return new.isEmpty ? result : nil
  }
}
