import Analysis

/// What `on` can be about.
enum HandledEvent: String, CaseIterable, Sendable {
  case sighting, telemetry
  case enter, exit, state, proximity, ranging, position
  case messageFound = "message_found"
  case messageLost = "message_lost"
  case monitoringFailed = "monitoring_failed"
  case malformed, clock, observer
  case start, finish

  /// Whether it is about a single sighting: its filters are decided once for each transmitter.
  var isSighting: Bool { self == .sighting || self == .telemetry }

  /// Nil for events that nobody is told of as such (alerts).
  init?(_ type: TimelineEventType) { self.init(rawValue: type.rawValue) }
}

/// A function of a plugin's that wants to be called.
struct Handler: Sendable {
  let event: HandledEvent
  let filter: HandlerFilter
  let function: LuaFunction
  /// It is known to come back soon: nobody has to count what it does.
  var isBrief = false
  /// It is known to do nothing with its sighting but to read it.
  var isReader = false
}
