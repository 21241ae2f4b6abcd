package import Analysis
import Beacons
import CLuaGuard
package import CaptureReader
package import FrameDecoder
package import Regions

/// Everything else that a run tells its judge, and what comes back.
extension PluginHost {
  /// What every call begins with.
  func open(_ view: RunView) {
    moment.view = view
    if !unstarted.isEmpty { startLate() }
  }

  func startLate() {
    let late = unstarted
    unstarted.removeAll()
    moment.handling = .nothing
    var table = startTable ?? LuaTable()
    table.set("time", LuaValue(moment.now))
    for plugin in late {
      for handler in plugin.handlers where handler.event == .start {
        call(plugin, handler, table) { "start" }
      }
    }
  }

  /// What was told before tells nothing of this run: before another is told, its first frame is
  /// cited.
  package func begin(
    at time: Timestamp, _ frame: TimelineEvent.Evidence, known: [KnownPresence], _ view: RunView
  ) {
    moment.view = view
    defer { moment.view = nil }
    for state in known {
      regionStates.set(
        view.regions[state.region].identifier, view.observers[state.observer], state.presence)
    }
    moment.move(to: time)
    for plugin in plugins {
      plugin.told.begin(frame)
      plugin.seed(time)
      plugin.timers.begin(at: time.nanoseconds)
    }
    var table = LuaTable()
    table.set("type", .text("start"))
    table.set("captures", .table(LuaTable(list: view.captures.map { .text($0) })))
    table.set(
      "regions", .table(LuaTable(list: regionStates.declared.sorted().map { .text($0) })))
    let ofBeacons = view.regions.filter { regionStates.isDeclared($0.identifier) && $0.isOfBeacons }
    table.set(
      "beacon_regions",
      .table(LuaTable(list: ofBeacons.map(\.identifier).sorted().map { .text($0) })))
    startTable = table
    table.set("time", LuaValue(time))
    moment.handling = .nothing
    tell(.start, table) { "start" }
  }

  package func take(_ event: TimelineEvent, _ view: RunView) {
    if let state = event.state, let region = event.region {
      regionStates.set(view.regions[region].identifier, view.observers[event.observer], state)
    }
    moment.move(to: event.time)
    if event.isSilenced { return }
    // `region_state` tells of it those who do not handle it, too.
    if event.state != nil { for plugin in plugins { plugin.told.reach(event) } }
    guard let handled = HandledEvent(event.type), handlers[handled] != nil else { return }
    open(view)
    defer { moment.view = nil }
    let table = EventValues(view: view).table(event)
    moment.handling = .event(event)
    let called = tell(handled, table) {
      let place = event.region.map { " of '\(view.regions[$0].identifier)'" } ?? ""
      return "\(handled.rawValue)\(place) (\(EventValues.reference(event.id)))"
    }
    for plugin in called { plugin.told.take(event) }
  }

  package func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {
    moment.move(to: note.time)
    moment.scans.take(note, of: view.observers[observer])
    if let undecoded = note.undecoded, undecoded.isSwitchedOff {
      tellDecodersOff(note, Int(undecoded.decoder), observer: observer, capture, view)
    }
    guard let (handled, table) = NoteValues(view: view).table(note, observer, capture) else {
      return
    }
    tell(handled, table, of: observer, capture, frame: note.frame, view)
  }

  package func resume(_ limits: ScanLimits, of observer: String) {
    moment.scans.set(limits, of: observer)
  }

  package func resume(
    _ presence: RegionPresence, in region: String, of observer: String, until: Timestamp
  ) {
    regionStates.await(region, observer, presence, until: until.nanoseconds)
  }

  package func hear(until time: Timestamp, observer: String) {
    moment.hear(until: time, observer: observer)
  }

  package func take(_ turn: RecordingTurn, _ view: RunView) {
    moment.move(to: turn.time)
    tell(
      .observer, NoteValues(view: view).table(turn), of: turn.observer, turn.capture,
      frame: turn.frame, view)
  }

  private func tell(
    _ event: HandledEvent, _ table: LuaTable, of observer: Int, _ capture: UInt32, frame: Int,
    _ view: RunView
  ) {
    open(view)
    defer { moment.view = nil }
    let evidence = TimelineEvent.Evidence(source: .capture, file: Int(capture), number: frame)
    moment.handling = .frame(evidence, observer: observer)
    let called = tell(event, table) {
      "\(event.rawValue) in frame \(frame) of \(view.captures[Int(capture)])"
    }
    for plugin in called { plugin.told.take(evidence) }
  }

