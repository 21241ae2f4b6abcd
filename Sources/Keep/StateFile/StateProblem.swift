/// The file of a run's state cannot be used.
package struct StateProblem: Error, Equatable, CustomStringConvertible {
  /// As the user named it.
  package let path: String
  /// One clause.
  package let what: String
  /// A sentence: what to do next.
  package let remedy: String
  /// The file is something else than a state: as long as it is there no run can use it.
  package var isForeign = false

  package var description: String { "\(path): \(what). \(remedy)" }
}
