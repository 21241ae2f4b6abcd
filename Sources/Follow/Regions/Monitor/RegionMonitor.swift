import Beacons
package import CaptureReader
import FrameDecoder

/// The state of every region at every observer under one profile, driven by capture time alone
/// (SEMANTICS 2).
///
/// Handed runs of sightings and notes in the order of the capture, it leaves events behind; one
/// observer's are in the order of `RegionEvent.comesBefore`, except that a region that comes to be
/// while reading tells late what would have been told of it before.
package struct RegionMonitor: ~Copyable, Sendable {
  /// A transmitter as each sighting needs it.
  struct Row: BitwiseCopyable, Sendable {
    /// Its links lie one behind the other.
    var firstLink: UInt32 = 0
    var links: UInt32 = 0
    var observer: UInt32 = 0
    /// As it was on the air, and dBm at 1 m; `noPower` where that is not usable.
    var power: Int8 = 0
    var isKnown = false
    var measured: Int16 = Self.noPower

    static var noPower: Int16 { .min }
  }

  package let profile: Profile
  /// What events bear as the profile's number.
  package let number: UInt8
  /// One sentence for each definition that replaced another one.
  package let warnings: [String]
  /// Not drained yet.
  package internal(set) var events: [RegionEvent] = []
  /// Stays that have ended, in the order in which that was decided.
  package internal(set) var visits: [Visit] = []
  /// How many before those are not kept.
  package internal(set) var forgottenVisits = 0
  /// States that became inside or outside, in the order in which that was decided, whether or not
  /// an event tells it.
  package internal(set) var crossings: [RegionCrossing] = []
  /// Transmitters that matched for the first time in a region with a rule of its own.
  var newMembers: [UInt32] = []
  /// Whether events are there as soon as they are decided, in that order: somebody hears of them as
  /// they happen. Otherwise they wait for those that share their instant.
  package var tellsAtOnce = false
  /// Sightings without a time before the first record that has one: there is no clock to place them.
  package internal(set) var unplaced = 0

  var catalog: RegionCatalog
  var index = RegionIndex()
  let rules: [RegionRule]
  let matchRules: [MatchRule]
  let duties: [DutyCycle]
  /// Names of plugins' decoders, by number.
  let decoders: [String]
  /// The longest that a silence lasts until it is judged, and the shortest P.
  let horizon: Int64
  let shortest: Int64
  /// By the run's transmitter number.
  var rows: Rows<Row>
  var clocks: Rows<ObserverClock>
  var timelines: [ObserverTimeline] = []
  var states: Rows<RegionState>
  var links: Rows<RegionLink>
  var gaps = GapPool()
  var gates: [GateSignal] = []
  /// By index of the state, nanoseconds: the latest match of a stay that an earlier run began.
  var earlierMatches: [Int: Int64] = [:]
  /// By index of the state: how regular an earlier run found who is inside.
  var earlierRegularity: [Int: EarlierRegularity] = [:]
  /// Times of display markers.
  var markers: [Int64] = []
  /// Name of an Eddystone-EID seen at a moment, for who has its key.

  /// - Parameters:
  ///   - regions: none: those that come to be of what is seen (`FoundRegions`).
  ///   - number: of the profile, for its events.
  ///   - decoders: names of plugins' decoders, by number.
  /// - Throws: where a region's numbers contradict each other or the profile's.
  package init(
    _ regions: RegionList, _ profile: Profile, number: UInt8 = 0, decoders: [String] = []
  ) throws(SettingProblem) {
    self.decoders = decoders
    (rules, duties) = try Self.rules(regions.regions, profile)
    rows = Rows(capacity: 1024)
    clocks = Rows(capacity: 4)
    states = Rows(capacity: 64)
    links = Rows(capacity: 64)
    self.profile = profile
    self.number = number
    warnings = regions.warnings
    catalog = RegionCatalog(regions)
    horizon = rules.reduce(0) { max($0, $1.test.exitAfter.later(by: $1.test.step)) }
    shortest = rules.reduce(Int64.max) { min($0, $1.test.exitAfter) }
    matchRules = rules.map(\.match)
    for (place, region) in regions.regions.enumerated() where isMonitored(UInt32(place)) {
      index.add(region, UInt32(place))
    }
  }

  /// What holds for each region, or for all that come to be; and the duty cycles among that.
  private static func rules(_ regions: [Region], _ profile: Profile) throws(SettingProblem) -> (
    [RegionRule], [DutyCycle]
  ) {
    try profile.check()
    let identity = RegionRule.identity(of: profile)
    var duties: [DutyCycle] = []
    var rules: [RegionRule] = []
    rules.reserveCapacity(regions.count)
    for region in regions {
      do throws(SettingProblem) {
        let own = region.overrides.isEmpty ? profile : try profile.with(region.overrides)
        rules.append(
          RegionRule(
            region, own, &duties,
            region.overrides.isEmpty ? identity : RegionRule.identity(of: own)))
      } catch {
        throw error.inside("region '\(region.identifier)'")
      }
    }
    if rules.isEmpty { rules.append(RegionRule(nil, profile, &duties, identity)) }
    return (rules, duties)
  }

  /// Number of another observer. Files that continue one another share one.
  package mutating func addObserver(named name: String) -> UInt32 {
    timelines.append(ObserverTimeline(name: name))
    clocks.append(ObserverClock())
    return UInt32(timelines.count - 1)
  }

  /// Takes the events that there are, and forgets them.
  package mutating func drain() -> [RegionEvent] {
    let drained = events
    events.removeAll(keepingCapacity: true)
    return drained
  }
}

