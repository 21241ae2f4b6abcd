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
    guard grows else { return defined[Int(number)] }
    let prefix = seen[Int(number)]
    let name =
      prefix.kind == .iBeacon ? HexText.uuid(prefix.bytes) : HexText.string(prefix.bytes)
    return Region(identifier: name, .identity(prefix))
  }

  /// The region that an identity brings with it; nil where it brings none.
  mutating func number(of identity: BeaconIdentity) -> UInt32? {
    let count: Int
    switch identity.kind {
    case .iBeacon: count = 16
    case .eddystoneUID: count = 10
    default: return nil
    }
    guard let prefix = IdentityPrefix(of: identity, count: count) else { return nil }
    if let number = numbers[prefix] { return number }
    let number = UInt32(seen.count)
    seen.append(prefix)
    numbers[prefix] = number
    return number
  }

  /// What a region that came to be is known by; without text, because there may be a million.
  func add(_ region: UInt32, to identity: inout EventIdentity) {
    let prefix = seen[Int(region)].identity
    identity.add(Int64(prefix.kind.rawValue))
    identity.add(Int64(bitPattern: prefix.words.0))
    identity.add(Int64(bitPattern: prefix.words.1))
  }
}
