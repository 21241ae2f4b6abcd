package import Beacons

/// Which regions come to be of what is heard, where none is defined.
package enum FoundRegions: String, CaseIterable, Sendable {
  /// One for every iBeacon UUID and Eddystone namespace: as phones ask for them.
  case uuid
  /// One for every beacon with a lasting identity: iBeacon, Eddystone-UID, AltBeacon.
  case beacon

  /// The region that an identity brings with it; nil where it brings none.
  func prefix(of identity: BeaconIdentity) -> IdentityPrefix? {
    switch (self, identity.kind) {
    case (.uuid, .iBeacon): IdentityPrefix(of: identity, count: 16)
    case (.uuid, .eddystoneUID): IdentityPrefix(of: identity, count: 10)
    case (.beacon, .iBeacon), (.beacon, .eddystoneUID), (.beacon, .altBeacon):
      IdentityPrefix(of: identity, count: Int(identity.count))
    default: nil
    }
  }

  /// Whether an identity brings a region with it.
  package func isOfOne(_ identity: BeaconIdentity) -> Bool { prefix(of: identity) != nil }

  /// Named after what it is.
  func region(_ prefix: IdentityPrefix) -> Region {
    let name =
      switch (self, prefix.kind) {
      case (.uuid, .iBeacon): HexText.uuid(prefix.bytes)
      case (.uuid, _): HexText.string(prefix.bytes)
      case (.beacon, _): BeaconFormats.format(prefix.kind).identityText(prefix.bytes)
      }
    return Region(identifier: name, .identity(prefix))
  }
}
