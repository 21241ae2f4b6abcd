package import Analysis

/// One JSON object a line. The keys are a contract: see FORMATS.md.
package struct EventsNDJSON: EventSink {
  package static let export = EventExport(name: "ndjson") { output, _ in EventsNDJSON(output) }

  private var output: any TextOutput
  private var text = ByteText()

  package init(_ output: any TextOutput) { self.output = output }

  package mutating func take(_ events: [TimelineEvent], _ names: EventNames) throws {
    for event in events {
      line(event, names)
      try text.flush(to: &output, keeping: Exports.chunk)
    }
  }

  /// An event as it stands on its line.
  package static func object(_ event: TimelineEvent, _ names: EventNames) -> [UInt8] {
    var text = ByteText()
    text.event(event, names)
    return text.bytes
  }

  private mutating func line(_ event: TimelineEvent, _ names: EventNames) {
    text.event(event, names)
    text.text("\n")
  }

  package mutating func end() throws { try text.flush(to: &output) }
}

extension ByteText {
  /// An event as an object.
  mutating func event(_ event: TimelineEvent, _ names: EventNames) {
    for (place, field) in EventFields(event, names).fields.enumerated() {
      text(place == 0 ? "{\"" : ",\"")
      text(field.name)
      text("\":")
      json(field.value)
    }
    if let transmitter = event.transmitter {
      text(",\"transmitter\":{")
      sender(names.sender(transmitter))
      text("}")
    }
    if event.type == .ranging {
      text(",\"entries\":")
      entries(event.entries, names)
    }
    if let message = event.message {
      text(",\"message\":")
      self.message(names.timeline.messages[message])
    }
    if let alert = names.alert(event) {
      text(",\"fields\":")
      fields(alert)
      text(",\"events\":")
      eventIDs(alert)
    }
    text(",\"evidence\":")
    evidence(event.evidence, names)
    text("}")
  }
}
