import Foundation

/// The keys of a sighting, their order and types.
enum SightingKeys {
  enum Kind { case text, textOrNull, int, intOrNull, number, numberOrNull }

  static let common: [(String, Kind)] = [
    ("capture", .text), ("frame", .int), ("report", .int), ("time", .textOrNull),
    ("observer", .text), ("address", .textOrNull), ("address_type", .text), ("rssi", .intOrNull),
    ("channel", .intOrNull), ("phy", .textOrNull), ("kind", .text), ("id", .text),
  ]

  static let byKind: [String: [(String, Kind)]] = [
    "ibeacon": [("uuid", .text), ("major", .int), ("minor", .int), ("measured_power", .int)],
    "eddystone-uid": [("namespace", .text), ("instance", .text), ("tx_power", .int)],
    "eddystone-url": [("url", .text), ("tx_power", .int)],
    "eddystone-tlm": [
      ("version", .int), ("battery_mv", .intOrNull), ("temperature_c", .numberOrNull),
      ("adv_count", .int), ("uptime_s", .number),
    ],
    "eddystone-etlm": [("version", .int), ("ciphertext", .text), ("salt", .text), ("mic", .text)],
    "eddystone-eid": [("eid", .text), ("tx_power", .int)],
    "altbeacon": [
      ("beacon_code", .text), ("company", .int), ("id1", .text), ("id2", .int), ("id3", .int),
      ("measured_power", .int), ("reserved", .int),
    ],
  ]

  static let addressTypes: Set<String> = [
    "public", "random_static", "random_resolvable", "random_nonresolvable", "random_reserved",
    "public_identity", "random_identity", "anonymous",
  ]

  /// What is wrong with a line of NDJSON; nil where nothing is.
  static func fault(of line: String) throws -> String? {
    let value = try JSON(line)
    guard let members = value.members, let kind = value["kind"]?.text, let own = byKind[kind] else {
      return "not a sighting"
    }
    let keys = common + own
    var place = line.startIndex
    for (key, type) in keys {
      guard let member = members[key] else { return "\(key) is missing" }
      guard fits(member, type) else { return "\(key) is \(member)" }
      guard let found = line.range(of: "\"\(key)\":", range: place..<line.endIndex) else {
        return "\(key) is out of order"
      }
      place = found.upperBound
    }
    let warned = members["warnings"] != nil
    if warned && value["warnings"]?.list?.isEmpty != false { return "warnings are empty" }
    if members.count != keys.count + (warned ? 1 : 0) { return "there are other keys" }
    return commonFault(value)
  }

  private static func commonFault(_ value: JSON) -> String? {
    if let type = value["address_type"]?.text, !addressTypes.contains(type) { return type }
    if let time = value["time"]?.text,
      time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z/) == nil
    {
      return time
    }
    if let address = value["address"]?.text,
      address.wholeMatch(of: /[0-9a-f]{2}(:[0-9a-f]{2}){5}/) == nil
    {
      return address
    }
    if let frame = value["frame"]?.int, frame < 1 { return "frame \(frame)" }
    return nil
  }

  private static func fits(_ value: JSON, _ kind: Kind) -> Bool {
    switch kind {
    case .text: value.text != nil
    case .textOrNull: value.text != nil || value == .null
    case .int: value.int != nil
    case .intOrNull: value.int != nil || value == .null
    case .number: value.number != nil
    case .numberOrNull: value.number != nil || value == .null
    }
  }
}

/// Comma-separated values (RFC 4180).
enum CSV {
  static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    let bytes = Array(text.utf8)
    var at = 0
    func string() -> String { String(decoding: cell, as: UTF8.self) }
    while at < bytes.count {
      let byte = bytes[at]
      let next = at + 1 < bytes.count ? bytes[at + 1] : 0
      switch (isQuoted, byte) {
      case (true, UInt8(ascii: "\"")) where next == byte:
        cell.append(byte)
        at += 1
      case (_, UInt8(ascii: "\"")): isQuoted.toggle()
      case (false, UInt8(ascii: ",")):
        row.append(string())
        cell = []
      case (false, 0x0D) where next == 0x0A:
        rows.append(row + [string()])
        (row, cell) = ([], [])
        at += 1
      default: cell.append(byte)
      }
      at += 1
    }
    return rows
  }
}
