import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Events as Lua has them: the fields of `events --format ndjson`, times as numbers.
struct EventValues {
  let view: RunView

  /// - Parameter alert: where the event is one.
  func table(_ event: TimelineEvent, _ alert: Alert? = nil) -> LuaTable {
    var table = LuaTable()
    table.set("id", .text(Self.reference(event.id)))
    table.set("type", .text(event.type.rawValue))
    table.set("time", LuaValue(event.time))
    let isNobodys = alert.map { $0.observer == nil } ?? false
    table.set("observer", isNobodys ? nil : .text(view.observers[event.observer]))
    table.set("region", event.region.map { .text(view.regions[$0].identifier) })
    table.set("profile", .text(view.profile))
    if event.type == .monitoringFailed {
      table.set("code", .text(RegionEvent.monitoringFailureCode))
    }
    table.set("state", event.state.map { .text($0.rawValue) })
    table.set("last_seen", LuaValue(event.lastSeen))
    table.set("crossed_at", LuaValue(event.crossedAt))
    if let silence = event.silence { add(silence, to: &table) }
    if let doubt = event.doubt { Self.add(doubt, to: &table) }
    table.set("stamped", LuaValue(event.stamped))
    table.set("from", event.from.map { .text("\($0.name)") })
    table.set("to", event.to.map { .text("\($0.name)") })
    add(event.distance, to: &table)
    table.set("rssi", event.rssi.map { .number($0) })
    if let position = event.position { add(position, to: &table) }
    if let transmitter = event.transmitter {
      table.set("transmitter", .table(self.transmitter(UInt32(transmitter))))
    }
    if event.type == .ranging {
      table.set("entries", .table(LuaTable(list: event.entries.map { .table(entry($0)) })))
    }
    if let message = event.message { table.set("message", .table(self.message(message))) }
    if let alert { Self.add(alert, to: &table) }
    table.set("what", event.deed.map { .text($0.rawValue) })
    if event.deed == .lost { table.set("packets_lost", .integer(event.packetsLost)) }
    table.set("evidence", .table(evidence(event.evidence)))
    return table
  }

  /// What events of observers alone have, as far as they are in a timeline.
  static let observerNames = ["what", "packets_lost"]

  /// What alerts alone have.
  static let alertNames = [
    "severity", "title", "text", "plugin", "plugin_version", "plugin_sha256", "dedupe_key",
    "held_back", "fields", "events",
  ]

  private static func add(_ alert: Alert, to table: inout LuaTable) {
    table.set("severity", .text(alert.severity.rawValue))
    table.set("title", .text(alert.title))
    if !alert.text.isEmpty { table.set("text", .text(alert.text)) }
    table.set("plugin", .text(alert.rule.plugin))
    if !alert.rule.version.isEmpty { table.set("plugin_version", .text(alert.rule.version)) }
    table.set("plugin_sha256", .text(alert.rule.sha256))
    table.set("dedupe_key", .text(alert.dedupeKey.isEmpty ? alert.title : alert.dedupeKey))
    table.set("held_back", .integer(Int64(alert.heldBack)))
    var fields = LuaTable()
    for (name, value) in alert.fields { fields.set(name, LuaValue(value)) }
    table.set("fields", .table(fields))
    table.set("events", .table(LuaTable(list: alert.events.map { .text(reference($0)) })))
  }

  static func reference(_ id: UInt64) -> String {
    HexText.string((0..<8).map { UInt8(truncatingIfNeeded: id >> UInt64(56 - 8 * $0)) })
  }

