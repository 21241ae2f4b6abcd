package import CaptureReader
import Regions

/// What an observer could hear, as far as its captures say.
extension Timeline {
  /// For how long of a time, in nanoseconds; its known deafness is taken out.
  package func listened(_ observer: Int, from: Timestamp, to: Timestamp) -> Int64 {
    guard from.isKnown, to.nanoseconds > from.nanoseconds else { return 0 }
    var sum = to.nanoseconds.since(from.nanoseconds)
    let deaf = observers[observer].deaf
    // The first span that ends behind the beginning: they ascend, and there may be thousands.
    var (low, high) = (0, deaf.count)
    while low < high {
      let middle = (low + high) / 2
      if deaf[middle].to.nanoseconds > from.nanoseconds { high = middle } else { low = middle + 1 }
    }
    for span in deaf[low...] {
      guard span.from.nanoseconds < to.nanoseconds else { break }
      let begin = max(span.from.nanoseconds, from.nanoseconds)
      let end = min(span.to.nanoseconds, to.nanoseconds)
      if end > begin { sum -= end - begin }
    }
    return sum
  }

  /// P of a region under a profile, nanoseconds.
  package func exitPeriod(_ region: Int, profile: Int) -> Int64 {
    let profile = outcomes[profile].profile
    return ((try? profile.with(regions[region].overrides)) ?? profile).exitAfter
  }

  /// An entry that no boundary was seen to be crossed for: what came before was not heard for as long as
  /// it takes to leave a region.
  package struct EntryDoubt: Equatable, Sendable {
    /// The last sighting before, or the observer's first record.
    package let since: Timestamp
    /// For how long the radio could hear between that and the entry, nanoseconds.
    package let listened: Int64
    /// Whether there was a stay before, which may go on.
    package let followsStay: Bool
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
    guard listened < visit.since.nanoseconds.since(since.nanoseconds),
      listened <= exitPeriod(Int(visit.region), profile: profile)
    else { return nil }
    return EntryDoubt(since: since, listened: listened, followsStay: earlier != nil)
  }
}
