package import CaptureReader
package import Regions
package import TrackReader

/// What a run is to follow, and by whose rules.
package struct FollowSettings: Sendable {
  /// None: one region for every iBeacon UUID and Eddystone namespace seen.
  package var regions = RegionList()
  /// The first is the main one; at least one.
  package var profiles: [Profile] = [Profiles.site]
  package var distanceModel = DistanceModel.pathLoss
  /// Whether changes of proximity become events.
  package var wantsProximity = false
  /// Whether ranging lists become events.
  package var wantsLists = false
  /// Whether ranging runs at all: proximity changes and nearest approaches.
  package var ranges = true
  /// Where the observers were; for all of them.
  package var tracks: [Track] = []
  /// Metres between two positions told; nil: none is.
  package var positionFilter: Double?
  package var messages: [BeaconMessage] = []
  /// None: all messages.
  package var subscriptions: [Subscription] = []
  /// Times of display markers.
  package var displayMarkers: [Timestamp] = []
  /// Observers that go on in other files: by place of the capture, its common name.
  package var observerNames: [Int: String] = [:]

  package init() {}
}

extension RangingSettings {
  /// What a profile ranges by.
  init(_ profile: Profile, _ model: DistanceModel, wantsChanges: Bool, wantsLists: Bool) {
    // The two lists of names are one (SEMANTICS 3).
    let filter = SmoothingFilter.named(profile.smoothing.rawValue) ?? .trimmed
    self.init(
      smoothing: SmoothingSettings(filter: filter),
      period: profile.rangingPeriod == 0 ? .onChange : .every(profile.rangingPeriod))
    distance = DistanceSettings(model: model)
    distance.pathLoss.exponent = profile.pathLossExponent
    zones.immediateBelow = profile.immediateBelow
    zones.nearUpTo = profile.nearUpTo
    self.wantsChanges = wantsChanges
    self.wantsLists = wantsLists
  }
}
