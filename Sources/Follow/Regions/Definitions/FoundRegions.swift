package import Beacons

/// Which regions come to be of what is heard, where none is defined.
package enum FoundRegions: String, CaseIterable, Sendable {
  /// One for what beacons of one site share, of formats that say so (`makesRegion`): every iBeacon UUID
  /// and Eddystone namespace, as phones ask for them.
  case uuid
  /// One for every beacon with a lasting identity (`isLasting`).
  case beacon

  /// What people call the formats that bring a region with them by default.
  package static let kinds = BeaconFormats.all.filter { $0.makesRegion && $0.sharedBytes > 0 }
    .map { $0.title }

  /// Bytes of what beacons of a site share, where that makes a region; all where they share none.
  private static let shared = BeaconKindTable(otherwise: 0) { format in
    guard format.makesRegion else { return 0 }
    return format.sharedBytes > 0 ? format.sharedBytes : format.levels.last?.bytes.upperBound ?? 0
  }
  private static let areLasting = BeaconKindTable(otherwise: false) {
    $0.isLasting && !$0.levels.isEmpty
  }

  /// The region that an identity brings with it; nil where it brings none.
  package func prefix(of identity: BeaconIdentity) -> IdentityPrefix? {
    switch self {
    case .uuid: IdentityPrefix(of: identity, count: Self.shared[identity.kind])
    case .beacon:
      Self.areLasting[identity.kind]
        ? IdentityPrefix(of: identity, count: Int(identity.count)) : nil
    }
  }

  /// Whether an identity brings a region with it.
  package func isOfOne(_ identity: BeaconIdentity) -> Bool { prefix(of: identity) != nil }

  /// Named after what it is.
  package func region(_ prefix: IdentityPrefix) -> Region {
    let format = BeaconFormats.format(prefix.kind)
    let name =
      switch self {
      case .uuid: format.text(beginning: prefix.bytes)
      case .beacon: format.identityText(prefix.bytes)
      }
    return Region(identifier: name, .identity(prefix))
  }
}
