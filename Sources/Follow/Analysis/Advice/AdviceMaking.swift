import CaptureReader
import FrameDecoder
import Glibc
import Regions

extension ExitAdvice {
  /// - Parameters:
  ///   - present: what `FollowSettings.advise` returned.
  ///   - settings: by which the run was followed.
  package init(
    _ result: AnalysisResult, _ timeline: Timeline, _ settings: FollowSettings, present: [Int64]
  ) {
    let silences = settings.silences
    profile = timeline.outcomes[0].profile
    periods = silences?.periods ?? []
    returned = silences?.returned ?? 0
    filtering = timeline.observers.indices.filter {
      result.filteringObservers.contains(timeline.observers[$0].name)
    }
    let making = AdviceMaking(result, timeline, periods, returned, silences?.limits)
    for region in timeline.regions.indices where !timeline.regions[region].isCircle {
      for observer in timeline.observers.indices {
        let now = region < present.count ? present[region] : profile.exitAfter
        if let place = making.place(region, observer, present: now) { places.append(place) }
      }
    }
  }
}

/// Adds up what the state machines found.
struct AdviceMaking {
  private let timeline: Timeline
  private let periods: [Int64]
  private let returned: Int64
  private let limits: TimeLimits?
  /// By period: number of the profile.
  private let profiles: [Int]
  /// By observer: advertising reports, and for how long it could hear, nanoseconds.
  private let reports: [Int]
  private let listened: [Int64]
  private let parts: [ListeningParts]
  /// By observer: by how much its clock was set back at most, nanoseconds.
  private let stepsBack: [Int64]
  /// By period, and then by observer and region: stays in their order.
  private let visits: [[Key: [Visit]]]

  private struct Key: Hashable {
    let observer: UInt32
    let region: UInt32
  }

  init(
    _ result: AnalysisResult, _ timeline: Timeline, _ periods: [Int64], _ returned: Int64,
    _ limits: TimeLimits?
  ) {
    self.timeline = timeline
    self.periods = periods
    self.returned = returned
    self.limits = limits
    profiles = periods.map { period in
      timeline.outcomes.firstIndex { $0.profile.exitAfter == period } ?? 0
    }
    reports = timeline.observers.map { observer in
      result.captures.flatMap(\.observers).filter { $0.name == observer.name }
        .reduce(0) { $0 + $1.reports }
    }
    listened = timeline.observers.indices.map {
      timeline.listened(
        $0, from: timeline.observers[$0].start, to: timeline.observers[$0].end)
    }
    parts = timeline.observers.map { ListeningParts(result, $0.name) }
    stepsBack = timeline.observers.map { observer in
      result.captures.filter { facts in
        facts.clockWasSetBack && facts.observers.contains { $0.name == observer.name }
      }.map(\.span.largestStepBack).max() ?? 0
    }
    visits = profiles.map { profile in
      Dictionary(grouping: timeline.outcomes[profile].stays.map(\.visit)) {
        Key(observer: $0.observer, region: $0.region)
      }
    }
  }

