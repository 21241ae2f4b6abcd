import ArgumentParser
import CaseStore
import Cases
import Exports
import FoundationEssentials

struct CaseQueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Ask a case in SQL; without a statement: its tables and columns.",
    usage: "beacontrace case query [--format <format>] <case> [<statement>]",
    discussion: """
      The statement can only read, and only this file. Bytes come in hexadecimal. Views for a start: \
      visits, beacon_summary, timeline.

      Examples:
        beacontrace case query site.sqlite 'SELECT * FROM visits'
            A table, as wide as the terminal; what has too many columns for it
            is shown with a line for each.
        beacontrace case query --format csv site.sqlite 'SELECT * FROM timeline'
            For a spreadsheet.
      """)

  @OptionGroup var file: CaseArgument

  @Argument(help: ArgumentHelp("One statement of SQL.", valueName: "statement"))
  var statement: String?

  @Option(help: "For people, for spreadsheets, or for programs.")
  var format = QueryFormat(form: .text)

  func validate() throws {
    let files = FileManager.default
    guard let statement, !files.fileExists(atPath: file.path), files.fileExists(atPath: statement)
    else { return }
    throw ValidationError(
      "The case comes first, and the statement behind it: beacontrace case query \(TextColumns.printable(statement)) \"…\""
    )
  }

  func run() throws {
    try CaseWriting.telling(file.path) { try CaseFile.lend(file.path) { try ask($0) } }
  }

  private func ask(_ file: CaseFile) throws {
    if statement == nil, format.form == .text {
      return try write(CaseText.schema(try file.listings()))
    }
    var output = QueryOutput(
      format.form, StandardOutput(endsWithReader: true), width: Terminal.width)
    guard let statement else { return try output.list(try file.listings()) }
    do {
      try CaseQuery(file, statement).run(
        begin: { try output.begin($0) }, row: { try output.take($0) })
      try output.end()
    } catch let refusal as CaseQuery.Refusal {
      for line in CaseText.refusal(refusal, statement) { Terminal.tell(line) }
      let names = try file.listings().map(\.name)
      if let advice = CaseText.advice(refusal, statement, tables: names) { Terminal.tell(advice) }
      throw ExitCode.validationFailure
    }
  }
}

struct QueryFormat: ExpressibleByArgument {
  let form: QueryForm

  init(form: QueryForm) { self.form = form }

  init?(argument: String) {
    guard let form = QueryForm(rawValue: argument) else { return nil }
    self.form = form
  }

  var defaultValueDescription: String { form.rawValue }
  static var allValueStrings: [String] { QueryForm.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
