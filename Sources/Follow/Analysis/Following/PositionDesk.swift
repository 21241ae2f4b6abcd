import CaptureReader
import Regions
import TrackReader

/// Positions worth an event, for each observer.
struct PositionDesk {
  private let settings: PositionSettings
  private let fixes: [Fix]
  private var monitors: [PositionMonitor] = []
  private var hasBegun: [Bool] = []
  private(set) var events: [(observer: Int, event: PositionEvent)] = []

  /// About 500 m, and a course that turned by so many degrees.
  private static let significant = 500.0
  private static let turned = 15.0

  /// nil where none is wanted.
  init?(_ settings: FollowSettings) {
    guard let filter = settings.positionFilter else { return nil }
    self.settings = PositionSettings(
      distanceFilter: filter, significantDistance: Self.significant, courseFilter: Self.turned)
    fixes = settings.tracks.flatMap(\.fixes).sorted { $0.time.nanoseconds < $1.time.nanoseconds }
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
}
