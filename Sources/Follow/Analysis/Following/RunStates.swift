import CaptureReader
import FrameDecoder
import Regions

// How a run goes on with what an earlier one knew, and leaves what it knows to the next.
extension Following {
  /// An observer is going to be told of; at its first record it begins with the earlier run's state.
  func restoreState(of observer: Int, at time: Timestamp) {
    let name = observerNames[observer]
    guard time.isKnown, let restored = states?.restored, states?.begin(name) == true else {
      return
    }
    var good: [(follower: ProfileFollower, known: RunState.OfObserver)] = []
    for follower in followers {
      let text = profileTexts[follower.number]
      let profiles = restored.state.profiles
      guard let profile = profiles.first(where: { $0.profile == text }) else {
        warnOfNumbers(of: follower, profiles)
        continue
      }
      guard let known = profile.observers.first(where: { $0.name == name }) else { continue }
      if states?.isGood(known, at: time) == true {
        good.append((follower, known))
      } else if follower.number == 0 {
        for region in known.regions {
          judge?.resume(.unknown, in: region.identifier, of: name, until: time)
        }
      }
    }
    let known = restored.state.profiles.flatMap(\.observers).map(\.name)
    if !known.isEmpty, !known.contains(name) {
      states?.warn(
        "\(name): the saved state knows nothing of this observer: it begins anew (it knows "
          + Set(known).sorted().prefix(5).joined(separator: ", ") + ")")
    }
    meet(good.flatMap(\.known.regions))
    for (follower, known) in good { restore(known, follower, observer, time, restored) }
    // Behind the limits of its scan.
    if !good.isEmpty { restoreHearing(restored.state, of: observer, at: time) }
  }

  private func restoreHearing(_ state: RunState, of observer: Int, at time: Timestamp) {
    for known in state.hearing ?? [] where known.observer == observerNames[observer] {
      if known.period == deaf[observer].leastGap { deaf[observer].restore(known, at: time) }
      for place in otherDeaf[observer].indices
      where otherDeaf[observer][place].period == known.period {
        otherDeaf[observer][place].spans.restore(known, at: time)
      }
    }
  }

  /// Where regions come to be of what is seen, those of an earlier run are there from the start: in all
  /// profiles, so that they have one number.
  private func meet(_ known: [RunState.OfRegion]) {
    guard settings.regions.regions.isEmpty else { return }
    for known in known {
      guard let region = try? Region.parse(known.definition) else { continue }
      for follower in followers { _ = follower.monitor.meet(region) }
    }
  }

  private func warnOfNumbers(of follower: ProfileFollower, _ known: [RunState.OfProfile]) {
    let name = settings.profiles[follower.number].name
    guard known.contains(where: { $0.profile.prefix { $0 != " " } == name }) else { return }
    states?.warn(
      "profile \(name): its numbers are others than those of the saved state: its regions begin anew"
    )
  }

  private func restore(
    _ known: RunState.OfObserver, _ follower: ProfileFollower, _ observer: Int,
    _ time: Timestamp, _ restored: RestoredRun
  ) {
    let regions = memories(of: known.regions, follower)
    let memories = regions.map(\.memory)
    let messages = follower.messages == nil ? [] : found(known.messages)
    let limits = ScanLimits(rawValue: known.scanLimits ?? 0)
    follower.restore(
      memories, messages, limits, at: observer, from: time, goodFor: restored.goodFor)
    if follower.number == 0, !limits.isEmpty {
      judge?.resume(limits, of: observerNames[observer])
      self.restore(limits, of: observer, at: time)
    }
    for (memory, exit) in regions where memory.presence == .outside {
      outsideFromStart[follower.number, default: []].append((observer, Int(memory.region), time))
      // By a clock that was set back meanwhile nobody knows how long it has been away.
      guard known.clock.nanoseconds <= time.nanoseconds else { continue }
      let place = EntryDoubts.Place(
        profile: follower.number, observer: observer, region: Int(memory.region))
      earlierRun[place] =
        exit?.stay(lastSeen: memory.lastSeen).map { .left($0) } ?? .outside(until: known.clock)
      entryDoubts.restore(earlierRun[place], at: place)
    }
    let inside = memories.count { $0.presence == .inside }
    let others = messages.isEmpty ? "" : ", \(messages.count) messages within reach"
    let isUnknown = memories.isEmpty && !known.regions.isEmpty
    let what =
      isUnknown
      ? "0 of its \(known.regions.count) regions are defined as they were"
      : "inside \(inside) of \(memories.count) regions"
    restored.tell(
      "\(known.name): goes on with the saved state (profile "
        + "\(settings.profiles[follower.number].name)): \(what)\(others)")
  }

  /// By this run's numbers; those that are defined otherwise now begin anew.
  private func memories(
    of known: [RunState.OfRegion], _ follower: ProfileFollower
  ) -> [(memory: RegionMemory, exit: RunState.OfExit?)] {
    known.compactMap { region in
      states?.memory(of: region, &follower.monitor).map { ($0, region.exit) }
    }
  }

