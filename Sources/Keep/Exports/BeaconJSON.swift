import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Beacons as JSON objects. A run may have a million: what many of them share is put together once,
/// and everything else goes into the text without a string in between.
struct BeaconWords {
  private let beacons: BeaconSummaries
  /// By place, with their quotes.
  private let captures: [[UInt8]]
  private let observers: [[UInt8]]
  private var kind: KindWords?

  /// What the beacons of a kind share.
  private struct KindWords {
    let kind: BeaconKind
    let format: any BeaconFormat.Type
    /// `{"kind":"ibeacon","id":`
    var head = ByteText()
    let text: [IdentityPart]
    /// `,"major":` and what follows.
    var parts: [(key: [UInt8], part: IdentityPart)] = []
    /// `,"tx_power":`, `,"tx_power_min":`
    var power = ByteText()
    var lowestPower = ByteText()

    init(_ kind: BeaconKind) {
      self.kind = kind
      format = BeaconFormats.format(kind)
      text = format.textParts
      head.text("{\"kind\":\"")
      head.text(format.name)
      head.text("\",\"id\":")
      for part in format.parts {
        var key = ByteText()
        key.text(",\"")
        key.text(part.name)
        key.text("\":")
        parts.append((key.bytes, part))
      }
      let name: StaticString = format.powerDistance == 1 ? "measured_power" : "tx_power"
      for minimum in [false, true] {
        var key = ByteText()
        key.text(",\"")
        key.text(name)
        key.text(minimum ? "_min\":" : "\":")
        if minimum { lowestPower = key } else { power = key }
      }
    }
  }

  init(_ beacons: BeaconSummaries, _ result: AnalysisResult) {
    self.beacons = beacons
    captures = result.captureNames.map(Self.quoted)
    observers = result.observers.map(Self.quoted)
  }

  private static func quoted(_ name: String) -> [UInt8] {
    var text = ByteText()
    text.jsonString(name)
    return text.bytes
  }

  mutating func write(_ beacon: BeaconSummary, to text: inout ByteText) {
    let kind: KindWords
    if let known = self.kind, known.kind == beacon.kind {
      kind = known
    } else {
      kind = KindWords(beacon.kind)
      self.kind = kind
    }
    identity(beacon.identity, kind, to: &text)
    text.pair(",\"sightings\":", beacon.sightings)
    text.pair(",\"first_seen\":", beacon.first)
    text.pair(",\"last_seen\":", beacon.last)
    text.text(",\"median_interval_ms\":")
    if let interval = beacon.medianInterval {
      text.rounded(interval / 1_000_000, decimals: 1)
    } else {
      text.text("null")
    }
    text.pair(",\"rssi_min\":", beacon.rssi?.min)
    text.pair(",\"rssi_median\":", beacon.rssi?.median)
    text.pair(",\"rssi_max\":", beacon.rssi?.max)
    if let power = beacon.power {
      text.append(kind.power.bytes)
      text.int(power.max)
      if power.min != power.max {
        text.append(kind.lowestPower.bytes)
        text.int(power.min)
      }
    }
    transmitters(beacon, to: &text)
    if let telemetry = beacon.telemetry { text.append(telemetry) }
    if let encrypted = beacon.encryptedTelemetry {
      text.pair(",\"encrypted_telemetry\":{\"sightings\":", encrypted.sightings)
      text.pair(",\"last_seen\":", encrypted.last)
      text.byte(UInt8(ascii: "}"))
    }
    text.pair(",\"other_identities_of_its_addresses\":", beacon.companions)
    text.text(",\"warnings\":[")
    if !beacon.warnings.isEmpty { text.append(beacon.warnings) }
    text.text("]}")
  }

  private func identity(_ identity: BeaconIdentity, _ kind: KindWords, to text: inout ByteText) {
    text.append(kind.head.bytes)
    text.byte(UInt8(ascii: "\""))
    for (place, part) in kind.text.enumerated() {
      if place > 0 { text.byte(UInt8(ascii: ":")) }
      if part.form == .text {
        text.jsonCharacters(beacons.text(identity))
      } else {
        text.append(part, of: identity)
      }
    }
    text.byte(UInt8(ascii: "\""))
    for (key, part) in kind.parts {
      text.append(key)
      switch part.form {
      case .text: text.jsonString(beacons.text(identity))
      case .number: text.append(part, of: identity)
      case .uuid, .hex, .address:
        text.byte(UInt8(ascii: "\""))
        text.append(part, of: identity)
        text.byte(UInt8(ascii: "\""))
      }
    }
  }

