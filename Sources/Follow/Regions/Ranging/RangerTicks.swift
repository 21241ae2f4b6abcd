import Beacons
import CaptureReader

// What happens at a tick, and with lists on change at an instant with samples or the end of a silence.
extension Ranger {
  /// Does what is to be done at the observer's deadline, and sets the next.
  mutating func runDeadline(_ observer: Int) {
    let now = observers[observer].deadline
    let firstChange = changes.count
    if period == 0 { judgeWaiting(observer, now) }
    review(observer, now)
    finishChanges(observer, now, from: firstChange)
    if settings.wantsSamples { sample(observer, now) }
    forgetSilent(observer, at: now)
    schedule(observer, after: now)
  }

  /// Judges those that are heard anew; the silent ones among them leave the list of such.
  private mutating func review(_ observer: Int, _ now: Int64) {
    // Taken out for as long: nothing asks then whether somebody else holds it.
    var active = observers[observer].active
    observers[observer].active = []
    var kept = 0
    for place in active.indices {
      let number = active[place]
      let slot = Int(number)
      if now.since(heard[slot].latest) >= settings.unknownAfter {
        fallSilent(slot, observer, now)
      } else {
        active[kept] = number
        kept += 1
        if seeksNearestOnly {
          seekNearest(slot, observer, now)
        } else if period > 0 {
          judge(slot, observer, now)
        }
      }
      if beginsListsAtTicks { beginList(slot) }
    }
    active.removeSubrange(kept...)
    observers[observer].active = active
  }

  private mutating func fallSilent(_ slot: Int, _ observer: Int, _ now: Int64) {
    heard[slot].isActive = false
    silence(slot, observer, since: heard[slot].latest)
    guard !seeksNearestOnly else { return }
    evaluations[slot] = Evaluation()
    tell(slot, observer, now)
  }

  /// Where the transmitter is now, as far as anybody wants to know.
  private mutating func judge(_ slot: Int, _ observer: Int, _ now: Int64) {
    guard isWanted(slot, observer) else { return }
    evaluate(slot, now)
    tell(slot, observer, now)
  }

  mutating func evaluate(_ slot: Int, _ now: Int64) {
    evaluations[slot] = Evaluation(
      &signals[slot], at: now, power: heard[slot].powerAtOneMetre, settings)
    warnOfPower(slot)
  }

  /// The same where nothing but the nearest approach is wanted. Most are not stronger than what was
  /// the nearest already.
  @inline(__always)
  private mutating func seekNearest(_ slot: Int, _ observer: Int, _ now: Int64) {
    guard
      heard[slot].hasMoreRegions
        || mayBeNearest(heard[slot].region, observer, leastLoss: leastLoss(slot))
    else { return }
    findNearest(slot, observer, now)
  }

  @inline(__always)
  private func leastLoss(_ slot: Int) -> Double {
    boundsByStrongest ? heard[slot].leastLoss : -.infinity
  }

  @inline(__always)
  private func mayBeNearest(_ region: UInt32, _ observer: Int, leastLoss: Double) -> Bool {
    leastLoss < observers[observer].bar(region)
  }

  @inline(never)
  private mutating func findNearest(_ slot: Int, _ observer: Int, _ now: Int64) {
    var isEvaluated = false
    for place in names[slot].memberships.indices {
      let region = names[slot].memberships[place].region
      guard mayBeNearest(region, observer, leastLoss: leastLoss(slot)) else { continue }
      if !isEvaluated {
        evaluate(slot, now)
        isEvaluated = true
        heard[slot].limit(strongest: signals[slot].strongest)
      }
      noteApproach(slot, observer, Int(region), now)
    }
  }

  func isWanted(_ slot: Int, _ observer: Int) -> Bool {
    if observers[observer].isInside(heard[slot].region) { return true }
    guard heard[slot].hasMoreRegions else { return false }
    return names[slot].memberships.contains { observers[observer].isInside($0.region) }
  }

  /// A sample has come, and lists are made on change: all of one instant lead to one list, so that what
  /// else ends at this instant is in it.
  mutating func consider(_ slot: Int, _ observer: Int, _ now: Int64) {
    observers[observer].waiting.append(UInt32(slot))
    expect(observer, at: now)
  }

  /// A region was entered, and lists are made on change: those that are heard count at once.
  mutating func considerAll(of region: Int, _ observer: Int) {
    let now = observers[observer].clock
    guard now != .min else { return }
    for number in observers[observer].active
    where names[Int(number)].memberships.contains(where: { $0.region == UInt32(region) }) {
      consider(Int(number), observer, now)
    }
  }

