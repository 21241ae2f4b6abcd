import CaptureReader
import Regions
import TrackReader

/// The circles of one profile, for each observer by itself.
struct CircleDesk {
  /// By number of the circle: the region.
  private let regions: [Int]
  private let definitions: [Region]
  private let circles: [CircularRegion]
  private let settings: CircleSettings
  private let tracks: ObserverTracks
  private var observerNames: [String] = []
  private var watches: [CircleWatch] = []
  /// Times of display markers, ascending.
  private var markers: [Int64]
  /// What has happened, told or not: visits are made of it.
  private var found: [(observer: Int, event: CircleEvent)] = []
  private let mostVisits: Int?
  /// Visits that there was no room for.
  private(set) var forgottenVisits = 0
  private var told: [Told] = []
  /// Stays that an earlier run began.
  private var earlier: [(observer: Int, circle: Int, memory: RegionMemory)] = []
  /// Whether somebody hears of events as they happen, and of the state where they are kept back.
  var tellsAtOnce = false

  private struct Told {
    let observer: Int
    let event: CircleEvent
    var displayAt: Timestamp?
    var isSilenced = false
  }

  /// - Parameter isMonitored: whether a region is within the profile's limit.
  init(
    _ settings: FollowSettings, _ profile: Profile, isMonitored: (UInt32) -> Bool
  ) throws(SettingProblem) {
    var regions: [Int] = []
    var circles: [CircularRegion] = []
    for (number, region) in settings.regions.regions.enumerated() {
      guard case .circle(let circle) = region.condition, isMonitored(UInt32(number)) else {
        continue
      }
      do {
        circles.append(
          try CircularRegion(
            identifier: region.identifier, latitude: circle.latitude, longitude: circle.longitude,
            radius: circle.radius))
      } catch {
        throw SettingProblem(error.description, allowed: "write circle:LAT,LON,METRES")
      }
      regions.append(number)
    }
    self.regions = regions
    self.circles = circles
    definitions = settings.regions.regions
    self.settings = CircleSettings(
      maximumRadius: profile.maximumRadius, cushion: profile.cushion, dwell: profile.dwell)
    mostVisits = settings.mostKept
    tracks = ObserverTracks(settings.tracks)
    markers = settings.displayMarkers.filter(\.isKnown).map(\.nanoseconds).sorted()
  }

  var isEmpty: Bool { circles.isEmpty }

  /// In the order of their numbers, before anything of them is taken.
  mutating func addObserver(_ name: String) { observerNames.append(name) }

  private mutating func makeObserver(_ observer: Int) {
    while watches.count <= observer {
      let fixes = tracks.fixes(of: observerNames[watches.count])
      watches.append(CircleWatch(CircleMonitor(circles, settings, fixes: fixes)))
    }
  }

  /// A position that a capture carries.
  mutating func add(_ fix: Fix, observer: Int) {
    makeObserver(observer)
    watches[observer].monitor.add(fix)
  }

  mutating func advance(_ observer: Int, to time: Timestamp) {
    guard time.isKnown else { return }
    makeObserver(observer)
    watches[observer].advance(to: time)
    take(observer)
    show(observer, before: watches[observer].monitor.settled.nanoseconds)
  }

  mutating func finish() {
    for observer in watches.indices where watches[observer].hasBegun {
      watches[observer].monitor.finish(at: watches[observer].clock)
      take(observer)
      show(observer, before: watches[observer].clock.nanoseconds.later(by: 1))
    }
  }

  /// A display was switched on, for every observer; one that has been passed is taken at the clock.
  mutating func markDisplayOn(at time: Timestamp) {
    guard time.isKnown, !isEmpty else { return }
    let place = markers.firstIndex { $0 > time.nanoseconds } ?? markers.count
    markers.insert(time.nanoseconds, at: place)
    for observer in watches.indices where time.nanoseconds < watches[observer].shownUntil {
      watches[observer].nextMarker += 1
      tellEntries(observer, at: watches[observer].clock)
    }
  }

