import Regions

/// The state of each region at each observer, as far as rules have been told.
final class RegionStates {
  /// Names of the regions that somebody declared; empty: they come to be while reading.
  var declared: Set<String> = []
  /// By region, then observer.
  private var states: [String: [String: RegionPresence]] = [:]

  /// By transmitter: the declared regions that it may lie in, as rules have them. What is declared stays
  /// as it is during a run.
  var memberships: [UInt32: LuaValue] = [:]

  func set(_ region: String, _ observer: String, _ state: RegionPresence) {
    states[region, default: [:]][observer] = state
  }

  func isDeclared(_ region: String) -> Bool { declared.contains(region) }

  /// - Parameter observer: nil for all: inside where any is, else outside where any is.
  func presence(in region: String, at observer: String?) -> RegionPresence {
    guard let known = states[region] else { return .unknown }
    if let observer { return known[observer] ?? .unknown }
    if known.values.contains(.inside) { return .inside }
    return known.values.contains(.outside) ? .outside : .unknown
  }
}
