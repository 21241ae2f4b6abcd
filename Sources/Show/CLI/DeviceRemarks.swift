import BeaconKeys
import Regions

/// What became of devices and their keys, where somebody may expect something else: a sentence each.
enum DeviceRemarks {
  private static let mostNames = 3

  static func all(_ ring: DeviceRing) -> [String] {
    let reversed = ring.reversed
    let unused = ring.unused.filter { key in !reversed.contains { $0.key.name == key.name } }
    return [unheard(ring.unheard), Self.unused(unused, ring)].compactMap { $0 }
      + reversed.map(Self.reversed) + shared(ring.shared)
  }

  private static func unheard(_ devices: [NamedDevice]) -> String? {
    guard let first = devices.first else { return nil }
    guard devices.count == 1 else {
      let names = devices.prefix(mostNames).map { "'\($0.name)'" }.joined(separator: ", ")
      let more = devices.count > mostNames ? " and \(devices.count - mostNames) more" : ""
      return "--device: of \(names)\(more) nothing was heard."
    }
    let addresses = first.addresses.prefix(mostNames).map { SettingText.text(address: $0) }
      .joined(separator: ", ")
    let more =
      first.addresses.count > mostNames ? " and \(first.addresses.count - mostNames) more" : ""
    return "--device: of '\(first.name)' (\(addresses)\(more)) nothing was heard."
  }

  private static func unused(_ unused: [DeviceKey], _ ring: DeviceRing) -> String? {
    guard !unused.isEmpty else { return nil }
    let names = unused.prefix(mostNames).map { "'\($0.name)'" }.joined(separator: ", ")
    let more = unused.count > mostNames ? " and \(unused.count - mostNames) more" : ""
    let none = "--keys: of \(names)\(more) no address was heard"
    let strangers = ring.strangers
    guard strangers > 0 else { return none + ", nor any that a key may have made." }
    let count = strangers == DeviceRing.mostTold ? "\(strangers) or more" : "\(strangers)"
    return "\(none); \(count) address\(strangers == 1 ? "" : "es") that keys may have made "
      + "\(strangers == 1 ? "is" : "are") of none of these."
  }

  /// Who typed it in from where it stands the other way round.
  private static func reversed(_ found: DeviceRing.Reversed) -> String {
    let (name, count) = (found.key.name, found.addresses)
    return "--keys: of '\(name)' no address was heard, but \(count) \(count == 1 ? "is" : "are") "
      + "of its key with the bytes in the other order: write \(name)=irk:KEY,reversed, or leave ',reversed' out where "
      + "it stands."
  }

  private static func shared(_ shared: [DeviceRing.Shared]) -> [String] {
    guard shared.count > mostNames else { return shared.map(Self.shared) }
    return shared.prefix(mostNames).map(Self.shared) + [
      "--keys: \(shared.count - mostNames) more addresses are as several keys would make them."
    ]
  }

  private static func shared(_ shared: DeviceRing.Shared) -> String {
    let names = shared.keys.map { "'\($0.name)'" }
    let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    let address = SettingText.text(address: shared.address)
    return
      "--keys: the address \(address) is as \(list) would make it, for all but one by chance (once in "
      + "\(DeviceKey.hashes) addresses): it is told as nobody's."
  }
}
