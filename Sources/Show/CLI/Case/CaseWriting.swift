import Analysis
import ArgumentParser
import CaptureReader
import CaseStore
import Exports
import GRDB
import TrackReader

/// `analyze --case FILE`: a case that is made, or added to, as a whole or not at all.
enum CaseWriting {
  enum Outcome {
    case written
    /// It said all that already, and is as it was.
    case unchanged
    case notWritten
  }

  /// An input that is named and cannot be read stays out of no case in silence: then none is written. One
  /// damaged file must not cost a folder its case: that one stands in the case, among the problems.
  /// - Parameters:
  ///   - others: what else the run writes: no input.
  ///   - show: takes the result, the case with everything in it, and what became of it.
  static func run(
    _ path: String, _ input: InputOptions, _ options: CaseOptions, written others: [String] = [],
    show: (AnalysisResult, CaseFile, Outcome) throws -> Void
  ) throws {
    try telling(path) {
      let unfinished = try UnfinishedCase(path)
      do {
        let file = try unfinished.begin()
        var run = try CaseAdding.run(to: unfinished, input, options)
        // What is redirected into a folder that is looked through is none of what lies there.
        run.written =
          [unfinished.name, unfinished.nameBeside, "/dev/stdout", "/dev/stderr"] + others
        try run.fill(file) { result, file in
          let isWhole = !result.captures.isEmpty && result.problems.allSatisfy(\.isInFolder)
          if isWhole { try unfinished.finish() }
          let outcome: Outcome =
            !isWhole ? .notWritten : unfinished.isUnchanged ? .unchanged : .written
          try show(result, isWhole ? try CaseFile.open(path) : file, outcome)
          if !isWhole {
            Terminal.tell(
              "beacontrace: \(TextColumns.printable(path)) was not written: not every input could be "
                + "read. Name those that can.")
            unfinished.discard()
          }
        }
      } catch {
        unfinished.discard()
        throw error
      }
    }
  }

  /// Says what is wrong with a case, and ends with the status for it.
  static func telling(_ path: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let problem as CaseProblem {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
      if problem.isChanged { throw ExitStatus.damaged }
      if problem.isSetting { throw ExitCode.validationFailure }
      throw problem.isOutput ? ExitStatus.output : ExitStatus.noInput
    } catch let problem as TextProblem {
      // A file that went away while it was needed.
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
      throw ExitCode.validationFailure
    } catch let error as DatabaseError {
      let full: [ResultCode] = [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN]
      let words = TextColumns.printable(error.message ?? "error \(error.resultCode.rawValue)")
      let name = TextColumns.printable(path)
      guard full.contains(error.resultCode) else {
        Terminal.tell("beacontrace: \(name): the case is damaged: \(words).")
        throw ExitStatus.damaged
      }
      Terminal.tell("beacontrace: \(name): cannot be written: \(words).")
      throw ExitStatus.output
    }
  }
}
