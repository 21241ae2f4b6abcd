import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TrackReader

/// Makes events of what the monitors found.
struct EventMaking: Sendable {
  /// By the run's observer number.
  let observers: [String]
  /// Name and all numbers of each.
  private let profiles: [String]
  private let statistics: BeaconStatistics
  /// By number; their texts make identities of events.
  private let regions: [Region]

  init(
    observers: [String], profiles: [Profile], regions: [Region], statistics: BeaconStatistics
  ) {
    self.observers = observers
    self.profiles = profiles.map { profile in
      ([profile.name] + profile.numbers.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }
    self.regions = regions
    self.statistics = statistics
  }

  func event(_ found: RegionEvent) -> TimelineEvent {
    var event = TimelineEvent(
      id: found.id, type: TimelineEventType(rawValue: found.type.rawValue), time: found.time,
      observer: Int(found.observer), region: Int(found.region), profile: Int(found.profile))
    event.state = found.state
    event.lastSeen = found.lastSeen
    event.crossedAt = found.crossedAt
    event.silence = found.silence
    if let evidence = found.evidence {
      event.transmitter = Int(evidence.transmitter)
      event.evidence = [Self.evidence(evidence.capture, evidence.frame)]
    }
    return event
  }

  func event(_ found: ProximityChange, profile: Int) -> TimelineEvent {
    var identity = identity(.proximity, profile, found.observer, found.region, found.time)
    let transmitter = statistics.transmitters[found.transmitter]
    identity.add(Int64(bitPattern: transmitter.address.rawValue))
    for byte in statistics.identities.bytes(of: statistics.identities[transmitter.identity]) {
      identity.add(Int64(byte))
    }
    identity.add(found.from.name.description)
    identity.add(found.to.name.description)
    var evidence = [Self.evidence(found.firstFrame.capture, found.firstFrame.frame)]
    if found.lastFrame != found.firstFrame {
      evidence.append(Self.evidence(found.lastFrame.capture, found.lastFrame.frame))
    }
    for frame in evidence { identity.add(Int64(frame.number)) }
    var event = TimelineEvent(
      id: identity.mixed, type: .proximity, time: found.time, observer: found.observer,
      region: found.region, profile: profile)
    event.from = found.from
    event.to = found.to
    event.transmitter = Int(found.transmitter)
    event.distance = found.accuracy
    event.rssi = found.rssi?.value
    event.evidence = evidence
    return event
  }

  func event(_ found: RangingList, profile: Int) -> TimelineEvent {
    let identity = identity(.ranging, profile, found.observer, found.region, found.time)
    var event = TimelineEvent(
      id: identity.mixed, type: .ranging, time: found.time, observer: found.observer,
      region: found.region, profile: profile)
    event.entries = found.entries
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
    var identity = identity(type, profile, observer, region, time)
    let evidence = found.evidence.map(Self.evidence)
    for fix in evidence { identity.add(Int64(fix.number)) }
    var event = TimelineEvent(
      id: identity.mixed, type: type, time: time, observer: observer, region: region,
      profile: profile)
    event.state = found.isInside ? .inside : .outside
    event.crossedAt = found.crossedAt
    event.evidence = evidence
    return event
  }

  func event(_ found: MessageEvent, text: String, exitPeriod: Int64, profile: Int)
    -> TimelineEvent
  {
    let type: TimelineEventType = found.kind == .found ? .messageFound : .messageLost
    var identity = identity(type, profile, found.observer, nil, found.time)
    identity.add(text)
    identity.add(exitPeriod)
    identity.add(Int64(found.evidence.frame))
    var event = TimelineEvent(
      id: identity.mixed, type: type, time: found.time, observer: found.observer, region: nil,
      profile: profile)
    event.message = found.message
    event.transmitter = Int(found.evidence.transmitter)
    if found.kind == .lost { event.lastSeen = found.evidence.time }
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

  /// What makes an event of a region what it is, its evidence aside.
  private func identity(
    _ type: TimelineEventType, _ profile: Int, _ observer: Int, _ region: Int?, _ time: Timestamp
  ) -> EventIdentity {
    var identity = EventIdentity()
    identity.add(profiles[profile])
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

extension TimelineEvent {
  /// The order in which events are told: by time; at one instant exits come before enters (SEMANTICS
  /// 2, 4), then by observer, region, profile and identity.
  static func comesBefore(_ a: TimelineEvent, _ b: TimelineEvent) -> Bool {
    if a.time.nanoseconds != b.time.nanoseconds { return a.time.nanoseconds < b.time.nanoseconds }
    return (a.rank, a.observer, a.region ?? -1, a.profile, a.id)
      < (b.rank, b.observer, b.region ?? -1, b.profile, b.id)
  }

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
    default: 9
    }
  }
}
