extension SettingProblem {
  /// A number that a setting cannot have: which setting, what was given, what is allowed.
  init(_ setting: String, _ given: String, allowed: String) {
    self.init("\(setting) \(given)", allowed: "allowed is \(allowed)")
  }
}
