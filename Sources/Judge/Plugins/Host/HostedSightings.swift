package import Analysis
package import Beacons
import CLuaGuard
import CaptureReader
import FrameDecoder
import Regions

/// Sightings of a run, on their way to those who handle them.
extension PluginHost {
  package func consider(_ sighting: JudgedSighting, _ view: RunView) {
    open(view)
    moment.move(to: sighting.brief.time)
    moment.handling = .considered(sighting)
  }

  package func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32,
    fields: [CustomFields], _ view: RunView
  ) {
    open(view)
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
      let (next, clock) = collect(run, wholes, from: sighting, fields, view)
      callTurns(capture, view)
      moment.move(to: clock)
      if next < run.count { fire(before: run[next].time) }
      sighting = next
    }
  }

  /// Whom the sightings of a run concern, up to where a timer is due; the place of that one, and the
  /// run's clock before it. Sightings that concern nobody count for neither: whether they are handed
  /// on depends on how the input was cut.
  func collect(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, from start: Int,
    _ fields: [CustomFields], _ view: RunView
  ) -> (next: Int, clock: Timestamp) {
    var due = Int64.max
    for plugin in plugins { due = min(due, plugin.timers.earliest) }
    var clock = moment.now.nanoseconds
    // Taken out of the object, whose properties are watched at every access.
    var turns: [[guard_turn]] = []
    swap(&turns, &self.turns)
    var sightings = SightingHandlers([], regions: [])
    swap(&sightings, &self.sightings)
    defer {
      swap(&turns, &self.turns)
      swap(&sightings, &self.sightings)
    }
    // Those of the set before: nearly every sighting is of the same one. And the turns of the plugin
    // before, outside of the list of all.
    var known = (set: 0, entries: [SightingHandlers.Entry]())
    var (plugin, list) = (0, [guard_turn]())
    swap(&list, &turns[plugin])
    defer { swap(&list, &turns[plugin]) }
    for place in start..<run.count {
      let brief = run[place]
      guard brief.whole > 0 else { continue }
      let set = sightings.set(of: brief.transmitter, view)
      guard set != 0 else { continue }
      if brief.time.nanoseconds >= due, due < .max { return (place, Timestamp(nanoseconds: clock)) }
      clock = max(clock, brief.time.nanoseconds)
      let whole = Int(brief.whole) - 1
      let handle = SightingValues.handle(
        wholes[whole], transmitter: brief.transmitter, clock: clock, place: place)
      if set != known.set { known = (set, sightings.sets[set]) }
      for number in known.entries.indices {
        let entry = known.entries[number]
        if entry.company >= 0 {
          let company = LuaValue.integer(Int64(wholes[whole].extra.0 & 0xFFFF))
          guard sightings.companies[entry.company].takes(company) else { continue }
        }
        if entry.needsFields, wholes[whole].customFields(fields).isEmpty { continue }
        if entry.plugin != plugin {
          swap(&list, &turns[plugin])
          plugin = entry.plugin
          swap(&list, &turns[plugin])
        }
        list.append(
          guard_turn(
            function: entry.function, brief: entry.isBrief, reader: entry.isReader,
            sighting: handle))
      }
    }
    return (run.count, Timestamp(nanoseconds: clock))
  }

  func callTurns(_ capture: UInt32, _ view: RunView) {
    for (number, plugin) in plugins.enumerated() where !turns[number].isEmpty {
      // Taken out, so that it is not copied when it is emptied.
      var list: [guard_turn] = []
      swap(&list, &turns[number])
      call(list, plugin) {
        "sighting in frame \(list[$0].sighting.frame) of \(view.captures[Int(capture)])"
      }
      plugin.told.take(
        TimelineEvent.Evidence(
          source: .capture, file: Int(capture), number: Int(list[list.count - 1].sighting.frame)))
      list.removeAll(keepingCapacity: true)
      swap(&list, &turns[number])
    }
  }

  /// One plugin's turns, and between them the timers that they make.
  func call(_ turns: [guard_turn], _ plugin: Plugin, during what: (Int) -> String) {
    var start = 0
    plugin.wasCalled = true
    while start < turns.count {
      var end = turns.count
      if plugin.timers.isDue(by: turns[end - 1].sighting.clock) {
        // Timers between them cite the one before.
        if start > 0, case .run(let run) = moment.handling {
          plugin.told.take(
            TimelineEvent.Evidence(
              source: .capture, file: Int(run.capture),
              number: Int(turns[start - 1].sighting.frame)))
        }
        fire(plugin, until: turns[start].sighting.clock)
        end =
          turns[start...].firstIndex { plugin.timers.isDue(by: $0.sighting.clock) } ?? end
      }
      let first = start
      start += plugin.call(turns.span.extracting(start..<end)) { what(first + $0) }
    }
  }

  /// Timers that are due at a sighting of a run: they are not about that.
  func fire(before time: Timestamp) {
    let run = moment.handling
    fireTimers(until: time)
    moment.handling = run
  }

  /// Timers that a plugin made while the sightings of a run were being handled. The clock of the others
  /// is not there yet.
  func fire(_ plugin: Plugin, until time: Int64) {
    let run = moment.handling
    defer { moment.handling = run }
    while call(plugin, until: time) {}
  }

  /// The timer of a plugin that is due first.
  /// - Returns: whether there is one.
  func call(_ plugin: Plugin, until time: Int64) -> Bool {
    guard let (due, function, isLast) = plugin.timers.take(until: time) else { return false }
    let now = Timestamp(nanoseconds: due)
    moment.handling = .timer(now)
    plugin.wasCalled = true
    plugin.call(function, [LuaValue(now)]) { "a timer" }
    if isLast { plugin.release(function) }
    return true
  }
}
