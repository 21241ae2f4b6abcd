import ArgumentParser
import CaptureReader
import CaseStore
import Cases
import Exports

struct CaseInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "What a case holds: captures, other files, options, tables.",
    usage: "beacontrace case info [--format <format>] <case>",
    discussion: """
      The seal is the SHA-256 of the case file (with the digits of itself as zeros): written into a \
      record, it tells this case from any other. Below it stands what sha256sum says of the file.

      Examples:
        beacontrace case info site.sqlite
            What it was made of, and how much is in it.
      """)

  @OptionGroup var file: CaseArgument

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @OptionGroup var clock: ClockOptions

  func validate() throws { _ = try clock.zone(isText: format == .text) }

  func run() throws {
    try CaseWriting.telling(file.path) {
      try CaseFile.lend(file.path) { opened in
        let facts = try CaseFacts(
          opened, name: file.path, sha256: FileDigest.sha256(file.path))
        switch format {
        case .text: try clock.zone().whileShown { try write(CaseText.lines(facts)) }
        case .json: try facts.writeJSON(to: StandardOutput())
        }
      }
    }
  }
}
