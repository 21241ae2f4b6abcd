import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Beacons as JSON objects. A run may have a million: what many of them share is put together once,
/// and everything else goes into the text without a string in between.
struct BeaconWords: ValueWriter {
  private let beacons: BeaconSummaries
  private var scratch = SummaryScratch()
  /// Whether keys made some of the addresses.
  private let hasDevices: Bool
  /// By place, with their quotes.
  private let captures: [[UInt8]]
  private let observers: [[UInt8]]
  /// Of the beacon before; of any kind before the first.
  private var kind = KindWords(BeaconFormats.all[0].kind)
  private var day = DayText()

  /// What the beacons of a kind share.
  private struct KindWords: Sendable {
    let kind: BeaconKind
    let format: any BeaconFormat.Type
    /// `{"kind":"ibeacon","id":`
    var head = ByteText()
    let text: [IdentityPart]
    let parts: [IdentityPart]
    /// What the text and the parts need at most; nil where they are in words of the format's own.
    let room: Int?
    /// `,"tx_power":`, `,"tx_power_min":`
    var power = ByteText()
    var lowestPower = ByteText()

    init(_ kind: BeaconKind) {
      self.kind = kind
      format = BeaconFormats.format(kind)
      text = format.textParts
      parts = format.parts
      let all = text + parts
      room =
        all.contains { $0.form == .text || $0.form == .padded }
        ? nil
        : all.reduce(2) { $0 + $1.name.utf8CodeUnitCount + 6 + $1.room }
      head.text("{\"kind\":\"")
      head.text(format.name)
      head.text("\",\"id\":")
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
    hasDevices = beacons.hasDevices
    captures = result.captureNames.map(Self.quoted)
    observers = result.observers.map(Self.quoted)
  }

  private static func quoted(_ name: String) -> [UInt8] {
    var text = ByteText()
    text.jsonString(name)
    return text.bytes
  }

  mutating func write(_ place: Int, to text: inout ByteText) {
    let beacon = beacons.summary(at: place, &scratch)
    write(beacon, observers.count > 1 ? beacons.receptions(at: place, &scratch) : [], to: &text)
  }

  /// - Parameter receptions: none where there is one observer for all.
  private mutating func write(
    _ beacon: BeaconSummary, _ receptions: [Reception], to text: inout ByteText
  ) {
    if beacon.kind != kind.kind { kind = KindWords(beacon.kind) }
    identity(beacon.identity, to: &text)
    figures(
      beacon.sightings, beacon.first, beacon.last, beacon.medianInterval, beacon.rssi, to: &text)
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
      text.figure(",\"encrypted_telemetry\":{\"sightings\":", encrypted.sightings)
      text.figure(",\"last_seen\":", encrypted.last)
      text.byte(UInt8(ascii: "}"))
    }
    text.room(Self.room) { room in
      room.pair(",\"other_identities_of_its_addresses\":", beacon.companions)
      room.text(",\"warnings\":[")
    }
    if !beacon.warnings.isEmpty { text.append(beacon.warnings) }
    text.byte(UInt8(ascii: "]"))
    if let interval = beacon.ownInterval {
      text.text(",\"own_interval_ms\":")
      text.rounded(interval / 1_000_000, decimals: 1)
    }
    if !receptions.isEmpty { write(receptions, to: &text) }
    text.byte(UInt8(ascii: "}"))
  }

  private mutating func write(_ receptions: [Reception], to text: inout ByteText) {
    text.text(",\"receivers\":[")
    for (place, heard) in receptions.enumerated() {
      text.text(place > 0 ? ",{\"observer\":" : "{\"observer\":")
      text.append(observers[heard.observer])
      figures(
        heard.sightings, heard.first, heard.last, heard.medianInterval, heard.rssi, to: &text)
      text.byte(UInt8(ascii: "}"))
    }
    text.byte(UInt8(ascii: "]"))
  }

  /// Enough for any piece that is put together at once.
  private static let room = 512

  private mutating func figures(
    _ sightings: Int, _ first: Timestamp, _ last: Timestamp, _ medianInterval: Double?,
    _ rssi: (min: Int, median: Int, max: Int)?, to text: inout ByteText
  ) {
    var day = day
    text.room(Self.room) { room in
      room.pair(",\"sightings\":", sightings)
      room.pair(",\"first_seen\":", first, &day)
      room.pair(",\"last_seen\":", last, &day)
      room.text(",\"median_interval_ms\":")
      if let interval = medianInterval {
        room.rounded(interval / 1_000_000, decimals: 1)
      } else {
        room.text("null")
      }
      room.pair(",\"rssi_min\":", rssi?.min)
      room.pair(",\"rssi_median\":", rssi?.median)
      room.pair(",\"rssi_max\":", rssi?.max)
    }
    self.day = day
  }

