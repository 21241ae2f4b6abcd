import Beacons
package import CaptureReader
import Regions

/// A part of the time, of which is told. Everything is read all the same: what held then may have begun
/// before.
package struct TimeLimits: Equatable, Sendable {
  /// Nanoseconds since 1970 in UTC: the first moment inside, and the first behind.
  package let from: Int64
  package let to: Int64

  /// - Parameter to: behind `from`; nil: no limit there.
  package init(from: Int64?, to: Int64?) {
    self.from = from ?? .min
    self.to = to ?? .max
  }

  package var hasStart: Bool { from != .min }
  package var hasEnd: Bool { to != .max }

  /// What has no time is in no part of it.
  package func contains(_ time: Timestamp) -> Bool {
    time.isKnown && time.nanoseconds >= from && time.nanoseconds < to
  }

  /// Whether something from one moment to another, both included, has a moment inside.
  package func touches(_ first: Timestamp, _ last: Timestamp) -> Bool {
    first.isKnown && first.nanoseconds < to && last.nanoseconds >= from
  }
}

/// When sightings are followed (SEMANTICS 1): at their time, or at their observer's clock, where it is later.
struct SightingClocks {
  /// By the run's observer, nanoseconds.
  private var latest: [Int64] = []

  mutating func followed(_ time: Timestamp, observer: UInt32) -> Timestamp {
    let number = Int(observer)
    while latest.count <= number { latest.append(.min) }
    latest[number] = max(latest[number], time.nanoseconds)
    return Timestamp(nanoseconds: latest[number])
  }
}

extension Analysis {
  /// The sightings of a part of the time. Each says what it is: the one that said it for a transmitter
  /// may lie before.
  /// - Parameter briefs: repeats are kept, so that whole ones stand beside them.
  static func told(
    _ briefs: Span<BriefSighting>, _ range: Range<Int>, within limits: TimeLimits,
    _ withoutTime: inout Int
  ) -> [BriefSighting] {
    var told: [BriefSighting] = []
    for place in range {
      let brief = briefs[place]
      guard limits.contains(brief.time) else {
        if !brief.time.isKnown { withoutTime += 1 }
        continue
      }
      told.append(
        BriefSighting(
          time: brief.time, frame: brief.frame, transmitter: brief.transmitter,
          whole: UInt32(truncatingIfNeeded: place + 1), rssi: brief.rssi))
    }
    return told
  }
}

extension AnalysisResult {
  /// Leaves out of the timeline what lies outside the limits as a whole, but for the events: what they
  /// say of before holds on.
  mutating func narrow(to limits: TimeLimits) {
    self.limits = limits
    oddIdentifiers.narrow(to: limits)
    guard var timeline else { return }
    timeline.limits = limits
    for place in timeline.outcomes.indices {
      timeline.outcomes[place].stays.removeAll { stay in
        let observer = timeline.observers[Int(stay.visit.observer)]
        let end = stay.visit.isOpen ? observer.end : stay.visit.until
        return !limits.touches(stay.visit.since, end)
      }
    }
    self.timeline = timeline
  }
}

extension Timeline {
  /// Whether an event is told of.
  package func tells(of event: TimelineEvent) -> Bool { limits?.contains(event.time) ?? true }
}
