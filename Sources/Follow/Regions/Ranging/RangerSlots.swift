import CaptureReader

// Who is heard, and until when something has to be done about it.
extension Ranger {
  mutating func makeObserver(_ observer: Int) {
    while observers.count <= observer { observers.append(RangingObserver()) }
  }

  mutating func takeSlot() -> UInt32 {
    if let slot = freeSlots.popLast() { return slot }
    heard.append(HeardTransmitter())
    signals.append(SmoothedSignal())
    evaluations.append(Evaluation())
    names.append(HeardName())
    return UInt32(heard.count - 1)
  }

  mutating func activate(_ slot: Int, _ observer: Int, _ now: Int64) {
    heard[slot].isActive = true
    observers[observer].active.append(UInt32(slot))
    if period == 0 {
      expect(observer, at: now.later(by: settings.unknownAfter))
    } else {
      expectTick(observer)
    }
  }

  mutating func expect(_ observer: Int, at time: Int64) {
    if time < observers[observer].deadline { observers[observer].deadline = time }
  }

  /// The tick that the clock has not passed is wanted.
  mutating func expectTick(_ observer: Int) {
    let now = observers[observer].clock
    guard now != .min else { return }
    // Deadlines are ticks: one less than a period from here is this one.
    let deadline = observers[observer].deadline
    if deadline != .max, deadline.since(now) < period { return }
    expect(observer, at: observers[observer].tick(from: now, period: period))
  }

  mutating func expectForgetting(_ observer: Int) {
    let end = observers[observer].earliestForgotten
    guard end != .max else { return }
    expect(observer, at: period == 0 ? end : observers[observer].tick(from: end, period: period))
  }

  mutating func silence(_ slot: Int, _ observer: Int, since latest: Int64) {
    let forgotten = latest.later(by: settings.forgetAfter)
    heard[slot].silences &+= 1
    observers[observer].silent.append(
      RangingObserver.Silent(
        slot: UInt32(slot), silence: heard[slot].silences, forgotten: forgotten))
    observers[observer].earliestForgotten = min(observers[observer].earliestForgotten, forgotten)
  }

  /// Forgets those that were silent for long.
  mutating func forgetSilent(_ observer: Int, at now: Int64) {
    guard observers[observer].earliestForgotten <= now else { return }
    var kept = 0
    var earliest = Int64.max
    for place in observers[observer].silent.indices {
      let entry = observers[observer].silent[place]
      guard lasts(entry) else { continue }
      if entry.forgotten > now {
        observers[observer].silent[kept] = entry
        kept += 1
        earliest = min(earliest, entry.forgotten)
      } else {
        free(Int(entry.slot))
      }
    }
    observers[observer].silent.removeSubrange(kept...)
    observers[observer].earliestForgotten = earliest
  }

  /// Whether the transmitter has not been heard since.
  func lasts(_ entry: RangingObserver.Silent) -> Bool {
    let slot = Int(entry.slot)
    return !heard[slot].isActive && !heard[slot].isFree && heard[slot].silences == entry.silence
  }

  private mutating func free(_ slot: Int) {
    slots[Int(heard[slot].transmitter)] = 0
    heard[slot].isFree = true
    // Keeps its storage for the next that comes to be here.
    signals[slot].forget()
    evaluations[slot] = Evaluation()
    names[slot].memberships.removeAll(keepingCapacity: true)
    freeSlots.append(UInt32(slot))
  }
}
