import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TrackReader

/// What follows a run beside adding it up: each profile's monitors, fed with sightings and with what
/// the observers did, in the order of each capture.
final class Following {
  let settings: FollowSettings
  let followers: [ProfileFollower]
  private var observers: [Timeline.Observer] = []
  var deaf: [DeafSpans] = []
  /// By observer: the same by exit periods of other profiles, and of regions, that are not the main profile's.
  var otherDeaf: [[(period: Int64, spans: DeafSpans)]] = []
  /// Those, nanoseconds; ascending.
  private let otherPeriods: [Int64]
  private var losses: [LossSpans] = []
  private var recorded: [RecordedSpans] = []
  /// By observer: places of its captures that are open.
  private var openCaptures: [Set<UInt32>] = []
  /// By the run's number, the monitors' number: the same.
  private(set) var sameObservers: [UInt32] = []
  private var silences: SilenceLog?
  var positions: PositionDesk?
  /// In captures, beside tracks.
  private var unusedPositions = 0
  private var fixes = PositionSample()
  /// Where nobody is told as the run goes on: what observers did, as far as it is an event.
  private var observerEvents: Latest<TimelineEvent>
  var noteOrdinals: EventOrdinals
  var entryDoubts = EntryDoubts()

  /// Who is told while the run goes on.
  var judge: JudgeDesk?
  /// Sightings have to go one by one: something happens at each, or between them, that others see.
  let isStepwise: Bool
  let hasOwnRules: Bool
  private let captures: [String]
  let profileTexts: [String]
  private let trackNames: [String]
  private let tracks: ObserverTracks
  /// By observer.
  private(set) var hasTrack: [Bool] = []
  private(set) var observerNames: [String] = []
  /// By follower: of observers that go on with what an earlier run knew.
  var outsideFromStart: [Int: [(observer: Int, region: Int, time: Timestamp)]] = [:]
  /// Of observers that go on with what an earlier run knew: regions that it left outside.
  var earlierRun: [EntryDoubts.Place: EntryDoubts.Before] = [:]
  /// What an earlier run knew, and what the next one is to know; nil where neither is asked for.
  var states: StateDesk?
  /// Regions that came to be so far; kept up where there is a judge.
  private var knownRegions: [Region] = []
  /// Where there is a judge: observers that hear nothing until a note that is known already.
  var pauses = Pauses()
  /// During a call only: kept longer, the tables would be copied when they grow.
  private var present: JudgeDesk.Surroundings?

  /// - Parameter captures: inputs as the user named them, by place.
  init(_ settings: FollowSettings, captures: [String]) throws(SettingProblem) {
    self.settings = settings
    self.captures = captures
    judge = JudgeDesk(settings)
    observerEvents = Latest(most: settings.mostKept)
    noteOrdinals = EventOrdinals(isBounded: settings.mostKept != nil)
    otherPeriods = settings.otherExitPeriods
    let wishes = judge?.wishes
    hasOwnRules = settings.regions.regions.contains { $0.ownRule != nil }
    isStepwise = hasOwnRules || (wishes.map { settings.needsSteps($0) } ?? false)
    profileTexts = settings.profiles.map { EventMaking.text($0) }
    trackNames = settings.tracks.map(\.name)
    tracks = ObserverTracks(settings.tracks)
    var followers: [ProfileFollower] = []
    for number in settings.profiles.indices {
      followers.append(
        try ProfileFollower(
          settings, number, number == 0 || settings.listener != nil ? wishes : nil))
    }
    self.followers = followers
    positions = PositionDesk(settings)
    silences = SilenceLog(settings.silences)
    states = StateDesk(settings)
  }

  /// Observers that the run has come to know since.
  func meet(_ names: [String]) {
    while observers.count < names.count {
      let name = names[observers.count]
      sameObservers.append(UInt32(observers.count))
      observers.append(Timeline.Observer(name: name))
      observerNames.append(name)
      losses.append(LossSpans())
      deaf.append(DeafSpans(leastGap: settings.profiles[0].exitAfter))
      otherDeaf.append(otherPeriods.map { ($0, DeafSpans(leastGap: $0)) })
      recorded.append(RecordedSpans(leastGap: settings.profiles[0].exitAfter))
      openCaptures.append([])
      positions?.addObserver(name)
      hasTrack.append(tracks.has(name))
      for follower in followers { follower.addObserver(name) }
    }
  }

