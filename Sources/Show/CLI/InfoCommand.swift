import Analysis
import ArgumentParser
import Exports

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Facts about captures: container, link types, observers, SHA-256, accounting, damage."
  )

  @OptionGroup var input: InputOptions

  @Option(help: "text or json.")
  var format = DocumentFormat.text

  func run() throws {
    var sink = NoSink()
    try Session(input).run(collectsStatistics: false, into: &sink) { result in
      switch format {
      case .json: try InfoJSON.write(result, to: StandardOutput())
      case .text: try write(InfoText.lines(result))
      }
    }
  }
}
