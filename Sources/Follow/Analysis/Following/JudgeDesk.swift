import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Tells a judge of a run, and keeps what it says.
struct JudgeDesk {
  let wishes: JudgeWishes
  /// Fields of custom beacons: what `extra` of the whole sightings that come counts in.
  var customFields: [CustomFields] = []
  private let judge: any Judge
  /// The latest time told.
  private var clock = Timestamp.none
  private(set) var hasBegun = false
  /// Whether sightings were wished for, whoever sends them; not asked: by transmitter.
  private let usual: Wish
  private var wishedFor: [Wish] = []
  private var filter: TransmitterFilter?
  /// For the timeline: events that it keeps, and alerts.
  private(set) var events: [TimelineEvent] = []
  private(set) var alerts: [Alert] = []
  /// How many alerts there are that only their ordinal tells apart.
  private var ordinals: [UInt64: Int] = [:]
  private var markers: [Timestamp] = []

  private enum Wish: UInt8 { case notAsked, no, yes }

  /// What a call needs beside what it tells. An object, because it is handed on for each sighting.
  final class Surroundings {
    let view: RunView
    let making: EventMaking

    init(view: RunView, making: EventMaking) {
      self.view = view
      self.making = making
    }
  }

  init(_ judge: any Judge) {
    self.judge = judge
    wishes = judge.wishes
    switch wishes.sightings {
    case .none: usual = .no
    case .all: usual = .yes
    case .some(let wanted):
      filter = wanted
      usual = .notAsked
    }
  }

  mutating func begin(
    at time: Timestamp, _ frame: TimelineEvent.Evidence, _ around: Surroundings
  ) {
    guard !hasBegun, time.isKnown else { return }
    hasBegun = true
    clock = time
    judge.begin(at: time, frame, around.view)
    collect(around)
  }

  /// The run's clock goes on; never back.
  mutating func reach(_ time: Timestamp, _ around: Surroundings) {
    guard time.nanoseconds > clock.nanoseconds else { return }
    clock = time
    judge.reach(time, around.view)
    collect(around)
  }

  /// Before the regions with a rule of their own are asked.
  mutating func consider(_ sighting: JudgedSighting, _ around: Surroundings) {
    reach(sighting.brief.time, around)
    judge.consider(sighting, around.view)
    collect(around)
  }

  /// - Parameter isKept: whether the timeline has it among its events.
  mutating func take(_ event: TimelineEvent, isKept: Bool, _ around: Surroundings) {
    reach(event.time, around)
    if isKept { events.append(event) }
    judge.take(event, around.view)
    collect(around)
  }

  mutating func take(
    _ note: ObserverNote, observer: Int, capture: UInt32, _ around: Surroundings
  ) {
    reach(note.time, around)
    judge.take(note, observer: observer, capture: capture, around.view)
    collect(around)
  }

  mutating func finish(_ around: Surroundings) {
    judge.finish(at: clock, around.view)
    collect(around)
  }

  var reports: [JudgeReport] { judge.reports }

  /// Whether the sightings of a transmitter were wished for.
  @inline(__always)
  mutating func wishes(for transmitter: UInt32, _ tables: RunTables) -> Bool {
    guard usual == .notAsked else { return usual == .yes }
    let number = Int(transmitter)
    if number >= wishedFor.count || wishedFor[number] == .notAsked { ask(number, tables) }
    return wishedFor[number] == .yes
  }

  @inline(never)
  private mutating func ask(_ number: Int, _ tables: RunTables) {
    while wishedFor.count <= number { wishedFor.append(.notAsked) }
    let transmitter = tables.transmitters[UInt32(number)]
    let identity = tables.identities[transmitter.identity]
    let isTaken = filter?.takes(transmitter.address, identity, tables.identities) == true
    wishedFor[number] = isTaken ? .yes : .no
  }

  /// The sightings of a run that were wished for, of a time when nothing else happened.
  /// - Parameter around: asked only where there is one.
  mutating func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables,
    around: () -> Surroundings
  ) {
    guard usual != .no, hasBegun, !run.isEmpty else { return }
    if usual == .notAsked {
      var isAnyWished = false
      for place in run.indices where wishes(for: run[place].transmitter, tables) {
        isAnyWished = true
        break
      }
      guard isAnyWished else { return }
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
    if !set.isEmpty { markers += set }
    for alert in judge.takeAlerts() { keep(alert, around.making) }
  }

  private mutating func keep(_ alert: Alert, _ making: borrowing EventMaking) {
    let own = making.identity(of: alert, ordinal: 0)
    let ordinal = ordinals[own, default: 0]
    ordinals[own] = ordinal + 1
    let id = ordinal == 0 ? own : making.identity(of: alert, ordinal: ordinal)
    events.append(making.event(alert, place: alerts.count, id: id))
    alerts.append(alert)
  }
}

extension ObserverNote.Kind {
  /// Clocks go on by them, and nothing else is to tell.
  var isClockOnly: Bool { self == .tick || self == .end }
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