  /// An earlier run saw how the observer's scan began.
  func restore(_ limits: ScanLimits, of observer: Int, at time: Timestamp) {
    deaf[observer].restore(limits, at: time)
    for place in otherDeaf[observer].indices {
      otherDeaf[observer][place].spans.restore(limits, at: time)
    }
  }

  /// When an observer is deaf by the exit period that a region has under a profile.
  func deaf(_ observer: Int, by profile: Profile, of region: Region) -> DeafSpans {
    guard !otherPeriods.isEmpty else { return deaf[observer] }
    let period = profile.exitPeriod(of: region)
    return otherDeaf[observer].first { $0.period == period }?.spans ?? deaf[observer]
  }

  /// What calls to the judge and the listener need, as of now.
  func surroundings(_ tables: RunTables) -> JudgeDesk.Surroundings {
    let count = followers[0].monitor.regionCount
    if let present, present.view.regions.count == count { return present }
    present = nil
    while knownRegions.count < count {
      knownRegions.append(followers[0].monitor.region(UInt32(knownRegions.count)))
    }
    let made = JudgeDesk.Surroundings(
      view: RunView(
        identities: tables.identities, transmitters: tables.transmitters,
        observers: observerNames, captures: captures, tracks: trackNames, regions: knownRegions,
        messages: settings.messages, profile: settings.profiles[0].name),
      making: EventMaking(
        observers: observerNames, profiles: profileTexts, regions: knownRegions, tables))
    present = made
    return made
  }

