public import FrameDecoder

/// Whose sightings somebody wants whole, repeats and all. Asked when a transmitter's report is
/// decoded, not for each sighting: it may take more than is wanted, never less.
public struct TransmitterFilter: Sendable {
  private let test: @Sendable (DeviceAddress, BeaconIdentity, IdentityTable) -> Bool

  public init(
    _ test: @escaping @Sendable (DeviceAddress, BeaconIdentity, IdentityTable) -> Bool
  ) {
    self.test = test
  }

  /// - Parameter table: the identity's, for those that are kept beside.
  public func takes(
    _ address: DeviceAddress, _ identity: BeaconIdentity, _ table: IdentityTable
  ) -> Bool {
    test(address, identity, table)
  }
}
