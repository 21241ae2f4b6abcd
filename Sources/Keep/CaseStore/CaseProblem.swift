/// Why a case cannot be opened, written or believed.
package struct CaseProblem: Error, Equatable, CustomStringConvertible {
  /// As the user named it.
  package let path: String
  /// One clause.
  package let what: String
  /// A sentence: what to do next.
  package let remedy: String
  /// Whether the output could not be written, and nothing is wrong with what was asked for.
  package var isOutput = false
  /// Whether the case is there, and is not as it was sealed.
  package var isChanged = false
  /// Whether what was asked for contradicts the case.
  package var isSetting = false

  package init(
    _ path: String, _ what: String, remedy: String, isOutput: Bool = false, isChanged: Bool = false,
    isSetting: Bool = false
  ) {
    self.path = path
    self.what = what
    self.remedy = remedy
    self.isOutput = isOutput
    self.isChanged = isChanged
    self.isSetting = isSetting
  }

  package var description: String { "\(path): \(what). \(remedy)" }
}
