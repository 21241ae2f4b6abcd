import Analysis
import Beacons
import CaptureReader
import Regions

/// `alert { severity = "warning", title = "…", evidence = e }`
extension PluginFunction {
  static let alert = PluginFunction(name: "alert") { plugin, arguments throws(LuaMessage) in
    try plugin.needRules("alert")
    guard !plugin.isLoading, let view = plugin.moment.view else {
      throw LuaMessage("alert: nothing has been read yet; call it in a handler")
    }
    let reader = try DeclarationReader(
      arguments.first ?? .none, "alert",
      keys: [
        "severity", "title", "text", "dedupe_key", "evidence", "fields", "once_per", "at_most",
        "region", "observer",
      ])
    let severity = try Self.severity(reader)
    let title = try reader.neededText("title")
    guard !title.isEmpty else { throw LuaMessage("alert: title is empty") }
    var alert = Alert(
      time: plugin.timeOfAlerts, severity: severity, title: title, rule: plugin.rule)
    alert.text = try reader.text("text") ?? ""
    alert.dedupeKey = try reader.text("dedupe_key") ?? ""
    alert.fields = try Self.fields(reader)
    let cited = AlertEvidence(plugin: plugin, view: view)
    try cited.add(reader.table["evidence"], to: &alert)
    try cited.name(reader, &alert)
    if alert.evidence.isEmpty { cited.addTold(to: &alert) }
    guard !alert.evidence.isEmpty else {
      throw LuaMessage("alert: nothing has been read yet that it could cite")
    }
    let key = alert.dedupeKey.isEmpty ? title : alert.dedupeKey
    guard
      let before = plugin.record.gate.pass(
        key, at: plugin.now.nanoseconds, try Self.rule(reader))
    else { return .flag(false) }
    alert.heldBack = before
    plugin.record.alertsTold += 1
    plugin.record.alerts.append((plugin.place, alert))
    return .flag(true)
  }

  private static func severity(_ reader: DeclarationReader) throws(LuaMessage) -> Alert.Severity {
    guard let word = try reader.text("severity") else { return .warning }
    guard let severity = Alert.Severity(rawValue: word) else {
      throw LuaMessage(
        "alert: "
          + UnknownWord.sentence("severity", word, among: Alert.Severity.allCases.map(\.rawValue)))
    }
    return severity
  }

  private static func rule(_ reader: DeclarationReader) throws(LuaMessage) -> AlertGate.Rule {
    var rule = AlertGate.Rule()
    rule.oncePer = try reader.number("once_per", isPositive: true).map(span)
    let most = reader.table["at_most"]
    guard !most.isNone else { return rule }
    guard case .table(let table) = most, let count = table.list.first?.integer, count > 0,
      let seconds = table["per"].number, seconds > 0
    else { throw LuaMessage("alert: write at_most = { 5, per = 60 }: five in sixty seconds") }
    rule.atMost = (count, span(seconds))
    return rule
  }

  /// Nanoseconds.
  private static func span(_ seconds: Double) -> Int64 { Int64(min(seconds, 9e9) * 1e9) }

  private static func fields(_ reader: DeclarationReader) throws(LuaMessage)
    -> CustomFields
  {
    let value = reader.table["fields"]
    if value.isNone { return [] }
    guard case .table(let table) = value else { throw reader.wrong("fields", value, "a table") }
    var fields: CustomFields = []
    for (key, value) in table.pairs {
      guard let name = key.text else {
        throw LuaMessage("alert: the key \(key.shown) in fields is no name")
      }
      guard let field = CustomValue(value) else {
        throw LuaMessage(
          "alert: \(name) in fields is \(value.shown); write a string, a number, true or false")
      }
      fields.append((name, field))
    }
    return fields
  }
}

/// What an alert cites.
struct AlertEvidence {
  let plugin: Plugin
  let view: RunView

  /// - Parameter value: a sighting, an event, a list of them; nothing: what is being handled.
  func add(_ value: LuaValue, to alert: inout Alert) throws(LuaMessage) {
    switch value {
    case .none, .sighting: addHandled(to: &alert)
    case .table(let table):
      let list = table.list
      if list.isEmpty { return try add(table, to: &alert) }
      for item in list {
        switch item {
        case .sighting: addHandled(to: &alert)
        case .table(let table): try add(table, to: &alert)
        default: throw wrong(item)
        }
      }
    default: throw wrong(value)
    }
  }

