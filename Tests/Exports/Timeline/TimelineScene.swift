import Analysis
import Beacons
import CaptureReader
import FrameDecoder

@testable import Exports
@testable import Regions

/// A timeline made by hand. Times are seconds after 2026-05-19 10:00:00 UTC.
struct TimelineScene {
  static let start: Int64 = 1_779_184_800_000_000_000
  var timeline = Timeline()
  private(set) var statistics = BeaconStatistics()
  /// Number of the one transmitter: `f7826da6-…:1:7` from c2:35:33:30:25:50.
  let beacon: Int

  /// - Parameter observers: names, with seconds at which their recordings begin and end.
  init(
    observers: [(String, from: Double, to: Double)] = [("hci0", 0, 600)],
    regions: [String] = ["lobby=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"],
    profiles: [Profile] = [Profiles.site]
  ) throws {
    let bytes: [UInt8] = [
      0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89,
      0x3E, 0, 1, 0, 7,
    ]
    let identity = statistics.number(
      of: IdentityPrefix(.iBeacon, bytes).identity, in: IdentityTable())
    beacon = Int(
      statistics.number(
        of: Transmitter(
          address: DeviceAddress(0xC235_3330_2550, .random), identity: identity, observer: 0)))
    for (name, from, to) in observers {
      var observer = Timeline.Observer(name: name)
      (observer.start, observer.end) = (Self.time(from), Self.time(to))
      timeline.observers.append(observer)
    }
    timeline.regions = try regions.map { try Region.parse($0) }
    timeline.outcomes = profiles.map { profile in
      var outcome = Timeline.Outcome(profile: profile)
      outcome.states = observers.map { _ in
        [RegionPresence](repeating: .outside, count: regions.count)
      }
      return outcome
    }
  }

  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: start + Int64((seconds * 1e9).rounded()))
  }

  /// - Parameter until: nil: still inside at the end.
  mutating func stay(
    _ region: Int = 0, at observer: Int = 0, profile: Int = 0, from: Double, until: Double?,
    already: Bool = false, sightings: Int = 12, silence: Silence? = nil,
    nearest: NearestApproach? = nil
  ) {
    var state = RegionState(region: UInt32(region), observer: UInt32(observer), rule: 0)
    state.since = Self.time(from).nanoseconds
    state.last = Self.time((until ?? from + 31) - 30).nanoseconds
    state.wasInsideAlready = already
    state.sightings = sightings
    state.firstMatch = SightingReference(capture: 0, frame: 3, transmitter: 0)
    state.lastMatch = SightingReference(capture: 0, frame: 9, transmitter: 0)
    let visit = Visit(
      state, until: until.map { Self.time($0).nanoseconds },
      silence: until == nil ? nil : silence ?? Self.gone)
    timeline.outcomes[profile].stays.append(Timeline.Stay(visit: visit, nearest: nearest))
    if until == nil { timeline.outcomes[profile].states[observer][region] = .inside }
  }

  /// When it was first known to be outside.
  mutating func outside(
    _ region: Int = 0, at observer: Int = 0, profile: Int = 0, after time: Double
  ) {
    var event = TimelineEvent(
      id: 1, type: .state, time: Self.time(time), observer: observer, region: region,
      profile: profile)
    event.state = .outside
    timeline.events.append(event)
  }

  static let gone = silence(.gone, heard: 60, chance: (100_000_000, 0.1, 1e-9))

  static func silence(
    _ grade: Silence.Grade, heard: Double? = nil, scanOff: Int64 = 0, captureOff: Int64 = 0,
    gap: Int64 = 0, filtered: Int64 = 0, listedOnly: Int64 = 0, packetsLost: Int64 = 0,
    chance: (interval: Int64, loss: Double, probability: Double)? = nil,
    listened: Silence.Listened? = nil
  ) -> Silence {
    Silence(
      grade: grade, othersHeard: heard.map { time($0) } ?? .none, scanOff: scanOff,
      captureOff: captureOff, recordGap: gap, filtered: filtered, listedOnly: listedOnly,
      packetsLost: packetsLost,
      interval: chance?.interval, loss: chance?.loss, probability: chance?.probability,
      listened: listened, transmitters: chance == nil ? 0 : 1)
  }

  var names: EventNames {
    EventNames(timeline, captures: ["site.pcapng"], statistics: statistics)
  }

  func text(width: Int? = nil, all: Bool = false) -> [String] {
    TimelineText(style: Style(colour: false), showsAll: all, width: width).lines(names)
  }
}

/// What has been written.
final class EventCollector: TextOutput {
  private(set) var string = ""
  func write(_ bytes: [UInt8]) { string += String(decoding: bytes, as: UTF8.self) }
}

extension TimelineScene {
  /// What a form of output makes of events.
  func written(_ events: [TimelineEvent], _ form: String, width: Int? = nil) throws -> String {
    let collector = EventCollector()
    guard let export = EventExports.named(form) else { return "no form \(form)" }
    var sink = export.open(collector, width)
    try sink.take(events, names)
    try sink.end()
    return collector.string
  }

  func event(_ type: TimelineEventType, _ seconds: Double = 61.118) -> TimelineEvent {
    TimelineEvent(
      id: 0x20C4_E81F_0B37_A9D2, type: type, time: Self.time(seconds), observer: 0, region: 0,
      profile: 0)
  }

  static let evidence = TimelineEvent.Evidence(source: .capture, file: 0, number: 21877)
}
