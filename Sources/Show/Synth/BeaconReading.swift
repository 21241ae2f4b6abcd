import BeaconKeys
import CaptureWriter
import FrameEncoder

extension BeaconPlan {
  /// A beacon from its JSON object. `known`: those before it, which a clone may name.
  init(_ fields: inout Fields, known: [BeaconPlan]) throws(ScenarioProblem) {
    let name = try fields.requiredString("name")
    if known.contains(where: { $0.name == name }) {
      throw fields.problem("name", "must be its own: another beacon is called \"\(name)\", too")
    }
    let original = try fields.string("clone_of")
    let content: Content
    if let original {
      guard let plan = known.first(where: { $0.name == original }) else {
        throw fields.problem("clone_of", "must name a beacon before it, not \"\(original)\"")
      }
      content = plan.content
    } else {
      content = try Content(&fields)
    }
    let path = try Self.place(&fields)
    self.init(name: name, content: content, cloneOf: original, path: path)
    try readAddress(&fields)
    interval = Int64(try fields.number("interval_ms", 20...60_000) ?? 1000) * 1_000_000
    signal = try fields.number("signal_dbm", -100...20) ?? signal
    isConnectable = try fields.bool("connectable") ?? false
    try readAdvertising(&fields)
    telemetryEvery = try fields.int("telemetry_every", 2...1000) ?? 0
    battery = UInt16(try fields.int("battery_mv", 1...65_535) ?? 3000)
    temperature = Int16((try fields.number("temperature_c", -100...100) ?? 21) * 256)
    appears = try fields.seconds("appears_s") ?? 0
    dies = try fields.seconds("dies_s")
    if let dies, dies <= appears {
      throw fields.problem("dies_s", "must be later than it appears")
    }
  }

  /// `at`, or `path`.
  private static func place(_ fields: inout Fields) throws(ScenarioProblem) -> Path {
    let at = fields.value("at")
    let path = try Scenario.path(&fields, "path")
    if let at {
      guard path == nil else {
        throw fields.problem("path", "and at contradict each other: leave one of them out")
      }
      let numbers = try Fields.numbers(at, "\(fields.path).at", "x, y", count: 2)
      return Path(at: Point(x: numbers[0], y: numbers[1]))
    }
    guard let path else {
      throw fields.problem("at", "is missing, and there is no path either")
    }
    return path
  }

  private mutating func readAddress(_ fields: inout Fields) throws(ScenarioProblem) {
    let text = try fields.string("address")
    let kind = try fields.string("address_type") ?? "random"
    guard ["random", "public"].contains(kind) else {
      throw fields.problem("address_type", "must be random or public, not \"\(kind)\"")
    }
    if let text {
      let digits = text.filter { $0 != ":" }
      guard digits.count == 12, let value = UInt64(digits, radix: 16) else {
        throw fields.problem("address", "must be like c4:a1:00:00:01:01, not \"\(text)\"")
      }
      address = Address(value, isRandom: kind == "random")
    }
    addressRotation = try fields.seconds("address_rotation_s", 1...1e6)
    guard fields.value("irk") != nil else { return }
    let irk = try fields.hex("irk", count: 16)
    guard irk.contains(where: { $0 != 0 }) else {
      throw fields.problem("irk", "must not be all zeros: such a key is of nobody")
    }
    guard text == nil, kind == "random" else {
      throw fields.problem("irk", "makes the addresses: address and address_type must be left out")
    }
    self.irk = irk
  }

  private mutating func readAdvertising(_ fields: inout Fields) throws(ScenarioProblem) {
    let text = try fields.string("advertising") ?? "legacy"
    guard let form = Advertising(rawValue: text) else {
      throw fields.problem(
        "advertising", "must be legacy, extended or coded, not \"\(text)\"")
    }
    advertising = form
  }
}

extension BeaconPlan.Content {
  init(_ fields: inout Fields) throws(ScenarioProblem) {
    let kind = try fields.requiredString("kind")
    switch kind {
    case "ibeacon":
      self = .iBeacon(
        uuid: try fields.hex("uuid", count: 16),
        major: UInt16(try fields.requiredInt("major", 0...65_535)),
        minor: UInt16(try fields.requiredInt("minor", 0...65_535)),
        power: Int8(try fields.int("measured_power", -127...127) ?? -59))
    case "altbeacon":
      self = .altBeacon(
        company: UInt16(try fields.int("company", 0...65_535) ?? 0x0118),
        id: try fields.hex("id", count: 20),
        power: Int8(try fields.int("measured_power", -127 ... -1) ?? -59))
    case "eddystone-uid":
      self = .uid(
        namespace: try fields.hex("namespace", count: 10),
        instance: try fields.hex("instance", count: 6), power: try Self.txPower(&fields))
    case "eddystone-url":
      let text = try fields.requiredString("url")
      guard let encoded = EncodedURL.bytes(text) else {
        throw fields.problem(
          "url",
          "must begin with http:// or https://, be printable ASCII, and fit 17 bytes "
            + "when encoded")
      }
      self = .url(text: text, encoded: encoded, power: try Self.txPower(&fields))
    case "eddystone-eid":
      self = .eid(
        EphemeralIdentifier(
          key: try fields.hex("key", count: 16),
          exponent: UInt8(try fields.int("exponent", 0...15) ?? 10)),
        clock: UInt32(try fields.int("clock_s", 0...2_000_000_000) ?? 0),
        power: try Self.txPower(&fields))
    case "device": self = .device
    default:
      throw fields.problem(
        "kind", "must be one of \(Scenario.kinds.joined(separator: ", ")), not \"\(kind)\"")
    }
  }

  /// dBm at 0 m.
  private static func txPower(_ fields: inout Fields) throws(ScenarioProblem) -> Int8 {
    Int8(try fields.int("tx_power", -100...20) ?? -18)
  }
}
