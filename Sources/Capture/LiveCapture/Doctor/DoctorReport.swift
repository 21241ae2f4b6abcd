/// What `doctor` found, in the order in which a person would mend it.
package struct DoctorReport: Sendable {
  package enum Verdict: String, Sendable { case yes, no, unknown }

  package struct Check: Equatable, Sendable {
    /// The raw values are a contract.
    package enum Name: String, CaseIterable, Sendable {
      case kernel, controller, rfkill, powered
      case lowEnergy = "low_energy"
      case permission, scanning, duplicates, libpcap
    }
    package let name: Name
    package let verdict: Verdict
    /// One or two sentences: what was found, or why it cannot be told.
    package let detail: String
    /// What mends it, any one of them; commands where there are any.
    package let remedies: [String]

    init(_ name: Name, _ verdict: Verdict, _ detail: String, remedies: [String] = []) {
      self.name = name
      self.verdict = verdict
      self.detail = detail
      self.remedies = remedies
    }
  }

  /// What comes of it for a live capture.
  package enum Outcome: String, Sendable {
    /// All is well.
    case ready
    /// It can be captured; something is missing, or cannot be told.
    case possible
    /// Only the permission is missing.
    case notPermitted = "not_permitted"
    case impossible
  }

  package let facts: DoctorFacts
  package let checks: [Check]

  package init(_ facts: DoctorFacts) {
    self.facts = facts
    checks = DoctorChecks(facts: facts).all
  }

  /// Without these nothing can be captured.
  private static let needed: Set<Check.Name> = [
    .kernel, .controller, .rfkill, .powered, .lowEnergy, .libpcap,
  ]

  package var outcome: Outcome {
    let missing = checks.filter { $0.verdict == .no }.map(\.name)
    if missing.contains(where: Self.needed.contains) { return .impossible }
    if missing.contains(.permission) { return .notPermitted }
    return checks.allSatisfy { $0.verdict == .yes } ? .ready : .possible
  }
}
