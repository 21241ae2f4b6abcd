package import CaptureReader
package import FrameDecoder

extension RegionMonitor {
  /// Takes what happened to an observer.
  /// - Parameter observer: this monitor's number.
  package mutating func take(_ note: ObserverNote, observer: UInt32) {
    if note.kind == .lost { return lose(note, Int(observer)) }
    if note.kind == .undecoded { return leaveUndecoded(note, Int(observer)) }
    if note.kind.isRemark { return }
    if note.kind.isBetweenRecords { return passTime(note, observer) }
    let observer = Int(observer)
    if !timelines[observer].hasStarted {
      guard note.time.isKnown else { return }
      start(observer, at: note.time.nanoseconds)
    }
    takeWhatCameBefore(note, observer)
    let before = max(clocks[observer].lastHeard, timelines[observer].lastRecord)
    let moment = max(clocks[observer].clock, note.time.nanoseconds)
    timelines[observer].activity.noteRecords(after: before, at: moment)
    timelines[observer].lastRecord = moment
    switch note.kind {
    case .scanOn:
      timelines[observer].activity.scanBegins(
        at: moment, share: note.scanShare, limits: note.scanLimits)
    case .scanLimits:
      timelines[observer].activity.scanGoesOn(at: moment, limits: note.scanLimits)
    case .scanOff, .reset: timelines[observer].activity.scanEnds(at: moment)
    // Another file of the same observer goes on with a scan that is off; who is heard in it ends that.
    case .end:
      timelines[observer].activity.fileEnds(at: moment)
      clocks[observer].restsUntil = .min
    case .tick, .malformed, .clock, .lost, .captureOff, .captureOn, .silence, .undecoded: break
    }
    advance(observer, to: moment)
  }

  /// Packets of an observer did not get into the capture. What was lost before its first record no
  /// silence can have to do with; what is dated behind an exit is for who knows the whole recording.
  private mutating func lose(_ note: ObserverNote, _ observer: Int) {
    guard timelines[observer].hasStarted, note.time.isKnown else { return }
    let moment = max(clocks[observer].clock, note.time.nanoseconds)
    timelines[observer].activity.lose(note.packetsLost, at: moment)
  }

  /// What a decoder would have found in a report nobody knows.
  private mutating func leaveUndecoded(_ note: ObserverNote, _ observer: Int) {
    guard timelines[observer].hasStarted, let what = note.undecoded else { return }
    // Of one without a time it is known that it comes behind what came last.
    let clock = clocks[observer].clock
    let moment = note.time.isKnown ? max(clock, note.time.nanoseconds) : clock.later(by: 1)
    timelines[observer].activity.leaveUndecoded(what, note.step, at: moment)
  }

  /// The records since the note before: when the last of them came, and when an advertiser was heard
  /// in them last.
  mutating func takeWhatCameBefore(_ note: ObserverNote, _ observer: Int) {
    let report = note.lastReport.nanoseconds
    if report >= clocks[observer].clock {
      advance(observer, to: report)
      hear(observer, at: report)
    } else if report >= timelines[observer].start {
      // Known already, or of a file that overlaps with another one: for what has not been decided.
      timelines[observer].activity.hearLate(at: report)
    }
    let record = note.lastRecord.nanoseconds
    if record >= timelines[observer].start {
      advance(observer, to: record)
      timelines[observer].lastRecord = max(timelines[observer].lastRecord, record)
    }
  }

  /// Moves an observer's clock on, where nothing arrives (SEMANTICS 1: live).
  package mutating func advance(observer: UInt32, to time: Timestamp) {
    guard time.isKnown, timelines[Int(observer)].hasStarted else { return }
    advance(Int(observer), to: time.nanoseconds)
  }

  /// A display was switched on, for every observer. Times need not come in order; one that a clock
  /// has passed is taken at the clock (SEMANTICS 2, 6).
  package mutating func markDisplayOn(at time: Timestamp) {
    guard time.isKnown else { return }
    let place = markers.firstIndex { $0 > time.nanoseconds } ?? markers.count
    markers.insert(time.nanoseconds, at: place)
    for observer in timelines.indices {
      let clock = clocks[observer].clock
      if timelines[observer].hasStarted, time.nanoseconds < clock {
        showDisplay(observer, at: clock)
      }
      if place < timelines[observer].nextMarker || time.nanoseconds < clock {
        timelines[observer].nextMarker += 1
      }
      setWake(observer)
    }
  }

  /// Everything has been read: nothing can come before what is held back.
  package mutating func finish() {
    for observer in timelines.indices { release(observer, before: nil) }
  }

