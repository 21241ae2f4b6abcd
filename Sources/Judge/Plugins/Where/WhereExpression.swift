package import Analysis
package import Beacons
import CLuaGuard
import CaptureReader

/// One Lua expression over the fields of sightings or events: `--where 'rssi and rssi > -60'`.
///
/// Where it fails (a comparison with nil), the answer is no; that is counted, and the first time told.
package final class WhereExpression: LuaClient {
  package let text: String
  private var lua: LuaState?
  private var function = LuaFunction(number: 0)
  /// Fields that there may be.
  private let names: [String]
  private var sighting: (sighting: Sighting, context: CaptureContext)?
  /// What has come of it so far.
  package private(set) var tally = WhereTally()
  private var stopsInARow = 0
  /// As many calls that a limit ended, one behind the other.
  private static let mostStops = 100

  /// - Throws: where Lua does not understand it, or it names what is no field.
  package init(_ text: String, over fields: WhereFields) throws(PluginProblem) {
    self.text = text
    names = fields.names
    lua = LuaState(
      PluginLimits().guarded(seed: 0), functions: [], fields: SightingField.all, client: self)
    guard let lua else { throw PluginProblem("--where: there is no memory for a Lua state") }
    do throws(LuaProblem) {
      function = try lua.expression(Array(text.utf8), name: "--where")
    } catch {
      // The name says nothing here, nor does the line of a text that has one.
      let place = text.contains("\n") ? "--where:" : "--where:1: "
      let message =
        error.message.hasPrefix(place)
        ? String(error.message.dropFirst(place.count)) : error.message
      throw PluginProblem("--where '\(text)': \(message)\(WhereFields.hint(text))")
    }
    try fields.check(text)
  }

  /// - Parameter context: the sighting's capture; one expression is for sightings of one capture.
  package func takes(_ sighting: Sighting, _ context: CaptureContext) -> Bool {
    guard let lua, !tally.isGivenUp else { return false }
    tally.asked += 1
    self.sighting = (sighting, context)
    do throws(LuaProblem) {
      let answer = try lua.call(
        function,
        SightingValues.handle(
          sighting, transmitter: sighting.transmitter, clock: sighting.time.nanoseconds))
      stopsInARow = 0
      if answer { tally.taken += 1 }
      return answer
    } catch {
      return failed(error, "frame \(sighting.frame) of \(context.name)")
    }
  }

  /// - Parameters:
  ///   - alerts: of the run, which alerts among the events count in.
  ///   - view: what the event's numbers stand for.
  ///   - profile: the name of the event's profile: the view knows the first one alone.
  package func takes(
    _ event: TimelineEvent, _ alerts: [Alert], _ view: RunView, profile: String
  ) -> Bool {
    guard let lua, !tally.isGivenUp else { return false }
    tally.asked += 1
    var table = EventValues(view: view).table(event, event.alert.map { alerts[$0] })
    // What is said last holds.
    table.set("profile", .text(profile))
    // What this event has not is nil, as other events have it.
    let own = Set(table.names)
    for name in names where !own.contains(name) { table.append(.text(name), .none) }
    do throws(LuaProblem) {
      let answer = try lua.call(function, [.table(table)])
      stopsInARow = 0
      switch answer {
      case .none, .flag(false): return false
      default:
        tally.taken += 1
        return true
      }
    } catch {
      return failed(error, "event \(EventValues.reference(event.id))")
    }
  }

  private func failed(_ problem: LuaProblem, _ place: String) -> Bool {
    tally.failures += 1
    if tally.failures == 1 { tally.firstFailure = "\(problem.message), \(place)" }
    // A field that is nil may be there the next time; what never ends will not.
    stopsInARow = problem.limit == .error ? 0 : stopsInARow + 1
    if stopsInARow == Self.mostStops { tally.isGivenUp = true }
    return false
  }

  // MARK: What the expression asks

  func call(_ function: Int, _ arguments: [LuaValue]) throws(LuaMessage) -> LuaValue { .none }

  func field(_ number: Int, of handle: guard_sighting) -> LuaValue {
    guard let (sighting, context) = sighting else { return .none }
    return SightingValues(sighting, context).value(SightingField.names[number])
  }

  func module(_ name: String) throws(LuaMessage) -> (text: [UInt8], shown: String) {
    throw LuaMessage("an expression has no modules")
  }

  func print(_ line: [UInt8]) {}

  var clock: Int64 {
    guard let time = sighting?.sighting.time, time.isKnown else { return 0 }
    return Int64((Double(time.nanoseconds) / 1e9).rounded(.down))
  }
}

/// What has come of an expression.
package struct WhereTally: Sendable {
  /// Of how many it was asked, and how many of them it took.
  package fileprivate(set) var asked = 0
  package fileprivate(set) var taken = 0
  /// How often it failed, and how the first time.
  package fileprivate(set) var failures = 0
  package fileprivate(set) var firstFailure = ""
  /// It ran into a limit so often that it is not asked any more: all else is left out.
  package fileprivate(set) var isGivenUp = false

  fileprivate mutating func add(_ other: WhereTally) {
    asked += other.asked
    taken += other.taken
    if failures == 0 { firstFailure = other.firstFailure }
    failures += other.failures
    isGivenUp = isGivenUp || other.isGivenUp
  }
}

/// Hands on the sightings that an expression takes.
package struct WhereSink<Sink: FindingSink>: FindingSink {
  package private(set) var sink: Sink
  private let text: String
  /// By place of the capture: transmitters have numbers of their own in each.
  private var expressions: [Int: WhereExpression] = [:]
  private var kept: [Sighting] = []

  /// - Throws: where Lua does not understand the expression.
  package init(_ text: String, into sink: Sink) throws(PluginProblem) {
    self.text = text
    self.sink = sink
    _ = try WhereExpression(text, over: .sightings)
  }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    let expression = try self.expression(capture.place)
    kept.removeAll(keepingCapacity: true)
    for place in sightings.indices where expression.takes(sightings[place], capture) {
      kept.append(sightings[place])
    }
    guard !kept.isEmpty else { return }
    let taken = kept
    try sink.take(taken.span, of: capture)
  }

  private mutating func expression(_ place: Int) throws -> WhereExpression {
    if let known = expressions[place] { return known }
    let expression = try WhereExpression(text, over: .sightings)
    expressions[place] = expression
    return expression
  }

  package mutating func pause() throws { try sink.pause() }

  /// What has come of the expression so far, of all captures.
  package var tally: WhereTally {
    expressions.sorted { $0.key < $1.key }.map(\.value.tally).reduce(into: WhereTally()) {
      $0.add($1)
    }
  }
}
