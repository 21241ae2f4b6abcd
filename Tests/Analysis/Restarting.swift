import Analysis
import CaptureReader
import FrameEncoder
import Regions
import Synchronization

/// What two beacons and somebody else send, in seconds from `Recording.start`, and what runs over parts
/// of it find.
struct Restarting {
  /// Minor 1 lies in `lobby`, 2 in `hall`; others in no region. 0 stands for an Eddystone-UID.
  struct Heard: Sendable {
    var at: Double
    var minor: UInt16
  }

  /// One run.
  struct Outcome {
    /// `enter lobby 12.0 last 3.0` with what was last seen, without profile and observer.
    var events: [String] = []
    var timeline = Timeline()
    var state: RunState?
    var told: [String] = []
  }

  /// Takes the last state, and counts the others.
  final class Keeper: RunStateKeeper {
    let interval: Int64
    private let kept = Mutex<[RunState]>([])
    init(every seconds: Double = 5) { interval = Int64(seconds * 1e9) }

    func keep(_ state: () -> RunState) -> Bool {
      let state = state()
      kept.withLock { $0.append(state) }
      return true
    }
    func keepLast(_ state: RunState) { kept.withLock { $0.append(state) } }
    var states: [RunState] { kept.withLock { $0 } }
  }

  static let lobby = "lobby=ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:1"
  static let hall = "hall=ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:2"

  var settings = FollowSettings()
  var observer = "hci0"
  var goodFor = RunState.usualAge

  init(_ regions: String...) throws {
    settings.regions = RegionList(
      try (regions.isEmpty ? [Self.lobby, Self.hall] : regions).map { try Region.parse($0) })
  }

  func run(
    _ heard: [Heard], after state: RunState? = nil, keeper: Keeper = Keeper()
  ) throws -> Outcome {
    var recording = Recording("part")
    for heard in heard {
      recording.hear(
        heard.minor == 0 ? Recording.eddystone : Recording.iBeacon(heard.minor),
        from: Address(0xC000_0000_0000 + UInt64(heard.minor)),
        at: Int64((heard.at * 1000).rounded()))
    }
    return try run([recording.source], after: state, keeper: keeper)
  }

  func run(
    _ sources: [CaptureSource], after state: RunState? = nil, keeper: Keeper = Keeper()
  ) throws -> Outcome {
    let told = Lines()
    var options = Analysis.Options()
    options.readsAhead = false
    var follow = settings
    follow.observerNames[0] = observer
    follow.keeper = keeper
    follow.restored = state.map { RestoredRun($0, goodFor: goodFor) { told.add($0) } }
    options.follow = follow
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    var outcome = Outcome()
    outcome.timeline = try analysis.run(into: &none).timeline ?? Timeline()
    outcome.events = outcome.timeline.events.map { Self.text($0, outcome.timeline) }
    outcome.state = keeper.states.last
    outcome.told = told.lines
    return outcome
  }

  final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var lines: [String] { kept.withLock { $0 } }
  }

  static func seconds(_ time: Timestamp) -> Double {
    Double(time.nanoseconds / 1_000_000 - Recording.start) / 1000
  }

  static func text(_ event: TimelineEvent, _ timeline: Timeline) -> String {
    var text = event.type.rawValue
    if event.type == .state { text += "(\(event.state?.rawValue ?? ""))" }
    if let region = event.region { text += " \(timeline.regions[region].identifier)" }
    if let message = event.message { text += " \(timeline.messages[message].content)" }
    text += " \(seconds(event.time))"
    if event.lastSeen.isKnown { text += " last \(seconds(event.lastSeen))" }
    if event.evidence.isEmpty, event.type != .state || event.state == .inside {
      text += " uncited"
    }
    return text
  }

  /// Somebody else, once a second: the observer is not deaf.
  static func others(_ seconds: ClosedRange<Int>) -> [Heard] {
    seconds.map { Heard(at: Double($0), minor: 9) }
  }

  static func mixed(_ heard: [Heard]...) -> [Heard] {
    heard.flatMap { $0 }.sorted { ($0.at, $0.minor) < ($1.at, $1.minor) }
  }
}
