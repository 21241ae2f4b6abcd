import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Tells a judge and a listener of a run, and keeps what the timeline is going to have of it.
struct JudgeDesk {
  /// What has to happen as the run goes on: the judge's wishes, and what a listener hears of beside.
  let wishes: JudgeWishes
  /// Fields of custom beacons: what `extra` of the whole sightings that come counts in.
  var customFields: [CustomFields] = []
  private let judge: any Judge
  private let judgeWishes: JudgeWishes
  private let listener: (any RunListener)?
  /// Nil: the judge is told of everything.
  private let recess: JudgeRecess?
  /// The latest time told.
  private var clock = Timestamp.none
  private(set) var hasBegun = false
  /// Events that a listener was told.
  private(set) var told = 0
  /// Whether sightings were wished for, whoever sends them; some: by transmitter.
  private let usual: Wish
  /// By transmitter, as far as they were asked for.
  private var isWished: [Bool] = []
  private var isAnybodyWished = false
  private var filter: TransmitterFilter?
  /// For the timeline: events that it keeps, and alerts.
  private var events: Latest<TimelineEvent>
  private var alerts: Latest<Alert>
  private var ordinals: EventOrdinals
  private var markers: [Timestamp] = []
  /// Whether a rule ever said that the display was switched on.
  private(set) var hasSetMarkers = false
  /// The latest events that are kept only where an alert cites them.
  private var passing: [TimelineEvent] = []
  private static let mostPassing = 1000

  private enum Wish { case no, some, yes }

  /// What a call needs beside what it tells. An object, because it is handed on for each sighting.
  final class Surroundings {
    let view: RunView
    let making: EventMaking

    init(view: RunView, making: EventMaking) {
      self.view = view
      self.making = making
    }
  }

  /// nil where nobody is told of anything while the run goes on.
  init?(_ settings: FollowSettings) {
    guard settings.judge != nil || settings.listener != nil else { return nil }
    judge = settings.judge ?? NoJudge()
    listener = settings.listener
    recess = settings.recess
    judgeWishes = judge.wishes
    var wishes = judgeWishes
    if listener != nil {
      wishes.proximity = wishes.proximity || settings.wantsProximity
      wishes.ranging = wishes.ranging || settings.wantsLists
    }
    self.wishes = wishes
    events = Latest(most: settings.mostKept)
    alerts = Latest(most: settings.mostKept)
    ordinals = EventOrdinals(isBounded: settings.mostKept != nil)
    switch wishes.sightings {
    case .none: usual = .no
    case .all: usual = .yes
    case .some(let wanted):
      filter = wanted
      usual = .some
    }
  }

  mutating func begin(
    at time: Timestamp, _ frame: TimelineEvent.Evidence, known: [KnownPresence],
    _ around: Surroundings
  ) {
    guard !hasBegun, time.isKnown else { return }
    hasBegun = true
    clock = time
    listener?.begin(known: known, around.view)
    judge.begin(at: time, frame, known: known, around.view)
    collect(around)
  }

  /// An observer's scan left out so much when an earlier run ended.
  func resume(_ limits: ScanLimits, of observer: String) { judge.resume(limits, of: observer) }

  /// An earlier run left an observer so, that has not begun yet.
  func resume(
    _ presence: RegionPresence, in region: String, of observer: String, until: Timestamp
  ) {
    judge.resume(presence, in: region, of: observer, until: until)
  }

  /// The run's clock goes on; never back.
  mutating func reach(_ time: Timestamp, _ around: Surroundings) {
    guard time.nanoseconds > clock.nanoseconds else { return }
    clock = time
    if !isInRecess {
      judge.reach(time, around.view)
      collect(around)
    }
    listener?.reach(time, around.view)
  }

  private var isInRecess: Bool { recess?.hasBegun == true }

  /// Before the regions with a rule of their own are asked.
  mutating func consider(_ sighting: JudgedSighting, _ around: Surroundings) {
    reach(sighting.brief.time, around)
    judge.consider(sighting, around.view)
    collect(around)
  }

  mutating func take(_ found: Found, _ around: Surroundings) {
    reach(found.event.time, around)
    if found.isKept { events.append(found.event) }
    if found.isTold { tell(found.event, around) }
    guard found.isJudged, !isInRecess, judges(found.event.type) else { return }
    if found.isKeptIfCited { remember(found.event) }
    judge.take(found.event, around.view)
    collect(around)
  }

  /// Some of what happens is made for the listener alone.
  private func judges(_ type: TimelineEventType) -> Bool {
    switch type {
    case .proximity: judgeWishes.proximity
    case .ranging: judgeWishes.ranging
    default: true
    }
  }

  mutating func take(
    _ note: ObserverNote, observer: Int, capture: UInt32, _ around: Surroundings
  ) {
    reach(note.time, around)
    tell(note, observer: observer, capture: capture, around)
  }

  /// The same of what says nothing of the time.
  mutating func tell(
    _ note: ObserverNote, observer: Int, capture: UInt32, _ around: Surroundings
  ) {
    if !isInRecess {
      judge.take(note, observer: observer, capture: capture, around.view)
      collect(around)
    }
    listener?.take(note, observer: observer, capture: capture, around.view)
  }

  /// Whom an observer heard, as far as a note tells; nothing comes of it before the judge's next call.
  /// - Parameter observer: its name.
  func hear(_ note: ObserverNote, observer: String) {
    guard !isInRecess, note.lastReport.isKnown, !note.kind.isRemark else { return }
    judge.hear(until: note.lastReport, observer: observer)
  }

  mutating func take(_ turn: RecordingTurn, _ around: Surroundings) {
    reach(turn.time, around)
    guard !isInRecess else { return }
    judge.take(turn, around.view)
    collect(around)
  }

