import BeaconKeys
import FrameDecoder

/// Whose the addresses are that were asked about lately: of one capture. Of fixed size, whatever is invented on
/// the air: an address that finds its place taken takes it over, and whoever it drove out is asked about again.
struct ResolvedAddresses: Sendable {
  private struct Entry: Sendable {
    /// 48 bits; 0, which is no resolvable address, for none.
    var address: UInt64 = 0
    /// Place among the devices; −1 where none of the keys made it.
    var device: Int32 = -1
  }

  private static let slotBits: UInt64 = 12
  private let ring: DeviceRing
  /// By number of the device.
  private let devices: [BeaconIdentity]
  private var entries: [Entry]

  init(_ ring: DeviceRing) {
    self.ring = ring
    devices = ring.names.map { name in
      let bytes = ResolvedDevice.identity(name)
      let words = stride(from: 0, to: 24, by: 8).map { first in
        bytes[first..<first + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      return BeaconIdentity(kind: .device, count: 24, words[0], words[1], words[2])
    }
    entries = [Entry](repeating: Entry(), count: 1 << Self.slotBits)
  }

  /// How many are remembered at most.
  var places: Int { entries.count }

  /// Who has an address by what somebody said (`NamedDevice`), or else by a key.
  mutating func device(_ address: DeviceAddress) -> BeaconIdentity? {
    // What was said of an address goes before what a key may fit by chance.
    if !ring.named.isEmpty, address.isPresent, let device = ring.named(address.address) {
      return devices[device]
    }
    return address.lifetime == .resolvable ? made(address.address) : nil
  }

  /// Whether somebody said whose an address is.
  func isNamed(_ address: DeviceAddress) -> Bool {
    address.isPresent && ring.isNamed(address.address)
  }

  /// - Parameter address: 48 bits of a resolvable address.
  private mutating func made(_ address: UInt64) -> BeaconIdentity? {
    // A shift binds closer than a product.
    let slot = Int((address &* 0xFF51_AFD7_ED55_8CCD) >> (64 - Self.slotBits))
    if entries[slot].address != address {
      entries[slot] = Entry(address: address, device: Int32(ring.resolve(address) ?? -1))
    }
    let device = Int(entries[slot].device)
    return device < 0 ? nil : devices[device]
  }
}
