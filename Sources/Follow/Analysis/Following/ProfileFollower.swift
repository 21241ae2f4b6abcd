import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TrackReader

/// A run as one profile follows it.
final class ProfileFollower {
  let number: Int
  var monitor: RegionMonitor
  private(set) var ranging: RangingDesk?
  var circles: CircleDesk
  var messages: MessageDesk?
  let settings: FollowSettings
  /// Of whoever is told while the run goes on; nil where nobody is.
  private let wishes: JudgeWishes?
  /// Found, wished for, and not told yet.
  private var changes: [ProximityChange] = []
  private var lists: [RangingList] = []

  init(_ settings: FollowSettings, _ number: Int, _ wishes: JudgeWishes?) throws(SettingProblem) {
    self.number = number
    self.settings = settings
    self.wishes = wishes
    let profile = settings.profiles[number]
    monitor = try RegionMonitor(
      settings.regions, profile, number: UInt8(truncatingIfNeeded: number),
      decoders: settings.custom?.names ?? [])
    monitor.tellsAtOnce = wishes != nil
    // The limit counts circles and beacon regions together (SEMANTICS 4).
    circles = try CircleDesk(settings, profile) { Int($0) < profile.limit ?? .max }
    circles.tellsAtOnce = wishes != nil
    messages = MessageDesk(settings, profile)
    ranging =
      settings.ranges
      ? try RangingDesk(
        settings, profile, wishes, wantsSamples: settings.wantsSamples && number == 0) : nil
    for time in settings.displayMarkers { monitor.markDisplayOn(at: time) }
  }

  func addObserver(_ name: String) {
    _ = monitor.addObserver(named: name)
    circles.addObserver(name)
  }

  /// A display was switched on.
  func markDisplayOn(at time: Timestamp) {
    monitor.markDisplayOn(at: time)
    circles.markDisplayOn(at: time)
  }

