package import BeaconKeys
import Beacons

extension DeviceKey {
  /// From a line of a key file, `NAME=irk:KEY[,reversed]`: `phone=irk:ec0234a357c8ad05341010a60a397d9b`.
  /// - Throws: one sentence for the first mistake, and what is allowed. It never says digits of a key.
  package static func parse(_ text: String) throws(SettingProblem) -> DeviceKey {
    let form = "write NAME=irk:KEY or NAME=irk:KEY,reversed, with 32 hexadecimal digits as KEY"
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw SettingProblem("the key has no name", allowed: form)
    }
    let name = String(text[..<equals])
    do throws(SettingProblem) {
      try BeaconKey.check(name: name)
      guard !SettingText.isAddress(name) else {
        throw SettingProblem(
          "'\(name)' reads like an address", allowed: "give the key another name")
      }
      let parts = SettingText.parts(text[text.index(after: equals)...], UInt8(ascii: ","))
      return DeviceKey(name: name, irk: try irk(parts, form))
    } catch {
      throw error.inside("key '\(BeaconKey.hidden(name))'")
    }
  }

  private static func irk(_ parts: [Substring], _ form: String) throws(SettingProblem) -> [UInt8] {
    guard let first = parts.first, first.hasPrefix("irk:") else {
      throw SettingProblem("there is no 'irk:' behind the name", allowed: form)
    }
    guard let key = SettingText.hex(first.dropFirst(4), count: 16) else {
      throw SettingProblem(
        "the key is malformed: \(first.utf8.count - 4) characters", allowed: form)
    }
    guard key.contains(where: { $0 != 0 }) else {
      throw SettingProblem(
        "the key is all zeros: devices without one say so, and it would be everybody's",
        allowed: "leave the line out, or write the device's key")
    }
    switch parts.dropFirst() {
    case []: return key
    case ["reversed"]: return key.reversed()
    case ["reversed", "reversed"]:
      throw SettingProblem("'reversed' is given twice", allowed: "give it once")
    default:
      let other = parts.dropFirst().first { $0 != "reversed" } ?? ""
      throw SettingProblem.unknown(
        "option", BeaconKey.hidden(String(other)), among: ["reversed"])
    }
  }

  /// What `parse` reads it from.
  package var text: String { "\(name)=irk:\(HexText.string(irk))" }
}

/// A line of a key file: of a beacon, or of a device.
package enum KeyLine: Sendable {
  case beacon(BeaconKey)
  case device(DeviceKey)

  package static func parse(_ text: String) throws(SettingProblem) -> KeyLine {
    let value = text.firstIndex(of: "=").map { text[text.index(after: $0)...] } ?? ""
    if value.hasPrefix("irk:") { return .device(try DeviceKey.parse(text)) }
    return .beacon(try BeaconKey.parse(text))
  }

  /// What cannot be told apart.
  /// - Parameter named: devices with addresses of their own.
  package static func ring(
    _ lines: [KeyLine], named: [NamedDevice] = []
  ) throws(SettingProblem) -> KeyRing {
    var beacons: [BeaconKey] = []
    var devices: [DeviceKey] = []
    for line in lines {
      switch line {
      case .beacon(let key): beacons.append(key)
      case .device(let key): devices.append(key)
      }
    }
    try BeaconKey.check(beacons)
    var names = Set(beacons.map(\.name))
    var keys: [[UInt8]: String] = [:]
    for device in devices {
      guard names.insert(device.name).inserted else {
        throw SettingProblem(
          "there are two keys of the name '\(device.name)'", allowed: "name each differently")
      }
      if let other = keys.updateValue(device.name, forKey: device.irk) {
        throw SettingProblem(
          "'\(other)' and '\(device.name)' have one key",
          allowed: "leave one of them out: nobody could tell these devices apart")
      }
    }
    try NamedDevice.check(named, besides: names)
    return KeyRing(beacons, devices: devices, named: named)
  }
}
