/// When lists are made.
package enum RangingPeriod: Equatable, Sendable {
  /// Nanoseconds, from the observer's first record on.
  case every(Int64)
  /// Whenever a proximity changed (`nearby-messages`).
  case onChange
}

/// The numbers of ranging (SEMANTICS 3). Regions with other numbers need a `Ranger` of their own.
package struct RangingSettings: Equatable, Sendable {
  package var smoothing: SmoothingSettings
  package var distance = DistanceSettings()
  package var zones = ProximityZones()
  package var period: RangingPeriod
  /// Nanoseconds without a sample after which a transmitter's proximity is unknown.
  package var unknownAfter: Int64 = 2_000_000_000
  /// Nanoseconds without a sample after which it is on no list.
  package var dropAfter: Int64 = 10_000_000_000
  /// Whether somebody takes the changes; nearest approaches alone cost less.
  package var wantsChanges = true
  /// Whether somebody takes the lists; changes alone cost less.
  package var wantsLists = false
  /// Whether lists of some moments are kept, to be drawn (`RangingSamples`).
  package var wantsSamples = false

  package init(
    smoothing: SmoothingSettings = SmoothingSettings(filter: .trimmed),
    period: RangingPeriod = .every(1_000_000_000)
  ) {
    self.smoothing = smoothing
    self.period = period
  }

  package func check() throws(SettingProblem) {
    try smoothing.check()
    try distance.check()
    try zones.check()
    if case .every(let period) = period, period < 1_000_000 || period > 86_400_000_000_000 {
      throw SettingProblem(
        "ranging period \(seconds(period))",
        allowed: "allowed is 0.001 s to 86400 s")
    }
    guard unknownAfter > 0, unknownAfter <= dropAfter, dropAfter <= 86_400_000_000_000 else {
      throw SettingProblem(
        "silence until unknown and until dropped \(seconds(unknownAfter)) and \(seconds(dropAfter))",
        allowed:
          "allowed are two periods above 0 s, the first not above the second, at most 86400 s")
    }
  }

  /// Nanoseconds of silence after which nothing of a transmitter is kept.
  var forgetAfter: Int64 { max(dropAfter, smoothing.forgetAfter) }
}
