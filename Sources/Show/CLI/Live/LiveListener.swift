import Analysis
import CaptureReader
import CaptureWriter
import Deliveries
import Exports
import FrameDecoder
import Regions
import Synchronization

/// Tells what happens in a live run while it happens: lines for people or programs, alerts to those who
/// are to have them.
final class LiveListener: RunListener {
  fileprivate struct State {
    var sink: any EventSink
    /// Who is inside what, by observer and region of the main profile.
    var inside: Set<Place> = []
    var regionNames: [String] = []
    var observerNames: [String] = []
    /// What was told last of it.
    var standings: [Place: Standing] = [:]
    var clock = Timestamp.none
    var alerts = 0
    var lastAlert = ""
    /// Observers that are known not to scan.
    var deafObservers: Set<Int> = []
    /// And those known to.
    var scanningObservers: Set<Int> = []
    /// Observers whose interface is not captured.
    var offObservers: Set<Int> = []
    /// Times in which nobody listened; the end of the last one is not known while it goes on.
    var deaf: [(from: Timestamp, to: Timestamp?)] = []
    var observers = 0
    /// How often a replayed clock has stepped back so far that it matters.
    var stepsBack = 0
    /// Why output cannot go on.
    var failure: (any Error)?
    /// Nil where nothing has to keep up.
    var pace: LivePace?

    init(sink: any EventSink, pace: LivePace?) {
      self.sink = sink
      self.pace = pace
    }
  }

  /// Nanoseconds: smaller steps back change nothing that anybody sees.
  private static let seriousStep: Int64 = -1_000_000_000
  private static let mostStepsTold = 3

  fileprivate struct Place: Hashable {
    let observer: Int
    let region: Int
  }

  fileprivate struct Standing {
    let presence: RegionPresence
    let since: Timestamp
    let grade: String
  }

  private let state: Mutex<State>
  private let notices: RunNotices
  private let profiles: [Profile]
  private let deliveries: [any Delivery]
  private let recorder: AlertRecorder?
  private let leastRecorded: Alert.Severity
  /// Called when output cannot go on: nobody reads, or the disk is full.
  private let failed: @Sendable () -> Void

  init(
    _ export: EventExport, _ screen: LiveScreen, width: Int?, profiles: [Profile],
    _ outputs: LiveSession.Outputs, _ notices: RunNotices, pace: LivePace?,
    failed: @escaping @Sendable () -> Void
  ) {
    state = Mutex(State(sink: export.open(ScreenOutput(screen: screen), width), pace: pace))
    self.notices = notices
    self.profiles = profiles
    deliveries = outputs.deliveries
    recorder = outputs.alerts
    leastRecorded = outputs.leastRecorded
    self.failed = failed
  }

  func begin(known: [KnownPresence], _ view: RunView) {
    state.withLock { state in
      state.name(view)
      for known in known {
        let place = Place(observer: known.observer, region: known.region)
        if known.presence == .inside { state.inside.insert(place) }
        state.standings[place] = Standing(presence: known.presence, since: .none, grade: "")
      }
    }
  }

  func take(_ event: TimelineEvent, alert: Alert?, _ view: RunView) {
    let names = EventNames(view, profiles: profiles, alert: alert)
    state.withLock { state in
      state.follow(event, view)
      if let alert {
        state.lastAlert = TextColumns.printable(
          "\(TextColumns.clock(event.time)) \(AlertText.line(alert))")
      }
      guard state.failure == nil else { return }
      do {
        try state.sink.take([event], names)
        try state.sink.end()
      } catch {
        state.failure = error
        failed()
      }
    }
    if let alert { send(event, alert, names) }
  }

  private func send(_ event: TimelineEvent, _ alert: Alert, _ names: EventNames) {
    let frames = event.evidence.filter { $0.source == .capture }.map(\.number)
    if alert.severity >= leastRecorded {
      recorder?.alert(
        EventReference.text(event.id), frames: frames, time: event.time.nanoseconds,
        title: alert.title)
    }
    guard deliveries.contains(where: { alert.severity >= $0.least }) else { return }
    let object = EventsNDJSON.object(event, names)
    let line = AlertLine(
      bytes: EVELine.bytes(alert, event: object, frame: frames.first), severity: alert.severity)
    for delivery in deliveries where alert.severity >= delivery.least { delivery.deliver(line) }
  }

  func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {
    if note.kind == .clock, note.step <= Self.seriousStep { tellStep(note, observer, view) }
    // What the kernel says of itself never listens.
    guard !Self.isSystem(view.observers[observer]) else { return }
    state.withLock { state in
      switch note.kind {
      case .scanOff, .reset:
        state.deafObservers.insert(observer)
        state.scanningObservers.remove(observer)
      case .scanOn:
        state.deafObservers.remove(observer)
        state.scanningObservers.insert(observer)
      case .captureOff: state.offObservers.insert(observer)
      case .captureOn: state.offObservers.remove(observer)
      default: break
      }
      state.observers = Self.controllers(view)
      state.markDeaf(at: note.time)
    }
  }

