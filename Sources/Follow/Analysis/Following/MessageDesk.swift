import Beacons
import CaptureReader
import Regions

/// Messages that beacons carry, as one profile finds and loses them.
struct MessageDesk {
  private var monitor: MessageMonitor
  private var known = 0
  private let duty: DutyCycle
  private let ignoresUnknownRSSI: Bool
  /// By observer: its first record and its clock.
  private var starts: [Int64] = []
  private var clocks: [Int64] = []

  /// nil where there are no messages.
  init?(_ settings: FollowSettings, _ profile: Profile) {
    guard !settings.messages.isEmpty else { return nil }
    duty = DutyCycle(profile)
    ignoresUnknownRSSI = profile.ignoresUnknownRSSI
    let subscriptions =
      settings.subscriptions.isEmpty ? [Subscription()] : settings.subscriptions
    monitor = MessageMonitor(settings.messages, subscriptions, exitPeriod: profile.exitAfter)
  }

  mutating func take(
    _ run: Span<BriefSighting>, capture: UInt32, _ tables: RunTables
  ) {
    if tables.identities.count > known {
      monitor.learn(tables.identities)
      known = tables.identities.count
    }
    monitor.continueCapture(Int(capture))
    for place in run.indices {
      let number = run[place].transmitter
      let transmitter = tables.transmitters[number]
      let observer = Int(transmitter.observer)
      let moment = move(observer, to: run[place].time.nanoseconds)
      if ignoresUnknownRSSI && run[place].rssi == 127 { continue }
      if moment != .min && !duty.listens(at: moment, from: starts[observer]) { continue }
      monitor.heard(
        identity: transmitter.identity, observer: Int(transmitter.observer), transmitter: number,
        time: run[place].time, frame: run[place].frame)
    }
  }

  /// - Returns: when a sighting of this time is handled.
  private mutating func move(_ observer: Int, to time: Int64) -> Int64 {
    while clocks.count <= observer {
      clocks.append(.min)
      starts.append(.min)
    }
    if time > clocks[observer] {
      if clocks[observer] == .min { starts[observer] = time }
      clocks[observer] = time
    }
    return clocks[observer]
  }

  mutating func advance(_ observer: Int, to time: Timestamp) {
    _ = move(observer, to: time.nanoseconds)
    monitor.advance(observer: observer, to: time)
  }

  /// Messages within reach of an observer, and when each was seen last.
  func memories(at observer: Int) -> [(message: Int, lastSeen: Timestamp)] {
    var found: [Int: Timestamp] = [:]
    for event in monitor.open where event.observer == observer {
      found[event.message] = event.evidence.time
    }
    return found.sorted { $0.key < $1.key }.map { (message: $0.key, lastSeen: $0.value) }
  }

  /// Begins an observer with what an earlier run had within reach.
  /// - Parameter start: its first record.
  mutating func restore(
    _ found: [(message: Int, lastSeen: Timestamp)], at observer: Int, from start: Timestamp
  ) {
    _ = move(observer, to: start.nanoseconds)
    monitor.restore(found, observer: observer, from: start)
  }

  var hasEvents: Bool { !monitor.events.isEmpty }

  mutating func drain() -> [MessageEvent] { monitor.takeEvents() }
}
