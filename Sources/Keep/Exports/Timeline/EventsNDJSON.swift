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

  private mutating func line(_ event: TimelineEvent, _ names: EventNames) {
    for (place, field) in EventFields(event, names).fields.enumerated() {
      text.text(place == 0 ? "{\"" : ",\"")
      text.text(field.name)
      text.text("\":")
      text.json(field.value)
    }
    if let transmitter = event.transmitter {
      text.text(",\"transmitter\":{")
      text.sender(names.sender(transmitter))
      text.text("}")
    }
    if event.type == .ranging {
      text.text(",\"entries\":")
      text.entries(event.entries, names)
    }
    if let message = event.message {
      text.text(",\"message\":")
      text.message(names.timeline.messages[message])
    }
    text.text(",\"evidence\":")
    text.evidence(event.evidence, names)
    text.text("}\n")
  }

  package mutating func end() throws { try text.flush(to: &output) }
}
