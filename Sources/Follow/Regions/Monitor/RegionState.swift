import CaptureReader

/// A region at an observer.
struct RegionState: BitwiseCopyable, Sendable {
  let region: UInt32
  let observer: UInt32
  /// Index of what holds for the region; many may share one.
  let rule: UInt32
  var presence = RegionPresence.unknown
  /// Inside from the start: there was no entry.
  var wasInsideAlready = false
  /// An entry waits for a display marker.
  var awaitsDisplay = false
  /// Stays so far, and the last link of the present one, + 1.
  var stay: UInt32 = 0
  var links: UInt32 = 0
  /// Matches of the present stay.
  var sightings = 0
  /// Sightings since the latest match of which its rule did not say whether they are one.
  var unanswered: UInt32 = 0
  /// L, and when the stay began.
  var last = Int64.min
  var since = Int64.min
  var firstMatch = SightingReference(capture: 0, frame: 0, transmitter: 0)
  var lastMatch = SightingReference(capture: 0, frame: 0, transmitter: 0)

  init(region: UInt32, observer: UInt32, rule: UInt32) {
    self.region = region
    self.observer = observer
    self.rule = rule
  }
}

/// What every match asks of its region's rule.
struct MatchRule: BitwiseCopyable, Sendable {
  /// A longer gap between two matches is an absence: neither the beacon's interval nor a loss.
  ///
  /// Gaps somewhat longer than P have to count. Where packets are lost they are what makes exits by
  /// chance, and without them each such exit would look unlikely.
  let longestGap: Int64
  let ignoresUnknownRSSI: Bool
  /// Whether every other sighting of a transmitter that belongs to the region is a match.
  let takesAll: Bool
}

/// What holds for a region under a profile.
struct RegionRule: Sendable {
  let test: SilenceTest
  let entersOnFirstSight: Bool
  let notifiesOnEntry: Bool
  let notifiesOnExit: Bool
  let entryOnDisplay: Bool
  /// Number of the duty cycle.
  let ear: Int
  let gate: GateRule?
  let predicate: (any RegionPredicate)?
  /// What of that which plugins decode may belong to it.
  let decoded: DecodedReach
  let match: MatchRule
  /// Identity of events: the profile's name, all numbers that hold, and the region as it is written.
  let identity: EventIdentity

  /// - Parameters:
  ///   - region: nil for those that come to be while reading.
  ///   - profile: with the region's own numbers.
  ///   - duties: number by duty cycle; a new one is added.
  ///   - identity: that of events under the profile.
  init(
    _ region: Region?, _ profile: Profile, _ duties: inout [DutyCycle], _ identity: EventIdentity
  ) {
    test = SilenceTest(profile)
    entersOnFirstSight = profile.entersOnFirstSight
    notifiesOnEntry = region?.notifiesOnEntry ?? true
    notifiesOnExit = region?.notifiesOnExit ?? true
    entryOnDisplay = region?.notifiesEntryOnDisplay ?? false
    let duty = DutyCycle(window: profile.scanWindow, interval: profile.scanInterval)
    if let number = duties.firstIndex(of: duty) {
      ear = number
    } else {
      ear = duties.count
      duties.append(duty)
    }
    gate = region.flatMap { $0.gate.isOpen ? nil : GateRule($0.gate, profile) }
    predicate = region?.ownRule
    decoded = region?.condition.decodedReach ?? .none
    match = MatchRule(
      longestGap: profile.exitAfter.later(by: profile.exitAfter).later(by: profile.exitAfter),
      ignoresUnknownRSSI: profile.ignoresUnknownRSSI,
      takesAll: gate == nil && predicate == nil && duty.isAlways)
    var identity = identity
    if let region { identity.add(region.text) }
    self.identity = identity
  }

  /// The profile's part of what makes an event what it is.
  static func identity(of profile: Profile) -> EventIdentity {
    var identity = EventIdentity()
    identity.add(profile.name)
    for (name, value) in profile.numbers {
      identity.add(name)
      identity.add(value)
    }
    return identity
  }
}