  /// Nil where the observer heard nothing of the region.
  func place(_ region: Int, _ observer: Int, present: Int64) -> ExitAdvice.Place? {
    let key = Key(observer: UInt32(observer), region: UInt32(region))
    let now = periods.firstIndex(of: present) ?? 0
    guard let stays = visits[now][key] else { return nil }
    var place = ExitAdvice.Place(region: region, observer: observer, present: present)
    let own = own(region)
    if own.scanWindow < own.scanInterval {
      place.windows = (own.scanWindow, own.scanInterval)
    }
    let heard = stays.reduce(0) { $0 + $1.sightings }
    let others = rate(of: reports[observer] - heard, observer)
    for visit in stays {
      let (inside, listened) = inside(visit)
      place.inside += inside
      place.listened += listened
    }
    let told = timeline.silences.filter { $0.observer == observer && $0.regions.contains(region) }
    // Of sightings that other identities of the region share a report with, each counts.
    place.sightings = limits == nil ? heard : told.reduce(0) { $0 + $1.sightings }
    guard place.sightings > 0 else { return nil }
    var tellings: [[Telling]] = []
    for (number, period) in periods.enumerated() {
      let stays = visits[number][key] ?? []
      let found = self.tellings(
        stays, others * Double(period), period, heard, isWhole: place.windows == nil)
      tellings.append(found)
      let step = own.scanInterval > 0 ? own.scanInterval : own.cycle
      var row = ExitAdvice.Row(period: period, toldAfter: period.later(by: step))
      count(found, in: &row, returned.later(by: place.rest))
      row.isTested =
        row.exits > row.deaf || isTested(stays, period, breaks(period, key, others, heard))
      place.rows.append(row)
    }
    choose(&place, tellings)
    let isPlain = timeline.regions[region].gate.isOpen && timeline.regions[region].ownRule == nil
    if !isPlain || !isAtOnce(region) { place.exact = nil }
    place.beacons = told.map { beacon($0, observer) }.sorted {
      ($1.sightings, $0.transmitter) < ($0.sightings, $1.transmitter)
    }
    return place
  }

  /// In a nanosecond in which the observer could hear.
  private func rate(of others: Int, _ observer: Int) -> Double {
    listened[observer] > 0 ? Double(max(0, others)) / Double(listened[observer]) : 0
  }

  /// From the first to the last sighting of a stay, as far as it lies in the limits: for how long the observer
  /// could hear, and for how long of that its radio listened.
  private func inside(_ visit: Visit) -> (Int64, Int64) {
    let (from, to) = span(visit)
    guard to > from else { return (0, 0) }
    let observer = Int(visit.observer)
    let deafness = Deafness(spans: timeline.observers[observer].deaf)
    let (first, last) = (Timestamp(nanoseconds: from), Timestamp(nanoseconds: to))
    return (
      deafness.listened(from: first, to: last),
      parts[observer].listened(deafness, from: first, to: last)
    )
  }

  private func span(_ visit: Visit) -> (from: Int64, to: Int64) {
    (
      max(visit.since.nanoseconds, limits?.from ?? .min),
      min(visit.lastSeen.nanoseconds, limits?.to ?? .max)
    )
  }

  /// Whether the observer could hear without a break for several times a period of a stay. Who is heard for a
  /// shorter time alone may be silent for as long as that, and nobody would know.
  private func isTested(_ stays: [Visit], _ period: Int64, _ breaks: [RecordGaps.Span]) -> Bool {
    let least = period.multipliedReportingOverflow(by: ExitAdvice.test)
    guard !least.overflow else { return false }
    return stays.contains { visit in
      let (from, to) = span(visit)
      guard to.since(from) >= least.partialValue else { return false }
      var at = from
      for span in breaks[breaks.indices.bisected { breaks[$0].to > from }...] {
        guard span.from < to else { break }
        if span.from.since(at) >= least.partialValue { return true }
        at = max(at, span.to)
      }
      return to.since(at) >= least.partialValue
    }
  }

  /// When the observer could not hear, as far as that says anything of a period: also pauses of the recording that are
  /// too short to make an exit of it deaf, unless they may be silences of the region's own beacons. Ascending,
  /// disjoint.
  /// - Parameters:
  ///   - others: reports of others in a nanosecond.
  ///   - heard: sightings of the region.
  private func breaks(
    _ period: Int64, _ key: Key, _ others: Double, _ heard: Int
  ) -> [RecordGaps.Span] {
    let deaf = timeline.observers[Int(key.observer)].certainlyDeaf
    let known = visits.lazy.compactMap { $0[key] }.joined().lazy.compactMap(\.silence)
      .first { $0.interval != nil }
    let shorter = (periods.first.flatMap { deaf[$0] } ?? []).filter { span in
      let length = span.to.nanoseconds.since(span.from.nanoseconds)
      guard length >= RecordGaps.least, length < period else { return false }
      let mayBeOwn =
        others * Double(length) < ExitAdvice.enoughOthers
        && (known.map { Self.isOwn($0, nil, length, heard) } ?? false)
      return !mayBeOwn
    }
    let all = ((deaf[period] ?? []) + shorter).map {
      RecordGaps.Span(from: $0.from.nanoseconds, to: $0.to.nanoseconds)
    }
    return RecordGaps(joining: all).spans
  }

