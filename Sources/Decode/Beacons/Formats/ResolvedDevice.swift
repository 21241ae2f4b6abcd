import CaptureReader

extension BeaconKind {
  public static let device = BeaconKind(rawValue: 11)
}

/// A device of which somebody has the identity resolving key (IRK) or named the addresses: whatever it advertises,
/// from whichever of them. What it sends beside, such as an iBeacon, makes a sighting of its own.
///
/// Identity: the name that it was given, in ASCII, with zeros behind it up to 24 bytes. Power: none.
public enum ResolvedDevice: BeaconFormat {
  public static let kind = BeaconKind.device
  public static let name: StaticString = "device"
  public static let title = "device"
  public static let hasPower = false
  public static let makesRegion = true

  /// The 24 bytes of an identity.
  /// - Parameter name: at most 24 bytes.
  public static func identity(_ name: String) -> [UInt8] { EddystoneResolved.identity(name) }

  public static let parts = [IdentityPart("device", .padded, 0..<24, word: "name")]
  public static let textForm = "the name of a device"

  /// None: the name stands with the address of every sighting that is the device's.
  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  { [] }
}