  /// The observer's first record.
  mutating func start(_ observer: Int, at moment: Int64) {
    timelines[observer].start = moment
    timelines[observer].lastRecord = moment
    timelines[observer].activity = ObserverActivity(
      start: moment, duties: duties, horizon: horizon, shortest: shortest)
    clocks[observer].clock = moment
    timelines[observer].nextMarker = markers.firstIndex { $0 >= moment } ?? markers.count
    for region in 0..<UInt32(catalog.count) { open(region, observer) }
    setWake(observer)
  }

  /// A region that comes to be while reading: as if it had been there from the start.
  mutating func define(_ region: UInt32) {
    for observer in timelines.indices where timelines[observer].hasStarted {
      open(region, observer)
      decideDue(observer, before: clocks[observer].clock)
      setWake(observer)
    }
  }

  private mutating func open(_ region: UInt32, _ observer: Int) {
    let rule = catalog.grows ? 0 : region
    let place = UInt32(states.count)
    states.append(RegionState(region: region, observer: UInt32(observer), rule: rule))
    timelines[observer].states.append(place)
    let start = timelines[observer].start
    if !isMonitored(region) {
      emit(.monitoringFailed, Int(place), at: start)
    } else if catalog.grows || !catalog[region].isCircle {
      let (due, _) = rules[Int(rule)].test.decision(after: start, start: start)
      timelines[observer].deadlines.push(DeadlineHeap.Entry(due: due, number: place))
    }
  }

  /// Moves the clock on; everything that is due before that is decided first.
  @inline(never)
  mutating func advance(_ observer: Int, to moment: Int64) {
    guard timelines[observer].hasStarted else { return start(observer, at: moment) }
    guard moment > clocks[observer].clock else { return }
    timelines[observer].activity.heardLast(at: clocks[observer].lastHeard)
    decideDue(observer, before: moment)
    release(observer, before: moment)
    clocks[observer].clock = moment
    timelines[observer].activity.forget(at: moment)
    setWake(observer)
  }

  private mutating func decideDue(_ observer: Int, before moment: Int64) {
    while true {
      let due = timelines[observer].deadlines.nextDue
      let marker = nextMarker(observer)
      guard min(due, marker) < moment else { return }
      if due <= marker {
        decide(timelines[observer].deadlines.pop(), observer)
      } else {
        timelines[observer].nextMarker += 1
        showDisplay(observer, at: marker)
      }
    }
  }

  func nextMarker(_ observer: Int) -> Int64 {
    let next = timelines[observer].nextMarker
    return next < markers.count ? markers[next] : .max
  }

  private mutating func decide(_ entry: DeadlineHeap<UInt32>.Entry, _ observer: Int) {
    let place = Int(entry.number)
    let state = states[place]
    let start = timelines[observer].start
    let isInside = state.presence == .inside
    let (due, time) = rules[Int(state.rule)].test.decision(
      after: isInside ? state.last : start, start: start)
    if isInside && due > entry.due {
      timelines[observer].deadlines.push(DeadlineHeap.Entry(due: due, number: entry.number))
    } else if isInside {
      leave(place, at: time)
    } else {
      states[place].presence = .outside
      emit(.state, place, at: time)
    }
  }

  /// Hands on the events whose instant nothing can share any more.
  /// - Parameter moment: nil: all of them, also those of the last moment there is.
  private mutating func release(_ observer: Int, before moment: Int64?) {
    guard !timelines[observer].held.isEmpty else { return }
    timelines[observer].held.sort(by: RegionEvent.comesBefore)
    let later = moment.flatMap { moment in
      timelines[observer].held.firstIndex { $0.time.nanoseconds >= moment }
    }
    let end = later ?? timelines[observer].held.count
    events += timelines[observer].held[..<end]
    timelines[observer].held.removeFirst(end)
  }

  func wakeTime(_ observer: Int) -> Int64 {
    guard timelines[observer].hasStarted else { return .min }
    let due = min(timelines[observer].deadlines.nextDue, nextMarker(observer))
    return timelines[observer].held.isEmpty ? due : min(due, clocks[observer].clock)
  }

  mutating func setWake(_ observer: Int) { clocks[observer].wake = wakeTime(observer) }

  @inline(never)
  mutating func hear(_ observer: Int, at moment: Int64) {
    guard moment != .min else { return }
    timelines[observer].activity.heardLast(at: clocks[observer].lastHeard)
    clocks[observer].lastHeard = max(clocks[observer].lastHeard, moment)
    clocks[observer].restsUntil = timelines[observer].activity.hear(at: moment)
  }
}