  private func found(_ known: [RunState.OfMessage]) -> [(message: Int, lastSeen: Timestamp)] {
    settings.messages.enumerated().compactMap { number, message in
      let own = RunState.OfMessage(message, lastSeen: .none)
      return known.first { $0.isSame(own) }.map { (message: number, lastSeen: $0.lastSeen) }
    }
  }

  /// What the first profile knows, of all observers.
  var knownPresences: [KnownPresence] {
    observerNames.indices.flatMap { observer in
      followers[0].memories(at: observer).map {
        KnownPresence(region: Int($0.region), observer: observer, presence: $0.presence)
      }
    }
  }

  /// Observers that are going to begin later in the run are where the earlier run left them: rules may ask
  /// from the start.
  func resumeAwaited(at time: Timestamp) {
    for known in states?.awaited(under: profileTexts[0], at: time) ?? [] {
      for region in known.regions where states?.isDefined(region) == true {
        judge?.resume(
          region.isInside ? .inside : .outside, in: region.identifier, of: known.name,
          until: known.clock.later(by: states?.restored?.goodFor ?? 0))
      }
    }
  }

  /// Behind a note, or a run of sightings: where what is known belongs together.
  func keepState(at time: Timestamp) {
    let told = judge?.told ?? 0
    guard states?.isDue(at: time, told: told) == true else { return }
    if states?.keeper?.keep({ state() }) == true { states?.noteKept(told: told) }
  }

  /// Nothing follows.
  func keepLastState() {
    guard let states, states.taken.isKnown else { return }
    states.keeper?.keepLast(state())
  }

  private func state() -> RunState {
    RunState(
      taken: states?.taken ?? .none,
      profiles: followers.map { follower in
        let text = profileTexts[follower.number]
        return RunState.OfProfile(
          profile: text,
          observers: observerNames.indices.compactMap { state(of: $0, follower) }
            + (states?.waiting(under: text) ?? []))
      }, hearing: hearing)
  }

  /// Of observers that have not come yet it stays what an earlier run kept.
  private var hearing: [RunState.OfHearing] {
    var hearing: [RunState.OfHearing] = []
    for (observer, name) in observerNames.enumerated() where deaf[observer].end.isKnown {
      hearing.append(RunState.OfHearing(name, deaf[observer]))
      hearing += otherDeaf[observer].map { RunState.OfHearing(name, $0.spans) }
    }
    let awaited = Set(profileTexts.flatMap { states?.waiting(under: $0) ?? [] }.map(\.name))
    return hearing
      + (states?.restored?.state.hearing ?? []).filter { awaited.contains($0.observer) }
  }

  /// Nil before its first record.
  private func state(of observer: Int, _ follower: ProfileFollower) -> RunState.OfObserver? {
    let clock = follower.clock(of: observer)
    guard clock.isKnown else { return nil }
    guard let states else { return nil }
    var known = RunState.OfObserver(
      name: observerNames[observer], clock: clock,
      regions: follower.memories(at: observer).map { memory in
        var region = states.named(memory, follower.monitor)
        let place = EntryDoubts.Place(
          profile: follower.number, observer: observer, region: Int(memory.region))
        if memory.presence == .outside {
          if case .left(let stay) = entryDoubts.earlier[place] {
            region.exit = RunState.OfExit(stay)
          }
        }
        return region
      },
      messages: (follower.messages?.memories(at: observer) ?? []).map {
        RunState.OfMessage(settings.messages[$0.message], lastSeen: $0.lastSeen)
      })
    let limits = follower.monitor.scanLimits(at: UInt32(observer))
    if !limits.isEmpty { known.scanLimits = limits.rawValue }
    return known
  }
}

extension ProfileFollower {
  /// What is known at an observer, by number of the region; of very many the most important ones.
  func memories(at observer: Int) -> [RegionMemory] {
    var memories = monitor.memories(at: UInt32(observer)) + circles.memories(at: observer)
    if memories.count > RunState.mostRegions {
      memories.sort { a, b in
        if a.presence != b.presence { return a.presence == .inside }
        return (b.lastSeen.nanoseconds, a.region) < (a.lastSeen.nanoseconds, b.region)
      }
      memories.removeSubrange(RunState.mostRegions...)
    }
    return memories.sorted { $0.region < $1.region }
  }

  /// Begins an observer with what an earlier run knew; before anything else of it is taken.
  func restore(
    _ memories: [RegionMemory], _ messages: [(message: Int, lastSeen: Timestamp)],
    _ limits: ScanLimits, at observer: Int, from start: Timestamp, goodFor: Int64
  ) {
    monitor.restore(memories, limits, at: UInt32(observer), from: start, goodFor: goodFor)
    circles.restore(memories, at: observer, from: start)
    self.messages?.restore(messages, at: observer, from: start)
  }
}
