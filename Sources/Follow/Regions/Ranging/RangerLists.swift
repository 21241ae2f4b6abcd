import Beacons
import CaptureReader

// The lists of a moment.
extension Ranger {
  private struct Line {
    let region: UInt32
    let slot: Int
  }

  /// At a tick for every region that the observer is in; on change for those that have one.
  mutating func makeLists(_ observer: Int, _ now: Int64, changesFrom firstChange: Int) {
    let regions = period > 0 ? inside(observer) : changed(from: firstChange)
    guard !regions.isEmpty else { return beginLists(observer) }
    let lines = lines(observer, now)
    var place = 0
    for region in regions {
      while place < lines.count, lines[place].region < region { place += 1 }
      let first = place
      while place < lines.count, lines[place].region == region { place += 1 }
      lists.append(
        RangingList(
          time: Timestamp(nanoseconds: now), observer: observer, region: Int(region),
          entries: lines[first..<place].map { entry($0.slot) }))
    }
    beginLists(observer)
  }

  private func inside(_ observer: Int) -> [UInt32] {
    observers[observer].regions.indices.filter { observers[observer].regions[$0].isInside }
      .map { UInt32($0) }
  }

  /// Ascending: the changes are in the order of their regions.
  func changed(from first: Int) -> [UInt32] {
    var regions: [UInt32] = []
    for change in changes[first...] where regions.last != UInt32(change.region) {
      regions.append(UInt32(change.region))
    }
    return regions
  }

  /// Who stands on which list, in order.
  private func lines(_ observer: Int, _ now: Int64) -> [Line] {
    var lines: [Line] = []
    for slot in listed(observer, now) {
      for membership in names[slot].memberships
      where observers[observer].isInside(membership.region) {
        lines.append(Line(region: membership.region, slot: slot))
      }
    }
    return lines.sorted {
      $0.region == $1.region
        ? stands($0.slot, before: $1.slot) : $0.region < $1.region
    }
  }

  /// Nearest first, unknown last.
  private func stands(_ slot: Int, before other: Int) -> Bool {
    switch (evaluations[slot].metres, evaluations[other].metres) {
    case (let mine?, let its?) where mine != its: return mine < its
    case (_?, nil): return true
    case (nil, _?): return false
    default: return names[slot].stands(before: names[other])
    }
  }

  private func entry(_ slot: Int) -> RangingEntry {
    let (who, signal) = (names[slot].who, signals[slot])
    return RangingEntry(
      transmitter: heard[slot].transmitter, identity: who.identity, address: who.address,
      proximity: evaluations[slot].proximity,
      accuracy: evaluations[slot].distance(signal, settings.distance),
      rssi: signal.listMean, samples: signal.listSamples, frame: heard[slot].lastFrame)
  }

  /// Those that are heard, and the silent ones that are not dropped yet, each once.
  private func listed(_ observer: Int, _ now: Int64) -> [Int] {
    var slots = observers[observer].active.map { Int($0) }
    for entry in observers[observer].silent {
      let latest = heard[Int(entry.slot)].latest
      guard lasts(entry), latest != .min, now.since(latest) < settings.dropAfter
      else { continue }
      slots.append(Int(entry.slot))
    }
    return slots
  }

  /// What comes now belongs to the next lists.
  private mutating func beginLists(_ observer: Int) {
    guard period > 0 else { return }
    for slot in observers[observer].active { beginList(Int(slot)) }
    for entry in observers[observer].silent { beginList(Int(entry.slot)) }
  }

  /// With lists on change: what comes now belongs to the next lists of these regions, whether or not
  /// somebody takes lists.
  mutating func beginLists(of regions: [UInt32], _ observer: Int) {
    let silent = observers[observer].silent.filter { lasts($0) }.map(\.slot)
    for number in observers[observer].active + silent
    where names[Int(number)].memberships.contains(where: { regions.contains($0.region) }) {
      beginList(Int(number))
    }
  }

  mutating func beginList(_ slot: Int) {
    guard signals[slot].listSamples > 0 else { return }
    signals[slot].beginList(settings.smoothing)
    heard[slot].beginList()
  }
}
