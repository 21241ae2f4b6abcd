import Beacons

extension RegionKind {
  /// Beacons from an address or, by its name, anything that a device sends, beacon or not.
  static let address: RegionKind = RegionKind(
    name: "address", form: "ADDRESS or DEVICE", example: "c2:35:33:30:25:50",
    parse: { spec throws(SettingProblem) in
      switch try Advertiser(spec) {
      case .address(let address): .address(address)
      case .device(let name): .identity(IdentityPrefix(.device, ResolvedDevice.identity(name)))
      }
    },
    write: { condition in
      if case .address(let address) = condition { return SettingText.text(address: address) }
      return bytes(condition) { $0.kind == .device }.map(ResolvedDevice.identityText)
    })
}

extension Region {
  /// Names of devices that it goes by.
  package var devices: [String] {
    guard case .identity(let prefix) = condition, prefix.kind == .device else {
      return device.map { [$0] } ?? []
    }
    return [ResolvedDevice.identityText(prefix.bytes)] + (device.map { [$0] } ?? [])
  }
}
