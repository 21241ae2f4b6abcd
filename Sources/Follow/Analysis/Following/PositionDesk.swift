import CaptureReader
import Regions
import TrackReader

/// Positions worth an event, for each observer.
struct PositionDesk {
  private let settings: PositionSettings
  private let tracks: ObserverTracks
  private var observerNames: [String] = []
  private var monitors: [PositionMonitor] = []
  private var hasBegun: [Bool] = []
  private var events: [(observer: Int, event: PositionEvent)] = []

  /// nil where none is wanted.
  init?(_ settings: FollowSettings) {
    guard let positions = settings.positions else { return nil }
    self.settings = positions
    tracks = ObserverTracks(settings.tracks)
  }

  /// In the order of their numbers, before anything of them is taken.
  mutating func addObserver(_ name: String) { observerNames.append(name) }

  private mutating func makeObserver(_ observer: Int) {
    while monitors.count <= observer {
      let fixes = tracks.fixes(of: observerNames[monitors.count])
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
