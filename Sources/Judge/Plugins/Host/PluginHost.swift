package import Analysis
package import Beacons
import CLuaGuard
package import CaptureReader
package import FrameDecoder
package import Regions

/// The plugins of a run, as its judge.
///
/// Unchecked: before the run it belongs to whoever made it, then to the queue that follows the run,
/// and after that again to its maker.
package final class PluginHost: Judge, @unchecked Sendable {
  let plugins: [Plugin]
  private let regionStates: RegionStates
  private var sightings: SightingHandlers
  /// Handlers of everything but sightings, in the order of plugins and of their lines.
  private var handlers: [HandledEvent: [(plugin: Plugin, handler: Handler)]] = [:]
  private let moment: Moment
  /// By plugin: who is to be called with which sightings of the run under way.
  private var turns: [[guard_turn]]
  package let wishes: JudgeWishes
  /// Nil where no plugin has any.
  package let decoders: PluginDecoders?

  /// - Parameters:
  ///   - files: plugins, and site files, in the order in which the user named them.
  ///   - settings: by plugin's name: options as the user set them.
  ///   - regions: declared elsewhere, which filters may name.
  ///   - tell: takes what people should read, a line at a time, on any thread.
  ///   - printed: takes what plugins print; nil: `tell` does, with the plugin's name before it.
  /// - Throws: why one of them cannot be used.
  package init(
    _ files: [(file: PluginFile, isSite: Bool)], settings: [String: [String: String]] = [:],
    regions: [Region] = [], tell: @escaping @Sendable (String) -> Void,
    printed: (@Sendable (String) -> Void)? = nil
  ) throws(PluginProblem) {
    let states = RegionStates()
    let moment = Moment()
    regionStates = states
    self.moment = moment
    var plugins: [Plugin] = []
    for (file, isSite) in files {
      if plugins.contains(where: { $0.file.name == file.name }) {
        throw PluginProblem("\(file.path): there are two plugins called '\(file.name)'; rename one")
      }
      let plugin = Plugin(
        file, isSite ? .site : .rules, settings: settings[file.name] ?? [:], regions: states,
        moment: moment, tell: tell)
      plugin.printed = printed
      try plugin.load()
      plugins.append(plugin)
    }
    for name in settings.keys.sorted() where !plugins.contains(where: { $0.file.name == name }) {
      throw PluginProblem(
        "--set \(name).…: "
          + UnknownWord.sentence("plugin", name, among: plugins.map(\.file.name)))
    }
    self.plugins = plugins
    turns = plugins.map { _ in [] }
    decoders = try Self.decoders(plugins, tell, printed)
    let declared = plugins.flatMap(\.declared.regions)
    states.declared = Set((regions + declared).map(\.identifier))
    sightings = SightingHandlers(plugins.map(\.handlers), regions: regions + declared)
    for plugin in plugins {
      for handler in plugin.handlers where !handler.event.isSighting {
        handlers[handler.event, default: []].append((plugin, handler))
      }
    }
    var wishes = JudgeWishes()
    wishes.sightings = declared.contains { $0.ownRule != nil } ? .all : sightings.wish
    wishes.proximity = handlers[.proximity] != nil
    wishes.ranging = handlers[.ranging] != nil
    wishes.malformed = handlers[.malformed] != nil
    wishes.clock = handlers[.clock] != nil
    self.wishes = wishes
  }

  /// The plugins that have decoders, loaded once more.
  private static func decoders(
    _ plugins: [Plugin], _ tell: @escaping @Sendable (String) -> Void,
    _ printed: (@Sendable (String) -> Void)?
  ) throws(PluginProblem) -> PluginDecoders? {
    var decoding: [Plugin] = []
    for plugin in plugins where !plugin.declared.decoders.isEmpty {
      let twin = Plugin(plugin.file, .decoding, settings: plugin.settings, tell: tell)
      twin.printed = printed
      try twin.load()
      decoding.append(twin)
    }
    var names: [String: String] = [:]
    for plugin in decoding {
      for decoder in plugin.declared.decoders {
        if let other = names.updateValue(plugin.file.path, forKey: decoder.name) {
          throw PluginProblem(
            "\(plugin.file.path): decoder '\(decoder.name)' is declared in \(other), too")
        }
      }
    }
    return decoding.isEmpty ? nil : PluginDecoders(decoding)
  }

  /// What all plugins declare, in their order.
  package var declarations: [Declarations] { plugins.map(\.declared) }

  // MARK: The run

  package func begin(at time: Timestamp, _ view: RunView) {
    moment.view = view
    defer { moment.view = nil }
    moment.move(to: time)
    for plugin in plugins {
      plugin.seed(time)
      plugin.timers.begin(at: time.nanoseconds)
    }
    var table = LuaTable()
    table.set("type", .text("start"))
    table.set("time", LuaValue(time))
    table.set("captures", .table(LuaTable(list: view.captures.map { .text($0) })))
    table.set(
      "regions", .table(LuaTable(list: regionStates.declared.sorted().map { .text($0) })))
    moment.handling = .nothing
    tell(.start, table) { "start" }
  }

  package func consider(_ sighting: JudgedSighting, _ view: RunView) {
    moment.view = view
    moment.move(to: sighting.brief.time)
    moment.handling = .considered(sighting)
  }

  package func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32,
    fields: [CustomFields], _ view: RunView
  ) {
    moment.view = view
    unsafe run.withUnsafeBufferPointer { briefs in
      unsafe wholes.withUnsafeBufferPointer { wholes in
        moment.handling = unsafe .run(
          SightingRun(briefs, wholes, capture: capture, fields))
      }
    }
    defer {
      moment.view = nil
      moment.handling = .nothing
    }
    var sighting = 0
    while sighting < run.count {
      sighting = collect(run, wholes, from: sighting, view)
      callTurns(run, view.captures[Int(capture)])
      if sighting < run.count { fire(before: run[sighting].time) }
    }
  }

  /// Whom the sightings of a run concern, up to where a timer is due; the place of that one.
  private func collect(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, from start: Int, _ view: RunView
  ) -> Int {
    var due = Int64.max
    for plugin in plugins { due = min(due, plugin.timers.earliest) }
    // Taken out of the object, whose properties are watched at every access.
    var turns: [[guard_turn]] = []
    swap(&turns, &self.turns)
    defer { swap(&turns, &self.turns) }
    for place in start..<run.count {
      let brief = run[place]
      if brief.time.nanoseconds >= due { return place }
      guard brief.whole > 0 else { continue }
      let set = sightings.set(of: brief.transmitter, view)
      guard set != 0 else { continue }
      let whole = wholes[Int(brief.whole) - 1]
      let handle = SightingValues.handle(whole, transmitter: brief.transmitter, place: place)
      for entry in sightings.sets[set] {
        if let company = entry.company,
          !company.takes(.integer(Int64(whole.extra.0 & 0xFFFF)))
        {
          continue
        }
        turns[entry.plugin].append(
          guard_turn(
            function: entry.function.number, brief: entry.isBrief, sighting: handle))
      }
    }
    return run.count
  }

  private func callTurns(_ run: Span<BriefSighting>, _ capture: String) {
    for (number, plugin) in plugins.enumerated() where !turns[number].isEmpty {
      // Taken out, so that it is not copied when it is emptied.
      var list: [guard_turn] = []
      swap(&list, &turns[number])
      plugin.call(list.span) { "sighting in frame \(list[$0].sighting.frame) of \(capture)" }
      moment.move(to: run[Int(list[list.count - 1].sighting.place)].time)
      list.removeAll(keepingCapacity: true)
      swap(&list, &turns[number])
    }
  }

  /// Timers that are due at a sighting of a run: they are not about that.
  private func fire(before time: Timestamp) {
    let run = moment.handling
    fireTimers(until: time)
    moment.handling = run
  }

  package func take(_ event: TimelineEvent, _ view: RunView) {
    if let state = event.state, let region = event.region {
      regionStates.set(view.regions[region].identifier, view.observers[event.observer], state)
    }
    moment.move(to: event.time)
    guard let handled = HandledEvent(event.type), handlers[handled] != nil else { return }
    moment.view = view
    defer { moment.view = nil }
    let table = EventValues(view: view).table(event)
    moment.handling = .event(event)
    tell(handled, table) {
      let place = event.region.map { " of '\(view.regions[$0].identifier)'" } ?? ""
      return "\(handled.rawValue)\(place) (\(EventValues.reference(event.id)))"
    }
  }

  package func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {
    moment.move(to: note.time)
    guard let (handled, table) = NoteValues(view: view).table(note, observer, capture) else {
      return
    }
    moment.view = view
    defer { moment.view = nil }
    let evidence = TimelineEvent.Evidence(
      source: .capture, file: Int(capture), number: note.frame)
    moment.handling = .frame(evidence, observer: observer)
    tell(handled, table) {
      "\(handled.rawValue) in frame \(note.frame) of \(view.captures[Int(capture)])"
    }
  }

  package func reach(_ time: Timestamp, _ view: RunView) {
    moment.view = view
    defer { moment.view = nil }
    fireTimers(until: time)
  }

  private func fireTimers(until time: Timestamp) {
    while true {
      var earliest = Int64.max
      for plugin in plugins { earliest = min(earliest, plugin.timers.earliest) }
      guard earliest <= time.nanoseconds else { break }
      for plugin in plugins where plugin.timers.earliest == earliest {
        guard let (due, function, isLast) = plugin.timers.take(until: time.nanoseconds) else {
          continue
        }
        let now = Timestamp(nanoseconds: due)
        moment.move(to: now)
        moment.handling = .nothing
        plugin.call(function, [LuaValue(now)]) { "a timer" }
        if isLast { plugin.release(function) }
      }
    }
    moment.move(to: time)
  }

  package func finish(at time: Timestamp, _ view: RunView) {
    moment.view = view
    defer { moment.view = nil }
    var table = LuaTable()
    table.set("type", .text("finish"))
    table.set("time", LuaValue(time))
    moment.handling = .nothing
    tell(.finish, table) { "finish" }
  }

  private func tell(_ event: HandledEvent, _ table: LuaTable, during what: () -> String) {
    for (plugin, handler) in handlers[event] ?? [] {
      guard handler.filter.takes({ EventFilterValue.of($0, in: table) }) else { continue }
      plugin.call(handler.function, [.table(table)], during: what)
    }
  }

  package var reports: [JudgeReport] {
    plugins.map { plugin in
      let twin = decoders?.plugins.first { $0.file.name == plugin.file.name }
      var report = JudgeReport(rule: plugin.rule)
      report.onlyDeclares = plugin.role == .site
      report.alerts = plugin.alertsTold
      report.heldBack = plugin.gate.heldBack
      report.errors = LuaLimit.allCases.map(\.rawValue).sorted().compactMap { name in
        let count = [plugin, twin].reduce(0) {
          $0 + ($1?.errors.byLimit[LuaLimit(rawValue: name) ?? .error] ?? 0)
        }
        return count > 0 ? (name, count) : nil
      }
      report.isSwitchedOff = !plugin.isOn || twin?.isOn == false
      report.switchedOff =
        plugin.isOn ? twin?.errors.switchedOff ?? .none : plugin.errors.switchedOff
      report.skippedTimers = plugin.timers.skipped
      return report
    }
  }

  package func takeMarkers() -> [Timestamp] {
    guard plugins.contains(where: { !$0.markers.isEmpty }) else { return [] }
    return plugins.flatMap { plugin in
      defer { plugin.markers.removeAll() }
      return plugin.markers
    }
  }

  package func takeAlerts() -> [Alert] {
    guard plugins.contains(where: { !$0.alerts.isEmpty }) else { return [] }
    return plugins.flatMap { plugin in
      defer { plugin.alerts.removeAll() }
      return plugin.alerts
    }
  }
}
