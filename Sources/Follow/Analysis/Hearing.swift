package import CaptureReader
import Regions

/// What an observer could hear, as far as its captures say.
extension Timeline {
  /// For how long of a time, in nanoseconds; its known deafness is taken out.
  package func listened(_ observer: Int, from: Timestamp, to: Timestamp) -> Int64 {
    guard from.isKnown, to.nanoseconds > from.nanoseconds else { return 0 }
    var sum = to.nanoseconds.since(from.nanoseconds)
    let deaf = observers[observer].deaf
    for span in deaf[Self.first(in: deaf) { $0.to.nanoseconds > from.nanoseconds }...] {
      guard span.from.nanoseconds < to.nanoseconds else { break }
      let begin = max(span.from.nanoseconds, from.nanoseconds)
      let end = min(span.to.nanoseconds, to.nanoseconds)
      if end > begin { sum -= end - begin }
    }
    return sum
  }

  /// Place of the first span of which something holds that holds of all behind it, too: they ascend, and
  /// there may be thousands.
  private static func first(
    in spans: [Span], where holds: (Span) -> Bool
  ) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(spans[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// P of a region under a profile, nanoseconds.
  package func exitPeriod(_ region: Int, profile: Int) -> Int64 {
    let profile = outcomes[profile].profile
    return ((try? profile.with(regions[region].overrides)) ?? profile).exitAfter
  }

  /// An entry whose moment, or whose very crossing, the radio was not able to hear.
  package struct EntryDoubt: Equatable, Sendable {
    /// What may be true instead.
    package enum Kind: String, Sendable {
      /// There was a stay before, and between the two the radio could hear for an exit period at most.
      case mayNeverHaveLeft = "may_never_have_left"
      /// The same from the recording's beginning on.
      case mayHaveBeenInside = "may_have_been_inside"
      /// It was outside, and came while the radio was not able to hear.
      case mayHaveComeBefore = "may_have_come_before"
    }

    package let kind: Kind
    /// The last sighting before, the observer's first record, or when the radio stopped hearing.
    package let since: Timestamp
    /// For how long the radio could hear between that and the entry, nanoseconds.
    package let listened: Int64
  }

  /// Notes of each stay of a profile what its entry leaves open, and whether the exit before it was soon
  /// taken back. Before any stay is left out: both go by the one before.
  mutating func markDoubts(profile: Int) {
    var last: [Int: Int] = [:]
    for place in outcomes[profile].stays.indices {
      let visit = outcomes[profile].stays[place].visit
      let key = Int(visit.observer) * max(1, regions.count) + Int(visit.region)
      let earlier = last[key].map { outcomes[profile].stays[$0].visit }
      outcomes[profile].stays[place].doubt = doubt(of: visit, after: earlier, profile)
      if let before = last[key] {
        outcomes[profile].stays[before].returnsAfter = returned(visit, after: earlier, profile)
      }
      last[key] = place
    }
  }

  /// How soon behind an exit that heard others, nanoseconds; nil where it was later than P.
  private func returned(_ visit: Visit, after earlier: Visit?, _ profile: Int) -> Int64? {
    guard let earlier, let silence = earlier.silence, silence.grade != .deaf else { return nil }
    let away = visit.since.nanoseconds.since(earlier.until.nanoseconds)
    let isSoon = away >= 0 && away <= exitPeriod(Int(visit.region), profile: profile)
    return isSoon ? away : nil
  }

  /// - Parameter earlier: the stay before, of the same observer and region.
  /// - Returns: nil where it is an entry, or was never called one.
  private func doubt(of visit: Visit, after earlier: Visit?, _ profile: Int) -> EntryDoubt? {
    let observer = Int(visit.observer)
    guard !visit.wasInsideAlready, !regions[Int(visit.region)].isCircle,
      earlier != nil || !outcomes[profile].profile.entersOnFirstSight
    else { return nil }
    let since = earlier?.lastSeen ?? observers[observer].start
    guard since.isKnown else { return nil }
    var from = since
    // While nobody at all was heard, nobody knows whether the radio could.
    if let earlier, let silence = earlier.silence, !silence.othersHeard.isKnown {
      from = earlier.until
    }
    let listened = listened(observer, from: from, to: visit.since)
    // Where it could hear all the time the exit period has passed, or there would be no entry.
    let period = exitPeriod(Int(visit.region), profile: profile)
    guard listened < visit.since.nanoseconds.since(since.nanoseconds), listened <= period else {
      return unheardArrival(observer, visit.since, after: since, period)
    }
    return EntryDoubt(
      kind: earlier == nil ? .mayHaveBeenInside : .mayNeverHaveLeft, since: since,
      listened: listened)
  }

  /// Whether it may have come while the radio could not hear: for an exit period or more, with less than a
  /// third of one between that and the entry in which it could. An exit period is fit for beacons that are
  /// heard three times in it: whoever came while it listened was heard by then.
  /// - Parameter lower: nothing before it is looked at.
  private func unheardArrival(
    _ observer: Int, _ entry: Timestamp, after lower: Timestamp, _ period: Int64
  ) -> EntryDoubt? {
    var at = entry.nanoseconds
    var (listened, unheard, listenedSince) = (Int64(0), Int64(0), Int64(0))
    let deaf = observers[observer].deaf
    let end = Self.first(in: deaf) { $0.from.nanoseconds >= entry.nanoseconds }
    for span in deaf[..<end].reversed() {
      listened += max(0, at.since(span.to.nanoseconds))
      guard listened <= period / 3, span.to.nanoseconds > lower.nanoseconds else { break }
      let from = max(span.from.nanoseconds, lower.nanoseconds)
      unheard += max(0, min(span.to.nanoseconds, at).since(from))
      (at, listenedSince) = (from, listened)
    }
    guard unheard >= period else { return nil }
    return EntryDoubt(
      kind: .mayHaveComeBefore, since: Timestamp(nanoseconds: at), listened: listenedSince)
  }
}
