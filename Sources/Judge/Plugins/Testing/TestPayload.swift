import BeaconKeys
import FrameEncoder
import Regions

/// What can be heard in a test: a key of a sighting, the keys beside it, and the advertising data
/// that come of them.
struct TestPayload: Sendable {
  let key: String
  let others: [String]
  let data: @Sendable (DeclarationReader) throws(LuaMessage) -> Data

  /// Advertising data.
  enum Data: Sendable {
    case same([UInt8])
    /// Another one with the clock of the beacon that has a key, in seconds.
    case ofClock(@Sendable (UInt32) -> [UInt8])
  }

  private init(
    key: String, others: [String] = [],
    data: @escaping @Sendable (DeclarationReader) throws(LuaMessage) -> [UInt8]
  ) {
    self.init(
      key: key, others: others,
      either: { (reader) throws(LuaMessage) in Data.same(try data(reader)) })
  }

  private init(
    key: String, others: [String] = [],
    either: @escaping @Sendable (DeclarationReader) throws(LuaMessage) -> Data
  ) {
    (self.key, self.others, data) = (key, others, either)
  }

  static let kinds = [
    TestPayload(key: "ibeacon", others: ["measured_power"]) { reader throws(LuaMessage) in
      let id = try identity(reader, "ibeacon", count: 20, "UUID:MAJOR:MINOR")
      return Payload.iBeacon(
        uuid: Array(id[..<16]), major: number(id, 16), minor: number(id, 18),
        power: try power(reader))
    },
    TestPayload(key: "altbeacon", others: ["measured_power"]) { reader throws(LuaMessage) in
      let text = try reader.neededText("altbeacon")
      let plain = HexDigits.bytes(text).flatMap { $0.count == 20 ? $0 : nil }
      let id =
        if let plain { plain } else {
          try identity(reader, "altbeacon", count: 20, "ID1:ID2:ID3, or 40 hexadecimal digits")
        }
      return Payload.altBeacon(id: id, power: try power(reader))
    },
    TestPayload(key: "eddystone", others: ["tx_power"]) { reader throws(LuaMessage) in
      let id = try identity(reader, "eddystone", count: 16, "NAMESPACE:INSTANCE")
      return Payload.eddystoneUID(
        namespace: Array(id[..<10]), instance: Array(id[10...]), power: try txPower(reader))
    },
    TestPayload(key: "url", others: ["tx_power"]) { reader throws(LuaMessage) in
      let text = try reader.neededText("url")
      guard let bytes = EncodedURL.bytes(text) else {
        throw reader.wrong(
          "url", reader.table["url"],
          "http:// or https:// and printable ASCII that fits 17 bytes when encoded")
      }
      return Payload.eddystoneURL(
        scheme: bytes[0], rest: Array(bytes[1...]), power: try txPower(reader))
    },
    TestPayload(key: "eid", others: ["tx_power"]) { reader throws(LuaMessage) in
      Payload.eddystoneEID(try bytes(reader, "eid", count: 8), power: try txPower(reader))
    },
    TestPayload(
      key: "key", others: ["tx_power", "clock_s", "clock_stands"],
      either: { reader throws(LuaMessage) in
        let key = TestKeys.key(try TestKeys.name(reader) ?? "")
        let power = try txPower(reader)
        return .ofClock { Payload.eddystoneEID(key.cipher.identifier(at: $0), power: power) }
      }),
    TestPayload(key: "eddystone_tlm", either: telemetry),
    TestPayload(key: "eddystone_etlm") { reader throws(LuaMessage) in
      let bytes = try bytes(reader, "eddystone_etlm", count: 16)
      return Payload.eddystoneETLM(
        cipher: Array(bytes[..<12]), salt: Array(bytes[12..<14]), check: Array(bytes[14...]))
    },
    TestPayload(key: "manufacturer", others: ["data"]) { reader throws(LuaMessage) in
      let company = try reader.integer("manufacturer", in: 0...0xFFFF) ?? 0
      return Payload.manufacturer(UInt16(company), try upTo(27, reader, "data"))
    },
    TestPayload(key: "service", others: ["data"]) { reader throws(LuaMessage) in
      let uuid = try reader.integer("service", in: 0...0xFFFF) ?? 0
      return Payload.serviceData(UInt16(uuid), try upTo(27, reader, "data"))
    },
    TestPayload(key: "adv_data") { reader throws(LuaMessage) in try upTo(31, reader, "adv_data") },
  ]

