import Beacons
import CaptureReader

// What happens at a tick, and with lists on change at a sample and at the end of a silence.
extension Ranger {
  /// Does what is to be done at the observer's deadline, and sets the next.
  mutating func runDeadline(_ observer: Int) {
    let now = observers[observer].deadline
    let firstChange = changes.count
    review(observer, now)
    order(from: firstChange)
    if settings.wantsLists { makeLists(observer, now, changesFrom: firstChange) }
    if period == 0 { beginLists(changesFrom: firstChange) }
    forgetSilent(observer, at: now)
    schedule(observer, after: now)
  }

  /// Judges those that are heard anew; the silent ones among them leave the list of such.
  private mutating func review(_ observer: Int, _ now: Int64) {
    var kept = 0
    for place in observers[observer].active.indices {
      let number = observers[observer].active[place]
      let slot = Int(number)
      let latest = heard[slot].signal.latest.nanoseconds
      if now.saturatingMinus(latest) >= settings.unknownAfter {
        heard[slot].isActive = false
        heard[slot].becomeUnknown()
        silence(slot, observer, since: latest)
        tell(slot, observer, now)
      } else {
        observers[observer].active[kept] = number
        kept += 1
        guard period > 0 else { continue }
        judge(slot, observer, now)
      }
      // With lists their samples are needed until these are made.
      if period > 0, !settings.wantsLists { heard[slot].beginList(settings.smoothing) }
    }
    observers[observer].active.removeSubrange(kept...)
  }

  /// Where the transmitter is now, as far as anybody wants to know.
  private mutating func judge(_ slot: Int, _ observer: Int, _ now: Int64) {
    guard isWanted(slot, observer) else { return }
    heard[slot].evaluate(at: Timestamp(nanoseconds: now), settings)
    warnOfPower(slot)
    tell(slot, observer, now)
  }

  private func isWanted(_ slot: Int, _ observer: Int) -> Bool {
    // By index: for every transmitter at every tick, and an iterator would hold the array.
    for place in 0..<heard[slot].memberships.count
    where observers[observer].isInside(heard[slot].memberships[place].region) { return true }
    return false
  }

  /// A sample has come, and lists are made on change.
  mutating func evaluateNow(_ slot: Int, _ observer: Int, _ now: Int64) {
    let firstChange = changes.count
    judge(slot, observer, now)
    guard changes.count > firstChange else { return }
    order(from: firstChange)
    if settings.wantsLists { makeLists(observer, now, changesFrom: firstChange) }
    beginLists(changesFrom: firstChange)
  }

  /// A region was entered, and lists are made on change: those that are heard count at once.
  mutating func evaluateAll(of region: Int, _ observer: Int) {
    let firstChange = changes.count
    let now = observers[observer].clock
    for number in observers[observer].active {
      let slot = Int(number)
      guard heard[slot].memberships.contains(where: { $0.region == UInt32(region) }),
        now.saturatingMinus(heard[slot].signal.latest.nanoseconds) < settings.unknownAfter
      else { continue }
      judge(slot, observer, now)
    }
    order(from: firstChange)
    if settings.wantsLists { makeLists(observer, now, changesFrom: firstChange) }
    beginLists(changesFrom: firstChange)
  }

  /// With lists on change, what a transmitter sends belongs together from one change of its own to
  /// the next, whether or not somebody takes lists.
  private mutating func beginLists(changesFrom first: Int) {
    for change in changes[first...] {
      heard[Int(slots[Int(change.transmitter)]) - 1].beginList(settings.smoothing)
    }
  }

  /// Tells the regions that the observer is in of a change, and keeps the nearest approach.
  private mutating func tell(_ slot: Int, _ observer: Int, _ now: Int64) {
    for place in heard[slot].memberships.indices {
      let membership = heard[slot].memberships[place]
      guard observers[observer].isInside(membership.region) else { continue }
      let region = Int(membership.region)
      let stay = observers[observer].regions[region].stay
      noteApproach(slot, observer, region, now)
      let from = membership.stay == stay ? membership.told : .unknown
      guard from != heard[slot].proximity else { continue }
      changes.append(change(slot, observer, region, from, now))
      heard[slot].memberships[place].stay = stay
      heard[slot].memberships[place].told = heard[slot].proximity
    }
  }

  private func change(_ slot: Int, _ observer: Int, _ region: Int, _ from: Proximity, _ now: Int64)
    -> ProximityChange
  {
    let transmitter = heard[slot]
    return ProximityChange(
      time: Timestamp(nanoseconds: now), observer: observer, region: region,
      transmitter: transmitter.transmitter, from: from, to: transmitter.proximity,
      rssi: transmitter.smoothed, accuracy: transmitter.distance(settings.distance),
      firstFrame: transmitter.firstFrame, lastFrame: transmitter.lastFrame)
  }

  private mutating func noteApproach(_ slot: Int, _ observer: Int, _ region: Int, _ now: Int64) {
    guard let metres = heard[slot].metres else { return }
    if let nearest = observers[observer].regions[region].nearest, nearest.distance.metres <= metres
    {
      return
    }
    guard let distance = heard[slot].distance(settings.distance) else { return }
    observers[observer].regions[region].nearest = NearestApproach(
      time: Timestamp(nanoseconds: now), transmitter: heard[slot].transmitter, distance: distance)
  }

  private mutating func warnOfPower(_ slot: Int) {
    guard let power = heard[slot].unusablePower else { return }
    let identity = heard[slot].who.identity
    guard warned.insert(identity).inserted else { return }
    unusablePowers.append(
      UnusablePower(
        transmitter: heard[slot].transmitter, identity: identity, power: power,
        frame: heard[slot].lastFrame))
  }

  /// Changes of one time: by region, then by transmitter.
  private mutating func order(from first: Int) {
    guard changes.count > first + 1 else { return }
    changes[first...].sort { ($0.region, $0.transmitter) < ($1.region, $1.transmitter) }
  }

  private mutating func schedule(_ observer: Int, after now: Int64) {
    let state = observers[observer]
    observers[observer].deadline = .max
    if period == 0 {
      for slot in state.active {
        let latest = heard[Int(slot)].signal.latest.nanoseconds
        expect(observer, at: latest.saturatingPlus(settings.unknownAfter))
      }
      return expectForgetting(observer)
    }
    if !state.active.isEmpty || settings.wantsLists && state.regionsInside > 0 {
      return expect(observer, at: now.saturatingPlus(period))
    }
    expectForgetting(observer)
  }
}
