package import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Comma-separated values with a header line (RFC 4180), which is the same for every run, so that tables of several can
/// be put together. The columns are NDJSON's keys, those of nested objects behind the object's name; lists stand as JSON
/// in their cells. Those of alerts come behind them, last those of what happened to observers.
package struct EventsCSV: EventSink {
  package static let export = EventExport(name: "csv") { output, _ in EventsCSV(output) }

  private static let nested = [
    "transmitter_address", "transmitter_address_type", "transmitter_kind", "transmitter_id",
    "transmitter_device", "entries", "message_beacon", "message_namespace", "message_type",
    "message_content",
    "evidence",
  ]

  private static let nestedOfAlerts = ["fields", "events"]

  private var output: any TextOutput
  private var text = ByteText()
  private var hasHeader = false

  package init(_ output: any TextOutput) { self.output = output }

  private mutating func header() {
    guard !hasHeader else { return }
    hasHeader = true
    let columns =
      EventFields.names + Self.nested + EventFields.alertNames + Self.nestedOfAlerts
      + EventFields.observerNames
    text.text(of: columns.joined(separator: ","))
    text.text("\r\n")
  }

  package mutating func take(_ events: [TimelineEvent], _ names: EventNames) throws {
    header()
    for event in events {
      line(event, names)
      try text.flush(to: &output, keeping: Exports.chunk)
    }
  }

  private mutating func line(_ event: TimelineEvent, _ names: EventNames) {
    // Fields come in the order of the columns: one look at each is enough.
    var fields = EventFields(event, names).fields[...]
    cells(EventFields.names, &fields)
    sender(event, names)
    if event.type == .ranging {
      var list = ByteText()
      list.entries(event.entries, names)
      text.csv(list.string)
    }
    text.text(",")
    message(event.message.map { names.timeline.messages[$0] })
    var list = ByteText()
    list.evidence(event.evidence, names)
    text.csv(list.string)
    alert(names.alert(event), &fields)
    for name in EventFields.observerNames {
      text.text(",")
      guard let first = fields.first, "\(first.name)" == name else { continue }
      text.cell(first.value)
      fields.removeFirst()
    }
    text.text("\r\n")
  }

  /// A comma behind each.
  private mutating func cells(
    _ names: [String], _ fields: inout ArraySlice<(name: StaticString, value: EventValue)>
  ) {
    for name in names {
      if let first = fields.first, "\(first.name)" == name {
        // As in the CSV of sightings.
        if name == "observer", case .text(let observer) = first.value {
          text.csv(TextColumns.printable(observer))
        } else {
          text.cell(first.value)
        }
        fields.removeFirst()
      }
      text.text(",")
    }
  }

  private mutating func alert(
    _ alert: Alert?, _ fields: inout ArraySlice<(name: StaticString, value: EventValue)>
  ) {
    text.text(",")
    cells(EventFields.alertNames, &fields)
    guard let alert else { return text.text(",") }
    var values = ByteText()
    values.fields(alert)
    text.csv(values.string)
    text.text(",")
    var ids = ByteText()
    ids.eventIDs(alert)
    text.csv(ids.string)
  }

  private mutating func sender(_ event: TimelineEvent, _ names: EventNames) {
    guard let number = event.transmitter else { return text.text(",,,,,") }
    let sender = names.sender(number)
    if sender.address.isPresent { text.address(sender.address) }
    text.text(",")
    text.text(sender.address.kindName)
    text.text(",")
    text.text(sender.kindName)
    text.text(",")
    text.csv(sender.id)
    text.text(",")
    // As in NDJSON: what is a device by its kind has its name as its identity.
    if sender.kind != .device, let device = sender.device { text.csv(device) }
    text.text(",")
  }

  private mutating func message(_ message: Timeline.Message?) {
    guard let message else { return text.text(",,,,") }
    for value in [message.beacon, message.namespace, message.type, message.content] {
      text.csv(value)
      text.text(",")
    }
  }

  package mutating func end() throws {
    header()
    try text.flush(to: &output)
  }
}
