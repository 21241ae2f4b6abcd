import Beacons
import CaptureReader
import FrameDecoder
import Regions

// How a judge is told of a run, in the order of the run's time.
extension Following {
  /// The first time known: markers that were set before count from the start.
  func begin(at time: Timestamp, capture: UInt32, frame: Int, _ tables: RunTables) {
    guard judge?.hasBegun == false, time.isKnown else { return }
    let known = states == nil ? [] : knownPresences
    resumeAwaited(at: time)
    judge?.begin(
      at: time, EventMaking.evidence(capture, frame), known: known, surroundings(tables))
    applyMarkers()
  }

  /// Sightings one by one: before each what had happened, behind it what it led to.
  func takeSteps(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables
  ) {
    for place in run.indices {
      let one = run.extracting(place..<place + 1)
      if judge == nil {
        takeAll(one, wholes: wholes, capture: capture, tables)
      } else {
        takeStep(one, wholes: wholes, capture: capture, tables)
      }
    }
  }

  private func takeAll(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables
  ) {
    for follower in followers {
      follower.take(run, wholes: wholes, capture: capture, tables, observers: sameObservers.span)
    }
  }

  private func takeStep(
    _ one: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables
  ) {
    let sighting = one[0]
    begin(at: sighting.time, capture: capture, frame: sighting.frame, tables)
    let observer = Int(tables.transmitters[sighting.transmitter].observer)
    if !pauses.isEmpty, sighting.time.nanoseconds > nextDueInPauses {
      goOnInPauses(before: sighting.time, tables)
    }
    for follower in followers { follower.decide(observer, before: sighting.time) }
    tellEvents(tables)
    if hasOwnRules, let judged = judge?.judged(sighting, wholes, capture) {
      judge?.consider(judged, surroundings(tables))
      applyMarkers()
    }
    takeAll(one, wholes: wholes, capture: capture, tables)
    if judge?.wishes.proximity == true || judge?.wishes.ranging == true {
      followers[0].keepRanged()
    }
    tellEvents(around: one, wholes, capture, tables)
    tellEvents(tables)
  }

  /// A run in pieces that each end where something happened to a region; nothing else can happen at a
  /// sighting.
  func takePieces(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables
  ) {
    if judge?.hasBegun == false, let first = run.indices.first(where: { run[$0].time.isKnown }) {
      begin(at: run[first].time, capture: capture, frame: run[first].frame, tables)
    }
    for follower in followers.dropFirst() {
      follower.take(run, wholes: wholes, capture: capture, tables, observers: sameObservers.span)
    }
    var start = 0
    while start < run.count {
      let count = followers[0].takeUntilEvent(
        run.extracting(start..<endOfQuiet(run, from: start, tables)), wholes: wholes,
        capture: capture, tables, observers: sameObservers.span)
      let last = start + count - 1
      judge?.take(run.extracting(start..<last), wholes, capture: capture, tables) {
        surroundings(tables)
      }
      tellEvents(around: run.extracting(last..<last + 1), wholes, capture, tables)
      start += count
    }
  }

  /// A sighting that was taken: what had happened before, itself, and what it led to.
  private func tellEvents(
    around one: Span<BriefSighting>, _ wholes: Span<Sighting>, _ capture: UInt32,
    _ tables: RunTables
  ) {
    let sighting = one[0]
    let isWished = judge?.wishes(for: sighting.transmitter, tables) == true
    guard isWished || followers[0].hasEvents else { return }
    let around = surroundings(tables)
    let events = events(around.making)
    for found in events where !found.event.isLed(by: sighting, capture: capture) {
      judge?.take(found, around)
    }
    if isWished { judge?.take(one, wholes, capture: capture, tables) { around } }
    for found in events where found.event.isLed(by: sighting, capture: capture) {
      judge?.take(found, around)
    }
    applyMarkers()
  }