  private func identity(_ identity: BeaconIdentity, to text: inout ByteText) {
    text.append(kind.head.bytes)
    guard let room = kind.room else { return ownWords(identity, to: &text) }
    text.room(room) { text in
      text.append(UInt8(ascii: "\""))
      for place in kind.text.indices {
        if place > 0 { text.append(UInt8(ascii: ":")) }
        text.append(kind.text[place], of: identity)
      }
      text.append(UInt8(ascii: "\""))
      for part in kind.parts {
        text.text(",\"")
        text.text(part.name)
        text.text("\":")
        if part.form == .number {
          text.append(part, of: identity)
        } else {
          text.append(UInt8(ascii: "\""))
          text.append(part, of: identity)
          text.append(UInt8(ascii: "\""))
        }
      }
    }
  }

  /// Of a format whose identities are in words of its own.
  private func ownWords(_ identity: BeaconIdentity, to text: inout ByteText) {
    let bytes = beacons.bytes(identity)
    text.jsonString(kind.format.identityText(bytes))
    for part in kind.parts {
      text.text(",\"")
      text.text(part.name)
      text.text("\":")
      text.jsonString(kind.format.text(part, bytes))
    }
  }

  private mutating func transmitters(_ beacon: BeaconSummary, to text: inout ByteText) {
    text.text(",\"transmitters\":[")
    for place in 0..<beacon.sources.count {
      if place > 0 { text.byte(UInt8(ascii: ",")) }
      transmitter(beacon.sources[place], to: &text)
    }
    text.byte(UInt8(ascii: "]"))
  }

  private mutating func transmitter(_ source: BeaconSummary.Source, to text: inout ByteText) {
    var day = day
    text.room(Self.room) { room in
      if source.address.isPresent {
        room.text("{\"address\":\"")
        room.address(source.address)
        room.text("\",\"address_type\":\"")
      } else {
        room.text("{\"address\":null,\"address_type\":\"")
      }
      room.text(source.address.kindName)
      room.pair("\",\"sightings\":", source.sightings)
      room.pair(",\"first_seen\":", source.first, &day)
      room.pair(",\"last_seen\":", source.last, &day)
      room.text(",\"first_capture\":")
    }
    self.day = day
    text.append(captures[source.firstCapture])
    text.room(Self.room) { room in
      room.pair(",\"first_frame\":", source.firstFrame)
      room.text(",\"observers\":[")
    }
    for place in 0..<source.heard.count {
      if place > 0 { text.byte(UInt8(ascii: ",")) }
      text.append(observers[source.heard[place].observer])
    }
    text.byte(UInt8(ascii: "]"))
    if hasDevices, let device = beacons.device(at: source.address) {
      text.text(",\"device\":")
      text.jsonString(device)
    }
    text.byte(UInt8(ascii: "}"))
  }
}

extension OutputSpan where Element == UInt8 {
  /// - Parameter key: with what stands before and behind it.
  @inline(__always)
  fileprivate mutating func pair(_ key: StaticString, _ value: Int?) {
    text(key)
    if let value { int(value) } else { text("null") }
  }

  @inline(__always)
  fileprivate mutating func pair(_ key: StaticString, _ value: Timestamp, _ day: inout DayText) {
    text(key)
    guard value.isKnown else { return text("null") }
    append(UInt8(ascii: "\""))
    time(value, &day)
    append(UInt8(ascii: "\""))
  }

  /// A part in digits, without quotes; the identity's bytes are in its words.
  fileprivate mutating func append(_ part: IdentityPart, of identity: BeaconIdentity) {
    let at = part.bytes.lowerBound
    switch part.form {
    case .uuid: uuid(identity.word(at), identity.word(at + 8))
    case .number: int(Int(identity.word(at) >> 48))
    case .address: address(DeviceAddress(identity.word(at) >> 16, .publicDevice))
    case .hex, .text, .name, .padded:
      for start in stride(from: at, to: part.bytes.upperBound, by: 8) {
        hex(identity.word(start), bytes: part.bytes.upperBound - start)
      }
    }
  }
}

extension IdentityPart {
  /// Bytes that it needs in a text at most.
  fileprivate var room: Int {
    switch form {
    case .uuid: TextRoom.uuid
    case .number: TextRoom.int
    case .address: TextRoom.address
    case .hex, .text, .name, .padded: 2 * bytes.count + TextRoom.hex
    }
  }
}

extension ByteText {
  // By a name of its own: of two with one name, a literal would choose the one that takes a string.
  /// - Parameter key: with what stands before and behind it.
  @inline(__always)
  fileprivate mutating func figure(_ key: StaticString, _ value: Int?) {
    text(key)
    if let value { int(value) } else { text("null") }
  }

  @inline(__always)
  fileprivate mutating func figure(_ key: StaticString, _ value: Timestamp) {
    text(key)
    guard value.isKnown else { return text("null") }
    byte(UInt8(ascii: "\""))
    time(value)
    byte(UInt8(ascii: "\""))
  }

  fileprivate mutating func append(_ telemetry: Telemetry) {
    figure(",\"telemetry\":{\"time\":", telemetry.time)
    figure(",\"sightings\":", telemetry.sightings)
    figure(",\"battery_mv\":", telemetry.battery)
    text(",\"temperature_c\":")
    if let raw = telemetry.temperature { decimal(raw, 256) } else { text("null") }
    figure(",\"adv_count\":", telemetry.advertisements)
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
