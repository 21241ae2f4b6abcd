package import BeaconKeys
package import Beacons
package import CaptureReader
package import Regions
package import TrackReader

/// What a run is to follow, and by whose rules.
package struct FollowSettings: Sendable {
  /// None: those that come to be of what is seen (`FoundRegions`).
  package var regions = RegionList()
  /// The first is the main one; at least one.
  package var profiles: [Profile] = [Profiles.site]
  /// Whether changes of proximity become events.
  package var wantsProximity = false
  /// Whether ranging lists become events.
  package var wantsLists = false
  /// Whether the main profile's lists of some moments are kept, to be drawn.
  package var wantsSamples = false
  /// Whether ranging runs at all: proximity changes and nearest approaches.
  package var ranges = true
  /// Where the observers were; for all of them.
  package var tracks: [Track] = []
  /// Which positions are told; nil: none is.
  package var positions: PositionSettings?
  package var messages: [BeaconMessage] = []
  /// None: all messages.
  package var subscriptions: [Subscription] = []
  /// Silences of single beacons, for advice on exit periods; nil: nobody asks.
  package var silences: SilenceSettings?
  /// Times of display markers.
  package var displayMarkers: [Timestamp] = []
  /// Observers that go on in other files: by place of the capture, its common name.
  package var observerNames: [Int: String] = [:]
  /// Where the interfaces of the only capture come from, if it is put together from several: by interface.
  package var origins: [ObserverNames.Origin] = []
  /// Told of the run as it goes on; its alerts become events.
  package var judge: (any Judge)?
  /// Ends the judge's work before the run ends; nil: it goes on to the end.
  package var recess: JudgeRecess?
  /// Hears of events as they happen.
  package var listener: (any RunListener)?
  /// Most events, alerts and stays that are kept for the end, the latest; nil: all.
  package var mostKept: Int?
  /// What an earlier run knew, to go on with.
  package var restored: RestoredRun?
  /// Keeps what the run knows, for another one.
  package var keeper: (any RunStateKeeper)?
  /// Decodes beacons that no format here knows.
  package var custom: (any CustomDecoding)?
  /// Of beacons whose identifiers change.
  package var keys: KeyRing?

  /// What of the user's files and options cannot be used, a sentence for each.
  package var warnings: [String] = []

  package init() {}
}

extension FollowSettings {
  /// What can be told before anything is read.
  /// - Throws: where numbers contradict each other, or cannot be followed.
  package func check() throws(SettingProblem) {
    for profile in profiles {
      try profile.check()
      for region in regions.regions {
        do throws(SettingProblem) {
          try profile.check(region)
        } catch {
          throw error.inside("region '\(region.identifier)'")
        }
      }
      if ranges { _ = try RangingDesk(self, profile, nil) }
    }
  }
}

extension FollowSettings {
  /// Exit periods of profiles, and of regions under them, that are not the main profile's, nanoseconds; ascending.
  var otherExitPeriods: [Int64] {
    var periods = Set(profiles.map(\.exitAfter))
    for region in regions.regions where !region.overrides.isEmpty {
      for profile in profiles { periods.insert(profile.exitPeriod(of: region)) }
    }
    return periods.subtracting([profiles[0].exitAfter]).sorted()
  }

  /// Nanoseconds: the shortest exit period, P, of any region under any profile.
  var shortestExit: Int64 {
    profiles.flatMap { profile in
      [profile.exitAfter]
        + regions.regions.compactMap { try? profile.with($0.overrides).exitAfter }
    }.min() ?? .max
  }

  /// Whether some region is followed by scan windows with pauses between them (SEMANTICS 2).
  var hasDutyCycle: Bool {
    profiles.contains { profile in
      ([profile] + regions.regions.compactMap { try? profile.with($0.overrides) })
        .contains { $0.scanWindow < $0.scanInterval }
    }
  }

  /// Whose sightings somebody takes whole: a judge, or a region with a rule of its own; nil: nobody's.
  func wanted(_ wishes: JudgeWishes?) -> TransmitterFilter? {
    let all = TransmitterFilter { _, _, _ in true }
    if regions.regions.contains(where: { $0.ownRule != nil }) { return all }
    switch wishes?.sightings ?? .none {
    case .none: return nil
    case .all: return all
    case .some(let filter): return filter
    }
  }
}

extension RangingSettings {
  /// What a profile ranges by.
  init(_ profile: Profile, wantsChanges: Bool, wantsLists: Bool) {
    self.init(
      smoothing: SmoothingSettings(filter: profile.smoothing),
      period: profile.rangingPeriod == 0 ? .onChange : .every(profile.rangingPeriod))
    distance = profile.distance
    zones.immediateBelow = profile.immediateBelow
    zones.nearUpTo = profile.nearUpTo
    self.wantsChanges = wantsChanges
    self.wantsLists = wantsLists
  }
}
