package import Analysis
package import CaptureReader

/// An alert in the shape of Suricata's `eve.json`, as programs that collect such lines know it.
///
/// `{"timestamp":"2026-05-19T10:00:00.123456+0000","event_type":"alert","pcap_cnt":12,"alert":{…},
/// "beacontrace":{…}}`: the last is the event as `--format ndjson` has it.
package enum EVELine {
  /// - Parameters:
  ///   - event: the alert's event as one JSON object.
  ///   - frame: the first frame that it cites; nil for none.
  package static func bytes(_ alert: Alert, event: [UInt8], frame: Int?) -> [UInt8] {
    bytes(
      at: alert.time, alert.severity, title: alert.title, plugin: alert.rule.plugin, event: event,
      frame: frame)
  }

  /// - Parameters:
  ///   - event: the alert's event as one JSON object.
  ///   - frame: the first frame that it cites; nil for none.
  package static func bytes(
    at time: Timestamp, _ severity: Alert.Severity, title: String, plugin: String, event: [UInt8],
    frame: Int?
  ) -> [UInt8] {
    var text = ByteText()
    text.text("{\"timestamp\":")
    timestamp(time, &text)
    text.text(",\"event_type\":\"alert\"")
    if let frame {
      text.text(",\"pcap_cnt\":")
      text.int(frame)
    }
    text.text(",\"alert\":{\"action\":\"allowed\",\"gid\":1,\"signature_id\":")
    text.int(Int(signature(plugin)))
    text.text(",\"signature\":")
    text.jsonString(title)
    text.text(",\"category\":")
    text.jsonString(plugin)
    text.text(",\"severity\":")
    text.int(number(severity))
    text.text("},\"beacontrace\":")
    text.append(event.last == UInt8(ascii: "\n") ? Array(event.dropLast()) : event)
    text.text("}")
    return text.bytes
  }

  /// ISO 8601 in UTC with microseconds and a zone of digits; null where the time is not known.
  private static func timestamp(_ time: Timestamp, _ text: inout ByteText) {
    guard time.isKnown else { return text.text("null") }
    let moment = CivilTime(time)
    text.text("\"")
    text.padded(moment.year, 4)
    for part in [moment.month, moment.day] {
      text.text("-")
      text.padded(part, 2)
    }
    text.text("T")
    text.clock(moment)
    text.text(".")
    text.padded(moment.nanosecond / 1000, 6)
    text.text("+0000\"")
  }

  /// 1 is the severest.
  private static func number(_ severity: Alert.Severity) -> Int {
    switch severity {
    case .critical: 1
    case .warning: 2
    case .notice: 3
    case .info: 4
    }
  }

  /// Suricata's rules have numbers, plugins have names: the same number for the same name (FNV-1a),
  /// positive in 32 bits and above those that rule sets use.
  private static func signature(_ plugin: String) -> UInt32 {
    let hash = plugin.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return hash & 0x3FFF_FFFF | 0x4000_0000
  }
}
