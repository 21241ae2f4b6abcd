/// A named rule that says which sightings, or which positions, are inside.
package struct Region: Sendable {
  /// Unique, and unrelated to what beacons send.
  package var identifier: String
  package var condition: RegionCondition
  /// Asked of each sighting that the condition takes; nil: the condition alone decides.
  package var predicate: (any RegionPredicate)?
  /// Only what this advertiser sends: 48 bits, first written byte highest.
  package var address: UInt64?
  /// Only what this device sends, by its name.
  package var device: String?
  package var gate = RegionGate()
  /// Whether an entry makes an event; the state changes all the same.
  package var notifiesOnEntry = true
  package var notifiesOnExit = true
  /// An entry is told at the next `display_on` marker while inside instead of at the crossing.
  package var notifiesEntryOnDisplay = false
  /// Numbers of the profile that are others for this region: in the order in which they were given.
  package var overrides: [ProfileOverride] = []

  package init(identifier: String, _ condition: RegionCondition) {
    self.identifier = identifier
    self.condition = condition
  }

  /// What a plugin decides, sighting by sighting: by itself or behind the condition.
  package var ownRule: (any RegionPredicate)? {
    if case .custom(let rule) = condition { return rule }
    return predicate
  }

  /// Whether it takes what one advertiser sends, beside what the condition says.
  package var isOfOneSender: Bool { address != nil || device != nil }

  /// Whether it is about positions, which another monitor follows.
  package var isCircle: Bool {
    if case .circle = condition { return true }
    return false
  }
}

/// Regions with identifiers that differ, in order of definition.
package struct RegionList: Sendable {
  package private(set) var regions: [Region] = []
  /// Where it is empty: what comes to be instead.
  package var found = FoundRegions.uuid
  /// A sentence for each definition that replaced another one.
  package private(set) var warnings: [String] = []
  private var places: [String: Int] = [:]
  /// By place: where it was defined, as the user knows it; empty where that is not known.
  private var sources: [String] = []

  package init(_ regions: some Sequence<Region> = []) {
    for region in regions { add(region) }
  }

  /// A second region with the same identifier takes the place of the first (SEMANTICS 2).
  /// - Parameter source: where it is defined, such as a file's name.
  package mutating func add(_ region: Region, from source: String = "") {
    if let place = places[region.identifier] {
      let isElsewhere = source != sources[place]
      let (earlier, later) = isElsewhere ? (" in \(sources[place])", " in \(source)") : ("", "")
      warnings.append(
        "region '\(region.identifier)' is defined twice: the later definition\(later) replaces the "
          + "earlier\(earlier)")
      regions[place] = region
      sources[place] = source
    } else {
      places[region.identifier] = regions.count
      regions.append(region)
      sources.append(source)
    }
  }
}
