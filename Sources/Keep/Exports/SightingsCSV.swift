package import Analysis
package import Beacons
import CaptureReader
import FrameDecoder

/// Comma-separated values with a header line (RFC 4180). The columns are NDJSON's keys; what a
/// format does not have stays empty, several warnings are parted by blanks.
package struct SightingsCSV: FindingSink {
  package static let export = SightingExport(name: "csv") { output, _ in SightingsCSV(output) }

  private static let common = [
    "capture", "frame", "report", "time", "observer", "address", "address_type", "rssi", "channel",
    "phy", "kind", "id",
  ]
  /// Every format's fields; those that came later stand behind the others. What a decoder is called begins
  /// its identities.
  package static let fields: [String] = {
    var names = first
    for format in BeaconFormats.all where format.kind != .custom {
      names += format.blankFields.map { "\($0.name)" }.filter { !names.contains($0) }
    }
    return names
  }()
  private static let first = [
    "uuid", "major", "minor", "measured_power", "namespace", "instance", "tx_power", "url",
    "version", "battery_mv", "temperature_c", "adv_count", "uptime_s", "ciphertext", "salt", "mic",
    "eid", "beacon_code", "company", "id1", "id2", "id3", "reserved",
  ]

  private var output: any TextOutput
  private var text = ByteText()
  private var fragments = SightingFragments(render: Self.columns)
  private var words = CaptureWords(head: Self.head, observer: Self.observer)

  package init(_ output: any TextOutput) {
    self.output = output
    text.text(of: (Self.common + Self.fields + ["device", "warnings"]).joined(separator: ","))
    text.text("\r\n")
  }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    fragments.begin(capture)
    let words = words.words(of: capture)
    for place in sightings.indices {
      line(sightings[place], words, capture)
      try text.flush(to: &output, keeping: Exports.chunk)
    }
  }

  @Sendable
  private static func head(_ capture: String) -> [UInt8] {
    var text = ByteText()
    text.csv(capture)
    text.byte(UInt8(ascii: ","))
    return text.bytes
  }

  @Sendable
  private static func observer(_ name: String) -> [UInt8] {
    var text = ByteText()
    // Captures name their interfaces themselves, whatever that does to a terminal.
    text.csv(TextColumns.printable(name))
    return text.bytes
  }

  private mutating func line(
    _ sighting: Sighting, _ words: CaptureWords.Words, _ capture: CaptureContext
  ) {
    let comma = UInt8(ascii: ",")
    text.append(words.head)
    text.int(sighting.frame)
    text.byte(comma)
    text.int(Int(sighting.index))
    text.byte(comma)
    if sighting.time.isKnown { text.time(sighting.time) }
    text.byte(comma)
    text.append(words.observers[Int(sighting.observer)])
    text.byte(comma)
    if sighting.address.isPresent { text.address(sighting.address) }
    text.byte(comma)
    text.text(sighting.address.kindName)
    text.byte(comma)
    if sighting.rssi != 127 { text.int(Int(sighting.rssi)) }
    text.byte(comma)
    if sighting.channel != 255 { text.int(Int(sighting.channel)) }
    text.byte(comma)
    if let phy = sighting.phy.name { text.text(phy) }
    fragments.append(sighting, capture, to: &text)
    text.byte(comma)
    if let device = capture.identities.device(at: sighting.address) { text.csv(device) }
    text.byte(comma)
    if !sighting.warnings.isEmpty || !sighting.frameWarnings.isEmpty {
      text.text(of: warningNames(sighting).joined(separator: " "))
    }
    text.text("\r\n")
  }

  @Sendable
  private static func columns(_ sighting: Sighting, _ id: BeaconIdentity, _ table: IdentityTable)
    -> [UInt8]
  {
    let format = BeaconFormats.format(sighting.kind)
    var text = ByteText()
    text.byte(UInt8(ascii: ","))
    text.text(format.name)
    text.byte(UInt8(ascii: ","))
    text.csv(format.identityText(table.bytes(of: id)))
    let values = format.fields(of: sighting, id: id, table)
    for name in fields {
      text.byte(UInt8(ascii: ","))
      guard let field = values.first(where: { "\($0.name)" == name }) else { continue }
      switch field.value {
      case .text(let string): text.csv(string)
      case .none: break
      default: text.json(field.value)
      }
    }
    return text.bytes
  }

  package mutating func pause() throws { try text.flush(to: &output) }
}
