import CaptureReader
import Regions

/// What entries leave open, told as the run goes on: of each observer and region the stay that ended last.
struct EntryDoubts: Sendable {
  struct Place: Hashable {
    let profile, observer, region: Int
  }

  /// What was before an entry.
  enum Before: Sendable {
    case left(EarlierStay)
    /// It was outside, so far as an earlier run knew, until then.
    case outside(until: Timestamp)
  }

  private(set) var earlier: [Place: Before] = [:]

  mutating func restore(_ before: Before?, at place: Place) { earlier[place] = before }

  /// Learns from an exit, and gives an entry what it leaves open.
  mutating func note(
    _ event: inout TimelineEvent, _ region: Region, _ profile: Profile, _ deaf: DeafSpans
  ) {
    guard !region.isCircle, let number = event.region else { return }
    let place = Place(profile: event.profile, observer: event.observer, region: number)
    switch event.type {
    case .exit: earlier[place] = .left(EarlierStay(endedBy: event))
    case .enter:
      event.doubt = EntryDoubt.of(
        event.entered, after: earlier[place], region, profile, deaf.start,
        Deafness(
          spans: deaf.certain, leastGap: deaf.leastGap, filteredScans: deaf.filteredScans,
          filtersSince: deaf.filtersSince, quiet: deaf.quiet, quietKnownUntil: deaf.heardLast))
    default: break
    }
  }
}
