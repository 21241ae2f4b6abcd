/// A setting that cannot be used: what, and what is allowed.
package struct SettingProblem: Error, Equatable, CustomStringConvertible {
  package let what: String
  package let allowed: String

  package init(_ what: String, allowed: String) {
    self.what = what
    self.allowed = allowed
  }

  package var description: String { "\(what); \(allowed)" }
}
