import Analysis
import ArgumentParser
import Exports

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract:
      "Facts about captures: container, link types, observers, SHA-256, accounting, damage.",
    usage: "beacontrace info [options] <capture> ...",
    discussion: """
      Every record of a capture falls into exactly one class; the accounting says how many into \
      which. What is damaged or odd is counted by its reason, with the first frame that shows it.

      Examples:
        beacontrace info *.btsnoop
            What each of these holds.
        beacontrace info --format json evidence/ > evidence.json
            The same of every capture in a folder, for a program.
      """)

  @OptionGroup var input: InputOptions

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @Flag(help: "Name every input that could not be read, where there are many.")
  var all = false

  func run() throws {
    var sink = NoSink()
    try Session(input, keepsCopies: true).run(collectsStatistics: false, into: &sink) { result in
      switch format {
      case .json: try InfoJSON.write(result, to: StandardOutput())
      case .text: try write(InfoText.lines(result, showsAll: all))
      }
    }
  }
}
