import CaptureReader
import Regions
import TrackReader

/// Positions worth an event, for each observer.
struct PositionDesk {
  private let settings: PositionSettings
  private let fixes: [Fix]
  private var monitors: [PositionMonitor] = []
  private var hasBegun: [Bool] = []
  private var events: [(observer: Int, event: PositionEvent)] = []

  /// nil where none is wanted.
  init?(_ settings: FollowSettings) {
    guard let positions = settings.positions else { return nil }
    self.settings = positions
    fixes = MergedTracks(settings.tracks).fixes
  }

  private mutating func makeObserver(_ observer: Int) {
    while monitors.count <= observer {
      monitors.append(PositionMonitor(settings, fixes: fixes))
      hasBegun.append(false)
    }
  }

  mutating func add(_ fix: Fix, observer: Int) {
    makeObserver(observer)
    monitors[observer].add(fix)
  }

  mutating func advance(_ observer: Int, to time: Timestamp) {
    guard time.isKnown else { return }
    makeObserver(observer)
    if !hasBegun[observer] {
      monitors[observer].begin(at: time)
      hasBegun[observer] = true
    }
    monitors[observer].advance(to: time)
    events += monitors[observer].takeEvents().map { (observer, $0) }
  }

  var isEmpty: Bool { events.isEmpty }

  /// Events since the last call.
  mutating func drain(_ making: borrowing EventMaking) -> [TimelineEvent] {
    defer { events.removeAll() }
    return events.map { making.event($0.event, observer: $0.observer) }
  }
}
