package import Beacons
package import CaptureReader

/// Ranging (SEMANTICS 3): per (observer, region) who is how near, in capture time alone.
///
/// A tick is at t0 + k·period, k = 0, 1, …, t0 being the observer's first record; it is decided once
/// the clock has passed it. With lists on change every instant that has samples is one.
///
/// Calls come in the order of the capture: first `advance` with an observer's first record, whatever it
/// is; `enter` and `leave` as the region's state changes, and `add` for the sightings of its
/// transmitters. What comes of it is taken from `changes`, `lists` and `unusablePowers`, and forgotten
/// with `removeResults`.
package struct Ranger: Sendable {
  package let settings: RangingSettings
  /// The capture that frames are of from here on, as the caller numbers them.
  package var capture: UInt32 = 0

  /// In the order of their times; those of one tick by region, then by transmitter number.
  package internal(set) var changes: [ProximityChange] = []
  /// In the order of their times, then by region; none unless the settings want them.
  package internal(set) var lists: [RangingList] = []
  package internal(set) var unusablePowers: [UnusablePower] = []
  /// Kept over `removeResults`; none unless the settings want them.
  package internal(set) var samples: RangingSamples

  /// By transmitter number: place in `heard` + 1; 0 for those not followed.
  var slots: [UInt32] = []
  /// By slot, all four.
  var heard: [HeardTransmitter] = []
  var signals: [SmoothedSignal] = []
  var evaluations: [Evaluation] = []
  var names: [HeardName] = []
  var freeSlots: [UInt32] = []
  var observers: [RangingObserver] = []
  /// Identities whose power has been warned of.
  var warned: Set<UInt32> = []
  /// Nanoseconds; 0 for lists on change.
  let period: Int64
  /// Nothing is wanted of a tick but the nearest approaches.
  let seeksNearestOnly: Bool
  /// Ticks begin lists that nobody takes: the mean is of those samples, and changes name them.
  let beginsListsAtTicks: Bool
  /// Whether what no sample exceeds, nothing that is made of the window's samples does.
  let boundsByStrongest: Bool

  /// Throws where a number cannot be.
  package init(_ settings: RangingSettings) throws(SettingProblem) {
    try settings.check()
    self.settings = settings
    if case .every(let period) = settings.period { self.period = period } else { period = 0 }
    samples = RangingSamples(period: period)
    seeksNearestOnly = period > 0 && !settings.wantsChanges && !settings.wantsLists
    beginsListsAtTicks =
      period > 0 && !settings.wantsLists
      && (settings.wantsChanges || settings.smoothing.filter == .mean)
    boundsByStrongest = settings.distance.model == .pathLoss && settings.smoothing.filter.isBounded
  }

  /// Lists whose turn it was come first; then the sample counts. An RSSI of 127 is no sample.
  /// - Parameters:
  ///   - power: dBm, as it is sent.
  ///   - time: one that is unknown, or before the observer's clock, counts as the clock.
  /// - Returns: false where the transmitter is not followed, or not any more, as it was silent for
  ///   long: then `follow` it and add again.
  package mutating func add(
    transmitter: UInt32, time: Timestamp, rssi: Int8, power: Int8, frame: Int
  ) -> Bool {
    guard Int(transmitter) < slots.count, slots[Int(transmitter)] != 0 else { return false }
    let slot = Int(slots[Int(transmitter)] &- 1)
    let observer = Int(heard[slot].observer)
    if time.nanoseconds > observers[observer].deadline {
      advance(observer: observer, to: time)
      guard slots[Int(transmitter)] != 0 else { return false }
    }
    let now = observers[observer].move(to: time.nanoseconds)
    guard rssi != 127, now != .min else { return true }
    let isFirstOfInstant = heard[slot].latest != now
    heard[slot].note(
      rssi, at: now, power: power, frame: CaptureFrame(capture: capture, frame: frame),
      isFirst: signals[slot].listSamples == 0)
    signals[slot].add(rssi, at: Timestamp(nanoseconds: now), settings.smoothing)
    if !heard[slot].isActive { activate(slot, observer, now) }
    if period == 0, isFirstOfInstant { consider(slot, observer, now) }
    return true
  }

  /// Makes a transmitter one of a region's. Without a sample for long it is forgotten.
  /// - Parameters:
  ///   - who: its address and identity; its observer does not count here.
  ///   - observer: as the caller numbers them: several captures' may be one.
  ///   - region: its number; lists and changes of one time come in this order. 0 or more.
  ///   - time: of the sighting that led to it.
  package mutating func follow(
    _ transmitter: UInt32, _ who: Transmitter, _ identity: BeaconIdentity, observer: Int,
    region: Int, at time: Timestamp
  ) {
    advance(observer: observer, to: time)
    while slots.count <= Int(transmitter) { slots.append(0) }
    if slots[Int(transmitter)] == 0 {
      let slot = takeSlot()
      heard[Int(slot)].begin(transmitter, identity.kind, observer: observer)
      names[Int(slot)].who = who
      names[Int(slot)].identity = identity
      slots[Int(transmitter)] = slot + 1
      // Until it has samples: forgotten like one that was heard just now.
      let clock = observers[observer].clock
      if clock != .min {
        silence(Int(slot), observer, since: clock)
        expectForgetting(observer)
      }
    }
    let slot = Int(slots[Int(transmitter)] - 1)
    let number = UInt32(region)
    guard !names[slot].memberships.contains(where: { $0.region == number }) else { return }
    heard[slot].hasMoreRegions = !names[slot].memberships.isEmpty
    heard[slot].region = number
    names[slot].memberships.append(HeardName.Membership(region: number))
  }

  /// The region's state became `inside`. A tick at this very time finds it so.
  package mutating func enter(_ region: Int, observer: Int, at time: Timestamp) {
    advance(observer: observer, to: time)
    observers[observer].enter(region)
    if period == 0 { return considerAll(of: region, observer) }
    if settings.wantsLists { expectTick(observer) }
  }

  /// The region's state became `outside`. A tick at this very time finds it so.
  package mutating func leave(_ region: Int, observer: Int, at time: Timestamp) {
    advance(observer: observer, to: time)
    observers[observer].leave(region)
  }

  /// The observer's clock stands here: ticks before it have come. An unknown time changes nothing.
  package mutating func advance(observer: Int, to time: Timestamp) {
    makeObserver(observer)
    while observers[observer].deadline < time.nanoseconds { runDeadline(observer) }
    _ = observers[observer].move(to: time.nanoseconds)
  }

  /// Nothing more comes from this observer: ticks up to its clock have come, with that at the clock.
  package mutating func finish(observer: Int) {
    makeObserver(observer)
    while observers[observer].deadline <= observers[observer].clock,
      observers[observer].deadline != .max
    {
      runDeadline(observer)
    }
  }

  /// How near the region's transmitters came during the latest stay; nil where no tick had a
  /// distance.
  package func nearest(region: Int, observer: Int) -> NearestApproach? {
    guard observer < observers.count, region < observers[observer].regions.count else { return nil }
    return observers[observer].regions[region].nearest
  }

  /// Forgets what was found so far, once it has been taken; keeps the room.
  package mutating func removeResults() {
    changes.removeAll(keepingCapacity: true)
    lists.removeAll(keepingCapacity: true)
    unusablePowers.removeAll(keepingCapacity: true)
  }
}
