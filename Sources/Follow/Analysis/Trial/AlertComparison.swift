import Beacons
import CaptureReader

/// The alerts of two runs over the same captures, side by side.
///
/// Two alerts are one and the same where they are about the same observer, region and beacon (its
/// identity and its address), and at most `near` apart. Of several that could be, those that say the same
/// at the same time are paired first, then those of the same time and title, then those of the same
/// title, then the rest; each with the nearest, in the order of their times. What is left of those of the
/// same title may at last belong to one that names no beacon (alerts of timers mostly do not).
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
    matching.pair(olds, news, near: 0)
    matching.pair(olds.map(\.titleAlone), news.map(\.titleAlone), near: 0)
    matching.pair(olds.map(\.titleAlone), news.map(\.titleAlone), near: near)
    matching.pair(olds.map(\.subjectAlone), news.map(\.subjectAlone), near: near)
    matching.pair(
      olds.map { $0.subject.hasBeacon ? nil : $0.withoutBeacon }, news.map(\.withoutBeacon),
      near: near)
    matching.pair(
      olds.map(\.withoutBeacon), news.map { $0.subject.hasBeacon ? nil : $0.withoutBeacon },
      near: near)
    for (place, event) in old.alerts.enumerated() {
      guard let other = matching.newOfOld[place] else {
        vanished.append(event)
        continue
      }
      let changes = Self.changes(olds[place], news[other], old.alerts[place], new.alerts[other])
      if changes.isEmpty {
        same += 1
      } else {
        changed.append(Pair(old: event, new: new.alerts[other], changes: changes))
      }
    }
    let taken = Set(matching.newOfOld.compactMap { $0 })
    appeared = new.alerts.indices.filter { !taken.contains($0) }.map { new.alerts[$0] }
  }

  /// Takes out of `vanished` and `appeared` what is about the same and has the same title, however far
  /// apart: it was told at another time.
  mutating func takeMoved(_ old: RuleRun, _ new: RuleRun) -> [(
    old: TimelineEvent, new: TimelineEvent
  )] {
    var matching = AlertMatching(old: vanished.map(\.time), new: appeared.map(\.time))
    matching.pair(
      Self.contents(vanished, of: old).map(\.titleAlone),
      Self.contents(appeared, of: new).map(\.titleAlone), near: .max)
    let taken = matching.newOfOld
    let moved = zip(vanished, taken).compactMap { event, place in
      place.map { (old: event, new: appeared[$0]) }
    }
    vanished = zip(vanished, taken).filter { $0.1 == nil }.map(\.0)
    let news = Set(taken.compactMap { $0 })
    appeared = appeared.indices.filter { !news.contains($0) }.map { appeared[$0] }
    return moved
  }

  private static func contents(_ events: [TimelineEvent], of run: RuleRun) -> [AlertContent] {
    events.map { event in
      let alert = run.alert(event)
      return AlertContent(
        subject: run.subject(event), title: alert?.title, severity: alert?.severity,
        text: alert?.text, fields: alert?.fields.map { "\($0.name)=\($0.value)" } ?? [],
        evidence: event.evidence)
    }
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

/// What an alert is about and what it says; nil and empty: that does not count.
struct AlertContent: Hashable {
  var subject: AlertSubject
  var title: String?
  var severity: Alert.Severity?
  var text: String?
  var fields: [String] = []
  var evidence: [TimelineEvent.Evidence] = []

  var titleAlone: AlertContent { AlertContent(subject: subject, title: title) }
  var subjectAlone: AlertContent { AlertContent(subject: subject) }

  /// The title of an alert about an observer and a region.
  var withoutBeacon: AlertContent {
    AlertContent(
      subject: AlertSubject(observer: subject.observer, region: subject.region), title: title)
  }
}

/// Who of two runs belongs to whom.
struct AlertMatching {
  private let old: [Timestamp]
  private let new: [Timestamp]
  /// Places among the new ones, by place among the old.
  private(set) var newOfOld: [Int?]
  private var isTaken: [Bool]

  /// - Parameters:
  ///   - old: times, ascending.
  ///   - new: times, ascending.
  init(old: [Timestamp], new: [Timestamp]) {
    self.old = old
    self.new = new
    newOfOld = Array(repeating: nil, count: old.count)
    isTaken = Array(repeating: false, count: new.count)
  }

  /// Pairs what is still alone, has the same key, and is at most `near` nanoseconds apart; nil has no key.
  mutating func pair(_ olds: [AlertContent?], _ news: [AlertContent?], near: Int64) {
    var groups: [AlertContent: (old: [Int], new: [Int])] = [:]
    for case (let place, let key?) in olds.enumerated() where newOfOld[place] == nil {
      groups[key, default: ([], [])].old.append(place)
    }
    for case (let place, let key?) in news.enumerated() where !isTaken[place] {
      groups[key]?.new.append(place)
    }
    for (olds, news) in groups.values where !news.isEmpty { walk(olds, news, near) }
  }

  private mutating func walk(_ olds: [Int], _ news: [Int], _ near: Int64) {
    var (i, j) = (0, 0)
    while i < olds.count, j < news.count {
      let (one, other) = (old[olds[i]], new[news[j]])
      let apart = Self.apart(one, other)
      guard apart <= UInt64(near) else {
        if one.nanoseconds < other.nanoseconds { i += 1 } else { j += 1 }
        continue
      }
      // The next one may be nearer.
      if i + 1 < olds.count, Self.apart(old[olds[i + 1]], other) < apart {
        i += 1
      } else if j + 1 < news.count, Self.apart(one, new[news[j + 1]]) < apart {
        j += 1
      } else {
        newOfOld[olds[i]] = news[j]
        isTaken[news[j]] = true
        i += 1
        j += 1
      }
    }
  }

  /// Nanoseconds; what has no time is near to what has none.
  private static func apart(_ one: Timestamp, _ other: Timestamp) -> UInt64 {
    guard one.isKnown == other.isKnown else { return .max }
    return UInt64(
      bitPattern: max(one.nanoseconds, other.nanoseconds)
        &- min(one.nanoseconds, other.nanoseconds))
  }
}
