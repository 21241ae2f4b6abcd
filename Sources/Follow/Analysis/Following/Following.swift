import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// What follows a run beside adding it up: each profile's monitors, fed with sightings and with what
/// the observers did, in the order of each capture.
final class Following {
  private let settings: FollowSettings
  private let followers: [ProfileFollower]
  private var observers: [Timeline.Observer] = []
  private var deaf: [DeafSpans] = []
  /// By the run's number, the monitors' number: the same.
  private var sameObservers: [UInt32] = []

  init(_ settings: FollowSettings) throws(SettingProblem) {
    self.settings = settings
    var followers: [ProfileFollower] = []
    for number in settings.profiles.indices {
      followers.append(try ProfileFollower(settings, number))
    }
    self.followers = followers
  }

  /// Observers that the run has come to know since.
  func meet(_ names: [String]) {
    while observers.count < names.count {
      let name = names[observers.count]
      sameObservers.append(UInt32(observers.count))
      observers.append(Timeline.Observer(name: name))
      deaf.append(DeafSpans(leastGap: settings.profiles[0].exitAfter))
      for follower in followers { follower.addObserver(name) }
    }
  }

  /// A run of sightings of one capture.
  func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, numbers: Span<UInt32>,
    _ tables: RunTables
  ) {
    guard !run.isEmpty else { return }
    for follower in followers {
      follower.take(
        run, wholes: wholes, capture: capture, numbers: numbers, tables,
        observers: sameObservers.span)
    }
  }

  /// - Parameter observer: the run's number.
  func take(_ note: ObserverNote, observer: Int) {
    deaf[observer].take(note)
    for follower in followers { follower.take(note, observer: observer) }
  }

  /// Nothing more comes: what all of it came to.
  func finish(_ statistics: BeaconStatistics) -> Timeline {
    for follower in followers { follower.finish() }
    var timeline = Timeline()
    let main = followers[0]
    timeline.isDefaultRegions = settings.regions.regions.isEmpty
    timeline.regions = (0..<main.monitor.regionCount).map { main.monitor.region(UInt32($0)) }
    for (observer, deaf) in zip(observers, deaf) {
      var observer = observer
      (observer.start, observer.end, observer.deaf) = (deaf.start, deaf.end, deaf.spans)
      timeline.observers.append(observer)
    }
    let texts = timeline.regions.map(\.text)
    let making = EventMaking(
      observers: observers.map(\.name), profiles: settings.profiles.map(\.name),
      regionText: { texts[$0] })
    for follower in followers {
      timeline.outcomes.append(outcome(follower, timeline))
      timeline.events += follower.drain(making)
    }
    timeline.events.sort(by: TimelineEvent.comesBefore)
    timeline.warnings = main.monitor.warnings
    timeline.hints = Hints(timeline, statistics, main.monitor, main.unusablePowers).all
    return timeline
  }

  private func outcome(_ follower: ProfileFollower, _ timeline: Timeline) -> Timeline.Outcome {
    var outcome = Timeline.Outcome(profile: settings.profiles[follower.number])
    outcome.stays = follower.stays()
    outcome.states = observers.indices.map { observer in
      timeline.regions.indices.map {
        follower.monitor.presence(in: UInt32($0), at: UInt32(observer))
      }
    }
    return outcome
  }
}
