package import CaptureReader
import Regions

/// What became of a rule's alerts when its recordings were disturbed.
package struct StressTest: Sendable {
  /// An alert that one of two runs has.
  package struct Told: Sendable {
    package let id: UInt64
    package let time: Timestamp
    package let severity: Alert.Severity
    package let title: String
    package let region: String?

    init?(_ event: TimelineEvent, of run: RuleRun) {
      guard let alert = run.alert(event) else { return nil }
      id = event.id
      time = event.time
      severity = alert.severity
      title = alert.title
      region = event.region.map { run.timeline.regions[$0].identifier }
    }
  }

  /// One disturbed run.
  package struct Trial: Sendable {
    package let disturbance: Disturbance
    /// Alerts of the undisturbed run that are there and say the same.
    package let kept: Int
    /// Those that are there, and say something else.
    package let changed: Int
    /// Those that were told at another time, farther away than what is near.
    package let moved: Int
    /// Alerts of the undisturbed run that are not there, and new ones.
    package let lost: Int
    package let new: Int
    /// The first of them.
    package let firstChanged: [(told: Told, now: Told, changes: [AlertComparison.Change])]
    package let firstMoved: [(told: Told, now: Told)]
    package let firstLost: [Told]
    package let firstNew: [Told]
    package let report: JudgeReport

    static let mostTold = 1000
  }

  /// As the recordings are.
  package let undisturbed: RuleRun
  package private(set) var trials: [Trial] = []
  /// Nanoseconds: alerts about the same that are nearer are the same.
  package let near: Int64

  package init(_ undisturbed: RuleRun, near: Int64) {
    self.undisturbed = undisturbed
    self.near = near
  }

  /// What an alert says; when exactly, and by which frames, is another matter.
  private static let contents: Set<AlertComparison.Change> = [
    .beacon, .severity, .title, .text, .fields,
  ]

  package mutating func add(_ run: RuleRun, _ disturbance: Disturbance) {
    var comparison = AlertComparison(undisturbed, run, near: near)
    let moved = comparison.takeMoved(undisturbed, run)
    let changed = comparison.changed.filter { !Self.contents.isDisjoint(with: $0.changes) }
    trials.append(
      Trial(
        disturbance: disturbance,
        kept: comparison.same + comparison.changed.count - changed.count, changed: changed.count,
        moved: moved.count, lost: comparison.vanished.count, new: comparison.appeared.count,
        firstChanged: changed.prefix(Trial.mostTold).compactMap { pair in
          guard let told = Told(pair.old, of: undisturbed), let now = Told(pair.new, of: run) else {
            return nil
          }
          return (told, now, pair.changes.filter(Self.contents.contains))
        },
        firstMoved: moved.prefix(Trial.mostTold).compactMap { pair in
          guard let told = Told(pair.old, of: undisturbed), let now = Told(pair.new, of: run) else {
            return nil
          }
          return (told, now)
        },
        firstLost: comparison.vanished.prefix(Trial.mostTold).compactMap {
          Told($0, of: undisturbed)
        },
        firstNew: comparison.appeared.prefix(Trial.mostTold).compactMap { Told($0, of: run) },
        report: run.report))
  }

  /// Whether a call of the rule failed, undisturbed or not.
  package var hasFailed: Bool {
    undisturbed.report.errorCount > 0 || trials.contains { $0.report.errorCount > 0 }
  }
}
