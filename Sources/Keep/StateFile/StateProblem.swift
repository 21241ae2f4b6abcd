/// The file of a run's state cannot be used.
package struct StateProblem: Error, Equatable, CustomStringConvertible {
  /// As the user named it.
  package let path: String
  /// One clause.
  package let what: String
  /// A sentence: what to do next.
  package let remedy: String

  package var description: String { "\(path): \(what). \(remedy)" }
}
