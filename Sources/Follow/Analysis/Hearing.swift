package import CaptureReader
package import Regions

/// What an observer could hear, as far as its captures say.
extension Timeline {
  /// For how long of a time, in nanoseconds; its known deafness is taken out.
  package func listened(_ observer: Int, from: Timestamp, to: Timestamp) -> Int64 {
    guard from.isKnown, to.nanoseconds > from.nanoseconds else { return 0 }
    var sum = to.nanoseconds.since(from.nanoseconds)
    for span in observers[observer].deaf {
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

  /// - Parameter earlier: the stay before, of the same observer, region and profile.
  /// - Returns: nil where it is an entry, or was never called one.
  package func doubt(of visit: Visit, after earlier: Visit?, profile: Int) -> EntryDoubt? {
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
    guard listened <= exitPeriod(Int(visit.region), profile: profile) else { return nil }
    return EntryDoubt(since: since, listened: listened, followsStay: earlier != nil)
  }
}