  private func wrong(_ value: LuaValue) -> LuaMessage {
    LuaMessage(
      "alert: evidence is \(value.shown); give a sighting, its s:copy(), an event, or a list of them"
    )
  }

  func addHandled(to alert: inout Alert) {
    switch plugin.moment.handling {
    case .run, .considered:
      guard let judged = plugin.sighting else { return }
      let number = judged.brief.transmitter
      alert.evidence.append(
        TimelineEvent.Evidence(
          source: .capture, file: Int(judged.capture), number: judged.brief.frame))
      alert.transmitter = alert.transmitter ?? Int(number)
      alert.observer = alert.observer ?? Int(view.transmitters[number].observer)
    case .event(let event): add(event, to: &alert)
    case .frame(let evidence, let observer):
      alert.evidence.append(evidence)
      alert.observer = alert.observer ?? observer
    case .timer, .nothing: break
    }
  }

  /// Where nothing is being handled, or that cites no frame: what the plugin was told last. It is not
  /// what the alert is about.
  func addTold(to alert: inout Alert) {
    alert.evidence = plugin.told.evidence
    if let event = plugin.told.event, !alert.events.contains(event) { alert.events.append(event) }
  }

  private func add(_ event: TimelineEvent, to alert: inout Alert) {
    alert.evidence += event.evidence
    alert.events.append(event.id)
    alert.transmitter = alert.transmitter ?? event.transmitter
    alert.observer = alert.observer ?? event.observer
    alert.region = alert.region ?? event.region
  }

  /// A table: an event as it was handed over, or the copy of a sighting.
  private func add(_ table: LuaTable, to alert: inout Alert) throws(LuaMessage) {
    if case .event(let event) = plugin.moment.handling,
      table["id"].text == EventValues.reference(event.id)
    {
      return add(event, to: &alert)
    }
    if case .table(let evidence) = table["evidence"] {
      for item in evidence.list {
        guard case .table(let place) = item else { throw wrong(item) }
        alert.evidence.append(try self.place(place))
      }
      if let id = table["id"].text.flatMap({ UInt64($0, radix: 16) }) { alert.events.append(id) }
      // An event that was kept is about the same as on the day it was told.
      alert.region = alert.region ?? number(of: table["region"], in: view.regions.map(\.identifier))
      alert.observer = alert.observer ?? number(of: table["observer"], in: view.observers)
    } else if !table["frame"].isNone || !table["line"].isNone {
      alert.evidence.append(try place(table))
      alert.observer = alert.observer ?? number(of: table["observer"], in: view.observers)
    } else {
      throw wrong(.table(table))
    }
  }

  private func number(of name: LuaValue, in names: [String]) -> Int? {
    name.text.flatMap { names.firstIndex(of: $0) }
  }

  private func place(_ table: LuaTable) throws(LuaMessage) -> TimelineEvent.Evidence {
    if let name = table["capture"].text, let file = view.captures.firstIndex(of: name),
      let frame = table["frame"].integer, frame > 0
    {
      return TimelineEvent.Evidence(source: .capture, file: file, number: frame)
    }
    if let name = table["track"].text, let file = view.tracks.firstIndex(of: name),
      let line = table["line"].integer, line > 0
    {
      return TimelineEvent.Evidence(source: .track, file: file, number: line)
    }
    throw LuaMessage("alert: evidence names no capture and frame of this run")
  }

  /// What the alert says it is about.
  func name(_ reader: DeclarationReader, _ alert: inout Alert) throws(LuaMessage) {
    if let name = try reader.text("region") {
      guard let number = view.regions.firstIndex(where: { $0.identifier == name }) else {
        throw LuaMessage("alert: there is no region '\(name)'")
      }
      alert.region = number
    }
    if let name = try reader.text("observer") {
      guard let number = view.observers.firstIndex(of: name) else {
        throw LuaMessage("alert: there is no observer '\(name)'")
      }
      alert.observer = number
    }
  }
}

extension Plugin {
  /// Of an event that is handled: when it happened. With several observers the run's clock may be
  /// ahead of it by then, live by another span than in a file.
  fileprivate var timeOfAlerts: Timestamp {
    guard case .event(let event) = moment.handling, event.time.isKnown else { return now }
    return event.time
  }
}
