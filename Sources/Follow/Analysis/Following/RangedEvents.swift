import CaptureReader
import Regions

/// Changes of proximity and ranging lists, kept small: there may be millions. They become events when
/// somebody wants them.
struct RangedEvents: Sendable {
  private let making: EventMaking
  /// By profile.
  private let changes: [[ProximityChange]]
  private let lists: [[RangingList]]

  /// Where one of them lies, and what orders it.
  private struct Place: BitwiseCopyable {
    let time: Int64
    let observer: UInt32
    let region: UInt32
    let profile: UInt16
    let isList: Bool
    let index: UInt32

    static func comesBefore(_ a: Place, _ b: Place) -> Bool {
      if a.time != b.time { return a.time < b.time }
      if a.isList != b.isList { return b.isList }
      return (a.observer, a.region, a.profile, a.index) < (b.observer, b.region, b.profile, b.index)
    }
  }

  init() {
    let nothing = EventMaking(observers: [], profiles: [], regions: [], RunTables())
    self.init(nothing, [], [])
  }

  init(_ making: EventMaking, _ changes: [[ProximityChange]], _ lists: [[RangingList]]) {
    self.making = making
    self.changes = changes
    self.lists = lists
  }

  var count: Int { changes.reduce(0) { $0 + $1.count } + lists.reduce(0) { $0 + $1.count } }

  /// All of them in the order of events.
  func forEach(_ body: (TimelineEvent) throws -> Void) rethrows {
    for place in order() {
      let (profile, index) = (Int(place.profile), Int(place.index))
      try body(
        place.isList
          ? making.event(lists[profile][index], profile: profile)
          : making.event(changes[profile][index], profile: profile))
    }
  }

  /// The one with this id; nil where there is none.
  func event(_ id: UInt64) -> TimelineEvent? {
    for profile in changes.indices {
      if let change = changes[profile].first(where: { making.id(of: $0, profile: profile) == id }) {
        return making.event(change, profile: profile)
      }
      if let list = lists[profile].first(where: { making.id(of: $0, profile: profile) == id }) {
        return making.event(list, profile: profile)
      }
    }
    return nil
  }

  private func order() -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(count)
    for profile in changes.indices {
      for (index, change) in changes[profile].enumerated() {
        places.append(
          Place(
            time: change.time.nanoseconds, observer: UInt32(change.observer),
            region: UInt32(change.region), profile: UInt16(profile), isList: false,
            index: UInt32(index)))
      }
      for (index, list) in lists[profile].enumerated() {
        places.append(
          Place(
            time: list.time.nanoseconds, observer: UInt32(list.observer),
            region: UInt32(list.region), profile: UInt16(profile), isList: true,
            index: UInt32(index)))
      }
    }
    return places.sorted(by: Place.comesBefore)
  }
}

extension Timeline {
  private static let batch = 256

  /// All events in the order of their times, some at a time.
  package func forEachBatch(_ body: ([TimelineEvent]) throws -> Void) throws {
    var batch: [TimelineEvent] = []
    var next = 0
    func hand(_ event: TimelineEvent) throws {
      batch.append(event)
      guard batch.count == Self.batch else { return }
      try body(batch)
      batch.removeAll(keepingCapacity: true)
    }
    try ranged.forEach { event in
      while next < events.count, TimelineEvent.comesBefore(events[next], event) {
        try hand(events[next])
        next += 1
      }
      try hand(event)
    }
    for event in events[next...] { try hand(event) }
    if !batch.isEmpty { try body(batch) }
  }

  /// An event by its id; nil where there is none.
  package func event(_ id: UInt64) -> TimelineEvent? {
    events.first { $0.id == id } ?? ranged.event(id)
  }
}
