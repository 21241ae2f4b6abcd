import CaptureReader
import Regions

extension PluginFunction {
  /// `on("enter", "lobby", function(e) … end)`
  static let on = PluginFunction(name: "on") { plugin, arguments throws(LuaMessage) in
    try plugin.needRules("on")
    try plugin.needLoading("on")
    guard let name = arguments.first?.text else {
      throw LuaMessage(
        "on: the name of an event is needed, not \((arguments.first ?? .none).shown)")
    }
    guard let event = HandledEvent(rawValue: name) else {
      throw LuaMessage(
        "on: "
          + UnknownWord.sentence("event", name, among: HandledEvent.allCases.map(\.rawValue)))
    }
    guard case .function(let function)? = arguments.last, (2...3).contains(arguments.count) else {
      throw LuaMessage(
        "on(\"\(name)\"): write on(\"\(name)\", function(e) … end), with a filter before the function if any"
      )
    }
    if arguments.count == 3, arguments[1].isNone {
      throw LuaMessage(
        "on(\"\(name)\"): the filter is nil, which a misspelt name is, too; leave it out to hear of all, or write "
          + "\"\" for that, as an option of type region is without a value")
    }
    let filter = try HandlerFilter(arguments.count == 3 ? arguments[1] : .none, event)
    plugin.handlers.append(Handler(event: event, filter: filter, function: function))
    return .none
  }

  /// `every(60, function(now) … end)`
  static let every = PluginFunction(name: "every") { plugin, arguments throws(LuaMessage) in
    try plugin.needRules("every")
    let (span, function) = try Self.timer(arguments, "every")
    guard plugin.timers.periodic < Timers.mostPeriodic else {
      throw LuaMessage(
        "every: this plugin has \(Timers.mostPeriodic) timers already; make them at the top of the "
          + "file, not in a handler that is called again and again, or cancel those that are done")
    }
    plugin.remarkLateTimer("every")
    plugin.endTurns()
    return .integer(plugin.timers.every(span, function, now: plugin.clockTime))
  }

  /// `after(30, function(now) … end)`
  static let after = PluginFunction(name: "after") { plugin, arguments throws(LuaMessage) in
    try plugin.needRules("after")
    let (span, function) = try Self.timer(arguments, "after")
    guard plugin.timers.count < Timers.most else {
      throw LuaMessage(
        "after: this plugin waits for \(Timers.most) timers already; cancel those that are done with"
      )
    }
    plugin.remarkLateTimer("after")
    plugin.endTurns()
    return .integer(plugin.timers.after(span, function, now: plugin.clockTime))
  }

  /// Nanoseconds, and what is called then.
  private static func timer(_ arguments: [LuaValue], _ name: String) throws(LuaMessage)
    -> (span: Int64, function: LuaFunction)
  {
    guard arguments.count == 2, let seconds = arguments[0].number,
      case .function(let function) = arguments[1]
    else { throw LuaMessage("\(name): write \(name)(seconds, function(now) … end)") }
    guard seconds >= 0.001, seconds <= 366 * 86_400 else {
      throw LuaMessage(
        "\(name): \(arguments[0].shown) seconds; at least 0.001 and at most a year (31622400)")
    }
    return (Int64(seconds * 1e9), function)
  }

  /// `cancel(timer)`
  static let cancel = PluginFunction(name: "cancel") { plugin, arguments throws(LuaMessage) in
    guard case .integer(let number)? = arguments.first else {
      throw LuaMessage("cancel: a timer is needed, as every and after return it")
    }
    return .flag(plugin.cancelTimer(number))
  }

  /// `region_state("lobby")`
  static let regionState = PluginFunction(name: "region_state") {
    plugin, arguments throws(LuaMessage) in
    guard let region = arguments.first?.text else {
      throw LuaMessage("region_state: the name of a region is needed")
    }
    // Without any declared region those that are heard make theirs.
    let known = plugin.regions.declared
    guard known.isEmpty || known.contains(region) else {
      throw LuaMessage(
        "region_state: " + UnknownWord.sentence("region", region, among: known.sorted()))
    }
    let observer: String?
    switch arguments.count > 1 ? arguments[1] : .none {
    case .none: observer = nil
    case let value:
      guard let text = value.text else {
        throw LuaMessage("region_state: the name of an observer is needed, not \(value.shown)")
      }
      observer = text
      plugin.remarkUnknown(observer: text)
    }
    return .text(plugin.presence(in: region, at: observer).rawValue)
  }
}
