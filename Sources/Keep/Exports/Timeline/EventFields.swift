package import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// The fields of an event in the order of the output; those that do not apply are not among them.
struct EventFields {
  private(set) var fields: [(name: StaticString, value: EventValue)] = []

  /// Everything but the transmitter, message, entries and evidence, which each form nests in its way.
  init(_ event: TimelineEvent, _ names: EventNames) {
    add("id", .word(EventReference.text(event.id)))
    add("type", .word(event.type.rawValue))
    add("time", .time(event.time))
    add("observer", names.observer(event).map { .text($0) })
    add("region", names.region(event).map { .text($0) })
    add("profile", .word(names.profile(event)))
    if event.type == .monitoringFailed { add("code", .word(RegionEvent.monitoringFailureCode)) }
    add("state", event.state.map { .word($0.rawValue) })
    if event.lastSeen.isKnown { add("last_seen", .time(event.lastSeen)) }
    if event.crossedAt.isKnown { add("crossed_at", .time(event.crossedAt)) }
    if let silence = event.silence { fields += Self.figures(silence) }
    add("from", event.from.map { .word("\($0.name)") })
    add("to", event.to.map { .word("\($0.name)") })
    add(event)
    if let alert = names.alert(event) { add(alert) }
    add("what", event.deed.map { .word($0.rawValue) })
    if event.deed == .lost { add("packets_lost", .int(Int(event.packetsLost))) }
    if let silence = event.silence { fields += Self.pause(silence) }
    if let doubt = event.doubt { fields += Self.figures(doubt) }
    if event.stamped.isKnown { add("stamped", .time(event.stamped)) }
  }

  private mutating func add(_ name: StaticString, _ value: EventValue?) {
    if let value { fields.append((name, value)) }
  }

  /// What the silence behind an exit is worth.
  static func figures(_ silence: Silence) -> [(name: StaticString, value: EventValue)] {
    [
      ("grade", .word(silence.grade.rawValue)),
      ("others_heard_at", .time(silence.othersHeard)),
      ("scan_off_s", .seconds(silence.scanOff)),
      ("record_gap_s", .seconds(silence.recordGap)),
      ("interval_ms", silence.interval.map { .number(Double($0) / 1e6, decimals: 1) } ?? .null),
      ("loss", silence.loss.map { .number($0, decimals: 3) } ?? .null),
      ("silence_probability", silence.probability.map { .rough($0) } ?? .null),
      ("silent_transmitters", .int(silence.transmitters)),
    ]
  }

  /// What losses and pauses of the capture, or a scan that hears less, have to do with it; nothing where
  /// there were none.
  static func pause(_ silence: Silence) -> [(name: StaticString, value: EventValue)] {
    var fields: [(name: StaticString, value: EventValue)] = []
    if silence.packetsLost > 0 { fields.append(("packets_lost", .int(Int(silence.packetsLost)))) }
    if silence.unanswered > 0 { fields.append(("rule_failures", .int(silence.unanswered))) }
    if let refused = silence.refused {
      fields.append(("gate_refused", .int(refused.count)))
      if let rssi = refused.rssi { fields.append(("gate_rssi", .number(rssi, decimals: 1))) }
      fields.append(("gate_refused_at", .time(refused.at)))
    }
    if silence.captureOff > 0 { fields.append(("capture_off_s", .seconds(silence.captureOff))) }
    if let listened = silence.listened {
      fields.append(("radio_share", .number(listened.share, decimals: 3)))
      fields.append(
        ("radio_share_before", listened.before.map { .number($0, decimals: 3) } ?? .null))
    }
    if silence.filtered > 0 { fields.append(("duplicates_filtered_s", .seconds(silence.filtered))) }
    if silence.listedOnly > 0 { fields.append(("listed_only_s", .seconds(silence.listedOnly))) }
    if silence.quiet > 0 { fields.append(("quiet_s", .seconds(silence.quiet))) }
    return fields
  }

  /// What an entry leaves open.
  static func figures(_ doubt: EntryDoubt) -> [(name: StaticString, value: EventValue)] {
    [
      ("entry_doubt", .word(doubt.kind.rawValue)), ("unheard_since", .time(doubt.since)),
      ("listened_before_s", .seconds(doubt.listened)),
    ]
  }

  private mutating func add(_ event: TimelineEvent) {
    if let distance = event.distance {
      add("accuracy_m", .number(distance.metres, decimals: 2))
      add("accuracy_min_m", distance.interval.map { .number($0.lowerBound, decimals: 2) })
      add("accuracy_max_m", distance.interval.map { .number($0.upperBound, decimals: 2) })
    } else if event.type == .proximity {
      add("accuracy_m", .null)
    }
    add("rssi", event.rssi.map { .number($0, decimals: 1) })
    guard let position = event.position else { return }
    add("latitude", .number(position.latitude, decimals: 7))
    add("longitude", .number(position.longitude, decimals: 7))
    add("course_deg", position.course.map { .number($0, decimals: 1) })
    add("cause", .text(position.cause.rawValue))
  }

