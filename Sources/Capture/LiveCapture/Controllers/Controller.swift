package import CaptureReader
import CHCI

/// A controller, as the kernel describes it.
package struct Controller: Equatable, Sendable {
  package let number: UInt16
  /// Such as `hci0`.
  package let name: String
  /// Such as `00:aa:01:00:00:42`; all zero where it has no public one.
  package let address: String
  /// Up and running, and not about to be closed by the kernel.
  package let isUp: Bool
  /// Such as `USB`.
  package let bus: String
  /// Whether it can do Low Energy; nil where the kernel has not asked it yet.
  package let hasLowEnergy: Bool?

  package var hasPublicAddress: Bool { address != "00:00:00:00:00:00" }

  /// Bytes of the kernel's `struct hci_dev_info`; nil where they are too few.
  package init?(information bytes: [UInt8]) {
    guard bytes.count >= HCI_CONTROLLER_INFO_SIZE, let number = bytes.word(at: 0),
      let name = bytes.text(at: 2, count: 8), let address = bytes.address(at: 10),
      let flags = bytes.long(at: 16), let features = bytes.bytes(at: 21, count: 8)
    else { return nil }
    self.number = number
    self.name = name
    self.address = address
    isUp = flags & Self.upFlag != 0
    // The upper half once was the kind of controller.
    bus = Self.buses[Int(bytes[20] & 0x0f)]
    let wereRead = features.contains { $0 != 0 }
    hasLowEnergy = wereRead ? features[4] & Self.lowEnergyFeature != 0 : nil
  }

  private static let upFlag: UInt32 = 1
  private static let lowEnergyFeature: UInt8 = 0x40
  private static let buses = [
    "virtual", "USB", "PC card", "UART", "RS-232", "PCI", "SDIO", "SPI", "I2C", "SMD", "virtio",
    "IPC", "unknown", "unknown", "unknown", "unknown",
  ]

  /// All that the kernel has, lowest number first.
  package static func all() throws(SystemError) -> [Controller] { try all(HCISocket.unbound()) }

  /// - Parameter socket: an unbound one. Each that asks is told to those who capture the monitor.
  static func all(_ socket: HCISocket) throws(SystemError) -> [Controller] {
    var found: [Controller] = []
    for number in try socket.controllers().sorted() {
      // One that has gone since is none.
      guard let bytes = try? socket.information(of: number) else { continue }
      if let controller = Controller(information: bytes) { found.append(controller) }
    }
    return found
  }

  /// The one that is to scan where none was named: the first that is up, else the first. Those that cannot
  /// do Low Energy come last.
  package static func toScan(_ all: [Controller]) -> Controller? {
    let able = all.filter { $0.hasLowEnergy != false }
    let fitting = able.isEmpty ? all : able
    return fitting.first(where: \.isUp) ?? fitting.first
  }

  /// The number in `hci0`, or in libpcap's `bluetooth0`.
  package static func number(in name: String) -> UInt16? {
    for prefix in ["hci", "bluetooth"] where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count)
      guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      return UInt16(digits)
    }
    return nil
  }
}
