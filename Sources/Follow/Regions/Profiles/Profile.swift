/// How a phone, or we ourselves, make events of sightings: the numbers of SEMANTICS 2, Profiles.
/// Times are nanoseconds.
package struct Profile: Equatable, Sendable {
  /// As output names it: `core-location`.
  package let name: String
  /// P: silence after which a region is left. Above 0.
  package var exitAfter: Int64
  /// Exits are tested at the ends of cycles so long; 0: at once.
  package var cycle: Int64
  /// Duty cycle: listens for `scanWindow` of every `scanInterval`; both 0: always.
  package var scanWindow: Int64 = 0
  package var scanInterval: Int64 = 0
  /// A match while the state is unknown is an entry, not a state.
  package var entersOnFirstSight: Bool
  /// Most regions that are monitored, circles among them; nil: no limit.
  package var limit: Int?
  package var smoothing: SmoothingFilter
  /// Sightings whose RSSI is not available (127) are as if they had not been.
  package var ignoresUnknownRSSI: Bool
  /// Lists are made so often; 0: on change.
  package var rangingPeriod: Int64
  package var distanceModel = DistanceModel.pathLoss
  /// Exponent n of the path-loss model, and the zones' metres (SEMANTICS 3).
  package var pathLossExponent = 2.0
  package var immediateBelow = 0.5
  package var nearUpTo = 4.0
  /// Circles (SEMANTICS 4): metres to be passed beyond the boundary, and nanoseconds to stay there.
  package var cushion = 10.0
  package var dwell: Int64 = 20_000_000_000

  /// Largest radius of a circle, metres; larger ones are reduced (SEMANTICS 4). Nil: no limit.
  package var maximumRadius: Double?

  package var distance: DistanceSettings {
    var settings = DistanceSettings(model: distanceModel)
    settings.pathLoss.exponent = pathLossExponent
    return settings
  }

  /// Numbers of a profile that belong together.
  /// - Throws: where they contradict each other.
  package func check() throws(SettingProblem) {
    guard (scanWindow == 0) == (scanInterval == 0) else {
      throw SettingProblem(
        "scan_window and scan_interval are given by halves",
        allowed: "give both, such as scan_window=10 and scan_interval=300, or both 0 for always")
    }
    guard scanWindow <= scanInterval else {
      throw SettingProblem(
        "scan_window is longer than scan_interval",
        allowed: "a window is at most as long as the interval in which it lies")
    }
    guard immediateBelow <= nearUpTo else {
      throw SettingProblem(
        "immediate_below is above near_up_to",
        allowed: "the zone immediate must end before near does")
    }
  }

  /// Numbers that a region gives, beside its profile's.
  /// - Throws: where they contradict each other.
  package func check(_ region: Region) throws(SettingProblem) {
    if region.overrides.isEmpty && region.gate.isOpen { return }
    let profile = try with(region.overrides)
    guard case .zone(let zone, let leave?)? = region.gate.within else { return }
    let end: Double? =
      switch zone {
      case .immediate: profile.immediateBelow
      case .near: profile.nearUpTo
      case .far: nil
      }
    if let end, leave < end {
      throw SettingProblem(
        "leave_within \(leave) is below the end of the zone \(zone.rawValue), \(end) m",
        allowed: "leave_within must be at least that")
    }
  }

  /// With other numbers.
  package func with(_ overrides: [ProfileOverride]) throws(SettingProblem) -> Profile {
    var profile = self
    for override in overrides { try override.apply(to: &profile) }
    try profile.check()
    return profile
  }

  /// P of a region, nanoseconds: its own one where it has one.
  package func exitPeriod(of region: Region) -> Int64 {
    region.overrides.isEmpty ? exitAfter : ((try? with(region.overrides)) ?? self).exitAfter
  }

  /// Every number by name, in the order of the table: for reports.
  package var numbers: [(name: String, value: String)] {
    ProfileSetting.all.map { ($0.name, $0.read(self)) }
  }
}