  private func add(_ silence: Silence, to table: inout LuaTable) {
    table.set("grade", .text(silence.grade.rawValue))
    table.set("others_heard_at", LuaValue(silence.othersHeard))
    table.set("scan_off_s", .number(Double(silence.scanOff) / 1e9))
    if silence.captureOff > 0 {
      table.set("capture_off_s", .number(Double(silence.captureOff) / 1e9))
    }
    table.set("record_gap_s", .number(Double(silence.recordGap) / 1e9))
    if silence.quiet > 0 { table.set("quiet_s", .number(Double(silence.quiet) / 1e9)) }
    if silence.unanswered > 0 { table.set("rule_failures", .integer(Int64(silence.unanswered))) }
    if let refused = silence.refused {
      table.set("gate_refused", .integer(Int64(refused.count)))
      if let rssi = refused.rssi { table.set("gate_rssi", .number(rssi)) }
      table.set("gate_refused_at", LuaValue(refused.at))
    }
    if silence.packetsLost > 0 { table.set("packets_lost", .integer(silence.packetsLost)) }
    if silence.filtered > 0 {
      table.set("duplicates_filtered_s", .number(Double(silence.filtered) / 1e9))
    }
    if silence.listedOnly > 0 {
      table.set("listed_only_s", .number(Double(silence.listedOnly) / 1e9))
    }
    table.set("radio_share", silence.listened.map { .number($0.share) })
    table.set("radio_share_before", silence.listened?.before.map { .number($0) })
    table.set("interval_ms", silence.interval.map { .number(Double($0) / 1e6) })
    table.set("loss", silence.loss.map { .number($0) })
    table.set("silence_probability", silence.probability.map { .number($0) })
    table.set("silent_transmitters", .integer(Int64(silence.transmitters)))
  }

  private static func add(_ doubt: EntryDoubt, to table: inout LuaTable) {
    table.set("entry_doubt", .text(doubt.kind.rawValue))
    table.set("unheard_since", LuaValue(doubt.since))
    table.set("listened_before_s", .number(Double(doubt.listened) / 1e9))
  }

  private func add(_ distance: Distance?, to table: inout LuaTable) {
    guard let distance else { return }
    table.set("accuracy_m", .number(distance.metres))
    table.set("accuracy_min_m", distance.interval.map { .number($0.lowerBound) })
    table.set("accuracy_max_m", distance.interval.map { .number($0.upperBound) })
  }

  private func add(_ position: TimelineEvent.Position, to table: inout LuaTable) {
    table.set("latitude", .number(position.latitude))
    table.set("longitude", .number(position.longitude))
    table.set("course_deg", position.course.map { .number($0) })
    table.set("cause", .text(position.cause.rawValue))
  }

  private func transmitter(_ number: UInt32) -> LuaTable {
    let transmitter = view.transmitters[number]
    return sender(transmitter.identity, transmitter.address)
  }

  private func sender(_ identity: UInt32, _ address: DeviceAddress) -> LuaTable {
    var table = LuaTable()
    let identity = view.identities[identity]
    for name in ["address", "address_type", "device", "kind", "id"] {
      table.set(name, TransmitterValues.value(name, address, identity, view.identities))
    }
    let bytes = view.identities.bytes(of: identity)
    for field in BeaconFormats.format(identity.kind).identityFields(bytes) {
      table.set("\(field.name)", LuaValue(field.value))
    }
    return table
  }

  private func entry(_ entry: RangingEntry) -> LuaTable {
    var table = sender(entry.identity, entry.address)
    table.set("proximity", .text("\(entry.proximity.name)"))
    add(entry.accuracy, to: &table)
    table.set("rssi", entry.rssi.map { .number($0) })
    table.set("samples", .integer(Int64(entry.samples)))
    table.set("capture", .text(view.captures[Int(entry.frame.capture)]))
    table.set("frame", .integer(Int64(entry.frame.frame)))
    return table
  }

  /// As an entry has it.
  func id(of entry: RangingEntry) -> LuaValue {
    TransmitterValues.value(
      "id", entry.address, view.identities[entry.identity], view.identities)
  }

  private func message(_ number: Int) -> LuaTable {
    let message = view.messages[number]
    var table = LuaTable()
    table.set("beacon", .text(message.beacon.text))
    table.set("namespace", .text(message.namespace))
    table.set("type", .text(message.type))
    switch message.content {
    case .text(let text): table.set("content", .text(text))
    case .bytes(let bytes): table.set("content", .bytes(bytes))
    }
    return table
  }

  func evidence(_ evidence: [TimelineEvent.Evidence]) -> LuaTable {
    LuaTable(
      list: evidence.map { item in
        var table = LuaTable()
        switch item.source {
        case .capture:
          table.set("capture", .text(view.captures[item.file]))
          table.set("frame", .integer(Int64(item.number)))
        case .track:
          table.set("track", .text(view.tracks[item.file]))
          table.set("line", .integer(Int64(item.number)))
        }
        return .table(table)
      })
  }
}
