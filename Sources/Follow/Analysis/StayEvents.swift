import CaptureReader
package import Regions

/// The events with which stays began and ended, as far as they were told: by their ids somebody goes on from a
/// visit to its proof.
package struct StayEvents: Sendable {
  /// An entry or an exit, as small as may be: there may be millions.
  private struct Moment: Comparable {
    let profile: Int32
    let observer: Int32
    let region: Int32
    let isExit: Bool
    /// Told later than it happened, when a display was switched on.
    let isLate: Bool
    let time: Int64
    let id: UInt64

    static func < (a: Moment, b: Moment) -> Bool {
      if a.region != b.region { return a.region < b.region }
      if a.observer != b.observer { return a.observer < b.observer }
      if a.profile != b.profile { return a.profile < b.profile }
      if a.isExit != b.isExit { return b.isExit }
      return a.time < b.time
    }
  }

  /// Ascending.
  private let moments: [Moment]

  /// - Parameter regions: those whose visits are asked for; nil: all of them.
  package init(_ timeline: Timeline, in regions: Set<UInt32>? = nil) {
    var moments: [Moment] = []
    for event in timeline.events where Self.isOfStay(event) {
      guard let region = event.region, regions?.contains(UInt32(region)) != false else { continue }
      moments.append(
        Moment(
          profile: Int32(event.profile), observer: Int32(event.observer), region: Int32(region),
          isExit: event.type == .exit, isLate: event.entered != event.time,
          time: event.time.nanoseconds, id: event.id))
    }
    self.moments = moments.sorted()
  }

  /// Whether anybody was told to have come or gone.
  package static func areTold(_ timeline: Timeline) -> Bool {
    timeline.events.contains(where: isOfStay)
  }

  private static func isOfStay(_ event: TimelineEvent) -> Bool {
    guard event.region != nil, event.time.isKnown else { return false }
    return event.type == .exit || event.type == .enter
      || event.type == .state && event.state == .inside
  }

  /// The `enter`, or the `state` of whoever was inside already; nil where none was told: the region has its
  /// entries silenced, they came while no display was on, or the event had to be forgotten.
  package func entry(of visit: Visit, profile: Int) -> UInt64? {
    guard let moment = first(of: visit, profile, isExit: false, from: visit.since) else {
      return nil
    }
    guard !visit.isOpen else { return moment.id }
    // One that is told late may be told at the exit's own moment; another one then is of the next visit.
    let isOfVisit =
      moment.time < visit.until.nanoseconds
      || moment.isLate && moment.time == visit.until.nanoseconds
    return isOfVisit ? moment.id : nil
  }

  /// Nil where it was not told, or somebody is inside still.
  package func exit(of visit: Visit, profile: Int) -> UInt64? {
    guard !visit.isOpen,
      let moment = first(of: visit, profile, isExit: true, from: visit.until),
      moment.time == visit.until.nanoseconds
    else { return nil }
    return moment.id
  }

  /// The earliest of them.
  private func first(of visit: Visit, _ profile: Int, isExit: Bool, from time: Timestamp)
    -> Moment?
  {
    let wanted = Moment(
      profile: Int32(profile), observer: Int32(visit.observer), region: Int32(visit.region),
      isExit: isExit, isLate: false, time: time.nanoseconds, id: 0)
    let place = moments.indices.bisected { moments[$0] >= wanted }
    guard place < moments.count else { return nil }
    let found = moments[place]
    let isSame =
      found.region == wanted.region && found.observer == wanted.observer
      && found.profile == wanted.profile && found.isExit == isExit
    return isSame ? found : nil
  }
}
