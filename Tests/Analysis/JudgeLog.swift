import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Regions
import TestSupport

@testable import Analysis

/// A judge that writes down everything it is told.
final class JudgeLog: Judge, @unchecked Sendable {
  // Unchecked: it is asked on one queue at a time, and read when the run has ended.
  var wishes = JudgeWishes()
  private(set) var lines: [String] = []
  private(set) var events: [TimelineEvent] = []
  private(set) var regions: [String] = []
  /// What it marks, and says, on a line.
  var marks: (String) -> [Timestamp] = { _ in [] }
  var says: (String) -> [Alert] = { _ in [] }
  private var markers: [Timestamp] = []
  /// Inside a run nobody but the judge itself sees that the clock goes on.
  private var clock = Int64.min
  private var alerts: [Alert] = []
  /// Whether reaching a time is written down.
  var tellsReach = true
  /// Whether beginnings and ends of what is recorded are.
  var tellsRecordings = false

  func begin(
    at time: Timestamp, _ frame: TimelineEvent.Evidence, known: [KnownPresence], _ view: RunView
  ) {
    clock = time.nanoseconds
    write("begin \(Self.text(time))")
  }

  func consider(_ sighting: JudgedSighting, _ view: RunView) {
    write("consider \(Self.text(sighting, view))")
  }

  func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32,
    fields: [CustomFields], _ view: RunView
  ) {
    for place in run.indices where run[place].whole > 0 && isWished(run[place], view) {
      reach(run[place].time, view)
      let whole = wholes[Int(run[place].whole) - 1]
      write(
        "sighting "
          + Self.text(JudgedSighting(brief: run[place], whole: whole, capture: capture), view))
    }
  }

  private func isWished(_ sighting: BriefSighting, _ view: RunView) -> Bool {
    switch wishes.sightings {
    case .none: return false
    case .all: return true
    case .some(let filter):
      let transmitter = view.transmitters[sighting.transmitter]
      return filter.takes(
        transmitter.address, view.identities[transmitter.identity], view.identities)
    }
  }

  func take(_ event: TimelineEvent, _ view: RunView) {
    if !event.isSilenced { events.append(event) }
    let region = event.region.map { " " + view.regions[$0].identifier } ?? ""
    let message = event.message.map { " \(view.messages[$0].type)" } ?? ""
    let state = event.type == .state ? " \(event.state?.rawValue ?? "")" : ""
    write(
      "\(event.isSilenced ? "silenced " : "")\(event.type.rawValue)\(region)\(message)\(state) \(Self.text(event.time))"
        + " at \(view.observers[event.observer])")
  }

  func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {
    write("\(note.kind) \(Self.text(note.time)) at \(view.observers[observer])")
  }

  func resume(_ limits: ScanLimits, of observer: String) {}

  func take(_ turn: RecordingTurn, _ view: RunView) {
    guard tellsRecordings else { return }
    write(
      "recording \(turn.isBeginning ? "begins" : "ends") \(Self.text(turn.time))"
        + " at \(view.observers[turn.observer]): \(view.captures[Int(turn.capture)])\(turn.frame)")
  }

  func reach(_ time: Timestamp, _ view: RunView) {
    guard time.nanoseconds > clock else { return }
    clock = time.nanoseconds
    if tellsReach { write("reach \(Self.text(time))") }
  }

  func finish(at time: Timestamp, _ view: RunView) {
    regions = view.regions.map(\.identifier)
    write("finish \(Self.text(time))")
  }

  var reports: [JudgeReport] { [] }

  func takeMarkers() -> [Timestamp] {
    defer { markers = [] }
    return markers
  }

  func takeAlerts() -> [Alert] {
    defer { alerts = [] }
    return alerts
  }

  private func write(_ line: String) {
    lines.append(line)
    markers += marks(line)
    alerts += says(line)
  }

  private static func text(_ sighting: JudgedSighting, _ view: RunView) -> String {
    let transmitter = view.transmitters[sighting.brief.transmitter]
    let identity = view.identities[transmitter.identity]
    let isOne =
      sighting.brief.frame == sighting.whole.frame
      && transmitter.address == sighting.whole.address && identity.kind == sighting.whole.kind
    return "\(text(sighting.brief.time)) \(view.captures[Int(sighting.capture)])"
      + "\(sighting.brief.frame) of \(transmitter.address.address)" + (isOne ? "" : " WRONG")
  }

  /// Seconds since the recordings began, with three decimals.
  static func text(_ time: Timestamp) -> String {
    guard time.isKnown else { return "unknown" }
    let milliseconds = (time.nanoseconds - Recording.start * 1_000_000) / 1_000_000
    let rest = String(1000 + milliseconds % 1000).dropFirst()
    return "\(milliseconds / 1000).\(rest)"
  }
}

/// Recordings followed with a judge.
struct JudgedRun {
  let log: JudgeLog
  let result: AnalysisResult
  var timeline: Timeline { result.timeline ?? Timeline() }

  /// All events of the timeline, those of ranging too.
  var allEvents: [TimelineEvent] {
    get throws {
      var events: [TimelineEvent] = []
      try timeline.forEachBatch { events += $0 }
      return events
    }
  }

  init(
    _ sources: [CaptureSource], _ settings: FollowSettings = FollowSettings(),
    readsAhead: Bool = false, batch: Int = 1024, _ prepare: (JudgeLog) -> Void = { _ in }
  ) throws {
    let log = JudgeLog()
    prepare(log)
    var settings = settings
    settings.judge = log
    var options = Analysis.Options()
    options.readsAhead = readsAhead
    options.batch = batch
    options.follow = settings
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    result = try analysis.run(into: &none)
    self.log = log
  }
}
