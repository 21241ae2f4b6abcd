import Analysis
import ArgumentParser
import Beacons
import CaptureReader
import CaseStore
import Exports
import Plugins

/// An analysis that goes into a case: what commands share that hand findings over.
struct CaseRun {
  let input: InputOptions
  let options: CaseOptions
  /// Where captures are that go by another name, by that name.
  var moved: [String: String] = [:]
  /// SHA-256 of captures that must not have changed, by name, and the case that says so.
  var expected: [String: String] = [:]
  var caseName = ""

  /// - Throws: where a capture changed while it was read again.
  func check(_ result: AnalysisResult) throws {
    for facts in result.captures {
      guard let sum = expected[facts.name], sum != HexText.string(facts.sha256) else { continue }
      throw CaseProblem(
        caseName, "its capture \(facts.name) has changed",
        remedy: "Bring the file back as it was; the case was left as it is.")
    }
  }

  /// Reads the captures, fills a case, and says how it went as every command does.
  /// - Parameters:
  ///   - file: empty; what people should see is shown when it has been filled.
  ///   - show: takes the result and the case.
  func fill(_ file: CaseFile, _ show: (AnalysisResult, CaseFile) throws -> Void) throws {
    var input = input
    input.keepBadCRC = options.keepsBadCRC
    let session = Session(input, moved: moved)
    let settings =
      options.isWithoutRegions ? nil : try options.follow.settings(session.captures)
    var sightings = options.keepsSightings ? CaseSightings(file) : nil
    var sink = SinkBox(sightings ?? NoSink())
    try session.run(collectsStatistics: true, following: settings, into: &sink) { result in
      try sightings?.finish()
      var surroundings = CaseFilling.Surroundings(version: Version.text)
      surroundings.options = options.words
      surroundings.files = try CaseInputFiles.rows(
        options.follow, settings?.judge as? PluginHost)
      surroundings.sources = session.sources
      surroundings.keepsBadCRC = options.keepsBadCRC
      surroundings.keepsSightings = options.keepsSightings
      surroundings.follow = settings
      var filling = CaseFilling(result, surroundings)
      try filling.fill(file)
      try show(result, file)
    }
  }
}
