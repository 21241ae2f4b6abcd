/// What visits of a region, and their ends, rest on.
enum RegionBasis: Sendable {
  /// Every sighting of its beacons.
  case sightings
  /// Sightings that pass a gate, or that a rule takes: beacons may be heard outside, too.
  case someSightings
  case positions

  /// - Parameters:
  ///   - condition: as the case has it: `ibeacon:…`; a rule alone is `lua:NAME`.
  ///   - definition: `NAME=CONDITION,key=value…`.
  init(name: String, condition: String, definition: String, isCircle: Bool) {
    // A name or a URL may hold what looks like an option.
    let start = "\(name)=\(condition)"
    let options = definition.hasPrefix(start) ? definition.dropFirst(start.count) : definition[...]
    let isRule = condition == "custom" || condition.hasPrefix("lua:")
    let keys = [",contains=", ",min_rssi=", ",within="]
    self =
      isCircle
      ? .positions : isRule || keys.contains { options.contains($0) } ? .someSightings : .sightings
  }
}
