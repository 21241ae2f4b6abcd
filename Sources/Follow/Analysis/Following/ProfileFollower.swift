import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// A run as one profile follows it.
final class ProfileFollower {
  let number: Int
  private(set) var monitor: RegionMonitor
  private(set) var ranging: RangingDesk?
  private(set) var unusablePowers: [UnusablePower] = []

  init(_ settings: FollowSettings, _ number: Int) throws(SettingProblem) {
    self.number = number
    let profile = settings.profiles[number]
    monitor = try RegionMonitor(settings.regions, profile, number: UInt8(truncatingIfNeeded: number))
    ranging = settings.ranges ? try RangingDesk(settings, profile) : nil
    for time in settings.displayMarkers { monitor.markDisplayOn(at: time) }
  }

  func addObserver(_ name: String) { _ = monitor.addObserver(named: name) }

  func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>,
    _ tables: RunTables, observers: Span<UInt32>
  ) {
    monitor.take(
      run, wholes: wholes, capture: capture, numbers: numbers, tables.transmitters,
      tables.identities, observers: observers)
    guard ranging != nil else { return _ = monitor.drainCrossings() }
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.take(
      run, wholes: wholes, capture: capture, numbers: numbers, tables, monitor)
  }

  /// - Parameter observer: the run's number.
  func take(_ note: ObserverNote, observer: Int) {
    monitor.take(note, observer: UInt32(observer))
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.advance(observer, to: note.time)
  }

  func finish() {
    monitor.finish()
    ranging?.finish()
  }

  /// What has happened since the last call, in no order.
  func drain(_ making: borrowing EventMaking) -> [TimelineEvent] {
    var events = monitor.drain().map { making.event($0) }
    guard let found = ranging?.drain() else { return events }
    events += found.changes.map { making.event($0, profile: number) }
    events += found.lists.map { making.event($0, profile: number) }
    unusablePowers += found.powers
    return events
  }

  /// Until when everything that has happened at an observer has been told.
  func clock(of observer: Int) -> Timestamp { monitor.recording(of: UInt32(observer)).clock }

  /// The stays, by entry, observer and region; open ones last seen at the end.
  func stays() -> [Timeline.Stay] {
    var stays = monitor.visits.enumerated().map { index, visit in
      Timeline.Stay(
        visit: visit,
        nearest: ranging.flatMap { index < $0.nearest.count ? $0.nearest[index] : nil })
    }
    stays += monitor.openVisits.map { visit in
      Timeline.Stay(
        visit: visit,
        nearest: ranging?.nearest(region: visit.region, observer: visit.observer))
    }
    return stays.sorted {
      ($0.visit.since.nanoseconds, $0.visit.observer, $0.visit.region)
        < ($1.visit.since.nanoseconds, $1.visit.observer, $1.visit.region)
    }
  }
}
