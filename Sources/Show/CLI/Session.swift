import Analysis
import ArgumentParser
import BeaconKeys
import CaptureReader
import CaseStore
import Exports
import FrameDecoder

/// One run of a command over its inputs: reads, shows progress, tells what went wrong, and knows
/// the exit status.
struct Session {
  private let options: InputOptions
  private let inputs: InputList
  private let copies: CopiedInputs
  private let known: NotRead
  /// Folders of receivers without a capture.
  private let missing: [CaptureProblem]

  var sources: [CaptureSource] { copies.sources }

  /// Files in which nothing is read though they lie among the inputs.
  private var passedOver: [CaptureProblem] {
    inputs.passedOver + copies.problems + missing + inputs.ignored
  }

  /// Files of which nothing was read, as they are; those that an earlier run found, as they were then.
  func unread(_ result: AnalysisResult) -> [UnreadRow] {
    let found = Set(
      (inputs.problems + passedOver).map(\.capture) + captures)
    let known = known.files.filter { !found.contains($0.name) }
    return UnreadFiles.rows(result, known: known) { found.contains($0) }
  }

  /// The inputs as they are named, by place.
  var captures: [String] { sources.map(\.name) }

  /// - Parameters:
  ///   - moved: where captures are that go by another name, by that name.
  ///   - known: what was found in folders that an earlier run looked through.
  ///   - written: what the run itself writes.
  ///   - readsAgain: the sources are read once more, behind the run: what comes once is kept for that.
  ///   - keepsCopies: also reads what is another input once more, byte for byte.
  ///   - observer: which captures are of one receiver.
  ///   - receivers: by place of the capture, what somebody called its receiver; nil: what `observer` says.
  init(
    _ options: InputOptions, moved: [String: String] = [:], known: NotRead = NotRead(),
    written: [String] = [], readsAgain: Bool = false, keepsCopies: Bool = false,
    observer: ObserverOptions? = nil, receivers: (([String]) throws -> [Int: String])? = nil
  ) throws {
    self.options = options
    self.known = known
    var inputs = InputList(options.captures, moved: moved, written: written)
    if readsAgain { inputs.sources = inputs.sources.map(\.readAgain) }
    do {
      inputs.sources = try ClockShift.apply(options.clocks.words, to: inputs.sources)
    } catch let problem as ValidationError {
      // The usage of the whole tool, which would stand with it here, says nothing about this.
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.message))")
      throw ExitCode.validationFailure
    }
    self.inputs = inputs
    missing = observer?.withoutCaptures(inputs) ?? []
    // What a case holds is read again as it was.
    copies = try CopiedInputs(
      inputs.sources, keeping: keepsCopies ? Set(inputs.sources.map(\.name)) : Set(moved.keys),
      receivers: receivers ?? { try observer?.names($0) ?? [:] })
    if !options.quiet {
      copies.tell()
      tellOfMissing()
    }
    // What is added to a case has been looked through before, and that has told of them.
    if !options.quiet, moved.isEmpty { inputs.tellOfRepeats() }
    if options.verbose {
      for problem in passedOver {
        Terminal.tell("passed over: \(ProblemText.line(problem))")
      }
    } else if !options.quiet, !inputs.passedOver.isEmpty,
      inputs.problems.allSatisfy(\.isInFolder), !inputs.sources.isEmpty
    {
      let count = inputs.passedOver.count - inputs.links.count
      if count > 0 {
        Terminal.tell(
          "\(count) \(count == 1 ? "file is no capture and was" : "files are no captures and were") "
            + "passed over (-v lists them).")
      }
      tellOfLinks(inputs.links)
    }
  }

  private static let mostMissing = 5

  private func tellOfMissing() {
    for problem in missing.prefix(Self.mostMissing) {
      Terminal.tell(
        TextColumns.printable("beacontrace: \(problem.capture) \(problem.detail)."))
    }
    let more = missing.count - Self.mostMissing
    if more > 0 {
      Terminal.tell(
        "beacontrace: \(TextColumns.counted(more, "more folder")) without a capture that could be read."
      )
    }
  }

  /// Behind a link to a folder there may be captures.
  private func tellOfLinks(_ links: [String]) {
    guard let first = links.first else { return }
    let others = links.count > 1 ? " (and \(links.count - 1) more; -v lists them)" : ""
    Terminal.tell(
      TextColumns.printable(
        "\(first)\(others) is a link to a folder and was not followed: name that folder, too."))
  }

  /// Reads everything into `sink`; `show` is handed the result while standard output is open.
  /// - Parameters:
  ///   - streams: `sink` writes lines while reading goes on.
  ///   - series: how much is going to be drawn; nil: nothing.
  ///   - limits: which part of the time is told of; not for `sink`, which gets everything.
  ///   - disturbance: reads the inputs as a worse radio would have heard them.
  ///   - stems: what the names of captures' observers begin with, by the capture's name, where that is known.
  ///   - observers: by place of the capture, what it has in common with others; those who follow say it
  ///     themselves.
  ///   - keys: of beacons whose identifiers change; those that are followed have their own.
  ///   - readsOn: other inputs are read with the same keys, and it is told behind them which were of use.
  ///   - comparesSignals: looks whether captures hold the same signals at other times, also where nothing is added up, or
  ///     there is one alone.
  ///   - comparesClocks: looks how the clocks of several captures go by one another.
  ///   - tellsClocks: says on standard error whose clock was moved, and which captures are not what was recorded: the
  ///     output has no place for it.
  ///   - isRepeat: what is wrong with the inputs, and calls for a status, has been told.
  func run(
    collectsStatistics: Bool, following follow: FollowSettings? = nil, streams: Bool = false,
    series: SeriesSettings? = nil, within limits: TimeLimits? = nil,
    disturbed disturbance: Disturbance? = nil, named stems: [String: String] = [:],
    observers: [Int: String] = [:], keys: KeyRing? = nil, readsOn: Bool = false,
    isRepeat: Bool = false, comparesClocks: Bool = false, comparesSignals: Bool = false,
    comparesBeacons: Bool = false, tellsClocks: Bool = false,
    into sink: inout some FindingSink,
    show: (AnalysisResult) throws -> Void
  ) throws {
    var settings = Analysis.Options()
    settings.decoder.keepBadCRC = options.keepBadCRC
    settings.collectsStatistics = collectsStatistics
    settings.follow = follow
    settings.series = series
    settings.limits = limits
    settings.disturbance = disturbance
    settings.stems = stems
    settings.observerNames = observers
    settings.keys = keys
    settings.comparesClocks = comparesClocks
    settings.comparesSignals = comparesSignals
    settings.comparesBeacons = comparesBeacons
    // Batches end where the reading does, and delays with them: the same each time.
    if disturbance != nil { settings.readsAhead = false }
    var analysis = Analysis(sources, options: settings)
    var progress = Progress(
      totalBytes: inputs.totalBytes.map { $0 - copies.bytesLeftOut },
      isWanted: !options.quiet && !(streams && Terminal.outputIsTerminal))
    do {
      var result = try analysis.run(into: &sink) { progress.update($0) }
      try sink.pause()
      progress.finish()
      addUnread(to: &result)
      if !readsOn, let ring = follow?.keys {
        result.timeline?.warnings += KeyOptions.remarks(ring, result.oddIdentifiers, follow)
      }
      try show(result)
      if !isRepeat {
        // Those of regions are among the remarks on these.
        if !readsOn, let keys { tellUnused(keys, result.oddIdentifiers) }
        if tellsClocks { tellMoved(result.captures) }
        if tellsClocks { tellMade(result.captures) }
        try conclude(result)
      }
    } catch let problem as LogProblem {
      progress.finish()
      Terminal.tell("beacontrace: \(problem)")
      throw ExitStatus.output
    } catch let problem as CaptureProblem {
      // What was read in the run, and cannot be read again behind it: nothing is told of half of it.
      progress.finish()
      Terminal.tell("beacontrace: \(ProblemText.line(problem))")
      throw ExitStatus.noInput
    } catch {
      progress.finish()
      throw error
    }
  }

  /// Keys that were for nothing.
  func tellUnused(_ ring: KeyRing, _ odd: OddIdentifiers) {
    guard !options.quiet else { return }
    for text in KeyOptions.remarks(ring, odd, nil) { Terminal.tell("beacontrace: \(text)") }
  }

  /// Which captures are not what was sent and recorded.
  func tellMade(_ captures: [CaptureFacts]) {
    guard !options.quiet else { return }
    for facts in captures {
      for what in Remarks.made(facts) {
        Terminal.tell("beacontrace: \(TextColumns.printable(facts.name)) \(what)")
      }
    }
  }

  /// Whose times are told otherwise than they stand in the captures; those that were moved alike at once.
  private func tellMoved(_ captures: [CaptureFacts]) {
    guard !options.quiet else { return }
    var names: [(how: String, captures: [String])] = []
    for facts in captures {
      guard let how = Remarks.movedHow(facts) else { continue }
      if let place = names.firstIndex(where: { $0.how == how }) {
        names[place].captures.append(facts.name)
      } else {
        names.append((how, [facts.name]))
      }
    }
    for (how, captures) in names {
      let more = captures.count - 1
      let whose = TextColumns.printable(captures[0]) + (more > 0 ? " and \(more) more" : "")
      Terminal.tell(
        "beacontrace: \(whose): \(more > 0 ? "their" : "its") times are told \(how) (--clock)")
    }
  }

  /// What is no part of the result: in the order of the words, then what was found while reading.
  private func addUnread(to result: inout AnalysisResult) {
    let whileReading = result.problems.map { problem in
      var problem = problem
      problem.isInFolder = inputs.inFolders.contains(problem.capture)
      return problem
    }
    let found = NotRead(
      problems: inputs.problems + whileReading, passedOver: passedOver)
    let all = known.adding(found, read: captures)
    result.problems = all.problems
    result.passedOver = all.passedOver
  }

  /// Problems and damage to standard error, and the exit status they call for.
  private func conclude(_ result: AnalysisResult) throws {
    let untold = known.areTold ? [] : Set(known.problems.map(\.capture)).subtracting(captures)
    // What to do is the same for many.
    var advice: Set<String> = []
    for problem in result.problems where !untold.contains(problem.capture) {
      let isAdvised = problem.remedy.map { !advice.insert($0).inserted } ?? false
      Terminal.tell("beacontrace: \(ProblemText.line(problem, isAdvised: isAdvised))")
    }
    let damaged = result.captures.filter(\.isDamaged)
    // With `-q`, too: a status that is not 0 has its reason.
    for facts in damaged {
      for line in ProblemText.damage(facts) { Terminal.tell("beacontrace: \(line)") }
    }
    if options.verbose {
      for facts in result.captures {
        for line in ProblemText.warnings(facts) { Terminal.tell(line) }
      }
    }
    for problem in result.timeline?.problems ?? [] { Terminal.tell("beacontrace: \(problem)") }
    let failed = (result.timeline?.judges ?? []).filter { $0.errorCount > 0 }
    for plugin in failed { Terminal.tell("beacontrace: \(ProblemText.line(plugin))") }
    if !result.problems.isEmpty { throw ExitStatus.noInput }
    if result.timeline?.problems.isEmpty == false { throw ExitCode.validationFailure }
    if !damaged.isEmpty || result.timeline?.hasDamagedTracks == true { throw ExitStatus.damaged }
    if !failed.isEmpty { throw ExitStatus.plugin }
  }
}
