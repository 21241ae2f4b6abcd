package import Analysis

/// Takes timeline events in order and writes them.
package protocol EventSink {
  /// - Parameter names: they may have become more since the call before.
  mutating func take(_ events: [TimelineEvent], _ names: EventNames) throws
  /// Nothing follows. Writes what was kept.
  mutating func end() throws
}

/// One row per form in which events can be written.
package struct EventExport: Sendable {
  /// As `--format` names it.
  package let name: String
  /// Writes what comes before the first event.
  /// - Parameter width: columns of the terminal; nil where the output is not one.
  package let open: @Sendable (_ output: any TextOutput, _ width: Int?) -> any EventSink
}

/// All forms of events.
package enum EventExports {
  package static let all: [EventExport] = [
    EventsText.export, EventsNDJSON.export, EventsCSV.export,
  ]

  package static func named(_ name: String) -> EventExport? { all.first { $0.name == name } }
}
