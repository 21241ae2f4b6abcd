import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TrackReader

/// Makes events of what the monitors found. Ids go by what happened to whom and when, not by captures and frame
/// numbers: one recording has the same ones live, in one file and in many.
struct EventMaking: Sendable {
  /// By the run's observer number.
  let observers: [String]
  /// What all identities of a profile's events begin with: its name and all numbers.
  private let beginnings: [EventIdentity]
  private let tables: RunTables
  /// By number; their texts make identities of events.
  private let regions: [Region]

  /// - Parameter profiles: their texts.
  init(observers: [String], profiles: [String], regions: [Region], _ tables: RunTables) {
    self.observers = observers
    beginnings = profiles.map { profile in
      var identity = EventIdentity()
      identity.add(profile)
      return identity
    }
    self.regions = regions
    self.tables = tables
  }

  /// A profile's name and all numbers.
  static func text(_ profile: Profile) -> String {
    ([profile.name] + profile.numbers.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
  }

  func event(_ found: RegionEvent) -> TimelineEvent {
    var event = TimelineEvent(
      id: found.id, type: TimelineEventType(rawValue: found.type.rawValue), time: found.time,
      observer: Int(found.observer), region: Int(found.region), profile: Int(found.profile))
    event.state = found.state
    event.isSilenced = found.isSilenced
    event.lastSeen = found.lastSeen
    event.crossedAt = found.crossedAt
    event.silence = found.silence
    if let evidence = found.evidence {
      event.transmitter = Int(evidence.transmitter)
      event.evidence = [Self.evidence(evidence.capture, evidence.frame)]
      let followed = found.lastSeen.isKnown ? found.lastSeen : event.entered
      event.stamped = evidence.stamp(followedAt: followed) ?? .none
    }
    return event
  }

  func id(of found: ProximityChange, profile: Int) -> UInt64 {
    var identity = identity(.proximity, profile, found.observer, found.region, found.time)
    add(found.transmitter, to: &identity)
    identity.add(found.from.name.description)
    identity.add(found.to.name.description)
    return identity.mixed
  }

  func id(of found: RangingList, profile: Int) -> UInt64 {
    identity(.ranging, profile, found.observer, found.region, found.time).mixed
  }

  func event(_ found: ProximityChange, profile: Int) -> TimelineEvent {
    var evidence = [Self.evidence(found.firstFrame.capture, found.firstFrame.frame)]
    if found.lastFrame != found.firstFrame {
      evidence.append(Self.evidence(found.lastFrame.capture, found.lastFrame.frame))
    }
    var event = TimelineEvent(
      id: id(of: found, profile: profile), type: .proximity, time: found.time,
      observer: found.observer, region: found.region, profile: profile)
    event.from = found.from
    event.to = found.to
    event.transmitter = Int(found.transmitter)
    event.distance = found.accuracy
    event.rssi = found.rssi?.value
    event.evidence = evidence
    return event
  }

  func event(_ found: RangingList, profile: Int) -> TimelineEvent {
    var event = TimelineEvent(
      id: id(of: found, profile: profile), type: .ranging, time: found.time,
      observer: found.observer, region: found.region, profile: profile)
    event.entries = found.entries
    // What is new in the list; where nothing is, what it still says.
    let new = found.entries.filter { $0.samples > 0 }
    var frames: Set<CaptureFrame> = []
    for entry in new.isEmpty ? found.entries : new where frames.insert(entry.frame).inserted {
      event.evidence.append(Self.evidence(entry.frame.capture, entry.frame.frame))
    }
    return event
  }

  /// - Parameter time: when it is told; nil for its own time.
  func event(
    _ found: CircleEvent, region: Int, observer: Int, profile: Int, at time: Timestamp? = nil
  ) -> TimelineEvent {
    let type: TimelineEventType =
      switch found.kind {
      case .exit: .exit
      case .state: .state
      case .enter: .enter
      }
    let time = time ?? found.time
    let identity = identity(type, profile, observer, region, time)
    let evidence = found.evidence.map(Self.evidence)
    var event = TimelineEvent(
      id: identity.mixed, type: type, time: time, observer: observer, region: region,
      profile: profile)
    event.state = found.isInside ? .inside : .outside
    event.crossedAt = found.crossedAt
    event.evidence = evidence
    event.fixes = found.fixes
    return event
  }

  func event(_ found: MessageEvent, text: String, exitPeriod: Int64, profile: Int)
    -> TimelineEvent
  {
    let type: TimelineEventType = found.kind == .found ? .messageFound : .messageLost
    var identity = identity(type, profile, found.observer, nil, found.time)
    identity.add(text)
    identity.add(exitPeriod)
    var event = TimelineEvent(
      id: identity.mixed, type: type, time: found.time, observer: found.observer, region: nil,
      profile: profile)
    event.message = found.message
    if found.kind == .lost { event.lastSeen = found.evidence.time }
    // Frames of an earlier run cannot be cited.
    if found.evidence.isEarlier { return event }
    event.transmitter = Int(found.evidence.transmitter)
    event.evidence = [Self.evidence(UInt32(found.evidence.capture), found.evidence.frame)]
    return event
  }

  func event(_ found: PositionEvent, observer: Int) -> TimelineEvent {
    var identity = identity(.position, 0, observer, nil, found.time)
    identity.add(Int64(found.kind.rawValue))
    var event = TimelineEvent(
      id: identity.mixed, type: .position, time: found.time, observer: observer, region: nil,
      profile: 0)
    event.position = TimelineEvent.Position(
      latitude: found.latitude, longitude: found.longitude, course: found.course,
      cause: Self.cause(found.kind))
    event.evidence = [Self.evidence(found.evidence)]
    return event
  }

  /// Nil where it is nothing to tell by itself.
  /// - Parameter ordinals: of such events; a recorder may lose packets several times at one time.
  func event(
    _ note: ObserverNote, observer: Int, capture: UInt32, _ ordinals: inout EventOrdinals
  ) -> TimelineEvent? {
    guard let deed = TimelineEvent.Deed(note.kind) else { return nil }
    // Every start has its resets; they matter to who had heard somebody.
    if note.kind == .reset && note.reports == 0 { return nil }
    var identity = identity(.observer, 0, observer, nil, note.time)
    identity.add(deed.rawValue)
    identity.add(note.packetsLost)
    let own = identity.mixed
    let ordinal = ordinals.next(of: own)
    if ordinal > 0 { identity.add(Int64(ordinal)) }
    var event = TimelineEvent(
      id: ordinal == 0 ? own : identity.mixed, type: .observer, time: note.time, observer: observer,
      region: nil,
      profile: 0)
    event.deed = deed
    event.packetsLost = note.packetsLost
    if note.frame > 0 { event.evidence = [Self.evidence(capture, note.frame)] }
    return event
  }

  private static func cause(_ kind: PositionEvent.Kind) -> TimelineEvent.Position.Cause {
    switch kind {
    case .update: .update
    case .significantChange: .significantChange
    case .course: .course
    }
  }

  private static func evidence(_ place: FixPlace) -> TimelineEvent.Evidence {
    TimelineEvent.Evidence(
      source: place.kind == .line ? .track : .capture, file: Int(place.file), number: place.number)
  }

  private func add(_ transmitter: UInt32, to identity: inout EventIdentity) {
    let transmitter = tables.transmitters[transmitter]
    identity.add(Int64(bitPattern: transmitter.address.rawValue))
    for byte in tables.identities.bytes(of: tables.identities[transmitter.identity]) {
      identity.add(Int64(byte))
    }
  }

  /// What makes an alert what it is.
  /// - Parameter ordinal: counts those that are equal otherwise, from 0.
  func identity(of alert: Alert, ordinal: Int) -> UInt64 {
    var identity = beginnings[0]
    identity.add(TimelineEventType.alert.rawValue)
    for text in [alert.rule.plugin, alert.rule.version, alert.rule.sha256] { identity.add(text) }
    identity.add(alert.time.nanoseconds)
    identity.add(alert.title)
    identity.add(alert.dedupeKey)
    identity.add(alert.observer.map { observers[$0] } ?? "")
    identity.add(alert.region.map { regions[$0].text } ?? "")
    if let transmitter = alert.transmitter { add(UInt32(transmitter), to: &identity) }
    for event in alert.events { identity.add(Int64(bitPattern: event)) }
    identity.add(Int64(ordinal))
    return identity.mixed
  }

  /// - Parameter place: in `Timeline.alerts`.
  func event(_ alert: Alert, place: Int, id: UInt64) -> TimelineEvent {
    var event = TimelineEvent(
      id: id, type: .alert, time: alert.time, observer: alert.observer ?? 0, region: alert.region,
      profile: 0)
    event.alert = place
    event.transmitter = alert.transmitter
    event.evidence = alert.evidence
    return event
  }

  /// What makes an event of a region what it is, its evidence aside.
  private func identity(
    _ type: TimelineEventType, _ profile: Int, _ observer: Int, _ region: Int?, _ time: Timestamp
  ) -> EventIdentity {
    var identity = beginnings[profile]
    identity.add(observers[observer])
    if let region { identity.add(regions[region].text) }
    identity.add(type.rawValue)
    identity.add(time.nanoseconds)
    return identity
  }

  static func evidence(_ capture: UInt32, _ frame: Int) -> TimelineEvent.Evidence {
    TimelineEvent.Evidence(source: .capture, file: Int(capture), number: frame)
  }
}

extension TimelineEvent.Deed {
  /// Scanning that begins and ends is not an event by itself: scanners do that all the time.
  init?(_ kind: ObserverNote.Kind) {
    switch kind {
    case .reset: self = .reset
    case .captureOff: self = .captureOff
    case .captureOn: self = .captureOn
    case .lost: self = .lost
    case .tick, .scanOn, .scanOff, .end, .malformed, .clock, .silence, .undecoded, .scanLimits:
      return nil
    }
  }
}

extension TimelineEvent {
  /// The order in which events are told: by time; at one instant exits come before enters (SEMANTICS
  /// 2, 4), then by observer, region, profile and identity; alerts are last.
  static func comesBefore(_ a: TimelineEvent, _ b: TimelineEvent) -> Bool {
    if a.time.nanoseconds != b.time.nanoseconds { return a.time.nanoseconds < b.time.nanoseconds }
    // Alerts come in the order in which they were given.
    if let one = a.alert, let other = b.alert { return one < other }
    let (one, other) = (
      (a.rank, a.observer, a.region ?? -1, a.profile),
      (b.rank, b.observer, b.region ?? -1, b.profile)
    )
    guard one == other else { return one < other }
    // Where a clock is set back a pause has no length: it begins before it ends.
    if a.isPauseEnd != b.isPauseEnd { return b.isPauseEnd }
    return a.id < b.id
  }

  private var isPauseEnd: Bool { deed == .captureOn }

  private var rank: Int {
    switch type {
    case .monitoringFailed: 0
    case .exit: 1
    case .messageLost: 2
    case .state: state == .outside ? 3 : 4
    case .enter: 5
    case .messageFound: 6
    case .proximity: 7
    case .ranging: 8
    case .alert: 10
    default: 9
    }
  }
}