  /// Exits are tested at once, and all the time.
  private func isAtOnce(_ region: Int) -> Bool {
    let own = own(region)
    return own.cycle == 0 && own.scanInterval == 0
  }

  /// The profile with the region's own numbers.
  private func own(_ region: Int) -> Profile {
    let profile = timeline.outcomes[0].profile
    return (try? profile.with(timeline.regions[region].overrides)) ?? profile
  }

  // MARK: exits

  /// An exit.
  private struct Telling {
    let silence: Silence
    let isDeaf: Bool
    /// From the last sighting to the next entry, and from the exit; nil: none came.
    let lasted: Int64?
    let away: Int64?
    /// From the exit to the observer's end.
    let left: Int64
  }

  /// - Parameters:
  ///   - others: reports of others to be expected in the period.
  ///   - period: nanoseconds.
  ///   - heard: sightings of the region.
  ///   - isWhole: the profile scans all the time.
  private func tellings(
    _ stays: [Visit], _ others: Double, _ period: Int64, _ heard: Int, isWhole: Bool
  ) -> [Telling] {
    var found: [Telling] = []
    let known = stays.lazy.compactMap(\.silence).first { $0.interval != nil }
    for (place, visit) in stays.enumerated() {
      guard let silence = visit.silence, !visit.isOpen, limits?.contains(visit.until) ?? true
      else { continue }
      let next = place + 1 < stays.count ? stays[place + 1].since.nanoseconds : nil
      let isOff = silence.scanOff > 0 || silence.captureOff > 0
      let end = timeline.observers[Int(visit.observer)].end.nanoseconds
      let length = (next ?? end).since(visit.lastSeen.nanoseconds)
      let isOwn =
        !isOff && others < ExitAdvice.enoughOthers && Self.isOwn(silence, known, length, heard)
      // Somebody was heard at its beginning, and then nobody for most of it: the radio fell silent with the beacon.
      let unheard =
        silence.othersHeard.isKnown
        ? visit.until.nanoseconds.since(silence.othersHeard.nanoseconds) : 0
      // Between windows a profile hears nobody anyhow.
      let isUnheard =
        isWhole && unheard >= period / 2
        && others * Double(unheard) / Double(period) >= 2 * ExitAdvice.enoughOthers
      found.append(
        Telling(
          silence: silence, isDeaf: silence.grade == .deaf && !isOwn || isUnheard,
          lasted: next.map { $0.since(visit.lastSeen.nanoseconds) },
          away: next.map { $0.since(visit.until.nanoseconds) },
          left: end.since(visit.until.nanoseconds)))
    }
    return found
  }

  /// Whether a silence in which nobody at all was heard may be that of the region's own beacons, where they are
  /// nearly all that the observer hears: whether what is lost of them makes one that long in so many sightings. More
  /// may be lost than was of late; a radio that listens a part of the time hears somebody by chance.
  /// - Parameters:
  ///   - known: another one, of whose beacons interval and loss are known: of few sightings they are not.
  ///   - heard: sightings of the region.
  private static func isOwn(
    _ silence: Silence, _ known: Silence?, _ length: Int64, _ heard: Int
  ) -> Bool {
    if silence.filtered > 0 { return true }
    guard let silence = silence.interval == nil ? known : silence,
      let interval = silence.interval, let loss = silence.loss, interval > 0
    else { return false }
    let events = Double(length) / Double(interval)
    let senders = Double(max(1, silence.transmitters))
    let probability =
      silence.listened == nil
      ? pow(max(loss, ExitAdvice.leastLoss), events.rounded(.down) * senders)
      : exp(-events * (1 - loss) * senders)
    return Double(heard) * probability >= ExitAdvice.chance
  }

