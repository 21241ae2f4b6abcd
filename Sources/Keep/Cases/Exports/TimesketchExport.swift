import CaptureReader
import CaseStore
import Exports

/// A timeline for Timesketch: JSON lines with the fields that it asks for (`message`, `datetime`,
/// `timestamp_desc`) and ours behind them. In the case's order; Timesketch sorts.
enum TimesketchExport {
  static let form = CaseExport(
    name: "timesketch",
    purpose: "A timeline for Timesketch: events, alerts, first and last sightings, captures.",
    usualName: "timeline.jsonl", shape: .text(write))

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    var lines = TimesketchLines(output)
    try lines.captures(file)
    try lines.beacons(file)
    try lines.events(file)
    return try lines.end()
  }
}

/// The lines under way.
private struct TimesketchLines {
  private var output: any TextOutput
  private var text = ByteText()
  private var leftOut = LeftOut()

  init(_ output: any TextOutput) { self.output = output }

  mutating func end() throws -> [String] {
    try text.flush(to: &output)
    return leftOut.sentences
  }

  mutating func captures(_ file: CaseFile) throws {
    try file.forEach(CaptureRow.self) { capture in
      let name = TextColumns.printable(capture.name)
      guard let from = capture.fromNs, let to = capture.toNs else {
        return leftOut.add("capture", "without a time")
      }
      let ends = [
        (from, "Capture Begin", "capture \(name) begins"),
        (to, "Capture End", "capture \(name) ends"),
      ]
      for (time, kind, message) in ends {
        try line("capture", time, kind, message) { text in
          text.pair("capture", capture.name)
          text.pair("sha256", capture.sha256)
          text.pair("records", capture.records)
          text.moved(capture.movedNs)
          text.pair("clock_moved", capture.movedHow)
        }
      }
    }
  }

  mutating func beacons(_ file: CaseFile) throws {
    try file.forEach(BeaconRow.self) { beacon in
      let name = TextColumns.printable("\(beacon.kindName) \(beacon.identity)")
      guard let first = beacon.firstNs, let last = beacon.lastNs else {
        return leftOut.add("beacon", "without a time")
      }
      let ends = [
        (first, "First Seen", "\(name) heard for the first time"),
        (last, "Last Seen", "\(name) heard for the last time"),
      ]
      for (time, kind, message) in ends {
        try line("beacon", time, kind, message) { text in
          text.pair("kind", beacon.kind)
          text.pair("identity", beacon.identity)
          text.pair("sightings", beacon.sightings)
        }
      }
    }
  }

  mutating func events(_ file: CaseFile) throws {
    let names = try CaseNames(file)
    let evidence = try CitedEvidence(file)
    let doubts = try DoubtfulEntries(file)
    var alerts: [Int64: AlertRow] = [:]
    try file.forEach(AlertRow.self) { alerts[$0.eventId] = $0 }
    try file.forEach(EventRow.self) { event in
      guard let time = event.timeNs else { return leftOut.add("event", "without a time") }
      let alert = alerts[event.id ?? 0]
      let kind = alert == nil ? "Event Time" : "Alert Time"
      let message = alert.map { Self.message(of: $0) } ?? Self.message(of: event, doubts)
      try line("event", time, kind, TextColumns.printable(message)) { text in
        text.pair("event_id", event.event)
        text.pair("event_type", event.type)
        text.pair("region", event.regionId.flatMap { names.regions[$0] })
        text.pair("observer", event.observerId.flatMap { names.observers[$0] })
        text.pair("profile", event.profileId.flatMap { names.profiles[$0] })
        text.pair("state", event.state)
        text.pair("grade", event.grade)
        text.pair("entry_why", doubts[event.id ?? 0])
        Self.sender(event, names, &text)
        if let alert { Self.alert(alert, &text) }
        let cited = evidence[event.id ?? 0]
        Self.evidence(cited, names, &text)
        text.moved(names.moved.of(cited, observer: event.observerId))
        text.pair("clock_moved", names.moved.how(cited))
        let tags = [event.type, event.grade, alert?.severity].compactMap(\.self)
        text.list("tag", tags)
      }
    }
  }

  /// An exit is worth no more than its grade, wherever it is read, and an entry no more than the listening
  /// before it.
  private static func message(of event: EventRow, _ doubts: DoubtfulEntries) -> String {
    guard let grade = event.grade else {
      return event.title + (doubts[event.id ?? 0].map { ": \($0)" } ?? "")
    }
    let meaning: [String: String] = [
      "deaf": "the observer may not have been able to hear, this says nothing about the beacon",
      "thin": "the beacon may have gone, or have been missed",
      "gone": "the observer heard others, and a beacon still there is seldom so silent",
    ]
    return "\(event.title): \(grade)" + (meaning[grade].map { ", \($0)" } ?? "")
  }