  /// Exits and timers go by the latest time so far: nobody hears of them until the clock is there again. A live
  /// clock is looked at itself.
  private func tellStep(_ note: ObserverNote, _ observer: Int, _ view: RunView) {
    let count = state.withLock { state in
      state.stepsBack += state.pace == nil ? 1 : 0
      return state.stepsBack
    }
    guard (1...Self.mostStepsTold).contains(count) else { return }
    let name = TextColumns.printable(view.observers[observer])
    let span = TextColumns.duration(note.step == .min ? .max : -note.step)
    notices.tell(
      "\(name): its clock stepped back by \(span) at frame \(TextColumns.grouped(note.frame)): "
        + "exits and timers wait until it has caught up."
        + (count == Self.mostStepsTold ? " Further steps are not told here." : ""), .warning)
  }

  func reach(_ time: Timestamp, _ view: RunView) {
    recorder?.reach(time.nanoseconds)
    state.withLock { state in
      state.clock = time
      state.name(view)
      state.observers = Self.controllers(view)
    }
    keepPace()
  }

  /// Looks how the run's clock stands to the machine's, which stamps packets, too. To be called some times a
  /// second.
  func keepPace() {
    let remarks = state.withLock { $0.pace?.next(reached: $0.clock) ?? [] }
    for remark in remarks { notices.tell(remark.text, remark.severity) }
  }

  /// What the kernel says of itself on the monitor is an observer, too, and scans never.
  private static func controllers(_ view: RunView) -> Int {
    view.observers.count { !isSystem($0) }
  }

  private static func isSystem(_ observer: String) -> Bool { observer.hasSuffix("/system") }

  /// What the line of status says of the run itself.
  func fill(_ status: inout LiveStatus) {
    state.withLock { state in
      status.time = state.clock.isKnown ? TextColumns.clockAndZone(state.clock) : ""
      status.alerts = state.alerts
      status.inside = Set(state.inside.map(\.region)).sorted().map { state.regionNames[$0] }
      let deaf = state.deafObservers.count
      if state.observers > 0, deaf > 0 {
        status.remark =
          (deaf < state.observers ? "\(deaf) of \(state.observers) " : "") + "NOT SCANNING"
      }
      if let words = state.pace?.words { status.remark = words }
    }
  }

  /// How far the run has come, and who scans, as far as records say it.
  func fill(_ health: inout LiveHealth) {
    state.withLock { state in
      health.reached = state.clock
      health.behind = state.pace?.behind
      health.setBack = state.pace?.setBack
      let isDeaf = state.observers > 0 && state.deafObservers.count >= state.observers
      health.scans = !state.scanningObservers.isEmpty ? true : isDeaf ? false : nil
    }
  }

  /// What a board says of regions.
  func fill(_ board: inout LiveBoard) {
    state.withLock { state in
      board.now = state.clock
      board.lastAlert = state.lastAlert
      board.deaf = state.deaf.map { ($0.from, $0.to ?? Timestamp(nanoseconds: .max)) }
      board.regions = state.boardStandings
    }
  }

  /// How far the run has come.
  var clock: Timestamp { state.withLock { $0.clock } }

  /// Throws what kept lines from going out.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}

extension LiveListener.State {
  /// Regions and observers that are new.
  fileprivate mutating func name(_ view: RunView) {
    while regionNames.count < view.regions.count {
      regionNames.append(view.regions[regionNames.count].identifier)
    }
    if observerNames.count < view.observers.count { observerNames = view.observers }
  }

  /// By region, then observer; regions that nothing was told of yet, too.
  fileprivate var boardStandings: [LiveBoard.Standing] {
    let told = Set(standings.keys.map(\.region))
    let silent = regionNames.indices.filter { !told.contains($0) }.map {
      (key: LiveListener.Place(observer: 0, region: $0), value: LiveListener.Standing?.none)
    }
    let all = standings.map { (key: $0.key, value: LiveListener.Standing?.some($0.value)) } + silent
    return all.sorted { ($0.key.region, $0.key.observer) < ($1.key.region, $1.key.observer) }.map {
      place, standing in
      LiveBoard.Standing(
        region: regionNames[place.region],
        observer: observers > 1 && standing != nil ? observerNames[place.observer] : "",
        presence: standing?.presence, since: standing?.since ?? .none,
        grade: standing?.grade ?? "")
    }
  }

  /// More nobody sees.
  private static let mostDeaf = 100

  fileprivate mutating func markDeaf(at time: Timestamp) {
    let isDeaf = observers > 0 && deafObservers.union(offObservers).count >= observers
    let wasDeaf = deaf.last.map { $0.to == nil } ?? false
    guard time.isKnown, isDeaf != wasDeaf else { return }
    if isDeaf { deaf.append((time, nil)) } else { deaf[deaf.count - 1].to = time }
    if deaf.count > Self.mostDeaf { deaf.removeFirst() }
  }

  fileprivate mutating func follow(_ event: TimelineEvent, _ view: RunView) {
    if event.type == .alert { alerts += 1 }
    name(view)
    guard event.profile == 0, let region = event.region, let presence = event.state else { return }
    let place = LiveListener.Place(observer: event.observer, region: region)
    if presence == .inside { inside.insert(place) } else { inside.remove(place) }
    standings[place] = LiveListener.Standing(
      presence: presence, since: event.time, grade: event.silence?.grade.rawValue ?? "")
  }
}
