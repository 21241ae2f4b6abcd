import Analysis
import Beacons
import CaptureReader
import Regions

/// `alert { severity = "warning", title = "…", evidence = e }`
extension PluginFunction {
  static let alert = PluginFunction(name: "alert") { plugin, arguments throws(LuaMessage) in
    try plugin.needRules("alert")
    if plugin.isAskedForRegion {
      throw LuaMessage(
        "alert: a region's contains only answers; call it in a handler of enter, exit or sighting")
    }
    guard !plugin.isLoading, let view = plugin.moment.view else {
      throw LuaMessage(
        "alert: "
          + (plugin.role == .decoding
            ? "a decoder only reads; call it in a handler of what it decodes"
            : "nothing has been read yet; call it in a handler"))
    }
    let reader = try DeclarationReader(
      arguments.first ?? .none, "alert",
      keys: [
        "severity", "title", "text", "dedupe_key", "evidence", "fields", "once_per", "at_most",
        "region", "observer", "about",
      ])
    let severity = try Self.severity(reader)
    let title = try reader.neededText("title")
    guard !title.isEmpty else { throw LuaMessage("alert: title is empty") }
    var alert = Alert(
      time: plugin.timeOfAlerts, severity: severity, title: title, rule: plugin.rule)
    alert.text = try reader.text("text") ?? ""
    alert.dedupeKey = try reader.text("dedupe_key") ?? ""
    alert.fields = try Self.fields(reader)
    for (name, value) in alert.fields { plugin.remarkUnlessFinite(name, value) }
    let cited = AlertEvidence(plugin: plugin, view: view)
    try cited.add(reader.table["evidence"], to: &alert)
    // Where nothing that was named could be cited: as if it had been left out.
    if alert.evidence.isEmpty { cited.addHandled(to: &alert) }
    if alert.evidence.isEmpty { cited.addTold(to: &alert) }
    try cited.name(reader, &alert)
    cited.citeOnce(&alert)
    guard !alert.evidence.isEmpty else {
      throw LuaMessage("alert: nothing has been read yet that it could cite")
    }
    let rank = Alert.Severity.allCases.firstIndex(of: severity) ?? 0
    let rule = try Self.rule(reader)
    let key = cited.gateKey(alert)
    let beacon = rule.oncePer == nil ? nil : cited.unnamedBeacon(alert)
    guard
      let before = plugin.record.gate.pass(key, rank, at: plugin.now.nanoseconds, rule)
    else {
      if let beacon, let span = rule.oncePer {
        plugin.remarkHeldBack(alert.title, key, beacon, within: span)
      }
      return .flag(false)
    }
    if let beacon { plugin.record.note(key, beacon, at: plugin.now.nanoseconds) }
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

extension Plugin {
  /// Of an event that is handled: when it happened. With several observers the run's clock may be
  /// ahead of it by then, live by another span than in a file.
  fileprivate var timeOfAlerts: Timestamp {
    guard case .event(let event) = moment.handling, event.time.isKnown else { return now }
    return event.time
  }
}
