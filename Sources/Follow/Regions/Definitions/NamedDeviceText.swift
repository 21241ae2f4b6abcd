package import BeaconKeys
import Beacons

extension NamedDevice {
  /// From `NAME=ADDRESS[,ADDRESS…]`: `headset=c2:35:33:30:25:50`.
  /// - Throws: one sentence for the first mistake, and what is allowed.
  package static func parse(_ text: String) throws(SettingProblem) -> NamedDevice {
    let form =
      "write NAME=ADDRESS, such as headset=c2:35:33:30:25:50, with commas between several addresses"
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      let what =
        (try? SettingText.address(text, "address")) != nil
        ? "'\(text)' has no name" : "'\(BeaconKey.hidden(text))' is no device"
      throw SettingProblem(what, allowed: form)
    }
    let name = String(text[..<equals])
    try BeaconKey.check(name: name, of: "device")
    guard !SettingText.isAddress(name) else {
      throw SettingProblem(
        "'\(name)' reads like an address", allowed: "give the device another name")
    }
    let value = text[text.index(after: equals)...]
    guard !value.hasPrefix("irk:") else {
      throw SettingProblem(
        "device '\(name)': a key does not stand on the command line, where others see it",
        allowed: "write the line \(name)=irk:KEY into a file, and name that with --keys")
    }
    var addresses: [UInt64] = []
    for part in SettingText.parts(value, UInt8(ascii: ",")) {
      let address: UInt64
      do throws(SettingProblem) {
        address = try SettingText.address(String(part), "address")
      } catch {
        throw error.inside("device '\(name)'")
      }
      guard address != 0 else {
        throw SettingProblem(
          "device '\(name)': an address of zeros is nobody's", allowed: "leave it out")
      }
      guard !addresses.contains(address) else {
        throw SettingProblem(
          "device '\(name)': the address \(part) is given twice", allowed: "give each once")
      }
      addresses.append(address)
    }
    return NamedDevice(name: name, addresses: addresses)
  }

  /// Whether a device may be called so.
  package static func isName(_ text: String) -> Bool {
    (try? BeaconKey.check(name: text, of: "device")) != nil && !SettingText.isAddress(text)
  }

  /// Names and addresses that cannot be told apart.
  /// - Parameter taken: names of keys.
  static func check(_ devices: [NamedDevice], besides taken: Set<String>) throws(SettingProblem) {
    var names = taken
    var owners: [UInt64: String] = [:]
    for device in devices {
      guard names.insert(device.name).inserted else {
        throw SettingProblem(
          taken.contains(device.name)
            ? "a device has the name of a key, '\(device.name)'"
            : "there are two devices of the name '\(device.name)'",
          allowed: taken.contains(device.name)
            ? "name each differently"
            : "name each differently, or give the addresses of one device with commas between them")
      }
      for address in device.addresses {
        if let other = owners.updateValue(device.name, forKey: address) {
          throw SettingProblem(
            "'\(other)' and '\(device.name)' have one address, \(SettingText.text(address: address))",
            allowed: "say of each address whose it is once")
        }
      }
    }
  }
}