  mutating func finish(_ around: Surroundings) {
    guard !isInRecess else { return }
    judge.finish(at: clock, around.view)
    collect(around)
  }

  var reports: [JudgeReport] { judge.reports }

  /// Whether the sightings of a transmitter were wished for.
  @inline(__always)
  mutating func wishes(for transmitter: UInt32, _ tables: RunTables) -> Bool {
    guard usual == .some else { return usual == .yes }
    if Int(transmitter) >= isWished.count { ask(tables) }
    return isWished[Int(transmitter)]
  }

  /// For everybody that the run has come to know.
  @inline(never)
  private mutating func ask(_ tables: RunTables) {
    for number in isWished.count..<tables.transmitters.count {
      let transmitter = tables.transmitters[UInt32(number)]
      let identity = tables.identities[transmitter.identity]
      let isTaken = filter?.takes(transmitter.address, identity, tables.identities) == true
      isWished.append(isTaken)
      if isTaken { isAnybodyWished = true }
    }
  }

  private mutating func isAnyWished(_ run: Span<BriefSighting>, _ tables: RunTables) -> Bool {
    if isWished.count < tables.transmitters.count { ask(tables) }
    // Mostly there is nobody: then sightings need not be looked at.
    guard isAnybodyWished else { return false }
    let isWished = isWished.span
    for place in run.indices where isWished[Int(run[place].transmitter)] { return true }
    return false
  }

  /// The sightings of a run that were wished for, of a time when nothing else happened.
  /// - Parameter around: asked only where there is one.
  mutating func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables,
    around: () -> Surroundings
  ) {
    guard usual != .no, hasBegun, !run.isEmpty else { return }
    if usual == .some, !isAnyWished(run, tables) { return }
    if let recess, recess.hasBegun {
      return recess.passBy(
        run.indices.count { usual == .yes || isWished[Int(run[$0].transmitter)] })
    }
    let surroundings = around()
    judge.take(run, wholes, capture: capture, fields: customFields, surroundings.view)
    collect(surroundings)
  }

  /// Nil where nobody wished for the whole of it, and where no time was known yet.
  func judged(
    _ sighting: BriefSighting, _ wholes: Span<Sighting>, _ capture: UInt32
  ) -> JudgedSighting? {
    guard sighting.whole > 0, hasBegun else { return nil }
    let whole = wholes[Int(sighting.whole) - 1]
    return JudgedSighting(
      brief: sighting, whole: whole, capture: capture,
      fields: whole.kind == .custom ? whole.customFields(customFields) : [])
  }

  /// Markers that were set since the last call.
  mutating func takeMarkers() -> [Timestamp] {
    guard !markers.isEmpty else { return [] }
    defer { markers.removeAll() }
    return markers
  }

  private mutating func collect(_ around: Surroundings) {
    let set = judge.takeMarkers()
    if !set.isEmpty {
      markers += set
      hasSetMarkers = true
    }
    for alert in judge.takeAlerts() { keep(alert, around) }
  }

  private mutating func remember(_ event: TimelineEvent) {
    passing.append(event)
    if passing.count > 2 * Self.mostPassing { passing.removeFirst(Self.mostPassing) }
  }

  private mutating func keep(_ alert: Alert, _ around: Surroundings) {
    for id in alert.events {
      guard let place = passing.lastIndex(where: { $0.id == id }) else { continue }
      events.append(passing.remove(at: place))
    }
    let own = around.making.identity(of: alert, ordinal: 0)
    let ordinal = ordinals.next(of: own)
    let id = ordinal == 0 ? own : around.making.identity(of: alert, ordinal: ordinal)
    let event = around.making.event(alert, place: alerts.count, id: id)
    alerts.append(alert)
    events.append(event)
    tell(event, alert: alert, around)
  }

  private mutating func tell(
    _ event: TimelineEvent, alert: Alert? = nil, _ around: Surroundings
  ) {
    guard let listener else { return }
    told += 1
    listener.take(event, alert: alert, around.view)
  }

  /// Everything that there is room for, and how many events there was none for.
  mutating func takeEvents() -> (events: [TimelineEvent], alerts: [Alert], forgotten: Int) {
    events.trim()
    alerts.trim()
    var kept = events.elements
    if alerts.forgotten > 0 {
      for place in kept.indices {
        kept[place].alert = kept[place].alert.map { $0 - alerts.forgotten }
      }
    }
    return (kept, alerts.elements, events.forgotten)
  }
}

/// Something that happened, and who it is for.
struct Found {
  let event: TimelineEvent
  /// Among the timeline's events; changes of proximity and lists are in it beside them.
  var isKept = true
  /// Of what is not kept: whether it is where an alert cites it.
  var isKeptIfCited = false
  /// Whether the listener hears of it.
  var isTold = true
  var isJudged = true
}

extension ObserverNote.Kind {
  /// Clocks go on by them, and nothing else is to tell.
  var isClockOnly: Bool { self == .tick || self == .end || self == .silence }
}

extension TimelineEvent {
  /// Whether a sighting led to it, so that it comes behind it; else it had happened before.
  func isLed(by sighting: BriefSighting, capture: UInt32) -> Bool {
    if type == .proximity || type == .ranging {
      return time.nanoseconds >= sighting.time.nanoseconds
    }
    let isFirst = type == .enter || (type == .state && state == .inside) || type == .messageFound
    guard isFirst, !crossedAt.isKnown, transmitter == Int(sighting.transmitter) else {
      return false
    }
    return evidence == [EventMaking.evidence(capture, sighting.frame)]
  }
}