  /// A run of sightings of one capture.
  func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables
  ) {
    guard !run.isEmpty else { return }
    defer { present = nil }
    silences?.take(run, wholes: wholes, tables)
    if isStepwise {
      takeSteps(run, wholes: wholes, capture: capture, tables)
    } else if judge != nil {
      takePieces(run, wholes: wholes, capture: capture, tables)
    } else {
      for follower in followers {
        follower.take(
          run, wholes: wholes, capture: capture, tables, observers: sameObservers.span)
      }
    }
    if states != nil { keepState(at: run[run.count - 1].time) }
  }

  /// - Parameters:
  ///   - observer: the run's number.
  ///   - capture: its place.
  ///   - isFollowed: the next thing is a note, too. What a silence led to is told together with what that one
  ///     did, in the order of its time: several observers may be silent until one record comes.
  func take(
    _ note: ObserverNote, observer: Int, capture: UInt32, _ tables: RunTables,
    isFollowed: Bool = false
  ) {
    if note.kind == .undecoded { return takeUndecoded(note, observer, capture, tables) }
    defer { present = nil }
    // Before the judge begins, which is told what is known.
    if states != nil, !note.kind.isRemark { restoreState(of: observer, at: note.time) }
    if note.kind != .silence {
      begin(at: note.time, capture: capture, frame: note.frame, tables)
    }
    if !pauses.isEmpty {
      goOnInPauses(before: note.time, tables)
      pauses.end(of: observer)
    }
    var now = note.time
    silences?.take(note, observer: observer)
    if !note.kind.isRemark {
      deaf[observer].take(note, capture: capture)
      for place in otherDeaf[observer].indices {
        otherDeaf[observer][place].spans.take(note, capture: capture)
      }
      losses[observer].hear(note, capture: capture)
      recorded[observer].take(note)
      for follower in followers {
        let reached = follower.take(note, observer: observer)
        if follower.number == 0 { now = reached }
      }
      positions?.advance(observer, to: now)
    } else if note.kind == .lost {
      losses[observer].take(note, capture: capture)
      for follower in followers { follower.takeLoss(note, observer: observer) }
    }
    if note.kind == .silence, isFollowed {
      return
    } else if judge != nil {
      tell(note, at: now, observer: observer, capture: capture, tables)
    } else if TimelineEvent.Deed(note.kind) != nil {
      let event = surroundings(tables).making.event(
        note, observer: observer, capture: capture, &noteOrdinals)
      if let event { observerEvents.append(event) }
    }
    if states != nil { keepState(at: now) }
  }

  /// It says nothing of the time, which the note of its record has told, and need not have one. A judge that has not
  /// begun, as there was no time yet, hears nothing.
  private func takeUndecoded(
    _ note: ObserverNote, _ observer: Int, _ capture: UInt32, _ tables: RunTables
  ) {
    for follower in followers { follower.takeLoss(note, observer: observer) }
    guard note.undecoded?.isSwitchedOff == true, judge?.hasBegun == true else { return }
    defer { present = nil }
    tellEvents(tables)
    judge?.tell(note, observer: observer, capture: capture, surroundings(tables))
  }

  /// Whether a note is the first of all open captures of its observer, or the last.
  func turn(_ note: ObserverNote, observer: Int, capture: UInt32) -> RecordingTurn? {
    guard note.time.isKnown, !note.kind.isRemark, !note.kind.isBetweenRecords else { return nil }
    let isBeginning = note.kind != .end
    let wasOpen = !openCaptures[observer].isEmpty
    if isBeginning {
      openCaptures[observer].insert(capture)
      if wasOpen { return nil }
    } else {
      openCaptures[observer].remove(capture)
      if !wasOpen || !openCaptures[observer].isEmpty { return nil }
    }
    return RecordingTurn(
      isBeginning: isBeginning, time: note.time, observer: observer, capture: capture,
      frame: isBeginning ? note.frame : Int(note.step))
  }

  /// A position that a capture carries, for an observer of it.
  func take(_ fix: Fix, observer: Int) {
    guard !hasTrack[observer] else {
      unusedPositions += 1
      return
    }
    for follower in followers { follower.take(fix, observer: observer) }
    positions?.add(fix, observer: observer)
    fixes.add(fix, observer: observer)
  }

  /// What an observer could hear, and where it recorded.
  private func hearing(of place: Int, _ main: ProfileFollower) -> Timeline.Observer {
    let deaf = deaf[place]
    var observer = observers[place]
    (observer.start, observer.end, observer.deaf) = (deaf.start, deaf.end, deaf.spans)
    observer.certainlyDeaf = [deaf.leastGap: deaf.certain]
    observer.quiet = [deaf.leastGap: deaf.quiet]
    for other in otherDeaf[place] {
      observer.certainlyDeaf[other.period] = other.spans.certain
      observer.quiet[other.period] = other.spans.quiet
      observer.otherDeaf[other.period] = other.spans.spans
    }
    observer.switches = deaf.switches
    observer.filteredScans = deaf.finished().filteredScans
    observer.losses = losses[place].losses
    observer.recordings = recorded[place].recordings
    observer.unplaced = main.circles.unplaced(place)
    return observer
  }

  /// From the first position that tracks tell of an observer to the last.
  private func placed(_ name: String) -> Timeline.Span? {
    let files = tracks.files(of: name).map { settings.tracks[$0] }
    guard let first = files.map(\.first.nanoseconds).min(),
      let last = files.map(\.last.nanoseconds).max()
    else { return nil }
    return Timeline.Span(
      from: Timestamp(nanoseconds: first), to: Timestamp(nanoseconds: last))
  }

  /// Nothing more comes: what all of it came to.
  func finish(_ statistics: BeaconStatistics) -> Timeline {
    for follower in followers { follower.finish() }
    var timeline = Timeline()
    let main = followers[0]
    timeline.foundRegions = settings.regions.regions.isEmpty ? settings.regions.found : nil
    timeline.regions = (0..<main.monitor.regionCount).map { main.monitor.region(UInt32($0)) }
    timeline.observers = deaf.indices.map { hearing(of: $0, main) }
    let tables = RunTables(
      identities: statistics.identities, transmitters: statistics.transmitters)
    timeline.silences = silences?.finish(main.monitor, tables) ?? []
    finishJudge(&timeline, tables)
    keepLastState()
    present = nil
    let making = EventMaking(
      observers: observerNames, profiles: profileTexts, regions: timeline.regions, tables)
    for follower in followers {
      timeline.outcomes.append(outcome(follower, timeline))
      timeline.markDoubts(profile: timeline.outcomes.count - 1)
      timeline.events += follower.drain(making)
      timeline.forgotten.stays += follower.forgottenStays
      timeline.forgotten.events += follower.ranging?.forgottenEvents ?? 0
    }
    observerEvents.trim()
    timeline.events += observerEvents.elements
    timeline.forgotten.events += observerEvents.forgotten
    timeline.ranged = RangedEvents(
      making, followers.map { $0.ranging?.changes ?? [] }, followers.map { $0.ranging?.lists ?? [] }
    )
    timeline.samples = main.ranging?.samples ?? []
    timeline.events += positions?.drain(making) ?? []
    timeline.messages = settings.messages.map(Timeline.Message.init)
    timeline.tracks = trackNames
    timeline.fixes = fixes
    timeline.events.sort(by: TimelineEvent.comesBefore)
    timeline.noteDoubts()
    timeline.countLateLosses()
    let found = TrackFindings(tracks: settings.tracks, timeline: timeline)
    timeline.warnings =
      settings.warnings + main.warnings + (states?.warnings ?? []) + uncounted(main)
      + unsaid(timeline) + found.warnings
    timeline.problems = found.problems
    timeline.hasDamagedTracks = settings.tracks.contains { $0.damage != nil }
    timeline.hints =
      Hints(
        timeline, statistics, main.monitor, main.ranging?.powers ?? [],
        isDisplayKnown: !settings.displayMarkers.isEmpty || judge?.hasSetMarkers == true,
        placed: observerNames.map { placed($0) }
      ).all
    return timeline
  }

  /// What was left out, and why.
  private func uncounted(_ main: ProfileFollower) -> [String] {
    var warnings: [String] = []
    if unusedPositions > 0 {
      warnings.append(
        "\(unusedPositions) positions in captures were not used: a track says where they were made")
    }
    if main.unplaced > 0 {
      warnings.append(
        "\(main.unplaced) sightings before the first time of their capture could not be placed")
    }
    return warnings
  }

  /// What was asked for, and nothing in the run says anything of it.
  private func unsaid(_ timeline: Timeline) -> [String] {
    var warnings: [String] = []
    let circles = timeline.regions.filter(\.isCircle)
    if !circles.isEmpty, settings.tracks.isEmpty, fixes.isEmpty {
      let what =
        circles.count == 1 ? "the circle \(circles[0].identifier)" : "\(circles.count) circles"
      warnings.append(
        "nothing can be told of \(what): the captures hold no positions, and no track says where they "
          + "were made (--track)")
    }
    if let span = timeline.recorded {
      let markers = settings.displayMarkers.filter(\.isKnown).map(\.nanoseconds)
      let within = span.from.nanoseconds...span.to.nanoseconds
      let outside = markers.count { !within.contains($0) }
      if outside > 0 {
        warnings.append(
          "\(outside) of \(markers.count) display markers \(outside == 1 ? "lies" : "lie") outside the "
            + "recording, which runs from \(UTCTime.text(span.from)) to \(UTCTime.text(span.to)): nothing "
            + "is told then. Their times have to be of the capture's time, with their zone")
      }
    }
    return warnings
  }

  private func outcome(_ follower: ProfileFollower, _ timeline: Timeline) -> Timeline.Outcome {
    var outcome = Timeline.Outcome(profile: settings.profiles[follower.number])
    outcome.stays = follower.stays()
    outcome.outsideFromStart = outsideFromStart[follower.number] ?? []
    outcome.earlierRun = earlierRun.filter { $0.key.profile == follower.number }
    outcome.approaches = approaches(follower, timeline)
    outcome.states = observers.indices.map { observer in
      timeline.regions.indices.map {
        follower.presence(in: $0, at: observer)
      }
    }
    return outcome
  }
}
