import Analysis
import ArgumentParser
import Beacons
import CaptureReader
import CaseStore
import Cases
import Exports
import Plugins

/// An analysis that goes into a case: what commands share that hand findings over.
struct CaseRun {
  let input: InputOptions
  let options: CaseOptions
  /// Where captures are that go by another name, by that name.
  var moved: [String: String] = [:]
  /// What the names of the observers of the case's captures begin with, by the capture's name.
  var stems: [String: String] = [:]
  /// SHA-256 of captures that must not have changed, by name, and the case that says so.
  var expected: [String: String] = [:]
  var caseName = ""
  /// Where files beside the captures are that are not where they were named.
  var places = SidePlaces()
  /// Those of the case that is added to: they must not have changed.
  var sideFiles: SideFiles?
  /// What was not read of the folders that the case was made of.
  var known = NotRead()
  /// What the run itself writes.
  var written: [String] = []

  /// Lends a case: the one that is named in the place of a capture, or what an analysis of the captures
  /// comes to, in a case that nobody keeps.
  /// - Parameter body: where captures are damaged, or others cannot be read, that is told behind it.
  static func lend(
    _ input: InputOptions, _ options: CaseOptions, _ body: (CaseFile) throws -> Void
  ) throws {
    if let name = input.captures.first(where: { CaseFile.isCase($0) }) {
      guard input.captures.count == 1, options.words.isEmpty else {
        Terminal.tell(
          "beacontrace: \(TextColumns.printable(name)) is a case, with its captures and options in it: "
            + "name it alone, or add to it with 'analyze --case'.")
        throw ExitCode.validationFailure
      }
      return try CaseWriting.telling(name) { try CaseFile.lend(name, body) }
    }
    try CaseWriting.telling("temporary case") {
      let run = CaseRun(input: input, options: options)
      try run.fill(try CaseFile.temporary()) { _, file in try body(file) }
    }
  }

  /// Reads the captures, fills a case, and says how it went as every command does.
  /// - Parameters:
  ///   - file: empty.
  ///   - show: takes the result and the case when it has been filled.
  func fill(_ file: CaseFile, _ show: (AnalysisResult, CaseFile) throws -> Void) throws {
    var input = input
    input.keepBadCRC = options.keepsBadCRC
    input.clocks = options.clocks
    let session = try Session(
      input, moved: moved, known: known, written: written, readsAgain: true,
      observer: options.follow.observer)
    var settings =
      options.isWithoutRegions
      ? nil
      : try options.follow.settings(
        session.captures, places: places)
    settings?.wantsSamples = true
    settings?.wantsProximity = options.keepsProximity
    let sightings = options.keepsSightings ? CaseSightings(file) : nil
    var sink: SinkBox = if let sightings { SinkBox(sightings) } else { SinkBox(NoSink()) }
    try session.run(
      collectsStatistics: true, following: settings, series: SeriesSettings(), named: stems,
      keys: options.isWithoutRegions ? try options.follow.keys.ring(places) : nil,
      comparesClocks: true,
      into: &sink
    ) { result in
      try sightings?.finish()
      try check(result)
      var surroundings = CaseFilling.Surroundings(version: Version.text)
      var words = options
      words.follow.observer.observers = try options.follow.observer.words(session.captures)
      words.follow.observer.grouping = nil
      words.clocks.words = try ClockShift.words(options.clocks.words, session.captures)
      surroundings.options = words.words
      surroundings.files = try CaseInputFiles.rows(
        options.follow, settings?.judge as? PluginHost, places)
      try sideFiles?.check(read: surroundings.files)
      surroundings.unread = session.unread(result)
      surroundings.sources = session.sources
      surroundings.keepsBadCRC = options.keepsBadCRC
      surroundings.keepsSightings = options.keepsSightings
      surroundings.keepsProximity = options.keepsProximity
      surroundings.follow = settings
      var filling = try CaseFilling(result, surroundings)
      try filling.fill(file)
      try show(result, file)
    }
  }

  /// - Throws: where a capture changed while it was read again.
  private func check(_ result: AnalysisResult) throws {
    for facts in result.captures {
      guard let sum = expected[facts.name], sum != HexText.string(facts.sha256) else { continue }
      throw CaseProblem(
        caseName, "its capture \(facts.name) has changed",
        remedy: "Bring the file back as it was; the case was left as it is.")
    }
  }
}
