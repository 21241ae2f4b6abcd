package import Beacons

/// What a sighting must be to lie in a region, or where a position must.
package enum RegionCondition: Sendable {
  /// The first bytes of identities of one kind that has levels.
  case identity(IdentityPrefix)
  /// What identities of a kind say in text: a URL as it is read, not as it is packed on the air.
  case text(BeaconKind, String, isPrefix: Bool)
  /// Anything this advertiser sends: 48 bits, first written byte highest.
  case address(UInt64)
  case circle(Circle)
  /// What a plugin decides, sighting by sighting.
  case custom(any RegionPredicate)
}

/// What of that which decoders of somebody's own find may belong to a region.
enum DecodedReach: Equatable, Sendable {
  case none, all
  /// What the decoder of a name finds.
  case decoder(String)
  /// What an advertiser sends.
  case sender(UInt64)
}

extension RegionCondition {
  var decodedReach: DecodedReach {
    switch self {
    case .identity(let prefix): prefix.kind == .custom ? .all : .none
    case .text(let kind, let text, _):
      kind == .custom ? .decoder(String(text.prefix { $0 != ":" })) : .none
    case .address(let address): .sender(address)
    case .custom: .all
    case .circle: .none
    }
  }
}

/// Identities of one kind that begin alike.
package struct IdentityPrefix: Hashable, Sendable {
  package let kind: BeaconKind
  /// Bytes that count, 1…24, and the bytes, first one highest; zeros behind them.
  package let identity: BeaconIdentity

  /// - Parameter bytes: 1…24 of them.
  package init(_ kind: BeaconKind, _ bytes: [UInt8]) {
    precondition((1...24).contains(bytes.count), "an identity prefix has 1 to 24 bytes")
    var words: [UInt64] = [0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] |= UInt64(byte) << UInt64(56 - 8 * (index % 8))
    }
    self.kind = kind
    identity = BeaconIdentity(kind: kind, count: UInt8(bytes.count), words[0], words[1], words[2])
  }

  /// The first bytes of an identity; nil where it has fewer, or is kept elsewhere (long URLs).
  package init?(of whole: BeaconIdentity, count: Int) {
    guard whole.count != 255, Int(whole.count) >= count, count > 0 else { return nil }
    kind = whole.kind
    identity = BeaconIdentity(
      kind: whole.kind, count: UInt8(count), whole.words.0 & Self.mask(count),
      whole.words.1 & Self.mask(count - 8), whole.words.2 & Self.mask(count - 16))
  }

  /// The highest `count` bytes of a word.
  private static func mask(_ count: Int) -> UInt64 {
    count >= 8 ? .max : count <= 0 ? 0 : .max << UInt64(64 - 8 * count)
  }

  package var bytes: [UInt8] { (0..<Int(identity.count)).map { identity.byte($0) } }
}

/// Around a place on the earth.
package struct Circle: Equatable, Sendable {
  /// Degrees, WGS-84; north and east positive.
  package let latitude: Double
  package let longitude: Double
  /// Metres.
  package let radius: Double

  package init(latitude: Double, longitude: Double, radius: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
  }
}
