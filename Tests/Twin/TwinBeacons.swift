/// Advertising data → AD structures → beacons (PROTOCOLS.md parts 4 and 5).
package enum TwinBeacons {
  package static func sightings(_ report: TwinReport) -> [TwinSighting] {
    structures(report.data).flatMap { type, data -> [TwinSighting] in
      switch type {
      case 0xFF: manufacturer(data, report)
      case 0x16: serviceData(data, report)
      default: []
      }
    }
  }

  /// u8 length, u8 type, data; a length of zero ends them, one that overruns is dropped.
  static func structures(_ data: [UInt8]) -> [(type: Int, data: [UInt8])] {
    var found: [(type: Int, data: [UInt8])] = []
    var octets = Octets(data)
    while let length = octets.u8(), length > 0,
      var structure = octets.take(length).map(Octets.init),
      let type = structure.u8()
    {
      found.append((type, structure.all))
    }
    return found
  }

  private static func manufacturer(_ data: [UInt8], _ report: TwinReport) -> [TwinSighting] {
    if data.starts(with: [0x4C, 0x00, 0x02, 0x15]) {
      return iBeacon(Array(data.dropFirst(4)), report)
    }
    if data.count >= 4, data[2] == 0xBE, data[3] == 0xAC { return altBeacon(data, report) }
    return data.starts(with: [0x4C, 0x00]) ? appleElements(Array(data.dropFirst(2)), report) : []
  }

  /// Type, length, value, again and again; type 01 has no length byte and 16 bytes. The first
  /// element 02 is an iBeacon, or there is none.
  private static func appleElements(_ data: [UInt8], _ report: TwinReport) -> [TwinSighting] {
    var octets = Octets(data)
    while let type = octets.u8() {
      guard let length = type == 1 ? 16 : octets.u8(), let value = octets.take(length) else {
        return []
      }
      if type == 2 { return length == 0x15 ? iBeacon(value, report) : [] }
    }
    return []
  }

  /// UUID 16, major 2, minor 2, power at 1 m.
  private static func iBeacon(_ value: [UInt8], _ report: TwinReport) -> [TwinSighting] {
    var octets = Octets(value)
    guard let uuid = octets.take(16), let major = octets.big(2), let minor = octets.big(2),
      let power = octets.i8()
    else { return [] }
    return [
      TwinSighting(
        report: report, kind: "ibeacon",
        fields: [
          "uuid": dashed(uuid), "major": "\(major)", "minor": "\(minor)",
          "measured_power": "\(power)",
        ])
    ]
  }

  /// Company 2, BE AC, identity 20, power at 1 m, reserved byte.
  private static func altBeacon(_ data: [UInt8], _ report: TwinReport) -> [TwinSighting] {
    var octets = Octets(data)
    guard let company = octets.little(2), octets.take(2) != nil, let first = octets.take(16),
      let second = octets.big(2), let third = octets.big(2), let power = octets.i8(),
      let reserved = octets.u8()
    else { return [] }
    return [
      TwinSighting(
        report: report, kind: "altbeacon",
        fields: [
          "beacon_code": "beac", "company": "\(company)", "id1": dashed(first),
          "id2": "\(second)", "id3": "\(third)", "measured_power": "\(power)",
          "reserved": "\(reserved)",
        ])
    ]
  }

  static func dashed(_ uuid: [UInt8]) -> String {
    [uuid[0..<4], uuid[4..<6], uuid[6..<8], uuid[8..<10], uuid[10..<16]].map { hex($0) }
      .joined(separator: "-")
  }
}
