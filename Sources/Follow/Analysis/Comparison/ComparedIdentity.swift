import Beacons

/// What a beacon is, in any run.
struct ComparedIdentity: Hashable {
  let kind: UInt8
  let bytes: [UInt8]

  init(kind: UInt8, bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

  /// - Parameter place: among those of the side.
  init(_ place: Int, _ side: ComparedSide) {
    let identity = side.beacons.identity(at: place)
    (kind, bytes) = (identity.kind.rawValue, side.beacons.bytes(identity))
  }
}
