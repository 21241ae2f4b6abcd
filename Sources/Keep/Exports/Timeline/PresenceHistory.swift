package import Analysis
import CaptureReader
import Regions

/// One profile's stays and states by region and observer, ready to be drawn and compared.
package struct PresenceHistory {
  let timeline: Timeline
  let outcome: Timeline.Outcome
  /// Its number.
  let profile: Int
  /// From the first record of any observer to the last, of it what is told of; nil where none has a
  /// known time.
  let span: StateLine.Span?
  /// Indices of stays by region.
  private var stays: [Int: [Int]] = [:]
  /// The same by observer and region: there may be thousands of captures, each with its own.
  private var staysOfOne: [Int: [Int]] = [:]
  /// By observer and region: when it was first known that it was outside.
  private var known: [Int: Int64] = [:]

  /// Of circles.
  private var approaches: [Int: CircleApproach] = [:]

  /// By observer: whether it has a stay in any region.
  private(set) var hasStays: [Bool]
  /// Of observers, in sentences and before bars.
  let labels: ObserverLabels
  let barLabels: ObserverLabels

  /// - Parameters:
  ///   - profile: number in `timeline.outcomes`.
  ///   - first: of the regions so many are kept; a million may have been seen, and few are asked for.
  package init(_ timeline: Timeline, profile: Int, first: Int = .max) {
    self.timeline = timeline
    self.profile = profile
    outcome = timeline.outcomes[profile]
    labels = ObserverLabels(timeline, 24)
    barLabels = ObserverLabels(timeline, RegionBars.widestName - 2)
    let observers = timeline.observers.filter(\.start.isKnown)
    if let first = observers.map(\.start.nanoseconds).min(),
      let last = observers.map(\.end.nanoseconds).max()
    {
      // A recording of one record has no length, and is drawn all the same.
      let whole = StateLine.Span(from: first, to: max(last, first.addingReportingOverflow(1).0))
      span = Self.narrowed(whole, timeline.limits)
    } else {
      span = nil
    }
    hasStays = timeline.observers.map { _ in false }
    for (place, stay) in outcome.stays.enumerated() {
      hasStays[Int(stay.visit.observer)] = true
      guard Int(stay.visit.region) < first else { continue }
      let (observer, region) = (Int(stay.visit.observer), Int(stay.visit.region))
      stays[region, default: []].append(place)
      staysOfOne[key(observer, region), default: []].append(place)
    }
    for known in outcome.outsideFromStart where known.region < first {
      self.known[key(known.observer, known.region)] = known.time.nanoseconds
    }
    for approach in outcome.approaches where approach.region < first {
      approaches[key(approach.observer, approach.region)] = approach.circle
    }
    for event in timeline.events where event.type == .state && event.profile == profile {
      guard let region = event.region, region < first else { continue }
      let key = key(event.observer, region)
      if known[key] == nil { known[key] = event.time.nanoseconds }
    }
  }

  /// - Returns: nil where nothing is left.
  private static func narrowed(_ span: StateLine.Span, _ limits: TimeLimits?) -> StateLine.Span? {
    guard let limits else { return span }
    let from = max(span.from, limits.from)
    let to = min(span.to, limits.to)
    return from < to ? StateLine.Span(from: from, to: to) : nil
  }

  /// The span without the long pauses between recordings.
  /// - Parameter most: so many stretches at most.
  /// - Returns: ascending; one where nothing is left out, none where nobody recorded in the span.
  func stretches(most: Int) -> [StateLine.Span] {
    guard let span else { return [] }
    let spans = timeline.stretches(most: most).clipped(from: span.from, to: span.to)
    // A recording of one record has no length.
    return spans.map {
      StateLine.Span(from: $0.from, to: max($0.to, $0.from.addingReportingOverflow(1).partialValue))
    }
  }

  private func key(_ observer: Int, _ region: Int) -> Int {
    observer * max(1, timeline.regions.count) + region
  }

  func stays(in region: Int) -> [Timeline.Stay] {
    (stays[region] ?? []).map { outcome.stays[$0] }
  }

  func stays(in region: Int, at observer: Int) -> [Timeline.Stay] {
    (staysOfOne[key(observer, region)] ?? []).map { outcome.stays[$0] }
  }

  /// Whether the radio could hear for so short a time that a region without a stay may have been occupied.
  func isUnheard(_ region: Int, at observer: Int) -> Bool {
    guard !timeline.regions[region].isCircle, let span else { return false }
    let facts = timeline.observers[observer]
    let from = Timestamp(nanoseconds: max(span.from, facts.start.nanoseconds))
    let to = Timestamp(nanoseconds: min(span.to, facts.end.nanoseconds))
    return timeline.listened(observer, from: from, to: to)
      <= timeline.exitPeriod(region, profile: profile)
  }

  /// Whether any position of an observer is known, by which a circle goes.
  func isPlaced(_ region: Int, at observer: Int) -> Bool {
    approaches[key(observer, region)] != nil
  }

  /// Nanoseconds that a way lay inside a circle that was not entered; nil where it never did, or that is not known: of a
  /// part of the time, or where stays were forgotten.
  func passed(_ region: Int, at observer: Int) -> Int64? {
    guard timeline.limits == nil, timeline.forgotten.stays == 0 else { return nil }
    return approaches[key(observer, region)]?.longestInside
  }

  func presence(in region: Int, at observer: Int) -> RegionPresence {
    guard outcome.states.indices.contains(observer),
      outcome.states[observer].indices.contains(region)
    else { return .unknown }
    return outcome.states[observer][region]
  }

  /// The time of a stay, of it what is told of; an open one lasts to the end of its observer's recording.
  func span(_ visit: Visit) -> StateLine.Span {
    let from = max(visit.since.nanoseconds, timeline.limits?.from ?? .min)
    let end = min(self.end(visit).nanoseconds, timeline.limits?.to ?? .max)
    return StateLine.Span(from: from, to: max(end, from))
  }

  private func end(_ visit: Visit) -> Timestamp {
    visit.isOpen ? timeline.observers[Int(visit.observer)].end : visit.until
  }

  /// Whether a stay that goes on at the end of its recording does so where it is told of.
  func showsOpenEnd(_ visit: Visit) -> Bool {
    visit.isOpen && end(visit).nanoseconds <= timeline.limits?.to ?? .max
  }

  /// Since when nobody knows whether an open stay goes on: it is in a circle, and positions ended.
  func positionsEnd(_ visit: Visit) -> Timestamp? {
    let observer = timeline.observers[Int(visit.observer)]
    guard visit.isOpen, timeline.regions[Int(visit.region)].isCircle,
      let last = observer.unplaced.last, last.to.nanoseconds >= observer.end.nanoseconds
    else { return nil }
    return last.from
  }

  /// When some observer was inside (`Occupancy`).
  func occupied(_ region: Int) -> [StateLine.Span] {
    let visits = stays(in: region).map(\.visit)
    let ends = { (observer: UInt32) in timeline.observers[Int(observer)].end }
    return Occupancy.of(visits, recordedUntil: ends).map { occupancy in
      let from = max(occupancy.since.nanoseconds, timeline.limits?.from ?? .min)
      return StateLine.Span(
        from: from, to: occupancy.visits.map { span(visits[$0]).to }.max() ?? from)
    }
  }

  /// Where a line tells of it.
  package enum Deafness {
    case ignored
    /// Not of what is inside as last known.
    case besideInside
    case everywhere
  }

  /// A region at an observer over the whole span.
  /// - Parameter deafness: whether being deaf, or not recording, hides that it is outside or unknown;
  ///   not in a circle, where it is unknown what positions do not say.
  package func line(_ region: Int, at observer: Int, deafness: Deafness) -> StateLine? {
    guard let span else { return nil }
    var line = StateLine(span, .none)
    let facts = timeline.observers[observer]
    guard facts.start.isKnown else { return line }
    let start = facts.start.nanoseconds
    let end = max(facts.end.nanoseconds, start.addingReportingOverflow(1).0)
    line.paint([StateLine.Span(from: start, to: end)], .unknown)
    let stays = stays(in: region, at: observer).map { self.span($0.visit) }
    let outside = [known[key(observer, region)], stays.first?.to].compactMap { $0 }.min()
    if let outside, outside < end {
      line.paint([StateLine.Span(from: outside, to: end)], .outside)
    }
    if timeline.regions[region].isCircle {
      // Positions do not hang on what the radio hears; and a stay goes on where there are none because
      // nobody saw its end.
      line.paint(stays, .inside)
      line.paint(
        facts.unplaced.map {
          StateLine.Span(from: $0.from.nanoseconds, to: $0.to.nanoseconds)
        }, .unknown)
      return line
    }
    if deafness != .ignored {
      let deaf = timeline.deaf(observer, region: region, profile: profile).map {
        StateLine.Span(from: $0.from.nanoseconds, to: $0.to.nanoseconds)
      }
      line.paint(deaf, .deaf)
      line.paint(
        facts.unrecorded.map {
          StateLine.Span(from: $0.from.nanoseconds, to: $0.to.nanoseconds)
        }, .none)
    }
    line.paint(stays) { $0 == .deaf && deafness == .everywhere ? .insideDeaf : .inside }
    return line
  }

  /// When an observer was deaf from a deaf exit on, which nobody saw: whether it is outside is not known, until it
  /// could hear for an exit period in all, or has it inside again.
  private func leftDeaf(_ region: Int, at observer: Int) -> [StateLine.Span] {
    let visits = stays(in: region, at: observer).map(\.visit)
    let left = visits.indices.filter { visits[$0].silence?.grade == .deaf }
    guard !left.isEmpty else { return [] }
    let deaf = timeline.deaf(observer, region: region, profile: profile)
    let period = timeline.exitPeriod(region, profile: profile)
    return left.flatMap { place -> [StateLine.Span] in
      let exit = visits[place].until.nanoseconds
      let next = place + 1 < visits.count ? visits[place + 1].since.nanoseconds : .max
      let first = deaf.indices.bisected { deaf[$0].to.nanoseconds > exit }
      var (at, heard) = (exit, Int64(0))
      let unknown = deaf[first...].prefix { span in
        heard = heard.later(by: max(0, span.from.nanoseconds.since(at)))
        at = span.to.nanoseconds
        return heard < period && span.from.nanoseconds < next
      }
      return unknown.map {
        StateLine.Span(from: max($0.from.nanoseconds, exit), to: min($0.to.nanoseconds, next))
      }
    }
  }

  /// The site's view: what any observer knew. That it is outside at one says nothing while another one is deaf that
  /// had it inside.
  func siteLine(_ region: Int) -> StateLine? {
    var lines = timeline.observers.indices.compactMap {
      line(region, at: $0, deafness: .everywhere)
    }
    // Two by two: one that grew by thousands would be gone through as often.
    while lines.count > 1 {
      lines = stride(from: 0, to: lines.count, by: 2).map { place in
        place + 1 < lines.count ? lines[place].merged(with: lines[place + 1]) : lines[place]
      }
    }
    guard var site = lines.first else { return nil }
    if !timeline.regions[region].isCircle {
      let unknown = timeline.observers.indices.flatMap { leftDeaf(region, at: $0) }
      site.paint(StateLine.Span.joined(unknown)) { $0.isInside || $0 == .none ? $0 : .deaf }
      site.paint(occupied(region)) { $0 == .insideDeaf ? .insideDeaf : .inside }
    }
    return site
  }
}
