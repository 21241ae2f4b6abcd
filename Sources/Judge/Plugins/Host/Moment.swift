import Analysis
import Beacons
import CaptureReader

/// What is being handled, and when: shared by the plugins of a run.
final class Moment {
  enum Handling {
    case nothing
    /// One of a run: which one knows the Lua state that has it.
    case run(SightingRun)
    /// One that regions are being asked about.
    case considered(JudgedSighting)
    case event(TimelineEvent)
    /// A timer that was due then.
    case timer(Timestamp)
    /// A note: the frame, and whose it is.
    case frame(TimelineEvent.Evidence, observer: Int)
  }

  /// The run's clock; none before the first time known.
  var now = Timestamp.none
  /// What numbers stand for; nil outside of calls: its tables grow in between.
  var view: RunView?
  /// Whom observers' scans leave out now.
  let scans = ObserverScans()
  /// By observer's name: when it heard anybody last, whoever that was; it is told ahead of what comes before it.
  private var heard: [String: (before: Timestamp, latest: Timestamp)] = [:]
  /// What alerts cite unless they say otherwise.
  var handling = Handling.nothing

  /// The input has come to its end: no moment follows.
  var isOver = false

  /// Files of one observer may overlap: the latest counts.
  func hear(until time: Timestamp, observer: String) {
    let known = heard[observer]?.latest ?? .none
    guard !known.isKnown || known.nanoseconds < time.nanoseconds else { return }
    heard[observer] = (heardAnybody(observer), time)
  }

  /// When it heard anybody last, as of now.
  func heardAnybody(_ observer: String) -> Timestamp {
    guard let (before, latest) = heard[observer] else { return .none }
    return now.isKnown && latest.nanoseconds <= now.nanoseconds ? latest : before
  }

  func move(to time: Timestamp) {
    if time.isKnown && (!now.isKnown || time.nanoseconds > now.nanoseconds) { now = time }
  }
}
