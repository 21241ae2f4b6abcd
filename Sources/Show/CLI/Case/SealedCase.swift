import ArgumentParser
import CaseStore
import Exports

/// Cases are evidence: what was changed in one since it was sealed is never told in silence.
extension CaseFile {
  /// Opens a case whose rows are as they were sealed.
  /// - Parameter refusal: what is not done with another: a sentence without its full stop.
  static func openSealed(_ path: String, orSay refusal: String) throws -> CaseFile {
    try unchanged(path, refusal).file
  }

  /// Lends a case whose rows are as they were sealed, and looks at the end whether its file still is.
  /// - Parameter refusal: what is not done with another: a sentence without its full stop.
  static func lendSealed(
    _ path: String, orSay refusal: String, _ body: (CaseFile) throws -> Void
  ) throws {
    let opened = try unchanged(path, refusal)
    try body(opened.file)
    try opened.checkEnd()
  }

  /// Lends a case to whoever tells what is in it. One that was changed is lent, too: it may be wanted to
  /// see what was changed. That is said first, and the status says it at the end.
  static func lend(_ path: String, _ body: (CaseFile) throws -> Void) throws {
    let opened = try inspected(path)
    let problem = change(
      of: path, opened.changed, remedy: "What is told out of it may not be what was found")
    if let problem {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
    }
    try body(opened.file)
    try opened.checkEnd()
    if problem != nil { throw ExitStatus.damaged }
  }

  private static func unchanged(_ path: String, _ refusal: String) throws -> Opened {
    let opened = try inspected(path)
    if let problem = change(of: path, opened.changed, remedy: refusal) { throw problem }
    return opened
  }

  private static func change(of path: String, _ tables: [String], remedy: String) -> CaseProblem? {
    guard !tables.isEmpty else { return nil }
    return CaseProblem(
      path, "changed since it was sealed: \(tables.joined(separator: ", "))",
      remedy: "\(remedy); 'beacontrace case verify' says more.", isChanged: true)
  }
}