  package func reach(_ time: Timestamp, _ view: RunView) {
    open(view)
    defer { moment.view = nil }
    fireTimers(until: time)
  }

  func fireTimers(until time: Timestamp) {
    while true {
      var earliest = Int64.max
      for plugin in plugins { earliest = min(earliest, plugin.timers.earliest) }
      // The last moment there is: none is due, or was put off beyond it.
      guard earliest <= time.nanoseconds, earliest < .max else { break }
      moment.move(to: Timestamp(nanoseconds: earliest))
      for plugin in plugins where plugin.timers.earliest == earliest {
        _ = call(plugin, until: time.nanoseconds)
      }
    }
    moment.move(to: time)
  }

  package func finish(at time: Timestamp, _ view: RunView) {
    open(view)
    defer { moment.view = nil }
    var table = LuaTable()
    moment.isOver = true
    table.set("type", .text("finish"))
    table.set("time", LuaValue(time))
    moment.handling = .nothing
    tell(.finish, table) { "finish" }
    tellUnknownObservers(among: view.observers)
    for plugin in plugins + (decoders?.plugins ?? []) { plugin.tellLeftOut() }
  }

  /// - Returns: the plugins that were called, as often as they were.
  @discardableResult
  func tell(_ event: HandledEvent, _ table: LuaTable, during what: () -> String) -> [Plugin] {
    let called = (handlers[event] ?? []).filter {
      call($0.plugin, $0.handler, table, during: what)
    }
    return called.map(\.plugin)
  }

  /// - Returns: whether it was called.
  @discardableResult
  func call(
    _ plugin: Plugin, _ handler: Handler, _ table: LuaTable, during what: () -> String
  ) -> Bool {
    guard plugin.isOn, handler.filter.takes({ EventFilterValue.of($0, in: table) }) else {
      return false
    }
    if handler.event != .start && handler.event != .finish { plugin.wasCalled = true }
    plugin.call(handler.function, [.table(table)], during: what)
    return true
  }

  /// Modules that the files asked for so far, by path: SHA-256; not those that could not be read.
  package var modules: [(path: String, sha256: String)] {
    var found: [String: String] = [:]
    for plugin in plugins + (decoders?.plugins ?? []) {
      found.merge(plugin.modules.filter { !$0.value.isEmpty }) { first, _ in first }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  package var reports: [JudgeReport] {
    plugins.map { plugin in
      let twin = decoders?.plugins.first { $0.file.name == plugin.file.name }
      var report = JudgeReport(rule: plugin.rule)
      report.onlyDeclares = plugin.role == .site
      report.alerts = plugin.record.alertsTold
      report.heldBack = plugin.record.gate.heldBack
      report.errors = LuaLimit.allCases.map(\.rawValue).sorted().compactMap { name in
        let count = [plugin, twin].reduce(0) {
          $0 + ($1?.record.errors[LuaLimit(rawValue: name) ?? .error] ?? 0)
        }
        return count > 0 ? (name, count) : nil
      }
      report.firstError = plugin.record.firstError ?? twin?.record.firstError
      report.isSwitchedOff = !plugin.isOn || twin?.isOn == false
      report.notReplaced = refused[plugin.file.name]?.why
      report.isDecodingOff = plugin.isOn && twin?.isOn == false
      report.switchedOff =
        plugin.isOn ? twin?.errors.switchedOff ?? .none : plugin.errors.switchedOff
      report.skippedTimers = plugin.timers.skipped
      report.remarks = plugin.record.said.sentences
      report.remarksLeftOut = plugin.record.said.leftOut
      return report
    }
  }

  package func takeMarkers() -> [Timestamp] {
    guard plugins.contains(where: { !$0.record.markers.isEmpty }) else { return [] }
    return plugins.flatMap { plugin in
      defer { plugin.record.markers.removeAll() }
      return plugin.record.markers
    }
  }

  /// Plugins are called one after the other with a run's sightings: their alerts come in the order of
  /// the sightings all the same, timers before the sightings of their moment.
  package func takeAlerts() -> [Alert] {
    guard plugins.contains(where: { !$0.record.alerts.isEmpty }) else { return [] }
    let given = plugins.flatMap { plugin in
      defer { plugin.record.alerts.removeAll() }
      return plugin.record.alerts
    }
    let places = given.indices.sorted {
      (given[$0].alert.time.nanoseconds, given[$0].place, $0)
        < (given[$1].alert.time.nanoseconds, given[$1].place, $1)
    }
    return places.map { given[$0].alert }
  }
}