  func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables,
    observers: Span<UInt32>
  ) {
    monitor.take(
      run, wholes: wholes, capture: capture, numbers: Span(), tables.transmitters,
      tables.identities, observers: observers)
    goOn(run, wholes: wholes, capture: capture, tables)
  }

  /// The same, up to and with the first sighting at which something happened to a region.
  /// - Returns: how many were taken.
  func takeUntilEvent(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables,
    observers: Span<UInt32>
  ) -> Int {
    let count = monitor.takeUntilEvent(
      run, wholes: wholes, capture: capture, numbers: Span(), tables.transmitters,
      tables.identities, observers: observers)
    goOn(run.extracting(..<count), wholes: wholes, capture: capture, tables)
    return count
  }

  /// The observer's clock is going to be here: what is due before that is decided.
  func decide(_ observer: Int, before time: Timestamp) {
    monitor.advance(observer: UInt32(observer), to: time)
  }

  /// An observer's next note is going to be this one: it hears nothing until then.
  func expect(_ note: ObserverNote, observer: Int) {
    monitor.expect(note, observer: UInt32(observer))
  }

  /// Moves the clock of such an observer on: what is due before a time has happened.
  /// - Parameter movesPositions: its positions are all known.
  func goOn(_ observer: Int, before time: Timestamp, movesPositions: Bool) {
    decide(observer, before: time)
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.advance(observer, to: time)
    keepRanged()
    messages?.advance(observer, to: time)
    if movesPositions, !circles.isEmpty { circles.advance(observer, to: time) }
  }

  /// Messages and ranging of a run that the monitor has taken.
  private func goOn(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables
  ) {
    messages?.take(run, capture: capture, tables)
    let members = monitor.drainNewMembers()
    guard ranging != nil else { return _ = monitor.drainCrossings() }
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.take(
      run, wholes: wholes, capture: capture, tables, monitor, joining: members)
  }

  /// - Parameter observer: the run's number.
  /// - Returns: where the observer's clock is now; unknown before its first record.
  func take(_ note: ObserverNote, observer: Int) -> Timestamp {
    monitor.take(note, observer: UInt32(observer))
    var now = note.time
    if note.kind.isBetweenRecords {
      now = clock(of: observer)
      guard now.isKnown else { return now }
    }
    let crossings = monitor.drainCrossings()
    if !crossings.isEmpty { ranging?.expect(crossings) }
    ranging?.advance(observer, to: now)
    keepRanged()
    messages?.advance(observer, to: now)
    if !circles.isEmpty { circles.advance(observer, to: now) }
    if let most = settings.mostKept, monitor.visits.count > 2 * max(most, 1) {
      forgetStays(keeping: most)
    }
    return now
  }

  /// Packets of an observer were lost.
  func takeLoss(_ note: ObserverNote, observer: Int) {
    monitor.take(note, observer: UInt32(observer))
  }

  private func forgetStays(keeping most: Int) {
    monitor.forgetVisits(keeping: most)
    ranging?.forgetVisits(before: monitor.forgottenVisits)
  }

  /// Stays that there was no room for.
  var forgottenStays: Int { monitor.forgottenVisits + circles.forgottenVisits }

  /// Puts by what ranging found: for the output, and for who is told.
  func keepRanged() {
    if wishes?.proximity == true { changes += ranging?.newChanges ?? [] }
    if wishes?.ranging == true { lists += ranging?.newLists ?? [] }
    ranging?.keep(changes: settings.wantsProximity, lists: settings.wantsLists)
  }

  /// A position that a capture carries.
  func take(_ fix: Fix, observer: Int) {
    if !circles.isEmpty { circles.add(fix, observer: observer) }
  }

  func finish() {
    monitor.finish()
    ranging?.finish()
    keepRanged()
    circles.finish()
    ranging?.trim()
    if let most = settings.mostKept { forgetStays(keeping: most) }
  }

  func presence(in region: Int, at observer: Int) -> RegionPresence {
    monitor.region(UInt32(region)).isCircle
      ? circles.presence(in: region, at: observer)
      : monitor.presence(in: UInt32(region), at: UInt32(observer))
  }

  /// Sightings that no clock could place.
  var unplaced: Int { monitor.unplaced }

  var warnings: [String] { monitor.warnings + circles.warnings }

  /// Whether something has happened that was not drained.
  var hasEvents: Bool {
    !monitor.events.isEmpty || circles.hasEvents || messages?.hasEvents == true || !changes.isEmpty
      || !lists.isEmpty
  }

  /// What has happened to regions and messages since the last call, in no order.
  func drain(_ making: borrowing EventMaking) -> [TimelineEvent] {
    var events = monitor.drain().map { making.event($0) }
    events += circles.drain(making, profile: number)
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

  /// Changes of proximity and lists that were wished for, since the last call.
  func drainRanged(_ making: borrowing EventMaking) -> [TimelineEvent] {
    guard !changes.isEmpty || !lists.isEmpty else { return [] }
    let events =
      changes.map { making.event($0, profile: number) }
      + lists.map { making.event($0, profile: number) }
    changes.removeAll(keepingCapacity: true)
    lists.removeAll(keepingCapacity: true)
    return events
  }

  private func isFirstOf(_ found: MessageEvent) -> Bool {
    let message = settings.messages[found.message]
    return settings.subscriptions.isEmpty
      || settings.subscriptions.firstIndex { $0.takes(message) } == found.subscription
  }

  /// When the clock of an observer has passed this, something is to be decided about a region.
  func nextDue(of observer: Int) -> Timestamp { monitor.nextDue(of: UInt32(observer)) }

  /// Until when everything that has happened at an observer has been told.
  func clock(of observer: Int) -> Timestamp { monitor.recording(of: UInt32(observer)).clock }

  /// The stays, by entry, observer and region; open ones last seen at the end.
  func stays() -> [Timeline.Stay] {
    var stays = monitor.visits.enumerated().map { index, visit in
      Timeline.Stay(
        visit: visit, nearest: ranging?.nearest(ofVisit: monitor.forgottenVisits + index))
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
