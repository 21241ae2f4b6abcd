package import CaptureReader
package import FrameDecoder

/// What is known of a region at an observer that another run can go on with (SEMANTICS 2, 8).
package struct RegionMemory: Equatable, BitwiseCopyable, Sendable {
  /// Number of the region.
  package var region: UInt32
  /// Not unknown: of that there is nothing to go on with.
  package var presence: RegionPresence
  /// Inside: when the stay began; otherwise none.
  package var since: Timestamp
  /// The latest match; none where there never was one, and of circles.
  package var lastSeen: Timestamp
  /// Inside: nobody was seen to come.
  package var wasInsideAlready = false
  /// Inside: the entry waits for a display marker.
  package var awaitsDisplay = false
  /// Of an entry of a circle that waits: when the boundary was crossed; otherwise none.
  package var crossedAt = Timestamp.none
  /// Inside: matches of the stay so far; of circles 0.
  package var sightings = 0
  /// Inside: what the sightings so far say of a silence; nil where they are too few, and of circles.
  package var regularity: EarlierRegularity?

  package init(
    region: UInt32, presence: RegionPresence, since: Timestamp = .none, lastSeen: Timestamp = .none
  ) {
    self.region = region
    self.presence = presence
    self.since = since
    self.lastSeen = lastSeen
  }
}

/// How regularly those who are inside were heard in an earlier run: what makes an exit `gone` or `thin`
/// until they have been heard often enough in this one.
package struct EarlierRegularity: Equatable, BitwiseCopyable, Sendable, Codable {
  /// That nothing of them arrives for the exit period.
  package var probability: Double
  /// Nanoseconds, and lost of all: of the transmitter of which a silence is least likely.
  package var interval: Int64
  package var loss: Double
  package var transmitters: Int

  package init(probability: Double, interval: Int64, loss: Double, transmitters: Int) {
    self.probability = probability
    self.interval = interval
    self.loss = loss
    self.transmitters = transmitters
  }
}

/// How one run goes on where another one ended:
///
/// - Inside stays inside, as if it had been seen «now»: L is the observer's first record, t0. Without a
///   match the exit comes at t0 + P, and is judged by what was heard behind t0: what happened while
///   nothing ran says nothing about the beacon. It reports when the beacon was truly seen last, and
///   cites no frame, because captures of the earlier run are not at hand. How regular the beacon is goes
///   by the earlier run until this one has heard it often enough.
/// - Outside stays outside: a match is an entry at once, without the time in which it would tell the
///   state only.
/// - Neither makes an event: an earlier run has told it. Who hears of events as they happen is told the
///   state, as of a region whose events are silenced.
///
/// L at t0 is good for one restart. A program that is started again and again would never let a region
/// go: a beacon that no run has seen for P and the time for which a state is good is left at t0.
extension RegionMonitor {
  /// What is known at an observer, in order of definition.
  package func memories(at observer: UInt32) -> [RegionMemory] {
    timelines[Int(observer)].states.compactMap { place in
      let state = states[Int(place)]
      guard state.presence != .unknown else { return nil }
      let isInside = state.presence == .inside
      var memory = RegionMemory(
        region: state.region, presence: state.presence,
        since: isInside ? Timestamp(nanoseconds: state.since) : .none,
        lastSeen: Timestamp(nanoseconds: lastSeen(Int(place))))
      if isInside {
        memory.wasInsideAlready = state.wasInsideAlready
        memory.awaitsDisplay = state.awaitsDisplay
        memory.sightings = state.sightings
        memory.regularity = chance(Int(place), listening: nil).map {
          EarlierRegularity(
            probability: $0.probability, interval: $0.least.interval, loss: $0.least.loss,
            transmitters: $0.transmitters)
        }
      }
      return memory
    }
  }

  /// Whom an observer's scan is known to leave out now.
  package func scanLimits(at observer: UInt32) -> ScanLimits {
    timelines[Int(observer)].activity.scanLimits
  }

  /// Begins an observer with what an earlier run knew, before anything else of it is taken; nothing
  /// happens to one that has begun.
  /// - Parameters:
  ///   - memories: of regions by this monitor's numbers; of others nothing is known.
  ///   - limits: whom its scan left out.
  ///   - start: its first record, t0.
  ///   - goodFor: nanoseconds for which a state is good.
  package mutating func restore(
    _ memories: [RegionMemory], _ limits: ScanLimits = [], at observer: UInt32,
    from start: Timestamp, goodFor: Int64
  ) {
    let observer = Int(observer)
    guard start.isKnown, !timelines[observer].hasStarted else { return }
    self.start(observer, at: start.nanoseconds)
    timelines[observer].activity.restore(limits, at: start.nanoseconds)
    for memory in memories where isFollowed(memory.region) {
      restore(memory, Int(timelines[observer].states[Int(memory.region)]), goodFor)
    }
    // Those that are outside have no deadline.
    timelines[observer].deadlines = DeadlineHeap()
    for place in timelines[observer].states where states[Int(place)].presence != .outside {
      let state = states[Int(place)]
      guard isFollowed(state.region) else { continue }
      let (due, _) = rules[Int(state.rule)].test.decision(
        after: state.presence == .inside ? state.last : start.nanoseconds,
        start: start.nanoseconds)
      timelines[observer].deadlines.push(DeadlineHeap.Entry(due: due, number: place))
    }
    setWake(observer)
  }

  private func isFollowed(_ region: UInt32) -> Bool {
    isMonitored(region) && (catalog.grows || !catalog[region].isCircle)
  }

  private mutating func restore(_ memory: RegionMemory, _ place: Int, _ goodFor: Int64) {
    let start = timelines[Int(states[place].observer)].start
    // A clock that was set back meanwhile: nothing has been seen later than now.
    let lastSeen = min(memory.lastSeen.nanoseconds, start)
    states[place].presence = memory.presence
    states[place].last = lastSeen
    if memory.presence == .inside {
      let exitAfter = rules[Int(states[place].rule)].test.exitAfter
      let isLost = start.since(lastSeen) > goodFor.later(by: exitAfter)
      earlierMatches[place] = lastSeen
      earlierRegularity[place] = memory.regularity
      states[place].last = isLost ? start.later(by: -exitAfter) : start
      states[place].since = min(memory.since.nanoseconds, start)
      states[place].wasInsideAlready = memory.wasInsideAlready
      states[place].awaitsDisplay = memory.awaitsDisplay
      states[place].sightings = memory.sightings
      states[place].stay = 1
      states[place].firstMatch = .none
      states[place].lastMatch = .none
      crossings.append(
        RegionCrossing(
          time: Timestamp(nanoseconds: start), observer: states[place].observer,
          region: states[place].region, endedVisit: nil))
    }
    emitSilenced(.state, place, at: start)
  }

  /// When a region was matched last, nanoseconds: L, unless that is only where a run began.
  func lastSeen(_ place: Int) -> Int64 {
    let state = states[place]
    guard state.presence == .inside, state.lastMatch.isNone else { return state.last }
    return earlierMatches[place] ?? state.last
  }

  /// The number of a region that came to be in an earlier run because it was seen; nil where regions do
  /// not come to be, or not this one.
  package mutating func meet(_ region: Region) -> UInt32? {
    guard let identity = catalog.comesToBe(region) else { return nil }
    let before = catalog.count
    guard let number = catalog.number(of: identity) else { return nil }
    if catalog.count > before { define(number) }
    return number
  }
}