  /// A whole identity, as `--region` writes it.
  private static func identity(
    _ reader: DeclarationReader, _ key: String, count: Int, _ form: String
  ) throws(LuaMessage) -> [UInt8] {
    let text = try reader.neededText(key)
    do throws(SettingProblem) {
      if case .identity(let prefix) = try RegionKinds.condition("\(key):\(text)"),
        prefix.bytes.count == count
      {
        return prefix.bytes
      }
    } catch {
      throw LuaMessage("\(reader.what): \(key): \(error.description)")
    }
    throw reader.wrong(key, reader.table[key], "\(form): a beacon sends all of it")
  }

  /// Big-endian.
  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt16 {
    UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
  }

  /// dBm at one metre.
  private static func power(_ reader: DeclarationReader) throws(LuaMessage) -> Int8 {
    Int8(try reader.integer("measured_power", in: -128...127) ?? -59)
  }

  /// dBm where it leaves the antenna.
  private static func txPower(_ reader: DeclarationReader) throws(LuaMessage) -> Int8 {
    Int8(try reader.integer("tx_power", in: -128...127) ?? -18)
  }

  private static func bytes(_ reader: DeclarationReader, _ key: String, count: Int)
    throws(LuaMessage) -> [UInt8]
  {
    guard let bytes = HexDigits.bytes(try reader.neededText(key)), bytes.count == count else {
      throw reader.wrong(key, reader.table[key], "\(2 * count) hexadecimal digits")
    }
    return bytes
  }

  private static func upTo(_ most: Int, _ reader: DeclarationReader, _ key: String)
    throws(LuaMessage) -> [UInt8]
  {
    guard let bytes = HexDigits.bytes(try reader.text(key) ?? ""), bytes.count <= most else {
      throw reader.wrong(
        key, reader.table[key], "hexadecimal digits, two for each byte, of at most \(most) bytes")
    }
    return bytes
  }

  /// What is left out is «not measured», as beacons write it.
  private static func telemetry(_ reader: DeclarationReader) throws(LuaMessage) -> Data {
    let inner = try DeclarationReader(
      reader.table["eddystone_tlm"], "\(reader.what), eddystone_tlm",
      keys: ["battery_mv", "temperature_c", "adv_count", "uptime_s", "key"])
    let temperature = try inner.number("temperature_c")
    if let temperature, !(-127.99...127.99).contains(temperature) {
      throw inner.wrong("temperature_c", inner.table["temperature_c"], "from -127.99 to 127.99")
    }
    let uptime = try inner.number("uptime_s") ?? 0
    guard (0...4e8).contains(uptime) else {
      throw inner.wrong("uptime_s", inner.table["uptime_s"], "from 0 to 400000000")
    }
    let plain = Payload.eddystoneTLM(
      millivolts: UInt16(try inner.integer("battery_mv", in: 0...65_535) ?? 0),
      temperature: temperature.map { Int16(($0 * 256).rounded()) } ?? Int16.min,
      count: UInt32(try inner.integer("adv_count", in: 0...Int(UInt32.max)) ?? 0),
      uptime: UInt32((uptime * 10).rounded()))
    guard let name = try TestKeys.name(inner) else { return .same(plain) }
    let key = TestKeys.key(name)
    return .ofClock { clock in
      // Behind the frame's type and version.
      let (secret, check) = TestKeys.sealed(Array(plain.suffix(12)), key, at: clock)
      return Payload.eddystoneETLM(cipher: secret, salt: TestKeys.salt, check: check)
    }
  }
}
