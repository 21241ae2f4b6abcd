import Beacons
import Regions

/// Who was heard and is of no region, where regions come to be of what is heard.
struct WithoutRegion {
  /// How many there are of each kind, in order of the kinds.
  private var counts: [(kind: BeaconKind, count: Int)] = []

  /// Nouns of kinds with identities; of others nothing can be a region.
  private static let nouns: [(kind: BeaconKind, one: String, many: String)] = [
    (.altBeacon, "AltBeacon", "AltBeacons"),
    (.eddystoneURL, "Eddystone-URL", "Eddystone-URLs"),
    (.eddystoneEID, "Eddystone-EID", "Eddystone-EIDs"),
    (.custom, "beacon of a decoder", "beacons of decoders"),
  ]

  init(_ identities: IdentityTable, _ found: FoundRegions) {
    var numbers = [Int](repeating: 0, count: Self.nouns.count)
    for number in 0..<identities.count {
      let identity = identities[UInt32(number)]
      guard let place = Self.nouns.firstIndex(where: { $0.kind == identity.kind }),
        !found.isOfOne(identity)
      else { continue }
      numbers[place] += 1
    }
    counts = zip(Self.nouns, numbers).filter { $1 > 0 }.map { ($0.kind, $1) }
  }

  /// Nil where there is nobody.
  var text: String? {
    guard !counts.isEmpty else { return nil }
    var parts: [String] = []
    for (kind, count) in counts {
      guard let noun = Self.nouns.first(where: { $0.kind == kind }) else { continue }
      parts.append("\(count) \(count == 1 ? noun.one : noun.many)")
    }
    let last = parts.removeLast()
    let who = parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    let isOne = counts.reduce(0) { $0 + $1.count } == 1
    let isPerBeacon = counts.contains { $0.kind == .altBeacon }
    return
      "\(who) \(isOne ? "was" : "were") heard and \(isOne ? "is" : "are") of no region: of such none "
      + "comes to be by itself. Name \(isOne ? "it" : "them") with --region"
      + (isPerBeacon ? "; --regions-per beacon has one for each AltBeacon." : ".")
  }
}
