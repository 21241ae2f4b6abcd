import Beacons
import Regions

/// Who was heard and is of no region, where regions come to be of what is heard.
struct WithoutRegion {
  /// How many there are of each format, in the formats' order; whether `--regions-per beacon` has regions
  /// for them.
  private let found: [(format: any BeaconFormat.Type, count: Int, isPerBeacon: Bool)]

  /// Whether there were keys that made some of the identifiers.
  private let hasKeys: Bool

  /// Telemetry names nobody.
  private static let areBeacons = BeaconKindTable(otherwise: false) { !$0.isTelemetry }

  init(_ identities: IdentityTable, _ regions: FoundRegions) {
    var counts = [Int](repeating: 0, count: 256)
    var arePerBeacon = [Bool](repeating: false, count: 256)
    for number in 0..<identities.count {
      let identity = identities[UInt32(number)]
      guard Self.areBeacons[identity.kind], !regions.isOfOne(identity) else { continue }
      let kind = Int(identity.kind.rawValue)
      counts[kind] += 1
      if counts[kind] == 1 { arePerBeacon[kind] = FoundRegions.beacon.isOfOne(identity) }
    }
    hasKeys = (0..<identities.count).contains { identities[UInt32($0)].kind == .eddystoneResolved }
    found = BeaconFormats.all.compactMap { format in
      let kind = Int(format.kind.rawValue)
      return counts[kind] > 0 ? (format, counts[kind], arePerBeacon[kind]) : nil
    }
  }

  /// Nil where there is nobody.
  var text: String? {
    guard !found.isEmpty else { return nil }
    var parts = found.map { Self.counted($0.count, $0.format) }
    let last = parts.removeLast()
    let who = parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    let isOne = found.reduce(0) { $0 + $1.count } == 1
    let perBeacon = found.filter(\.isPerBeacon).map { $0.format.title }
    return
      "\(who) \(isOne ? "was" : "were") heard and \(isOne ? "is" : "are") of no region: of such none "
      + "comes to be by itself. Name \(isOne ? "it" : "them") with --region"
      + (perBeacon.isEmpty
        ? "." : "; --regions-per beacon has one for each \(perBeacon.joined(separator: " and ")).")
      + (hasKeys ? "" : ephemeral)
  }

  /// Who has an identifier for minutes can be followed otherwise.
  private var ephemeral: String {
    found.filter { $0.format.isEphemeral }.map { found in
      " Identifiers of \(found.format.title) change: --device NAME=ADDRESS follows who sends them, keys tell whose "
        + "they are (--keys)."
    }.joined()
  }

  private static func counted(_ count: Int, _ format: any BeaconFormat.Type) -> String {
    if format.kind == .custom {
      return "\(count) \(count == 1 ? "beacon of a decoder" : "beacons of decoders")"
    }
    return "\(count) \(format.title)\(count == 1 ? "" : "s")"
  }
}
