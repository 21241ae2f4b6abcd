import ArgumentParser
import CaptureWriter
import CaseStore
import Exports
import Report

/// The page in a file, complete or not at all.
enum ReportFile {
  /// - Throws: where it would take the place of what it is made of.
  static func check(_ path: String, against others: [String]) throws {
    for other in others where path != "-" && DiskFile.isSame(path, other) {
      Terminal.tell(
        "beacontrace: the page would replace \(TextColumns.printable(other)), which it is made of; "
          + "name another file.")
      throw ExitCode.validationFailure
    }
    try KeptFile.check(path)
  }

  /// - Parameter path: `-` for standard output.
  static func write(_ file: CaseFile, title: String?, to path: String) throws {
    let report = try Report(file, title: title)
    do {
      try ExportedFile.write(path) { try report.write(to: $0) }
    } catch let problem as ExportedFile.Problem {
      Terminal.tell("beacontrace: \(problem)")
      throw ExitStatus.output
    }
  }
}

/// What stands above a page.
struct ReportTitle: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The page's heading, in the place of the captures' or receivers' names.", valueName: "text"))
  var title: String?
}
