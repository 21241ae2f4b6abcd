import Beacons

/// The regions of a run by number: those that were defined or, where none was, those that come to be of
/// what is seen. A million of those may come: they are kept as prefixes, and become regions when somebody
/// asks.
struct RegionCatalog: Sendable {
  private let defined: [Region]
  private let found: FoundRegions
  private(set) var seen: [IdentityPrefix] = []
  private var numbers: [IdentityPrefix: UInt32] = [:]

  init(_ list: RegionList) {
    defined = list.regions
    found = list.found
  }

  /// Whether regions come to be while reading.
  var grows: Bool { defined.isEmpty }

  var count: Int { grows ? seen.count : defined.count }

  subscript(number: UInt32) -> Region {
    grows ? found.region(seen[Int(number)]) : defined[Int(number)]
  }

  /// The region that an identity brings with it; nil where it brings none.
  mutating func number(of identity: BeaconIdentity) -> UInt32? {
    guard let prefix = found.prefix(of: identity) else { return nil }
    if let number = numbers[prefix] { return number }
    let number = UInt32(seen.count)
    seen.append(prefix)
    numbers[prefix] = number
    return number
  }

  /// Whether a region is one of those that come to be.
  func comesToBe(_ region: Region) -> BeaconIdentity? {
    guard grows, case .identity(let prefix) = region.condition,
      found.prefix(of: prefix.identity) == prefix, found.region(prefix).text == region.text
    else { return nil }
    return prefix.identity
  }

  /// What a region that came to be is known by; without text, because there may be a million.
  func add(_ region: UInt32, to identity: inout EventIdentity) {
    let prefix = seen[Int(region)].identity
    identity.add(Int64(prefix.kind.rawValue))
    identity.add(Int64(bitPattern: prefix.words.0))
    identity.add(Int64(bitPattern: prefix.words.1))
    // Whole identities are longer than what they share, and so may names of keys be.
    if found == .beacon || prefix.words.2 != 0 { identity.add(Int64(bitPattern: prefix.words.2)) }
  }
}
