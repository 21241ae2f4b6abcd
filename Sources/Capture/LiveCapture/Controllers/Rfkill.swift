/// A switch of the kernel's rfkill for Bluetooth: of one controller, or of the machine.
package struct RfkillSwitch: Equatable, Sendable {
  /// Of a controller such as `hci0`; else of the machine, such as `tpacpi_bluetooth_sw`.
  package let name: String
  /// Blocked by software: aeroplane mode, `rfkill block`.
  package let isSoftBlocked: Bool
  /// Blocked by the machine: a switch or its firmware.
  package let isHardBlocked: Bool

  package var isBlocked: Bool { isSoftBlocked || isHardBlocked }

  /// One of a controller's own blocks no other; one of the machine blocks all.
  package func concerns(_ controller: String) -> Bool {
    name == controller || Controller.number(in: name) == nil
  }

  package init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
    self.name = name
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }

  /// All for Bluetooth; nil where the kernel has no rfkill, so that nothing can be blocked by it.
  package static func all(in tree: SystemTree) -> [RfkillSwitch]? {
    let folder = "sys/class/rfkill"
    guard tree.exists(folder) else { return nil }
    return tree.names(folder).compactMap { entry in
      let place = "\(folder)/\(entry)/"
      guard tree.text(place + "type") == "bluetooth", let name = tree.text(place + "name")
      else { return nil }
      return RfkillSwitch(
        name: name, isSoftBlocked: tree.text(place + "soft") == "1",
        isHardBlocked: tree.text(place + "hard") == "1")
    }
  }
}
