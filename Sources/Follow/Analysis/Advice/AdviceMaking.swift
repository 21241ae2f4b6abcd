import CaptureReader
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
    let heard = stays.reduce(0) { $0 + $1.sightings }
    let others = rate(of: reports[observer] - heard, observer)
    for visit in stays { place.inside += inside(visit) }
    let told = timeline.silences.filter { $0.observer == observer && $0.regions.contains(region) }
    // Of sightings that other identities of the region share a report with, each counts.
    place.sightings = limits == nil ? heard : told.reduce(0) { $0 + $1.sightings }
    guard place.sightings > 0 else { return nil }
    var tellings: [[Telling]] = []
    for (number, period) in periods.enumerated() {
      let found = self.tellings(visits[number][key] ?? [], others * Double(period))
      tellings.append(found)
      place.rows.append(row(number, found))
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

  /// From the first to the last sighting of a stay, as far as it lies in the limits.
  private func inside(_ visit: Visit) -> Int64 {
    let from = max(visit.since.nanoseconds, limits?.from ?? .min)
    let to = min(visit.lastSeen.nanoseconds, limits?.to ?? .max)
    guard to > from else { return 0 }
    return timeline.listened(
      Int(visit.observer), from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to))
  }

  /// Exits are tested at once, and all the time.
  private func isAtOnce(_ region: Int) -> Bool {
    let profile = timeline.outcomes[0].profile
    let own = (try? profile.with(timeline.regions[region].overrides)) ?? profile
    return own.cycle == 0 && own.scanInterval == 0
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

  /// - Parameter others: reports of others to be expected in the period.
  private func tellings(_ stays: [Visit], _ others: Double) -> [Telling] {
    var found: [Telling] = []
    for (place, visit) in stays.enumerated() {
      guard let silence = visit.silence, !visit.isOpen, limits?.contains(visit.until) ?? true
      else { continue }
      let next = place + 1 < stays.count ? stays[place + 1].since.nanoseconds : nil
      let isOff = silence.scanOff > 0 || silence.captureOff > 0
      let end = timeline.observers[Int(visit.observer)].end.nanoseconds
      found.append(
        Telling(
          silence: silence,
          isDeaf: silence.grade == .deaf && (isOff || others >= ExitAdvice.enoughOthers),
          lasted: next.map { $0.since(visit.lastSeen.nanoseconds) },
          away: next.map { $0.since(visit.until.nanoseconds) },
          left: end.since(visit.until.nanoseconds)))
    }
    return found
  }

  private func row(_ number: Int, _ tellings: [Telling]) -> ExitAdvice.Row {
    let profile = timeline.outcomes[profiles[number]].profile
    let step = profile.scanInterval > 0 ? profile.scanInterval : profile.cycle
    var row = ExitAdvice.Row(
      period: periods[number], toldAfter: periods[number].later(by: step))
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
    return row
  }

  private func choose(_ place: inout ExitAdvice.Place, _ tellings: [[Telling]]) {
    for row in place.rows.reversed() {
      guard row.looksFalse == 0 else { break }
      place.steady = row.period
    }
    guard let first = place.rows.firstIndex(where: { $0.looksFalse == 0 }) else { return }
    place.shortest = place.rows[first].period
    guard first > 0 else { return }
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
    return ExitAdvice.Beacon(
      transmitter: found.transmitter, sightings: found.sightings, pace: found.pace,
      untold: found.untold,
      longest: isTold(periods[0])
        ? found.longest.heard : max(found.longest.heard, found.longest.paused),
      last: found.last,
      silentAtEnd: timeline.listened(
        observer, from: found.last, to: Timestamp(nanoseconds: end)),
      silences: zip(periods, found.counts).map { period, count in
        isTold(period) ? count.heard : count.heard + count.paused
      })
  }
}
