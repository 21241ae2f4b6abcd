import Regions
import Analysis

/// What an expression is about: the names that it can use.
package enum WhereFields: Sendable {
  case sightings, events

  var names: [String] {
    switch self {
    case .sightings: SightingField.names
    case .events: Self.ofEvents
    }
  }

  /// Of the events that a timeline has, each once: those that a profile decided.
  private static let ofEvents: [String] = {
    let events = Reference.events.filter { $0.fields.contains { $0.name == "profile" } }
    var known: Set<String> = []
    let others = EventValues.alertNames + EventValues.observerNames
    return (events.flatMap { $0.fields.map(\.name) } + others)
      .filter { known.insert($0).inserted }
  }()

  /// What is known of the values that the names have: each name once, or once for each event that has it.
  private var fields: [ReferenceField] {
    switch self {
    case .sightings: Reference.sightingFields
    case .events: Self.fieldsOfEvents
    }
  }

  private static let fieldsOfEvents: [ReferenceField] = {
    let events = Reference.events.filter { $0.fields.contains { $0.name == "profile" } }
    // Alerts and what happened to observers are events here, too, and nothing that a rule is told of.
    let others = [TimelineEventType.alert, .observer].map { EventFieldRows.type($0.rawValue) }
    let severities = Reference.record("alert")?.fields.filter { $0.name == "severity" } ?? []
    return events.flatMap(\.fields) + others + severities
  }()

  /// Comparisons that come out the same whatever comes, a sentence each, as `plugin check` has them.
  /// - Parameter text: an expression that Lua understands.
  package func mistakes(in text: String) -> [String] {
    guard let program = try? LuaProgram.parse(Array("return (\(text)\n)".utf8)) else { return [] }
    var checker = PluginChecker(program, .plugin, beside: PluginCheck.Known())
    return checker.comparisons(over: fields).map(\.text)
  }

  /// What somebody meant who wrote an expression that Lua does not understand, behind what Lua says of it.
  static func hint(_ text: String) -> String {
    do throws(LuaSyntaxError) {
      _ = try LuaProgram.parse(Array("return (\(text)\n)".utf8))
      return ""
    } catch {
      return error.hint
    }
  }

  /// - Parameter text: an expression that Lua understands.
  /// - Throws: where it names what is neither a field nor Lua's.
  func check(_ text: String) throws(PluginProblem) {
    guard let program = try? LuaProgram.parse(Array("return (\(text)\n)".utf8)) else { return }
    let libraries =
      Reference.libraries.filter { !$0.name.isEmpty && !$0.name.contains(".") }.map(\.name)
      + (Reference.library("")?.members ?? [])
    for number in program.expressions.indices {
      guard case .global(let name, isPlain: true) = program.kind(number),
        !names.contains(name), !libraries.contains(name), name != "_ENV"
      else { continue }
      let what = self == .sightings ? "a sighting" : "an event"
      let advice =
        LikelyWord.of(name, among: names + libraries).map { "did you mean '\($0)'?" }
        ?? "there are \(names.joined(separator: ", "))"
      throw PluginProblem("--where '\(text)': no field '\(name)' in \(what); \(advice)")
    }
  }
}