  /// What has come to be known, silenced events left out, entries that wait for the display kept.
  private mutating func take(_ observer: Int) {
    for event in watches[observer].monitor.takeEvents() {
      found.append((observer, event))
      watches[observer].note(event)
      if let mostVisits { forgetVisits(keeping: mostVisits) }
      show(observer, before: event.time.nanoseconds)
      let definition = definitions[regions[event.circle]]
      switch event.kind {
      case .enter where definition.notifiesEntryOnDisplay:
        watches[observer].awaiting[event.circle] = event
        tellSilenced(event, observer)
        continue
      case .enter:
        guard definition.notifiesOnEntry else {
          tellSilenced(event, observer)
          continue
        }
      case .exit:
        if let entry = watches[observer].awaiting.removeValue(forKey: event.circle),
          watches[observer].nextMarker < markers.count,
          markers[watches[observer].nextMarker] == event.time.nanoseconds
        {
          told.append(Told(observer: observer, event: entry, displayAt: event.time))
        }
        guard definition.notifiesOnExit else {
          tellSilenced(event, observer)
          continue
        }
      case .state: break
      }
      told.append(Told(observer: observer, event: event))
    }
  }

  /// A visit is two events at most.
  private mutating func forgetVisits(keeping most: Int) {
    guard found.count > 4 * max(most, 1) else { return }
    let old = found.count - 2 * most
    forgottenVisits += found[..<old].count { $0.event.isInside }
    found.removeFirst(old)
  }

  private mutating func tellSilenced(_ event: CircleEvent, _ observer: Int) {
    if tellsAtOnce { told.append(Told(observer: observer, event: event, isSilenced: true)) }
  }

  /// Makes the markers up to there.
  private mutating func show(_ observer: Int, before moment: Int64) {
    guard moment > watches[observer].shownUntil else { return }
    watches[observer].shownUntil = moment
    while watches[observer].nextMarker < markers.count,
      markers[watches[observer].nextMarker] < moment
    {
      let marker = markers[watches[observer].nextMarker]
      watches[observer].nextMarker += 1
      tellEntries(observer, at: Timestamp(nanoseconds: marker))
    }
  }

  private mutating func tellEntries(_ observer: Int, at time: Timestamp) {
    guard !watches[observer].awaiting.isEmpty else { return }
    for (_, entry) in watches[observer].awaiting.sorted(by: { $0.key < $1.key }) {
      told.append(Told(observer: observer, event: entry, displayAt: time))
    }
    watches[observer].awaiting = [:]
  }

  func presence(in region: Int, at observer: Int) -> RegionPresence {
    guard let circle = regions.firstIndex(of: region), observer < watches.count,
      let isInside = watches[observer].monitor.isInside(circle)
    else { return .unknown }
    return isInside ? .inside : .outside
  }

  var hasEvents: Bool { !told.isEmpty }

  /// Events since the last call.
  mutating func drain(_ making: borrowing EventMaking, profile: Int) -> [TimelineEvent] {
    var events: [TimelineEvent] = []
    for told in told {
      let event = told.event
      var made = making.event(
        event, region: regions[event.circle], observer: told.observer, profile: profile,
        at: told.displayAt)
      made.isSilenced = told.isSilenced
      if told.displayAt != nil {
        made.crossedAt = event.crossedAt.isKnown ? event.crossedAt : event.time
      }
      events.append(made)
    }
    told.removeAll(keepingCapacity: true)
    return events
  }

  /// Stays; open ones without an end.
  func visits() -> [Visit] {
    var visits = earlierVisits()
    for (observer, event) in found where event.isInside {
      let end = found.first {
        $0.observer == observer && $0.event.circle == event.circle && $0.event.kind == .exit
          && $0.event.time.nanoseconds > event.time.nanoseconds
      }
      visits.append(
        Visit(
          inCircle: UInt32(regions[event.circle]), observer: UInt32(observer), since: event.time,
          wasInsideAlready: event.kind == .state, until: end?.event.time ?? .none))
    }
    return visits
  }