extension RegionMonitor {
  /// Forgets the earliest of the stays that have ended.
  package mutating func forgetVisits(keeping most: Int) {
    guard visits.count > most else { return }
    forgottenVisits += visits.count - most
    visits.removeFirst(visits.count - most)
  }

  package mutating func drainCrossings() -> [RegionCrossing] {
    let drained = crossings
    crossings.removeAll(keepingCapacity: true)
    return drained
  }

  package mutating func drainNewMembers() -> [UInt32] {
    guard !newMembers.isEmpty else { return [] }
    let drained = newMembers
    newMembers.removeAll(keepingCapacity: true)
    return drained
  }

  /// The regions of a transmitter that has been seen; one with a rule of its own from the first match
  /// on.
  package func forEachRegion(of transmitter: Int, _ body: (UInt32) -> Void) {
    guard transmitter < rows.count, rows[transmitter].isKnown else { return }
    let first = Int(rows[transmitter].firstLink)
    for link in first..<first + Int(rows[transmitter].links) {
      let state = states[Int(links[link].state)]
      if links[link].received == 0, rules[Int(state.rule)].predicate != nil { continue }
      body(state.region)
    }
  }

  package var regionCount: Int { catalog.count }

  /// By number.
  package func region(_ number: UInt32) -> Region { catalog[number] }

  /// Whether it is within the profile's limit, which counts circles too.
  package func isMonitored(_ region: UInt32) -> Bool { Int(region) < profile.limit ?? .max }

  /// Asked at any time (SEMANTICS 2, 7).
  package func presence(in region: UInt32, at observer: UInt32) -> RegionPresence {
    let known = timelines[Int(observer)].states
    guard Int(region) < known.count else { return .unknown }
    return states[Int(known[Int(region)])].presence
  }

  /// An observer's first record and its clock; none before there was a record with a time.
  package func recording(of observer: UInt32) -> (start: Timestamp, clock: Timestamp) {
    (
      Timestamp(nanoseconds: timelines[Int(observer)].start),
      Timestamp(nanoseconds: clocks[Int(observer)].clock)
    )
  }

  /// Stays that have not ended, by observer and in order of definition.
  package var openVisits: [Visit] {
    timelines.flatMap { timeline in
      timeline.states.compactMap { place in
        let state = states[Int(place)]
        guard state.presence == .inside else { return nil }
        return Visit(state, until: nil, lastSeen: lastSeen(Int(place)), silence: nil)
      }
    }
  }
}
