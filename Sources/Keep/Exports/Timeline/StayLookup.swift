package import Analysis
import CaptureReader
import Regions

/// The stays of a run by profile, observer and region: many chains of events ask for few of them each.
package final class StayLookup {
  private let timeline: Timeline
  private struct Key: Hashable {
    let profile: Int
    let observer: Int
    let region: Int
  }
  /// Places in the profile's stays, ascending. Made when somebody asks: most chains need none.
  private lazy var places = {
    var places: [Key: [Int]] = [:]
    for (profile, outcome) in timeline.outcomes.enumerated() {
      for (place, stay) in outcome.stays.enumerated() {
        let key = Key(
          profile: profile, observer: Int(stay.visit.observer), region: Int(stay.visit.region))
        places[key, default: []].append(place)
      }
    }
    return places
  }()

  package init(_ timeline: Timeline) { self.timeline = timeline }

  /// Those where an event happened, under its profile, by entry.
  func stays(around event: TimelineEvent) -> some BidirectionalCollection<Timeline.Stay> {
    let key = event.region.map {
      Key(profile: event.profile, observer: event.observer, region: $0)
    }
    let stays = timeline.outcomes[event.profile].stays
    return (key.flatMap { places[$0] } ?? []).lazy.map { stays[$0] }
  }

  /// The stay that an exit ended. There may be very many in a region: it is not looked for one by one.
  package func stay(endedBy event: TimelineEvent) -> Timeline.Stay? {
    guard let region = event.region else { return nil }
    let key = Key(profile: event.profile, observer: event.observer, region: region)
    let own = places[key] ?? []
    let stays = timeline.outcomes[event.profile].stays
    let place = own.indices.bisected {
      let visit = stays[own[$0]].visit
      return visit.isOpen || visit.until.nanoseconds >= event.time.nanoseconds
    }
    guard place < own.count, stays[own[place]].visit.until == event.time else { return nil }
    return stays[own[place]]
  }
}