  private func earlierVisits() -> [Visit] {
    earlier.map { observer, circle, memory in
      let end = found.first {
        $0.observer == observer && $0.event.circle == circle && $0.event.kind == .exit
      }
      return Visit(
        inCircle: UInt32(regions[circle]), observer: UInt32(observer), since: memory.since,
        wasInsideAlready: memory.wasInsideAlready, until: end?.event.time ?? .none)
    }
  }

  /// What is known at an observer that another run can go on with, in order of definition.
  func memories(at observer: Int) -> [RegionMemory] {
    guard observer < watches.count else { return [] }
    let watch = watches[observer]
    return circles.indices.compactMap { circle in
      guard let isInside = watch.monitor.wasInside(circle) else { return nil }
      let stay = watch.stays[circle]
      var memory = RegionMemory(
        region: UInt32(regions[circle]), presence: isInside ? .inside : .outside,
        since: isInside ? stay?.since ?? .none : .none)
      memory.wasInsideAlready = isInside && stay?.wasInsideAlready == true
      if let entry = watch.awaiting[circle] {
        memory.awaitsDisplay = true
        memory.crossedAt = entry.crossedAt
      }
      return memory
    }
  }

  /// Begins an observer with what an earlier run knew; before anything else of it is taken.
  /// - Parameter start: its first record.
  mutating func restore(_ memories: [RegionMemory], at observer: Int, from start: Timestamp) {
    for memory in memories {
      guard let circle = regions.firstIndex(of: Int(memory.region)) else { continue }
      makeObserver(observer)
      var memory = memory
      memory.since = Timestamp(
        nanoseconds: min(memory.since.nanoseconds, start.nanoseconds))
      let isInside = memory.presence == .inside
      watches[observer].monitor.restore(circle, isInside: isInside)
      let state = CircleEvent(
        kind: .state, circle: circle, isInside: isInside, time: start, crossedAt: .none,
        evidence: [])
      tellSilenced(state, observer)
      guard isInside else { continue }
      earlier.append((observer, circle, memory))
      watches[observer].stays[circle] = memory
      if memory.awaitsDisplay {
        watches[observer].awaiting[circle] = CircleEvent(
          kind: .enter, circle: circle, isInside: true, time: memory.since,
          crossedAt: memory.crossedAt, evidence: [])
      }
    }
  }

  /// When it was not known where an observer was; after `finish`, in order.
  func unplaced(_ observer: Int) -> [Timeline.Span] {
    guard watches.indices.contains(observer) else { return [] }
    return watches[observer].monitor.unknownStretches.map {
      Timeline.Span(from: $0.from, to: $0.until)
    }
  }

  /// How near its way came to a region's circle; nil where no position is known, or it is not monitored.
  func approach(to region: Int, at observer: Int) -> CircleApproach? {
    guard observer < watches.count, let circle = regions.firstIndex(of: region) else { return nil }
    return watches[observer].monitor.approach(circle)
  }

  /// Radii that were reduced.
  var warnings: [String] { watches.first?.monitor.warnings.map(\.description) ?? [] }
}

/// The circles at one observer.
private struct CircleWatch {
  var monitor: CircleMonitor
  private(set) var hasBegun = false
  private(set) var clock = Timestamp.none
  /// Of circles that were entered, the latest stay.
  var stays: [Int: RegionMemory] = [:]
  /// Entries that wait for the display, by circle.
  var awaiting: [Int: CircleEvent] = [:]
  var nextMarker = 0
  /// Markers before that have been made.
  var shownUntil = Int64.min

  init(_ monitor: CircleMonitor) { self.monitor = monitor }

  mutating func note(_ event: CircleEvent) {
    guard event.isInside else { return }
    var stay = RegionMemory(region: 0, presence: .inside, since: event.time)
    stay.wasInsideAlready = event.kind == .state
    stays[event.circle] = stay
  }

  mutating func advance(to time: Timestamp) {
    guard time.nanoseconds > clock.nanoseconds || !hasBegun else { return }
    clock = time
    if hasBegun {
      monitor.advance(to: time)
    } else {
      monitor.begin(at: time)
      hasBegun = true
    }
  }
}
