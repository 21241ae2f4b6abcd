import ArgumentParser
import CaseStore
import Exports

struct CaseReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "The page of a case, without its captures.",
    usage: "beacontrace case report [--out <file>] <case>",
    discussion: """
      One HTML file with everything in it: it opens in any browser, asks for nothing from any network, \
      prints, and can be handed over. It is the page that 'analyze --report' writes, byte by byte.

      Examples:
        beacontrace case report -o site.html site.sqlite
            The page as a file.
        beacontrace case report --title 'Museum, November' -o site.html site.sqlite
            With a heading of one's own.
      """)

  @OptionGroup var file: CaseArgument

  @Option(
    name: .shortAndLong,
    help: "Where it is written; - is standard output: a program or a file, no terminal.",
    completion: .file(extensions: ["html"]))
  var out = "-"

  @OptionGroup var heading: ReportTitle

  func validate() throws {
    if out == "-" && Terminal.outputIsTerminal {
      throw ValidationError(
        "A page is not for terminals: write it to a file with -o report.html, or to a program.")
    }
  }

  func run() throws {
    try ReportFile.check(out, against: [file.path])
    let earlier = EarlierFile(out)
    try CaseWriting.telling(file.path) {
      try CaseFile.lendSealed(file.path, orSay: "No page is made of that") {
        try ReportFile.write($0, title: heading.title, to: out)
      }
    }
    if out != "-" { try write(FileSum.wrote(out, inPlaceOf: earlier)) }
  }
}
