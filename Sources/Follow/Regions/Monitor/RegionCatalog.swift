import Beacons

/// The regions of a run by number: those that were defined or, where none was, one for every iBeacon
/// UUID and Eddystone namespace seen, named after it. A million of those may come: they are kept as
/// prefixes, and become regions when somebody asks.
struct RegionCatalog: Sendable {
  private let defined: [Region]
  private(set) var seen: [IdentityPrefix] = []
  private var numbers: [IdentityPrefix: UInt32] = [:]

  init(_ regions: [Region]) { defined = regions }

  /// Whether regions come to be while reading.
  var grows: Bool { defined.isEmpty }

  var count: Int { grows ? seen.count : defined.count }

  subscript(number: UInt32) -> Region {
    grows ? Self.region(seen[Int(number)]) : defined[Int(number)]
  }

  /// The region that comes to be of what is seen.
  static func region(_ prefix: IdentityPrefix) -> Region {
    let name =
      prefix.kind == .iBeacon ? HexText.uuid(prefix.bytes) : HexText.string(prefix.bytes)
    return Region(identifier: name, .identity(prefix))
  }

  /// The region that an identity brings with it; nil where it brings none.
  mutating func number(of identity: BeaconIdentity) -> UInt32? {
    guard let prefix = Self.brought(by: identity) else { return nil }
    if let number = numbers[prefix] { return number }
    let number = UInt32(seen.count)
    seen.append(prefix)
    numbers[prefix] = number
    return number
  }

  static func brought(by identity: BeaconIdentity) -> IdentityPrefix? {
    switch identity.kind {
    case .iBeacon: IdentityPrefix(of: identity, count: 16)
    case .eddystoneUID: IdentityPrefix(of: identity, count: 10)
    default: nil
    }
  }

  /// What a region that came to be is known by; without text, because there may be a million.
  func add(_ region: UInt32, to identity: inout EventIdentity) {
    let prefix = seen[Int(region)].identity
    identity.add(Int64(prefix.kind.rawValue))
    identity.add(Int64(bitPattern: prefix.words.0))
    identity.add(Int64(bitPattern: prefix.words.1))
  }
}
