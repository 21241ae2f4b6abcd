import ArgumentParser
import CaptureWriter
import CaseStore
import Exports
import Report

/// The page in a file; packed where its name ends in `.gz` or `.zst`.
enum ReportFile {
  /// Writes the page of a case.
  /// - Parameter path: `-` for standard output; what is there already is overwritten.
  static func write(_ file: CaseFile, to path: String) throws {
    let report = try Report(file)
    do {
      let output = try Output(path)
      try report.write(to: output)
      try output.file.end()
    } catch let problem as OutputProblem {
      if problem.isClosedPipe { throw OutputClosed() }
      Terminal.tell("beacontrace: \(TextColumns.printable(path)): \(problem.reason).")
      throw ExitStatus.output
    }
  }

  private final class Output: TextOutput {
    var file: OutputFile

    init(_ path: String) throws { file = try OutputFile.create(path) }

    func write(_ bytes: [UInt8]) throws {
      file.pending.append(contentsOf: bytes)
      if file.pending.count >= OutputFile.chunk { try file.flush() }
    }
  }
}
