package import CaptureReader

/// A stay in a region at an observer. Made whether or not the region's events are silenced.
package struct Visit: Equatable, BitwiseCopyable, Sendable {
  package let observer: UInt32
  package let region: UInt32
  /// First match of the stay, be it in an earlier run.
  package let since: Timestamp
  /// The recording began inside: nobody was seen to come.
  package let wasInsideAlready: Bool
  /// When it was decided that the region had been left; none: still inside at the end.
  package let until: Timestamp
  /// Latest match.
  package let lastSeen: Timestamp
  package let sightings: Int
  /// None where they were in an earlier run.
  package let first: SightingReference
  package let last: SightingReference
  /// What the silence behind it is worth; nil while it is open.
  package var silence: Silence?

  /// A stay in a circle, which positions decide and no sightings.
  package init(
    inCircle region: UInt32, observer: UInt32, since: Timestamp, wasInsideAlready: Bool,
    until: Timestamp
  ) {
    self.observer = observer
    self.region = region
    self.since = since
    self.wasInsideAlready = wasInsideAlready
    self.until = until
    lastSeen = .none
    sightings = 0
    first = .none
    last = .none
    silence = nil
  }

  package var isOpen: Bool { !until.isKnown }

  /// What its first and its last sighting are stamped, where one of them was followed later than that: their clock
  /// had been set back, and neither its times nor its length are those that its frames bear. Otherwise nil.
  package var stamps: (first: Timestamp, last: Timestamp)? {
    guard first.stamp(followedAt: since) != nil || last.stamp(followedAt: lastSeen) != nil else {
      return nil
    }
    return (first.time, last.time)
  }

  /// - Parameter lastSeen: nanoseconds; nil: L.
  init(_ state: RegionState, until: Int64?, lastSeen: Int64? = nil, silence: Silence?) {
    observer = state.observer
    region = state.region
    since = Timestamp(nanoseconds: state.since)
    wasInsideAlready = state.wasInsideAlready
    self.until = until.map { Timestamp(nanoseconds: $0) } ?? .none
    self.lastSeen = Timestamp(nanoseconds: lastSeen ?? state.last)
    sightings = state.sightings
    first = state.firstMatch
    last = state.lastMatch
    self.silence = silence
  }

  /// Nanoseconds from entry to exit; for an open one to the end of the recording.
  package func duration(recordedUntil end: Timestamp) -> Int64 {
    (isOpen ? end : until).nanoseconds.since(since.nanoseconds)
  }
}

/// A time during which some observer was inside a region: the site's view of it.
package struct Occupancy: Equatable, Sendable {
  package let since: Timestamp
  /// None: some observer is still inside at the end of its recording.
  package let until: Timestamp
  /// Indices of the visits that make it up, in order of their beginnings.
  package let visits: [Int]

  /// - Parameters:
  ///   - visits: of one region, at any observers, in any order.
  ///   - ends: when an observer's recording ends: behind it nobody knows whether it is still inside.
  package static func of(_ visits: [Visit], recordedUntil ends: (UInt32) -> Timestamp)
    -> [Occupancy]
  {
    let order = visits.indices.sorted {
      (visits[$0].since.nanoseconds, visits[$0].observer)
        < (visits[$1].since.nanoseconds, visits[$1].observer)
    }
    var found: [Occupancy] = []
    var end = Int64.min
    for index in order {
      let visit = visits[index]
      let since = visit.since.nanoseconds
      let visitEnd = max(since, (visit.isOpen ? ends(visit.observer) : visit.until).nanoseconds)
      if let last = found.last, end >= since {
        let isLonger = end > visitEnd || (end == visitEnd && !last.until.isKnown)
        found[found.count - 1] = Occupancy(
          since: last.since, until: isLonger ? last.until : visit.until,
          visits: last.visits + [index])
      } else {
        found.append(Occupancy(since: visit.since, until: visit.until, visits: [index]))
        end = .min
      }
      end = max(end, visitEnd)
    }
    return found
  }
}
