package import Analysis
package import Beacons
import CaptureReader
import FrameDecoder

/// One JSON object a line. The keys are a contract: see FORMATS.md.
package struct SightingsNDJSON: FindingSink {
  package static let export = SightingExport(name: "ndjson") { output, _ in
    SightingsNDJSON(output)
  }

  private var output: any TextOutput
  private var text = ByteText()
  private var fragments = SightingFragments(render: Self.fields)
  private var words = CaptureWords(head: Self.head, observer: Self.observer)

  package init(_ output: any TextOutput) { self.output = output }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    fragments.begin(capture)
    let words = words.words(of: capture)
    let hasDevices = capture.identities.hasDevices
    for place in sightings.indices {
      line(sightings[place], words, capture, hasDevices)
      try text.flush(to: &output, keeping: Exports.chunk)
    }
  }

  @Sendable
  private static func head(_ capture: String) -> [UInt8] {
    var text = ByteText()
    text.text("{\"capture\":")
    text.jsonString(capture)
    text.text(",\"frame\":")
    return text.bytes
  }

  @Sendable
  private static func observer(_ name: String) -> [UInt8] {
    var text = ByteText()
    text.jsonString(name)
    return text.bytes
  }

  @inline(__always)
  private mutating func line(
    _ sighting: Sighting, _ words: CaptureWords.Words, _ capture: CaptureContext,
    _ hasDevices: Bool
  ) {
    text.append(words.head)
    text.int(sighting.frame)
    text.text(",\"report\":")
    text.int(Int(sighting.index))
    text.text(",\"time\":")
    if sighting.time.isKnown {
      text.byte(UInt8(ascii: "\""))
      text.time(sighting.time)
      text.byte(UInt8(ascii: "\""))
    } else {
      text.text("null")
    }
    text.text(",\"observer\":")
    text.append(words.observers[Int(sighting.observer)])
    text.text(",\"address\":")
    if sighting.address.isPresent {
      text.byte(UInt8(ascii: "\""))
      text.address(sighting.address)
      text.byte(UInt8(ascii: "\""))
    } else {
      text.text("null")
    }
    text.text(",\"address_type\":\"")
    text.text(sighting.address.kindName)
    text.text("\",\"rssi\":")
    if sighting.rssi == 127 { text.text("null") } else { text.int(Int(sighting.rssi)) }
    text.text(",\"channel\":")
    if sighting.channel == 255 { text.text("null") } else { text.int(Int(sighting.channel)) }
    text.text(",\"phy\":")
    if let phy = sighting.phy.name {
      text.byte(UInt8(ascii: "\""))
      text.text(phy)
      text.byte(UInt8(ascii: "\""))
    } else {
      text.text("null")
    }
    fragments.append(sighting, capture, to: &text)
    if hasDevices, let device = capture.identities.device(at: sighting.address) {
      text.text(",\"device\":")
      text.jsonString(device)
    }
    if !sighting.warnings.isEmpty || !sighting.frameWarnings.isEmpty { warnings(sighting) }
    text.text("}\n")
  }

  private mutating func warnings(_ sighting: Sighting) {
    text.text(",\"warnings\":[")
    for (place, name) in warningNames(sighting).enumerated() {
      if place > 0 { text.byte(UInt8(ascii: ",")) }
      text.jsonString(name)
    }
    text.byte(UInt8(ascii: "]"))
  }

  /// `,"kind":…,"id":…` and the format's own fields.
  @Sendable
  private static func fields(_ sighting: Sighting, _ id: BeaconIdentity, _ table: IdentityTable)
    -> [UInt8]
  {
    var text = ByteText()
    text.identity(sighting.kind, table.bytes(of: id))
    text.beaconFields(BeaconFormats.format(sighting.kind).fields(of: sighting, id: id, table))
    return text.bytes
  }

  package mutating func pause() throws { try text.flush(to: &output) }
}

extension ByteText {
  /// `,"kind":…,"id":…`.
  /// - Parameter bytes: all of the identity.
  mutating func identity(_ kind: BeaconKind, _ bytes: [UInt8]) {
    let format = BeaconFormats.format(kind)
    text(",\"kind\":\"")
    text(format.name)
    text("\",\"id\":")
    jsonString(format.identityText(bytes))
  }

  /// `,"uuid":…,"major":…`.
  mutating func beaconFields(_ fields: [BeaconField]) {
    for field in fields {
      text(",\"")
      text(field.name)
      text("\":")
      json(field.value)
    }
  }

  mutating func json(_ value: BeaconField.Value) {
    switch value {
    case .int(let number): int(number)
    case .text(let string): jsonString(string)
    case .decimal(let numerator, let denominator): decimal(numerator, denominator)
    case .none: text("null")
    }
  }
}
