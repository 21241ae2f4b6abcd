import Analysis
import ArgumentParser
import Exports

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "The story of captures: what was recorded, which beacons, what to mind.",
    discussion: "Several captures are merged by time; each observer is kept apart.")

  @OptionGroup var input: InputOptions

  @Option(help: "text or json.")
  var format = DocumentFormat.text

  @Flag(help: "List every beacon and every remark, not the first ones only.")
  var all = false

  func run() throws {
    var sink = NoSink()
    try Session(input).run(collectsStatistics: true, into: &sink) { result in
      switch format {
      case .json: try AnalysisJSON.write(result, to: StandardOutput())
      case .text:
        let text = AnalysisText(style: Style(colour: Terminal.hasColour), showsAll: all)
        try write(text.lines(result))
      }
    }
  }
}

/// How a document is written.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// Lines to standard output.
func write(_ lines: [String]) throws {
  guard !lines.isEmpty else { return }
  var output = StandardOutput()
  try output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
}