  private static func message(of alert: AlertRow) -> String {
    let title = alert.title.isEmpty ? "without a title" : alert.title
    let text = alert.text.isEmpty ? "" : ": \(alert.text)"
    return "\(alert.severity): \(title) (\(alert.plugin))\(text)"
  }

  private static func sender(_ event: EventRow, _ names: CaseNames, _ text: inout ByteText) {
    guard let number = event.transmitterId else { return }
    text.pair("address", names.addresses[number])
    guard let beacon = names.beacons[number] else { return }
    text.pair("kind", names.kinds[beacon])
    text.pair("identity", names.identities[beacon])
  }

  private static func alert(_ alert: AlertRow, _ text: inout ByteText) {
    text.pair("severity", alert.severity)
    text.pair("title", alert.title)
    text.pair("plugin", alert.plugin)
    text.pair("plugin_version", alert.pluginVersion.isEmpty ? nil : alert.pluginVersion)
    text.pair("plugin_sha256", alert.pluginSha256)
    text.pair("dedupe_key", alert.dedupeKey)
  }

  /// The first capture and frame alone, to filter by; all of them as `site.log frame 12`.
  private static func evidence(
    _ items: ArraySlice<CitedEvidence.Item>, _ names: CaseNames, _ text: inout ByteText
  ) {
    if let first = items.first(where: { $0.capture != nil }), let capture = first.capture {
      text.pair("capture", names.captures[capture])
      text.pair("frame", first.number)
    }
    let all = items.map { item in
      item.capture.map { "\(names.captures[$0] ?? "") frame \(item.number)" }
        ?? "\(item.file.flatMap { names.files[$0] } ?? "") line \(item.number)"
    }
    if !all.isEmpty { text.list("evidence", all) }
  }

  /// - Parameters:
  ///   - what: what the line is about.
  ///   - kind: what the time is the time of.
  private mutating func line(
    _ what: String, _ time: Int64, _ kind: String, _ message: String,
    _ fields: (inout ByteText) -> Void
  ) throws {
    text.text("{\"message\":")
    text.jsonString(message)
    text.text(",\"datetime\":\"")
    text.datetime(Timestamp(nanoseconds: time))
    text.text("\",\"timestamp\":")
    text.int(Self.microseconds(time))
    text.pair("timestamp_desc", kind)
    text.pair("data_type", "beacontrace:\(what)")
    fields(&text)
    text.text("}\n")
    try text.flush(to: &output, keeping: Exports.chunk)
  }

  /// Rounded down, as in `datetime`.
  private static func microseconds(_ nanoseconds: Int64) -> Int {
    Int(nanoseconds.quotientAndRemainder(dividingBy: 1000).quotient)
      - (nanoseconds % 1000 < 0 ? 1 : 0)
  }
}

extension ByteText {
  /// A further member of an object; nothing where there is no value.
  mutating func pair(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    jsonString(value)
  }

  mutating func pair(_ name: String, _ value: Int?) {
    guard let value else { return }
    key(name)
    int(value)
  }

  /// Seconds by which a time is later than it stands in the capture; nothing where it is the same.
  mutating func moved(_ nanoseconds: Int64?) {
    guard let nanoseconds, nanoseconds != 0 else { return }
    key("clock_moved_s")
    rounded(Double(nanoseconds) / 1e9, decimals: 6)
  }

  mutating func list(_ name: String, _ values: [String]) {
    key(name)
    text("[")
    for (place, value) in values.enumerated() {
      if place > 0 { text(",") }
      jsonString(value)
    }
    text("]")
  }

  /// A comma, the name and a colon.
  mutating func key(_ name: String) {
    text(",")
    jsonString(name)
    text(":")
  }

  /// ISO 8601 in UTC with microseconds, rounded down: `2026-05-19T10:00:00.123456+00:00`.
  mutating func datetime(_ time: Timestamp) {
    let moment = CivilTime(time)
    padded(moment.year, 4)
    for part in [moment.month, moment.day] {
      text("-")
      padded(part, 2)
    }
    text("T")
    clock(moment)
    text(".")
    padded(moment.nanosecond / 1000, 6)
    text("+00:00")
  }
}
