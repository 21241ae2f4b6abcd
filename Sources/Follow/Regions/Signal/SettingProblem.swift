/// A number that a setting cannot have: which setting, what was given, what is allowed.
package struct SettingProblem: Error, Equatable, Sendable, CustomStringConvertible {
  package let setting: String
  package let given: String
  package let allowed: String

  package init(_ setting: String, _ given: String, allowed: String) {
    self.setting = setting
    self.given = given
    self.allowed = allowed
  }

  package var description: String { "\(setting) \(given): allowed is \(allowed)" }
}
