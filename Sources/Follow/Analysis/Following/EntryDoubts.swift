import CaptureReader
import Regions

/// What entries leave open, told as the run goes on: of each observer and region the stay that ended last.
struct EntryDoubts: Sendable {
  struct Place: Hashable {
    let profile, observer, region: Int
  }

  private(set) var earlier: [Place: EarlierStay] = [:]

  /// An earlier run told its exit.
  mutating func restore(_ stay: EarlierStay, at place: Place) { earlier[place] = stay }

  /// Learns from an exit, and gives an entry what it leaves open.
  mutating func note(
    _ event: inout TimelineEvent, _ region: Region, _ profile: Profile, _ deaf: DeafSpans
  ) {
    guard !region.isCircle, let number = event.region else { return }
    let place = Place(profile: event.profile, observer: event.observer, region: number)
    switch event.type {
    case .exit: earlier[place] = EarlierStay(endedBy: event)
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
