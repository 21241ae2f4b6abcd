import Beacons
import CaptureReader

/// The alerts of two runs over the same captures, side by side.
///
/// Two alerts are one and the same where they are about the same observer, region and beacon (its
/// identity and its address), have the same `dedupe_key` where the rule gave one, and are at most `near`
/// apart; `AlertMatching` says in which order they are paired. What has a key, and nobody that near,
/// belongs to its neighbour of that key, too.
package struct AlertComparison: Sendable {
  /// What of an alert is another one.
  package enum Change: String, CaseIterable, Sendable {
    case time, beacon, severity, title, text, fields, evidence
  }

  package struct Pair: Sendable {
    package let old: TimelineEvent
    package let new: TimelineEvent
    /// At least one.
    package let changes: [Change]
    /// They are farther apart than what is near: their key made them one.
    package let isFar: Bool
  }

  /// Alerts that both runs have, and that say the same of the same frames.
  package private(set) var same = 0
  /// Those of the first run alone, and of the second alone, by time.
  package private(set) var vanished: [TimelineEvent] = []
  package private(set) var appeared: [TimelineEvent] = []
  /// By the time of the first.
  package private(set) var changed: [Pair] = []
  /// Nanoseconds.
  package let near: Int64

  package var differs: Bool { !vanished.isEmpty || !appeared.isEmpty || !changed.isEmpty }

  /// - Parameter near: nanoseconds, at least 0.
  package init(_ old: RuleRun, _ new: RuleRun, near: Int64) {
    self.near = near
    var matching = AlertMatching(old: old.alerts.map(\.time), new: new.alerts.map(\.time))
    let olds = Self.contents(old.alerts, of: old)
    let news = Self.contents(new.alerts, of: new)
    matching.pairAll(olds, news, near: near)
    for (place, event) in old.alerts.enumerated() {
      guard let other = matching.newOfOld[place] else {
        vanished.append(event)
        continue
      }
      let changes = Self.changes(olds[place], news[other], old.alerts[place], new.alerts[other])
      if changes.isEmpty {
        same += 1
      } else {
        let isFar = AlertMatching.apart(event.time, new.alerts[other].time) > UInt64(near)
        changed.append(
          Pair(old: event, new: new.alerts[other], changes: changes, isFar: isFar))
      }
    }
    let taken = Set(matching.newOfOld.compactMap { $0 })
    appeared = new.alerts.indices.filter { !taken.contains($0) }.map { new.alerts[$0] }
  }

  /// Takes out what was told at another time: of `changed` what is far, and of `vanished` and `appeared` what
  /// has no key, is about the same and has the same title, however far apart. (What has a key, and no
  /// neighbour of that key, was not told at another time.)
  /// - Returns: in the order of the old ones.
  mutating func takeMoved(_ old: RuleRun, _ new: RuleRun) -> [(
    old: TimelineEvent, new: TimelineEvent
  )] {
    var matching = AlertMatching(old: vanished.map(\.time), new: appeared.map(\.time))
    matching.pair(
      Self.contents(vanished, of: old).map { $0.ofNoKey?.titleAlone },
      Self.contents(appeared, of: new).map { $0.ofNoKey?.titleAlone }, near: .max)
    let taken = matching.newOfOld
    var moved = zip(vanished, taken).compactMap { event, place in
      place.map { (old: event, new: appeared[$0]) }
    }
    vanished = zip(vanished, taken).filter { $0.1 == nil }.map(\.0)
    let news = Set(taken.compactMap { $0 })
    appeared = appeared.indices.filter { !news.contains($0) }.map { appeared[$0] }
    for pair in changed where pair.isFar { moved.append((old: pair.old, new: pair.new)) }
    changed.removeAll { $0.isFar }
    return moved.sorted { TimelineEvent.comesBefore($0.old, $1.old) }
  }

  private static func contents(_ events: [TimelineEvent], of run: RuleRun) -> [AlertContent] {
    events.map { event in
      let alert = run.alert(event)
      return AlertContent(
        subject: run.subject(event), key: Self.key(alert), title: alert?.title,
        severity: alert?.severity, text: alert?.text,
        fields: alert?.fields.map { "\($0.name)=\($0.value)" } ?? [],
        evidence: event.evidence)
    }
  }

  /// As the rule gave it: the title, which stands in for it elsewhere, may change.
  private static func key(_ alert: Alert?) -> String? {
    guard let alert, !alert.dedupeKey.isEmpty else { return nil }
    return alert.dedupeKey
  }

  private static func changes(
    _ old: AlertContent, _ new: AlertContent, _ oldEvent: TimelineEvent, _ newEvent: TimelineEvent
  ) -> [Change] {
    Change.allCases.filter { change in
      switch change {
      case .time: oldEvent.time != newEvent.time
      case .beacon: old.subject != new.subject
      case .severity: old.severity != new.severity
      case .title: old.title != new.title
      case .text: old.text != new.text
      case .fields: old.fields != new.fields
      case .evidence: old.evidence != new.evidence
      }
    }
  }
}
