import Beacons
import CaptureReader
import Regions

/// Messages that beacons carry, as one profile finds and loses them.
struct MessageDesk {
  private var monitor: MessageMonitor
  private var known = 0

  /// nil where there are no messages.
  init?(_ settings: FollowSettings, _ profile: Profile) {
    guard !settings.messages.isEmpty else { return nil }
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
      monitor.heard(
        identity: transmitter.identity, observer: Int(transmitter.observer), transmitter: number,
        time: run[place].time, frame: run[place].frame)
    }
  }

  mutating func advance(_ observer: Int, to time: Timestamp) {
    monitor.advance(observer: observer, to: time)
  }

  mutating func drain() -> [MessageEvent] { monitor.takeEvents() }
}