  private mutating func judgeWaiting(_ observer: Int, _ now: Int64) {
    for place in observers[observer].waiting.indices {
      let slot = Int(observers[observer].waiting[place])
      guard heard[slot].isActive, now.since(heard[slot].latest) < settings.unknownAfter else {
        continue
      }
      judge(slot, observer, now)
    }
    observers[observer].waiting.removeAll(keepingCapacity: true)
  }

  /// What comes of the changes of a moment.
  private mutating func finishChanges(_ observer: Int, _ now: Int64, from first: Int) {
    if period == 0, changes.count == first { return }
    order(from: first)
    if settings.wantsLists { makeLists(observer, now, changesFrom: first) }
    guard period == 0 else { return }
    beginLists(of: changed(from: first), observer)
    if !settings.wantsChanges { changes.removeSubrange(first...) }
  }

  /// Tells the regions that the observer is in of a change, and keeps the nearest approach.
  private mutating func tell(_ slot: Int, _ observer: Int, _ now: Int64) {
    let makesChanges = settings.wantsChanges || period == 0
    let proximity = evaluations[slot].proximity
    for place in names[slot].memberships.indices {
      let membership = names[slot].memberships[place]
      guard observers[observer].isInside(membership.region) else { continue }
      let region = Int(membership.region)
      noteApproach(slot, observer, region, now)
      guard makesChanges else { continue }
      let stay = observers[observer].regions[region].stay
      let from = membership.stay == stay ? membership.told : .unknown
      guard from != proximity else { continue }
      changes.append(change(slot, observer, region, from, now))
      names[slot].memberships[place].stay = stay
      names[slot].memberships[place].told = proximity
    }
  }

  private func change(_ slot: Int, _ observer: Int, _ region: Int, _ from: Proximity, _ now: Int64)
    -> ProximityChange
  {
    ProximityChange(
      time: Timestamp(nanoseconds: now), observer: observer, region: region,
      transmitter: heard[slot].transmitter, from: from, to: evaluations[slot].proximity,
      rssi: evaluations[slot].smoothed(signals[slot]),
      accuracy: evaluations[slot].distance(signals[slot], settings.distance),
      firstFrame: heard[slot].firstFrame, lastFrame: heard[slot].lastFrame)
  }

  private mutating func noteApproach(_ slot: Int, _ observer: Int, _ region: Int, _ now: Int64) {
    guard let metres = evaluations[slot].metres, let loss = evaluations[slot].loss else { return }
    if let nearest = observers[observer].regions[region].nearest, nearest.distance.metres <= metres
    {
      return
    }
    guard let distance = evaluations[slot].distance(signals[slot], settings.distance) else {
      return
    }
    let approach = NearestApproach(
      time: Timestamp(nanoseconds: now), transmitter: heard[slot].transmitter, distance: distance)
    observers[observer].noteNearest(approach, region, loss: loss)
  }

  private mutating func warnOfPower(_ slot: Int) {
    guard !heard[slot].isWarned, let power = heard[slot].unusablePower else { return }
    heard[slot].isWarned = true
    let identity = names[slot].who.identity
    guard warned.insert(identity).inserted else { return }
    unusablePowers.append(
      UnusablePower(
        transmitter: heard[slot].transmitter, identity: identity, power: power,
        frame: heard[slot].lastFrame))
  }

  /// Changes of one time: by region, then by transmitter.
  private mutating func order(from first: Int) {
    guard changes.count > first + 1 else { return }
    // Sorted by their places: a change is large to move.
    let places = (first..<changes.count).sorted {
      (changes[$0].region, changes[$0].transmitter) < (changes[$1].region, changes[$1].transmitter)
    }
    changes.replaceSubrange(first..., with: places.map { changes[$0] })
  }

  private mutating func schedule(_ observer: Int, after now: Int64) {
    observers[observer].deadline = .max
    if period == 0 {
      for slot in observers[observer].active {
        expect(observer, at: heard[Int(slot)].latest.later(by: settings.unknownAfter))
      }
      return expectForgetting(observer)
    }
    let isInside = observers[observer].regionsInside > 0
    if !observers[observer].active.isEmpty || settings.wantsLists && isInside {
      return expect(observer, at: now.later(by: period))
    }
    expectForgetting(observer)
  }
}