  private mutating func add(_ alert: Alert) {
    add("severity", .word(alert.severity.rawValue))
    add("title", .text(alert.title))
    if !alert.text.isEmpty { add("text", .text(alert.text)) }
    add("plugin", .text(alert.rule.plugin))
    if !alert.rule.version.isEmpty { add("plugin_version", .text(alert.rule.version)) }
    add("plugin_sha256", .word(alert.rule.sha256))
    add("dedupe_key", .text(alert.dedupeKey.isEmpty ? alert.title : alert.dedupeKey))
    add("held_back", .int(alert.heldBack))
  }

  /// Names that alerts alone have, behind those of `names`.
  static let alertNames: [String] = [
    "severity", "title", "text", "plugin", "plugin_version", "plugin_sha256", "dedupe_key",
    "held_back",
  ]

  /// Names that only events of captures with losses, pauses, resets, deafness before an entry, scans that
  /// hear less or clocks that were set back have, behind those.
  static let observerNames: [String] = [
    "what", "packets_lost", "capture_off_s", "radio_share", "radio_share_before",
    "duplicates_filtered_s", "listed_only_s", "entry_doubt", "unheard_since", "listened_before_s",
    "rule_failures", "gate_refused", "gate_rssi", "gate_refused_at", "stamped", "quiet_s",
  ]

  /// Every other name there is, in the order of the output.
  static let names: [String] = [
    "id", "type", "time", "observer", "region", "profile", "code", "state", "last_seen",
    "crossed_at", "grade", "others_heard_at", "scan_off_s", "record_gap_s", "interval_ms", "loss",
    "silence_probability", "silent_transmitters", "from", "to", "accuracy_m", "accuracy_min_m",
    "accuracy_max_m", "rssi", "latitude", "longitude", "course_deg", "cause",
  ]
}

/// The parts of an event that hold several values, as JSON.
extension ByteText {
  /// `"address":…,"address_type":…,"kind":…,"id":…` and the identity's parts.
  mutating func sender(_ sender: EventNames.Sender) {
    text("\"address\":")
    if sender.address.isPresent {
      byte(UInt8(ascii: "\""))
      address(sender.address)
      byte(UInt8(ascii: "\""))
    } else {
      text("null")
    }
    text(",\"address_type\":\"")
    text(sender.address.kindName)
    text("\"")
    identity(sender.kind, sender.bytes)
    beaconFields(sender.fields)
  }

  mutating func message(_ message: Timeline.Message) {
    text("{\"beacon\":")
    jsonString(message.beacon)
    text(",\"namespace\":")
    jsonString(message.namespace)
    text(",\"type\":")
    jsonString(message.type)
    text(",\"content\":")
    jsonString(message.content)
    text("}")
  }

  mutating func entries(_ entries: [RangingEntry], _ names: EventNames) {
    text("[")
    for (place, entry) in entries.enumerated() {
      text(place == 0 ? "{" : ",{")
      sender(names.sender(entry.identity, entry.address))
      text(",\"proximity\":\"")
      text(entry.proximity.name)
      text("\",\"accuracy_m\":")
      json(entry.accuracy.map { .number($0.metres, decimals: 2) } ?? .null)
      text(",\"accuracy_min_m\":")
      json(entry.accuracy?.interval.map { .number($0.lowerBound, decimals: 2) } ?? .null)
      text(",\"accuracy_max_m\":")
      json(entry.accuracy?.interval.map { .number($0.upperBound, decimals: 2) } ?? .null)
      text(",\"rssi\":")
      json(entry.rssi.map { .number($0, decimals: 1) } ?? .null)
      text(",\"samples\":")
      int(entry.samples)
      text(",\"capture\":")
      jsonString(names.captures[Int(entry.frame.capture)])
      text(",\"frame\":")
      int(entry.frame.frame)
      text("}")
    }
    text("]")
  }

  /// What a rule added to its alert, as an object.
  package mutating func fields(_ alert: Alert) {
    text("{")
    for (place, field) in alert.fields.enumerated() {
      if place > 0 { text(",") }
      jsonString(field.name)
      text(":")
      switch field.value {
      case .text(let value): jsonString(value)
      case .int(let value): int(value)
      // As many digits as tell it from any other number.
      case .number(let value): value.isFinite ? text(of: "\(value)") : text("null")
      case .flag(let value): text(value ? "true" : "false")
      }
    }
    text("}")
  }

  /// Ids of the events that an alert cites.
  mutating func eventIDs(_ alert: Alert) {
    text("[")
    for (place, id) in alert.events.enumerated() {
      text(place == 0 ? "\"" : ",\"")
      text(of: EventReference.text(id))
      text("\"")
    }
    text("]")
  }

  mutating func evidence(_ evidence: [TimelineEvent.Evidence], _ names: EventNames) {
    text("[")
    for (place, item) in evidence.enumerated() {
      if place > 0 { text(",") }
      text(item.source == .capture ? "{\"capture\":" : "{\"track\":")
      jsonString(names.file(item))
      text(item.source == .capture ? ",\"frame\":" : ",\"line\":")
      int(item.number)
      text("}")
    }
    text("]")
  }
}
