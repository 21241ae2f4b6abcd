import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TrackReader

/// A run as one profile follows it.
final class ProfileFollower {
  let number: Int
  private(set) var monitor: RegionMonitor
  private(set) var ranging: RangingDesk?
  private var circles: CircleDesk
  private var messages: MessageDesk?
  private let settings: FollowSettings

  init(_ settings: FollowSettings, _ number: Int) throws(SettingProblem) {
    self.number = number
    self.settings = settings
    let profile = settings.profiles[number]
    monitor = try RegionMonitor(
      settings.regions, profile, number: UInt8(truncatingIfNeeded: number))
    // The limit counts circles and beacon regions together (SEMANTICS 4).
    circles = try CircleDesk(settings, profile) { Int($0) < profile.limit ?? .max }
    messages = MessageDesk(settings, profile)
    ranging = settings.ranges ? try RangingDesk(settings, profile) : nil
    for time in settings.displayMarkers { monitor.markDisplayOn(at: time) }
  }

  func addObserver(_ name: String) { _ = monitor.addObserver(named: name) }

  func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables,
    observers: Span<UInt32>
  ) {
    monitor.take(
      run, wholes: wholes, capture: capture, numbers: Span(), tables.transmitters,
      tables.identities, observers: observers)
    messages?.take(run, capture: capture, tables)
    guard ranging != nil else { return _ = monitor.drainCrossings() }
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.take(run, wholes: wholes, capture: capture, tables, monitor)
  }

  /// - Parameter observer: the run's number.
  func take(_ note: ObserverNote, observer: Int) {
    monitor.take(note, observer: UInt32(observer))
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.advance(observer, to: note.time)
    ranging?.keep(changes: settings.wantsProximity)
    messages?.advance(observer, to: note.time)
    if !circles.isEmpty { circles.advance(observer, to: note.time) }
  }

  /// A position that a capture carries.
  func take(_ fix: Fix, observer: Int) {
    if !circles.isEmpty { circles.add(fix, observer: observer) }
  }

  func finish() {
    monitor.finish()
    ranging?.finish()
    ranging?.keep(changes: settings.wantsProximity)
    circles.finish()
  }

  func presence(in region: Int, at observer: Int) -> RegionPresence {
    monitor.region(UInt32(region)).isCircle
      ? circles.presence(in: region, at: observer)
      : monitor.presence(in: UInt32(region), at: UInt32(observer))
  }

  /// Sightings that no clock could place.
  var unplaced: Int { monitor.unplaced }

  var warnings: [String] { monitor.warnings + circles.warnings }

  /// What has happened to regions and messages, in no order.
  func drain(_ making: borrowing EventMaking) -> [TimelineEvent] {
    var events = monitor.drain().map { making.event($0) }
    events += circles.events(making, profile: number, markers: settings.displayMarkers)
    if let found = messages?.drain() {
      // Several subscriptions may take one message: it is told once.
      events += found.filter(isFirstOf).map {
        making.event(
          $0, text: "\(settings.messages[$0.message])", exitPeriod: monitor.profile.exitAfter,
          profile: number)
      }
    }
    return events
  }

  private func isFirstOf(_ found: MessageEvent) -> Bool {
    let message = settings.messages[found.message]
    return settings.subscriptions.isEmpty
      || settings.subscriptions.firstIndex { $0.takes(message) } == found.subscription
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
    stays += circles.visits().map { Timeline.Stay(visit: $0, nearest: nil) }
    return stays.sorted {
      ($0.visit.since.nanoseconds, $0.visit.observer, $0.visit.region)
        < ($1.visit.since.nanoseconds, $1.visit.observer, $1.visit.region)
    }
  }
}