  private func transmitters(_ beacon: BeaconSummary, to text: inout ByteText) {
    text.text(",\"transmitters\":[")
    for place in 0..<beacon.sources.count {
      if place > 0 { text.byte(UInt8(ascii: ",")) }
      transmitter(beacon.sources[place], to: &text)
    }
    text.byte(UInt8(ascii: "]"))
  }

  private func transmitter(_ source: BeaconSummary.Source, to text: inout ByteText) {
    if source.address.isPresent {
      text.text("{\"address\":\"")
      text.address(source.address)
      text.text("\",\"address_type\":\"")
    } else {
      text.text("{\"address\":null,\"address_type\":\"")
    }
    text.text(source.address.kindName)
    text.pair("\",\"sightings\":", source.sightings)
    text.pair(",\"first_seen\":", source.first)
    text.pair(",\"last_seen\":", source.last)
    text.text(",\"first_capture\":")
    text.append(captures[source.firstCapture])
    text.pair(",\"first_frame\":", source.firstFrame)
    text.text(",\"observers\":[")
    for place in 0..<source.observers.count {
      if place > 0 { text.byte(UInt8(ascii: ",")) }
      text.append(observers[source.observers[place]])
    }
    text.text("]}")
  }
}

extension ByteText {
  /// - Parameter key: with what stands before and behind it.
  @inline(__always)
  fileprivate mutating func pair(_ key: StaticString, _ value: Int?) {
    text(key)
    if let value { int(value) } else { text("null") }
  }

  @inline(__always)
  fileprivate mutating func pair(_ key: StaticString, _ value: Timestamp) {
    text(key)
    guard value.isKnown else { return text("null") }
    byte(UInt8(ascii: "\""))
    time(value)
    byte(UInt8(ascii: "\""))
  }

  /// A part in digits, without quotes; the identity's bytes are in its words.
  fileprivate mutating func append(_ part: IdentityPart, of identity: BeaconIdentity) {
    let at = part.bytes.lowerBound
    switch part.form {
    case .uuid: uuid(identity.word(at), identity.word(at + 8))
    case .number: int(Int(identity.word(at) >> 48))
    case .address: address(DeviceAddress(identity.word(at) >> 16, .publicDevice))
    case .hex, .text:
      for start in stride(from: at, to: part.bytes.upperBound, by: 8) {
        hex(identity.word(start), bytes: part.bytes.upperBound - start)
      }
    }
  }

  fileprivate mutating func append(_ telemetry: Telemetry) {
    pair(",\"telemetry\":{\"time\":", telemetry.time)
    pair(",\"sightings\":", telemetry.sightings)
    pair(",\"battery_mv\":", telemetry.battery)
    text(",\"temperature_c\":")
    if let raw = telemetry.temperature { decimal(raw, 256) } else { text("null") }
    pair(",\"adv_count\":", telemetry.advertisements)
    text(",\"uptime_s\":")
    decimal(telemetry.uptime, 10)
    byte(UInt8(ascii: "}"))
  }

  fileprivate mutating func append(_ warnings: BeaconWarnings) {
    var isFirst = true
    for (bit, name) in BeaconWarnings.names.enumerated()
    where warnings.rawValue & (1 << UInt32(bit)) != 0 {
      text(isFirst ? "\"" : ",\"")
      text(name)
      byte(UInt8(ascii: "\""))
      isFirst = false
    }
  }
}

extension BeaconIdentity {
  /// Eight of the bytes, the first one highest; 0 beyond the end.
  fileprivate func word(_ at: Int) -> UInt64 {
    let (high, low): (UInt64, UInt64) =
      switch at / 8 {
      case 0: (words.0, words.1)
      case 1: (words.1, words.2)
      default: (words.2, 0)
      }
    let shift = UInt64(8 * (at % 8))
    return shift == 0 ? high : high << shift | low >> (64 - shift)
  }
}
