import Analysis
package import Regions

/// What a site calls its beacons: the names of its regions.
package struct SiteNames: Sendable {
  private let regions: [Region]

  package init(_ regions: [Region] = []) { self.regions = regions.filter(\.isOfBeacons) }

  /// The narrowest region that the identity at a place lies in, from any of its addresses; of several that are as
  /// narrow the one that was defined first. Nil where it lies in none.
  func name(of place: Int, in beacons: BeaconSummaries) -> String? {
    guard !regions.isEmpty else { return nil }
    let identity = beacons.identity(at: place)
    var narrowest: Region?
    for region in regions where region.narrowness > narrowest?.narrowness ?? -1 {
      let holds = beacons.addresses(at: place).contains {
        region.mayHold($0, identity, beacons.identities)
      }
      if holds { narrowest = region }
    }
    return narrowest?.identifier
  }
}
