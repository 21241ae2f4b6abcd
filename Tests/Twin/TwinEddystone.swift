/// Eddystone frames: service data for FEAA, the frame type first (PROTOCOLS.md 5.3).
extension TwinBeacons {
  static func serviceData(_ data: [UInt8], _ report: TwinReport) -> [TwinSighting] {
    guard data.starts(with: [0xAA, 0xFE]) else { return [] }
    var octets = Octets(data.dropFirst(2))
    var found: (kind: String, fields: [String: String])?
    switch octets.u8() {
    case 0x00: found = uid(octets)
    case 0x10: found = url(octets)
    case 0x20: found = telemetry(octets)
    case 0x30: found = eid(octets)
    default: found = nil
    }
    return found.map { [TwinSighting(report: report, kind: $0.kind, fields: $0.fields)] } ?? []
  }

  private static func uid(_ frame: Octets) -> (String, [String: String])? {
    var octets = frame
    guard let power = octets.i8(), let namespace = octets.take(10), let instance = octets.take(6)
    else { return nil }
    return (
      "eddystone-uid",
      ["namespace": hex(namespace), "instance": hex(instance), "tx_power": "\(power)"]
    )
  }

  private static func eid(_ frame: Octets) -> (String, [String: String])? {
    var octets = frame
    guard let power = octets.i8(), let identifier = octets.take(8) else { return nil }
    return ("eddystone-eid", ["eid": hex(identifier), "tx_power": "\(power)"])
  }

  private static func url(_ frame: Octets) -> (String, [String: String])? {
    let schemes = ["http://www.", "https://www.", "http://", "https://"]
    let endings = ["com", "org", "edu", "net", "info", "biz", "gov"]
    var octets = frame
    guard let power = octets.i8(), let scheme = octets.u8(), scheme < 4, octets.count > 0 else {
      return nil
    }
    var text = schemes[scheme]
    for byte in octets.all {
      switch byte {
      case 0...6: text += "." + endings[Int(byte)] + "/"
      case 7...13: text += "." + endings[Int(byte) - 7]
      case 0x21...0x7E: text += String(UnicodeScalar(byte))
      default: text += "%" + hex([byte]).uppercased()
      }
    }
    return ("eddystone-url", ["url": text, "tx_power": "\(power)"])
  }

  private static func telemetry(_ frame: Octets) -> (String, [String: String])? {
    var octets = frame
    switch octets.u8() {
    case 0: return plain(octets)
    case 1: return encrypted(octets)
    default: return nil
    }
  }

  private static func plain(_ frame: Octets) -> (String, [String: String])? {
    var octets = frame
    guard let battery = octets.big(2), let raw = octets.big(2), let count = octets.big(4),
      let uptime = octets.big(4)
    else { return nil }
    var fields = ["version": "0", "adv_count": "\(count)", "uptime_s": "\(uptime)/10"]
    if battery != 0 { fields["battery_mv"] = "\(battery)" }
    let temperature = raw < 0x8000 ? Int(raw) : Int(raw) - 0x10000
    if raw != 0x8000 { fields["temperature_c"] = "\(temperature)/256" }
    return ("eddystone-tlm", fields)
  }

  private static func encrypted(_ frame: Octets) -> (String, [String: String])? {
    var octets = frame
    guard let cipher = octets.take(12), let salt = octets.take(2), let tag = octets.take(2) else {
      return nil
    }
    return (
      "eddystone-etlm",
      ["version": "1", "ciphertext": hex(cipher), "salt": hex(salt), "mic": hex(tag)]
    )
  }
}