  /// - Parameter returned: how soon an entry follows an exit that looks false, nanoseconds.
  private func count(
    _ tellings: [Telling], in row: inout ExitAdvice.Row, _ returned: Int64
  ) {
    for telling in tellings {
      row.exits += 1
      switch telling.silence.grade {
      case .gone: row.gone += 1
      case .thin: row.thin += 1
      case .deaf: row.gradedDeaf += 1
      }
      if telling.isDeaf {
        row.deaf += 1
      } else if let away = telling.away {
        if away <= returned { row.looksFalse += 1 } else { row.stayedAway += 1 }
      } else if telling.left >= returned {
        row.stayedAway += 1
      } else {
        row.notKnown += 1
      }
    }
  }

  private func choose(_ place: inout ExitAdvice.Place, _ tellings: [[Telling]]) {
    func isClean(_ row: ExitAdvice.Row) -> Bool { row.looksFalse == 0 && row.isTested }
    guard let first = place.rows.firstIndex(where: isClean) else { return }
    place.shortest = place.rows[first].period
    for row in place.rows[first...].reversed() {
      guard row.looksFalse == 0 else { break }
      place.steady = row.period
    }
    guard first > 0, place.rows[first - 1].isTested else { return }
    place.exact = Self.exact(
      tellings[first - 1].filter { !$0.isDeaf }.compactMap(\.lasted), upTo: periods[first],
      returned: returned)
  }

  /// The shortest period up to a limit with none of these silences in (P, P + returned]: how long one of
  /// them was, as an exit needs a silence that is longer; nil: none of them is.
  static func exact(_ silences: [Int64], upTo limit: Int64, returned: Int64) -> Int64? {
    let sorted = silences.sorted()
    for (place, silence) in sorted.enumerated() where silence <= limit {
      let next = sorted[place...].first { $0 > silence }
      if next.map({ $0 > silence.later(by: returned) }) ?? true { return silence }
    }
    return nil
  }

  // MARK: beacons

  private func beacon(_ found: BeaconSilences, _ observer: Int) -> ExitAdvice.Beacon {
    let others = rate(of: reports[observer] - found.sightings, observer)
    let isTold = { (period: Int64) in others * Double(period) >= ExitAdvice.enoughOthers }
    let end = min(timeline.observers[observer].end.nanoseconds, limits?.to ?? .max)
    // What its loss does not make is a pause of the recording, as far as anybody knows.
    func isOwn(_ silence: Int64) -> Bool {
      found.pace.map { Double($0.gaps) * $0.probability(ofSilence: silence) >= ExitAdvice.chance }
        ?? false
    }
    let own = isTold(periods[0]) ? nil : found.paused.first { isOwn($0.silence) }
    return ExitAdvice.Beacon(
      transmitter: found.transmitter, sightings: found.sightings, pace: found.pace,
      untold: found.untold, isOfPart: found.isOfPart,
      countFault: found.countFault,
      longest: max(found.longest, own?.silence ?? 0),
      last: found.last,
      silentAtEnd: parts[observer].listened(
        Deafness(spans: timeline.observers[observer].deaf),
        // Where its clock was set back it may have been followed as much later as that.
        from: Timestamp(
          nanoseconds: min(end, found.last.nanoseconds.later(by: stepsBack[observer]))),
        to: Timestamp(nanoseconds: end)),
      silences: zip(periods, found.counts).map { period, count in
        guard !isTold(period), found.pace != nil else { return count.heard }
        let others = found.paused.count {
          $0.silence > period && $0.silence <= period.later(by: returned) && $0.pause >= period
            && !isOwn($0.silence)
        }
        // Those that are not kept are shorter than those that are; most are pauses as these.
        let unknown =
          found.paused.count < SilenceLog.mostPaused ? 0 : max(0, count.paused - found.paused.count)
        return count.heard + max(0, count.paused - others - unknown)
      })
  }
}
