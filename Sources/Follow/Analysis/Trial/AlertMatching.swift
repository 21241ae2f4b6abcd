import CaptureReader

/// What an alert is about and what it says; nil and empty: that does not count.
struct AlertContent: Hashable {
  var subject: AlertSubject
  /// `dedupe_key`, where the rule gave one: alerts of different keys are different ones.
  var key: String?
  var title: String?
  var severity: Alert.Severity?
  var text: String?
  var fields: [String] = []
  var evidence: [TimelineEvent.Evidence] = []

  var titleAlone: AlertContent { AlertContent(subject: subject, key: key, title: title) }
  var subjectAlone: AlertContent { AlertContent(subject: subject, key: key) }

  /// The title of an alert about an observer and a region.
  var withoutBeacon: AlertContent {
    AlertContent(
      subject: AlertSubject(observer: subject.observer, region: subject.region), key: key,
      title: title)
  }

  /// The same where it names no beacon, nil where it does.
  var ofNoBeacon: AlertContent? { subject.hasBeacon ? nil : withoutBeacon }

  /// Whom it is about and its key; nil where it has none.
  var keyAlone: AlertContent? { key == nil ? nil : subjectAlone }

  /// Itself where it has no key, nil where it has one.
  var ofNoKey: AlertContent? { key == nil ? self : nil }

  /// Itself without its key; nil where it has none.
  var withoutKey: AlertContent? {
    guard key != nil else { return nil }
    var content = self
    content.key = nil
    return content
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

  /// Pairs all that belong together, the surest first: those of the same key (or of none) that are near; then
  /// those of which one has a key and one has none, as when another text of the rule gives some; then those
  /// of the same key that are neighbours, however far apart.
  mutating func pairAll(_ olds: [AlertContent], _ news: [AlertContent], near: Int64) {
    pairNear(olds, news, near)
    pairNear(olds.map { $0.ofNoKey }, news.map { $0.withoutKey }, near)
    pairNear(olds.map { $0.withoutKey }, news.map { $0.ofNoKey }, near)
    let (oldKeys, newKeys) = (olds.map { $0.keyAlone }, news.map { $0.keyAlone })
    pairNeighbours(oldKeys, newKeys) { _, _ in true }
    pairNeighbours(oldKeys.map { $0?.withoutBeacon }, newKeys.map { $0?.withoutBeacon }) {
      !olds[$0].subject.hasBeacon || !news[$1].subject.hasBeacon
    }
  }

  /// Those that say the same at the same time, then those of the same time and title, then those of the same
  /// title, then the rest. What is left of those of the same title, or key, may at last belong to one that
  /// names no beacon (alerts of timers mostly do not).
  private mutating func pairNear(_ olds: [AlertContent?], _ news: [AlertContent?], _ near: Int64) {
    let (oldTitles, newTitles) = (olds.map { $0?.titleAlone }, news.map { $0?.titleAlone })
    pair(olds, news, near: 0)
    pair(oldTitles, newTitles, near: 0)
    pair(oldTitles, newTitles, near: near)
    pair(olds.map { $0?.subjectAlone }, news.map { $0?.subjectAlone }, near: near)
    pairOfNoBeacon(oldTitles, newTitles, near)
    pairOfNoBeacon(olds.map { $0?.keyAlone }, news.map { $0?.keyAlone }, near)
  }

  private mutating func pairOfNoBeacon(
    _ olds: [AlertContent?], _ news: [AlertContent?], _ near: Int64
  ) {
    pair(olds.map { $0?.ofNoBeacon }, news.map { $0?.withoutBeacon }, near: near)
    pair(olds.map { $0?.withoutBeacon }, news.map { $0?.ofNoBeacon }, near: near)
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
        take(olds[i], news[j])
        i += 1
        j += 1
      }
    }
  }

  private mutating func take(_ old: Int, _ new: Int) {
    newOfOld[old] = new
    isTaken[new] = true
  }

  /// Pairs what is still alone, has the same key, and has none of that key in between, of either run and paired
  /// or not, however far apart: first those that are nearest to one another. What is told again and again is
  /// so never taken for what came before or behind another one.
  mutating func pairNeighbours(
    _ olds: [AlertContent?], _ news: [AlertContent?], if mayBe: (Int, Int) -> Bool
  ) {
    var groups: [AlertContent: (old: [Int], new: [Int])] = [:]
    for case (let place, let key?) in olds.enumerated() {
      groups[key, default: ([], [])].old.append(place)
    }
    for case (let place, let key?) in news.enumerated() { groups[key]?.new.append(place) }
    for (olds, news) in groups.values where !news.isEmpty {
      for pair in neighbours(olds, news)
      where newOfOld[pair.old] == nil && !isTaken[pair.new] && mayBe(pair.old, pair.new) {
        take(pair.old, pair.new)
      }
    }
  }

  /// An alert of either run.
  private struct Moment {
    let time: Timestamp
    let place: Int
    let isOld: Bool

    static func comesBefore(_ one: Moment, _ other: Moment) -> Bool {
      if one.time.nanoseconds != other.time.nanoseconds {
        return one.time.nanoseconds < other.time.nanoseconds
      }
      if one.isOld != other.isOld { return one.isOld }
      return one.place < other.place
    }
  }

  private struct Neighbours {
    let old: Int
    let new: Int
    let apart: UInt64

    static func comesBefore(_ one: Neighbours, _ other: Neighbours) -> Bool {
      if one.apart != other.apart { return one.apart < other.apart }
      if one.old != other.old { return one.old < other.old }
      return one.new < other.new
    }
  }

  /// Those who follow one another, of both runs, the nearest first.
  private func neighbours(_ olds: [Int], _ news: [Int]) -> [Neighbours] {
    var moments = olds.map { Moment(time: old[$0], place: $0, isOld: true) }
    moments += news.map { Moment(time: new[$0], place: $0, isOld: false) }
    moments.sort(by: Moment.comesBefore)
    var found: [Neighbours] = []
    for (one, next) in zip(moments, moments.dropFirst()) where one.isOld != next.isOld {
      // What has no time is nobody's neighbour.
      guard one.time.isKnown, next.time.isKnown else { continue }
      found.append(
        Neighbours(
          old: one.isOld ? one.place : next.place, new: one.isOld ? next.place : one.place,
          apart: Self.apart(one.time, next.time)))
    }
    return found.sorted(by: Neighbours.comesBefore)
  }

  /// Nanoseconds; what has no time is near to what has none.
  static func apart(_ one: Timestamp, _ other: Timestamp) -> UInt64 {
    guard one.isKnown == other.isKnown else { return .max }
    return UInt64(
      bitPattern: max(one.nanoseconds, other.nanoseconds)
        &- min(one.nanoseconds, other.nanoseconds))
  }
}
