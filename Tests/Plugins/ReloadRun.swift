import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Plugins
import Regions
import Synchronization

/// A run in which something is done with the plugins while it goes on: a judge around theirs.
///
/// Unchecked: as the host's, its calls come one behind the other.
final class ReloadRun: Judge, @unchecked Sendable {
  /// Done once the run's clock has come so far, in seconds from the beginning.
  typealias Step = (at: Double, what: (PluginHost) -> Void)

  let host: PluginHost
  private var steps: [Step]
  private let lines: Lines
  private(set) var alerts: [Alert] = []
  private(set) var timeline = Timeline()

  /// What was told and printed.
  private final class Lines: Sendable {
    let told = Mutex<[String]>([])
    let printed = Mutex<[String]>([])
  }

  static let start: Int64 = 1_767_225_600

  /// - Parameters:
  ///   - plugins: name and text of each.
  ///   - seconds: when a beacon is heard, https://a/.
  init(
    _ plugins: [(name: String, text: String)], heardAt seconds: [Double],
    settings: [String: [String: String]] = [:], saved: SavedStates = SavedStates(),
    mayReload: Bool = true, _ steps: [Step] = []
  ) throws {
    let lines = Lines()
    self.lines = lines
    self.steps = steps
    host = try PluginHost(
      plugins.map { (try Self.file($0.name, $0.text), isSite: false) }, settings: settings,
      saved: saved, mayReload: mayReload,
      tell: { line in lines.told.withLock { $0.append(line) } },
      printed: { line in lines.printed.withLock { $0.append(line) } })
    var options = Analysis.Options()
    options.readsAhead = false
    var follow = FollowSettings()
    follow.regions = RegionList(host.declarations.flatMap(\.regions))
    follow.judge = self
    follow.custom = host.decoders
    try follow.check()
    options.follow = follow
    let bytes = TestingCapture.bytes(at: seconds, from: Self.start)
    var analysis = Analysis([.bytes(bytes, name: "a")], options: options)
    var none = NoSink()
    timeline = try analysis.run(into: &none).timeline ?? Timeline()
  }

  static func file(_ name: String, _ text: String) throws -> PluginFile {
    try PluginFile(path: "folder/\(name).lua", text: Array(text.utf8))
  }

  var told: [String] { lines.told.withLock { $0 } }
  var printed: [String] { lines.printed.withLock { $0 } }

  /// Second and title of each.
  var titles: [String] {
    alerts.map {
      "\(($0.time.nanoseconds - Self.start * 1_000_000_000) / 1_000_000_000) \($0.title)"
    }
  }

  private func step(_ time: Timestamp) {
    let seconds = Double(time.nanoseconds) / 1e9 - Double(Self.start)
    while let first = steps.first, seconds >= first.at {
      steps.removeFirst()
      first.what(host)
    }
  }

  var wishes: JudgeWishes { host.wishes }
  func begin(
    at time: Timestamp, _ frame: TimelineEvent.Evidence, known: [KnownPresence], _ view: RunView
  ) {
    host.begin(at: time, frame, known: known, view)
  }
  func consider(_ sighting: JudgedSighting, _ view: RunView) { host.consider(sighting, view) }
  func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32,
    fields: [CustomFields], _ view: RunView
  ) {
    host.take(run, wholes, capture: capture, fields: fields, view)
  }
  func take(_ event: TimelineEvent, _ view: RunView) { host.take(event, view) }
  func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {
    host.take(note, observer: observer, capture: capture, view)
  }
  func hear(until time: Timestamp, observer: String) {
    host.hear(until: time, observer: observer)
  }
  func take(_ turn: RecordingTurn, _ view: RunView) { host.take(turn, view) }
  func resume(_ limits: ScanLimits, of observer: String) { host.resume(limits, of: observer) }
  func reach(_ time: Timestamp, _ view: RunView) {
    host.reach(time, view)
    step(time)
  }
  func finish(at time: Timestamp, _ view: RunView) { host.finish(at: time, view) }
  func takeMarkers() -> [Timestamp] { host.takeMarkers() }
  func takeAlerts() -> [Alert] {
    let taken = host.takeAlerts()
    alerts += taken
    return taken
  }
  var reports: [JudgeReport] { host.reports }
}
