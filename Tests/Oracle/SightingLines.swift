import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Sightings in the form that the oracle and the generator print: one JSON object a line, keys in a
/// fixed order, an RSSI that is not available as null.
enum SightingLines {
  /// Every sighting of a capture.
  static func read(_ path: String, keepBadCRC: Bool = false) throws -> [String] {
    let pipeline = CapturePipeline(
      try CaptureReader.open(.file(path)), options: FrameDecoder.Options(keepBadCRC: keepBadCRC),
      keepsRepeats: true)
    var lines: [String] = []
    while try pipeline.step() {
      let table = pipeline.identities
      pipeline.withSightings { _, sightings in
        lines += sightings.indices.map { line(sightings[$0], table) }
      }
    }
    return lines
  }

  static func line(_ sighting: Sighting, _ table: IdentityTable) -> String {
    let format = BeaconFormats.format(sighting.kind)
    let id = table[sighting.identity]
    let text = format.identityText(table.bytes(of: id))
    var line = "{\"frame\":\(sighting.frame),\"report\":\(sighting.index)"
    line += ",\"time\":\"\(time(sighting.time))\",\"addr\":\"\(address(sighting.address))\""
    line += ",\"rssi\":" + (sighting.rssi == 127 ? "null" : "\(sighting.rssi)")
    line += ",\"kind\":\"\(format.name)\",\"id\":\"\(escaped(text))\""
    for (name, value) in numbers(sighting, format.fields(of: sighting, id: id, table)) {
      line += ",\"\(name)\":\(value)"
    }
    return line + "}"
  }

  /// Lines of another program: the same RSSI for «not available», no word about the frame.
  static func normalised(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      String(line).replacing("\"rssi\":127,", with: "\"rssi\":null,")
        .replacing(",\"malformed\":true", with: "")
    }
  }

  private static func numbers(_ sighting: Sighting, _ fields: [BeaconField]) -> [(String, Int)] {
    fields.compactMap { field in
      switch ("\(field.name)", field.value) {
      case ("company", .int(let value)): ("mfg", value)
      case ("measured_power", .int(let value)), ("tx_power", .int(let value)): ("power", value)
      case ("battery_mv", .int(let value)): ("vbatt", value)
      case ("battery_mv", .none): ("vbatt", 0)
      case ("temperature_c", .decimal(let value, 256)): ("temp_raw", value)
      case ("temperature_c", .none): ("temp_raw", -32768)
      case ("adv_count", .int(let value)): ("adv_cnt", value)
      case ("uptime_s", .decimal(let value, 10)): ("sec_cnt", value)
      default: nil
      }
    }
  }

  private static func time(_ time: Timestamp) -> String {
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(rest)
    return "\(seconds)." + String(repeating: "0", count: 9 - digits.count) + digits
  }

  static func address(_ address: DeviceAddress) -> String {
    stride(from: UInt64(40), through: 0, by: -8)
      .map { HexText.string([UInt8(truncatingIfNeeded: address.address >> $0)]) }
      .joined(separator: ":")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

/// What a comparison of two lists of lines has to say.
func differences(_ found: [String], from expected: [String]) -> [String] {
  if found == expected { return [] }
  var counts: [String: Int] = [:]
  for line in expected { counts[line, default: 0] += 1 }
  for line in found { counts[line, default: 0] -= 1 }
  let wrong = counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }
    .map { ($0.value > 0 ? "missing: " : "extra: ") + $0.key }
  return wrong.isEmpty ? ["the same lines, in another order"] : wrong
}
