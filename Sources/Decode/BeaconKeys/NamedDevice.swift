/// A device that somebody knows by what it advertises from: a public or static address for good, or the
/// private ones that it used while it was recorded.
public struct NamedDevice: Equatable, Sendable {
  /// What it is called wherever its addresses are heard; as names of beacons' keys (`BeaconKey`).
  public let name: String
  /// 48 bits each, first printed byte highest; ascending, none of them 0.
  public let addresses: [UInt64]

  /// - Parameter addresses: at least one, 48 bits each, none of them 0, which is nobody's.
  public init(name: String, addresses: [UInt64]) {
    precondition(
      !addresses.isEmpty && addresses.allSatisfy { $0 != 0 && $0 >> 48 == 0 },
      "a named device has addresses")
    self.name = name
    self.addresses = Set(addresses).sorted()
  }
}
