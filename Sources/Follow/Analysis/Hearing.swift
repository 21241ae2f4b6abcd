package import CaptureReader
import Regions

/// What an observer could hear, as far as its captures say.
extension Timeline {
  /// For how long of a time, in nanoseconds; its known deafness is taken out.
  package func listened(_ observer: Int, from: Timestamp, to: Timestamp) -> Int64 {
    Deafness(spans: observers[observer].deaf).listened(from: from, to: to)
  }

  /// The same as exits with a period are judged: pauses of the recording count that are as long, and no filter does.
  package func listened(
    _ observer: Int, from: Timestamp, to: Timestamp, exitPeriod: Int64
  ) -> Int64 {
    let spans = observers[observer].certainlyDeaf[exitPeriod] ?? observers[observer].deaf
    return Deafness(spans: spans).listened(from: from, to: to)
  }

  /// P of a region under a profile, nanoseconds.
  package func exitPeriod(_ region: Int, profile: Int) -> Int64 {
    outcomes[profile].profile.exitPeriod(of: regions[region])
  }

  /// When an observer was deaf as far as a region under a profile goes by it.
  package func deaf(_ observer: Int, region: Int, profile: Int) -> [Span] {
    observers[observer].deaf(exitPeriod: exitPeriod(region, profile: profile))
  }

  /// Notes of each stay of a profile what its entry leaves open, and whether the exit before it was soon
  /// taken back. Before any stay is left out: both go by the one before.
  mutating func markDoubts(profile: Int) {
    var last: [Int: Int] = [:]
    for place in outcomes[profile].stays.indices {
      let visit = outcomes[profile].stays[place].visit
      let key = Int(visit.observer) * max(1, regions.count) + Int(visit.region)
      let earlier = last[key].map { outcomes[profile].stays[$0].visit }
      let ofStay = EntryDoubts.Place(
        profile: profile, observer: Int(visit.observer), region: Int(visit.region))
      let known = earlier.map { EntryDoubts.Before.left(EarlierStay($0)) }
      outcomes[profile].stays[place].doubt = doubt(
        of: visit, after: known ?? outcomes[profile].earlierRun[ofStay], profile)
      if let before = last[key] {
        outcomes[profile].stays[before].returnsAfter = returned(visit, after: earlier, profile)
      }
      last[key] = place
    }
  }

  /// How soon behind an exit that heard others, nanoseconds; nil where it was later than P.
  private func returned(_ visit: Visit, after earlier: Visit?, _ profile: Int) -> Int64? {
    guard let earlier, let silence = earlier.silence, silence.grade != .deaf else { return nil }
    let away = visit.since.nanoseconds.since(earlier.until.nanoseconds)
    let isSoon = away >= 0 && away <= exitPeriod(Int(visit.region), profile: profile)
    return isSoon ? away : nil
  }

  /// - Parameter earlier: what was before, of the same observer and region.
  /// - Returns: nil where it is no entry, or proved.
  private func doubt(
    of visit: Visit, after earlier: EntryDoubts.Before?, _ profile: Int
  ) -> EntryDoubt? {
    guard !visit.wasInsideAlready else { return nil }
    let observer = observers[Int(visit.observer)]
    let period = exitPeriod(Int(visit.region), profile: profile)
    return EntryDoubt.of(
      visit.since, after: earlier, regions[Int(visit.region)],
      outcomes[profile].profile, observer.start,
      Deafness(
        spans: observer.certainlyDeaf[period] ?? [], leastGap: period,
        filteredScans: observer.filteredScans, quiet: observer.quiet[period] ?? [],
        quietKnownUntil: observer.end), next: visit.silence)
  }

  /// Gives entries among the events what their stays leave open. Those of stays that were forgotten keep what
  /// they were told with; and events are those that are told as they happen, without hindsight.
  mutating func noteDoubts() {
    struct Entry: Hashable {
      let profile, observer, region: Int
      let time: Int64
    }
    var doubts: [Entry: EntryDoubt] = [:]
    for (profile, outcome) in outcomes.enumerated() {
      for stay in outcome.stays {
        guard let doubt = stay.doubt, !doubt.isHindsight else { continue }
        let entry = Entry(
          profile: profile, observer: Int(stay.visit.observer), region: Int(stay.visit.region),
          time: stay.visit.since.nanoseconds)
        doubts[entry] = doubt
      }
    }
    guard !doubts.isEmpty else { return }
    for place in events.indices where events[place].type == .enter {
      let event = events[place]
      let entry = Entry(
        profile: event.profile, observer: event.observer, region: event.region ?? -1,
        time: event.entered.nanoseconds)
      if let doubt = doubts[entry] { events[place].doubt = doubt }
    }
  }
}