  /// - Parameter now: where the observer's clock is, as far as anything has been decided.
  func tell(
    _ note: ObserverNote, at now: Timestamp, observer: Int, capture: UInt32, _ tables: RunTables
  ) {
    judge?.hear(note, observer: observerNames[observer])
    tellEvents(tables)
    let around = surroundings(tables)
    judge?.reach(now, around)
    let turn = turn(note, observer: observer, capture: capture)
    if let turn { judge?.take(turn, around) }
    if let event = around.making.event(
      note, observer: observer, capture: capture, &noteOrdinals)
    {
      judge?.take(Found(event: event, isJudged: false), around)
    }
    if !note.kind.isClockOnly {
      judge?.take(note, observer: observer, capture: capture, around)
    }
    applyMarkers()
    tellEvents(tables)
  }

  private var hasEvents: Bool {
    followers[0].hasEvents || positions?.isEmpty == false
      || settings.listener != nil && followers.contains { $0.hasEvents }
  }

  /// Everything that has happened; markers that are set on the way may lead to more.
  func tellEvents(_ tables: RunTables) {
    while hasEvents {
      let around = surroundings(tables)
      for found in events(around.making) {
        judge?.take(found, around)
      }
      applyMarkers()
    }
  }

  /// What has happened and was not told, in order; changes of proximity and lists go where the output
  /// has them, and to the timeline where an alert cites them soon. The judge hears of the first profile
  /// alone, a listener of all.
  private func events(_ making: borrowing EventMaking) -> [Found] {
    var events = drain(followers[0], making).map {
      Found(event: $0, isKept: !$0.isSilenced, isTold: !$0.isSilenced)
    }
    events += followers[0].drainRanged(making).map {
      let isWanted = isWanted($0.type)
      return Found(event: $0, isKept: false, isKeptIfCited: !isWanted, isTold: isWanted)
    }
    if settings.listener != nil {
      for follower in followers.dropFirst() {
        events += drain(follower, making).map { Found(event: $0, isJudged: false) }
        events += follower.drainRanged(making).map {
          Found(event: $0, isKept: false, isTold: isWanted($0.type), isJudged: false)
        }
      }
    }
    events += (positions?.drain(making) ?? []).map { Found(event: $0) }
    if events.count > 1 { events.sort { TimelineEvent.comesBefore($0.event, $1.event) } }
    return events
  }

  /// In order where they are of one observer and region.
  private func drain(_ follower: ProfileFollower, _ making: borrowing EventMaking)
    -> [TimelineEvent]
  {
    var events = follower.drain(making)
    for place in events.indices {
      guard let region = events[place].region else { continue }
      let (known, profile) = (follower.monitor.region(UInt32(region)), follower.monitor.profile)
      entryDoubts.note(
        &events[place], known, profile, deaf(events[place].observer, by: profile, of: known))
    }
    return events
  }

  private func isWanted(_ type: TimelineEventType) -> Bool {
    type == .proximity ? settings.wantsProximity : settings.wantsLists
  }

  private func applyMarkers() {
    for marker in judge?.takeMarkers() ?? [] {
      for follower in followers { follower.markDisplayOn(at: marker) }
    }
  }

  func finishJudge(_ timeline: inout Timeline, _ tables: RunTables) {
    guard judge != nil else { return }
    tellEvents(tables)
    judge?.finish(surroundings(tables))
    if let told = judge?.takeEvents() {
      timeline.events = told.events
      timeline.alerts = told.alerts
      timeline.forgotten.events += told.forgotten
    }
    timeline.isJudged = settings.judge != nil
    timeline.hasOwnIds = settings.restored != nil || !settings.origins.isEmpty
    timeline.judges = judge?.reports ?? []
  }
}

extension FollowSettings {
  /// Whether what a judge wishes for, or its markers, may happen at any sighting.
  func needsSteps(_ wishes: JudgeWishes) -> Bool {
    wishes.proximity || wishes.ranging || !messages.isEmpty
      || regions.regions.contains(where: \.notifiesEntryOnDisplay)
  }
}
