import Analysis
import ArgumentParser
import Exports

struct SightingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sightings",
    abstract: "Every beacon sighting on a line of its own.",
    discussion: """
      Sightings of several captures come merged by time. The keys of ndjson and the columns of csv \
      are a contract: they never change their meaning.
      """)

  @OptionGroup var input: InputOptions

  @Option(help: "text, ndjson or csv.")
  var format = SightingFormat(name: "text")

  func run() throws {
    guard let export = Exports.named(format.name) else { throw ExitCode.validationFailure }
    var sink = SinkBox(export.open(StandardOutput(), Terminal.width))
    try Session(input).run(collectsStatistics: false, streams: true, into: &sink) { _ in }
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
}
