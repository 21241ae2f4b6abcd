import Regions

/// What a gate asks for, beside what was heard.
enum GateWords {
  /// - Parameter strongest: dBm; nil where no sighting has a strength.
  static func neverPassed(_ region: Region, _ sightings: Int, _ strongest: Int?) -> String {
    let times = sightings == 1 ? "once" : "\(sightings) times"
    let strength =
      switch (strongest, sightings) {
      case (nil, _): "with no known strength"
      case (let strongest?, 1): "at \(strongest) dBm"
      case (let strongest?, _): "at \(strongest) dBm at best"
      }
    let power =
      region.gate.within == nil
      ? "" : " A beacon that states no power, or an implausible one, has no distance."
    return
      "Region \(region.identifier) was never entered: what is of it was heard \(times), \(strength), and the "
      + "region asks for \(asked(region.gate)) by the smoothed signal.\(power)"
  }

  private static func asked(_ gate: RegionGate) -> String {
    var parts: [String] = []
    if let least = gate.minRSSI { parts.append("\(number(least.enter)) dBm (min_rssi)") }
    switch gate.within {
    case .metres(let metres):
      parts.append("a distance of \(number(metres.enter)) m at most (within)")
    case .zone(let zone, _): parts.append("a distance that is \(zone.rawValue) (within)")
    case nil: break
    }
    return parts.joined(separator: " and ")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
