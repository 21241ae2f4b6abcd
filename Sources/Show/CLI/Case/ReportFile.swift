import ArgumentParser
import CaseStore
import Exports
import Report

/// The page in a file, complete or not at all.
enum ReportFile {
  /// - Parameter path: `-` for standard output.
  static func write(_ file: CaseFile, to path: String) throws {
    let report = try Report(file)
    do {
      try ExportedFile.write(path) { try report.write(to: $0) }
    } catch let problem as ExportedFile.Problem {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.path)): \(problem.reason).")
      throw ExitStatus.output
    }
  }
}
