import ArgumentParser
import CaseStore
import Exports

/// Cases are evidence: what was changed in one since it was sealed is never told in silence.
extension CaseFile {
  /// Opens a case whose rows are as they were sealed.
  /// - Parameter refusal: what is not done with another: a sentence without its full stop.
  static func openSealed(_ path: String, orSay refusal: String) throws -> CaseFile {
    if let problem = try change(of: path, remedy: refusal) { throw problem }
    return try open(path)
  }

  /// Lends a case to whoever tells what is in it. One that was changed is lent, too: it may be wanted to
  /// see what was changed. That is said first, and the status says it at the end.
  static func lend(_ path: String, _ body: (CaseFile) throws -> Void) throws {
    let problem = try change(
      of: path, remedy: "What is told out of it may not be what was found")
    if let problem {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
    }
    try body(try open(path))
    if problem != nil { throw ExitStatus.damaged }
  }

  private static func change(of path: String, remedy: String) throws -> CaseProblem? {
    let changed = try CaseCheck.changedTables(path)
    guard !changed.isEmpty else { return nil }
    return CaseProblem(
      path, "changed since it was sealed: \(changed.joined(separator: ", "))",
      remedy: "\(remedy); 'beacontrace case verify' says more.", isChanged: true)
  }
}
