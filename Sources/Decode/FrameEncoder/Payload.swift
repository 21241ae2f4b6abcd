import CaptureWriter

/// Advertising data, structure by structure (PROTOCOLS parts 4, 5 and 10).
package enum Payload {
  package static func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [UInt8(data.count + 1), type] + data
  }

  /// LE general discoverable, no BR/EDR.
  package static func flags(_ value: UInt8 = 0x06) -> [UInt8] { structure(0x01, [value]) }

  package static func name(_ text: String) -> [UInt8] { structure(0x09, Array(text.utf8)) }

  package static func manufacturer(_ company: UInt16, _ data: [UInt8]) -> [UInt8] {
    structure(0xFF, company.le + data)
  }

  package static func serviceData(_ uuid: UInt16, _ data: [UInt8]) -> [UInt8] {
    structure(0x16, uuid.le + data)
  }

  package static func services(_ uuids: UInt16...) -> [UInt8] {
    structure(0x03, uuids.flatMap { $0.le })
  }

  // MARK: Beacons

  package static func iBeacon(uuid: [UInt8], major: UInt16, minor: UInt16, power: Int8) -> [UInt8] {
    let element = join([0x02, 0x15], uuid, major.be, minor.be, power.be)
    return flags() + manufacturer(0x004C, element)
  }

  package static func altBeacon(
    company: UInt16 = 0x0118, id: [UInt8], power: Int8, reserved: UInt8 = 0
  ) -> [UInt8] {
    flags() + manufacturer(company, join([0xBE, 0xAC], id, power.be, [reserved]))
  }

  /// Flags, the list with the service's UUID, and a frame.
  package static func eddystone(_ frame: [UInt8]) -> [UInt8] {
    join(flags(), services(0xFEAA), serviceData(0xFEAA, frame))
  }

  package static func eddystoneUID(namespace: [UInt8], instance: [UInt8], power: Int8) -> [UInt8] {
    eddystone(join([0x00], power.be, namespace, instance, [0, 0]))
  }

  /// `scheme`: 0 `http://www.`, 1 `https://www.`, 2 `http://`, 3 `https://`; `rest` is encoded
  /// already: codes 0–13 stand for endings such as `.com/`.
  package static func eddystoneURL(scheme: UInt8, rest: [UInt8], power: Int8) -> [UInt8] {
    eddystone(join([0x10], power.be, [scheme], rest))
  }

  /// `temperature` in 1/256 °C, `uptime` in 0.1 s.
  package static func eddystoneTLM(
    millivolts: UInt16, temperature: Int16, count: UInt32, uptime: UInt32
  ) -> [UInt8] {
    eddystone(join([0x20, 0x00], millivolts.be, temperature.be, count.be, uptime.be))
  }

  /// Twelve bytes of cipher text, two of salt, two of check.
  package static func eddystoneETLM(cipher: [UInt8], salt: [UInt8], check: [UInt8]) -> [UInt8] {
    eddystone(join([0x20, 0x01], cipher, salt, check))
  }

  package static func eddystoneEID(_ identifier: [UInt8], power: Int8) -> [UInt8] {
    eddystone(join([0x30], power.be, identifier))
  }

  // MARK: Others that advertise

  package static func appleNearbyInfo(_ value: [UInt8]) -> [UInt8] {
    flags(0x1A) + manufacturer(0x004C, [0x10, UInt8(value.count)] + value)
  }

  /// An item away from its owner: status, 22 key bytes, the key's top bits, a hint.
  package static func appleFindMy(key: [UInt8]) -> [UInt8] {
    manufacturer(0x004C, join([0x12, 0x19, 0x10], key, [0x02, 0x00]))
  }

  package static func fastPair(model: [UInt8]) -> [UInt8] {
    join(flags(), services(0xFE2C), serviceData(0xFE2C, model))
  }

  package static func exposureNotification(rolling: [UInt8], metadata: [UInt8]) -> [UInt8] {
    join(flags(0x1A), services(0xFD6F), serviceData(0xFD6F, rolling + metadata))
  }

  package static func swiftPair() -> [UInt8] {
    flags() + manufacturer(0x0006, [0x03, 0x00, 0x80])
  }
}
