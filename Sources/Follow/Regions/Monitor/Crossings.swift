import CaptureReader

extension RegionMonitor {
  /// The first match of a stay.
  @inline(never)
  mutating func enter(_ place: Int, at moment: Int64, _ reference: SightingReference) {
    let state = states[place]
    let rule = rules[Int(state.rule)]
    let observer = Int(state.observer)
    if state.presence == .outside {
      let (due, _) = rule.test.decision(after: moment, start: timelines[observer].start)
      timelines[observer].deadlines.push(DeadlineHeap.Entry(due: due, number: UInt32(place)))
    }
    states[place].wasInsideAlready = state.presence == .unknown && !rule.entersOnFirstSight
    states[place].presence = .inside
    states[place].stay += 1
    states[place].links = 0
    states[place].sightings = 0
    states[place].since = moment
    states[place].last = moment
    states[place].firstMatch = reference
    states[place].lastMatch = reference
    crossings.append(
      RegionCrossing(
        time: Timestamp(nanoseconds: moment), observer: state.observer, region: state.region,
        endedVisit: nil))
    if states[place].wasInsideAlready {
      emit(.state, place, at: moment)
    } else if rule.entryOnDisplay {
      states[place].awaitsDisplay = true
      emitSilenced(.enter, place, at: moment)
    } else if rule.notifiesOnEntry {
      emit(.enter, place, at: moment)
    } else {
      emitSilenced(.enter, place, at: moment)
    }
    setWake(observer)
  }

  /// Nothing matched for long enough.
  mutating func leave(_ place: Int, at moment: Int64) {
    let observer = Int(states[place].observer)
    // A test at a cycle's end may be decided together with a marker just before it.
    let marker = nextMarker(observer)
    if states[place].awaitsDisplay, marker < moment { tellEntry(place, at: marker) }
    let silence = judge(place, until: moment)
    crossings.append(
      RegionCrossing(
        time: Timestamp(nanoseconds: moment), observer: states[place].observer,
        region: states[place].region, endedVisit: forgottenVisits + visits.count))
    // Where it is L that counts no more, it is when the region was truly seen last.
    states[place].last = lastSeen(place)
    visits.append(
      Visit(states[place], until: moment, lastSeen: states[place].last, silence: silence))
    states[place].presence = .outside
    states[place].awaitsDisplay = false
    if rules[Int(states[place].rule)].notifiesOnExit {
      emit(.exit, place, at: moment, silence)
    } else {
      emitSilenced(.exit, place, at: moment)
    }
  }

  /// Who hears of events as they happen hears of the state, too, where the event is kept back.
  mutating func emitSilenced(_ type: RegionEventType, _ place: Int, at moment: Int64) {
    guard tellsAtOnce else { return }
    emit(type, place, at: moment)
    events[events.count - 1].isSilenced = true
  }

  /// Entries that waited for the display are told.
  mutating func showDisplay(_ observer: Int, at moment: Int64) {
    guard rules.contains(where: \.entryOnDisplay) else { return }
    for place in timelines[observer].states.map(Int.init) where states[place].awaitsDisplay {
      tellEntry(place, at: moment)
    }
  }

  private mutating func tellEntry(_ place: Int, at moment: Int64) {
    states[place].awaitsDisplay = false
    emit(.enter, place, at: moment, crossedAt: states[place].since)
  }

  mutating func emit(
    _ type: RegionEventType, _ place: Int, at moment: Int64, _ silence: Silence? = nil,
    crossedAt: Int64 = .min
  ) {
    let state = states[place]
    let match: SightingReference? =
      switch type {
      case .enter: state.firstMatch
      case .state: state.presence == .inside ? state.firstMatch : nil
      case .exit: state.lastMatch
      case .monitoringFailed: nil
      }
    let evidence = match?.isNone == true ? nil : match
    let event = RegionEvent(
      id: identity(of: type, state, moment), type: type, profile: number,
      state: state.presence, time: Timestamp(nanoseconds: moment), observer: state.observer,
      region: state.region,
      lastSeen: type == .exit ? Timestamp(nanoseconds: state.last) : .none,
      crossedAt: Timestamp(nanoseconds: crossedAt), evidence: evidence, silence: silence)
    if tellsAtOnce {
      events.append(event)
    } else {
      timelines[Int(state.observer)].held.append(event)
    }
  }

  /// Profile and numbers, region, observer, type and time: what makes an event what it is. Neither captures
  /// nor frame numbers, so that an id is the same in whatever files a recording lies, and in a live run.
  private func identity(
    of type: RegionEventType, _ state: RegionState, _ moment: Int64
  ) -> UInt64 {
    var identity = rules[Int(state.rule)].identity
    if catalog.grows { catalog.add(state.region, to: &identity) }
    identity.add(timelines[Int(state.observer)].name)
    identity.add(type.rawValue)
    identity.add(moment)
    return identity.mixed
  }
}
