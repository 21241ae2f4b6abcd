package import CaptureReader
package import TrackReader

/// Watches circles while positions and capture time go on (SEMANTICS 4).
///
/// Fixes come from a track, all at once, or from the capture, as they are read. Nothing is decided
/// beyond the clock that `advance` is told; what happens between two fixes of a capture is known
/// when the second is read, at most 30 s later, and carries the time at which it happened.
package struct CircleMonitor: Sendable {
  package let settings: CircleSettings
  package let warnings: [CircleWarning]
  /// What has happened up to the clock and was not taken yet, in the order of time.
  package private(set) var events: [CircleEvent] = []
  /// Those that have ended, in order.
  package private(set) var unknownStretches: [UnknownStretch] = []
  /// Fixes left out because their time was not later than that of the fix before, or unknown.
  package var refusedFixes: Int { fixes.refused }

  private static let mostStretches = 10_000

  private let watched: [WatchedCircle]
  private var trackers: [CircleTracker]
  /// States as of the clock; nil before the first.
  private var states: [Bool?]
  private var fixes = FixQueue()
  /// The fix up to which the way was walked; later than the clock while on the way there.
  private var reached: Fix?
  private var start = Timestamp.none
  private var clock = Timestamp.none
  /// Known already, but perhaps later than the clock; in order.
  private var pending: [CircleEvent] = []
  /// Nanoseconds; nothing happens before.
  private var wake = Int64.min
  private var angles: [Double] = []
  /// By circle: the fix nearest to its centre, and the square of the chord between them.
  private var nearest: [(chordSquared: Double, fix: Fix?)]

  /// - Parameter fixes: those known from the start, in the order of time.
  package init(_ circles: [CircularRegion], _ settings: CircleSettings, fixes: [Fix] = []) {
    self.settings = settings
    let watched = circles.map { WatchedCircle($0, settings) }
    self.watched = watched
    trackers = circles.map { _ in CircleTracker() }
    states = circles.map { _ in nil }
    nearest = circles.map { _ in (.infinity, nil) }
    warnings = zip(circles, watched).compactMap { CircleWarning($0, $1.radius) }
    for fix in fixes { add(fix) }
  }

  /// The capture's first record: what was before is nothing to tell. Once, before `advance`.
  package mutating func begin(at time: Timestamp) {
    start = time
    advance(to: time)
  }

  /// A fix read from the capture; later than those before.
  package mutating func add(_ fix: Fix) {
    if fixes.append(fix) { wake = .min }
  }

  /// The capture clock; a step back does nothing.
  package mutating func advance(to time: Timestamp) {
    guard time.nanoseconds >= clock.nanoseconds else { return }
    clock = time
    if time.nanoseconds >= wake { work() }
  }

  /// The last record: nothing happens any more.
  package mutating func finish(at time: Timestamp) {
    advance(to: time)
    let known = max(reached?.time.nanoseconds ?? .min, start.nanoseconds)
    // Behind the last position it is taken to be there as long as between two of them.
    let least = reached == nil ? 0 : PositionPath.longestGap
    guard clock.isKnown, known < clock.nanoseconds, clock.nanoseconds.since(known) > least else {
      return
    }
    note(UnknownStretch(from: Timestamp(nanoseconds: known), until: clock))
  }

  /// Whether the position is inside a circle at the clock; nil while that is not known.
  package func isInside(_ circle: Int) -> Bool? {
    guard let reached, clock.isKnown else { return nil }
    // The next fix of a capture may still come.
    let grace = fixes.isEmpty ? PositionPath.longestGap : 0
    let (until, overflow) = reached.time.nanoseconds.addingReportingOverflow(grace)
    return overflow || clock.nanoseconds <= until ? states[circle] : nil
  }

  /// How near its positions came to a circle; nil before the first.
  package func approach(_ circle: Int) -> CircleApproach? {
    guard let fix = nearest[circle].fix else { return nil }
    return CircleApproach(
      metres: watched[circle].distance(chordSquared: nearest[circle].chordSquared),
      longestInside: trackers[circle].longestInside, nearestFix: fix)
  }

  /// Whether the position was inside when it was last known, be it in an earlier run.
  package func wasInside(_ circle: Int) -> Bool? { states[circle] }

  /// What an earlier run knew; before anything is taken. The first position then tells no state, and
  /// where it is on the other side it is a crossing as any other, made at a time that is not known.
  package mutating func restore(_ circle: Int, isInside: Bool) {
    trackers[circle].state = isInside
    states[circle] = isInside
  }

  /// Until when nothing can turn out to have happened that is not known yet.
  package var settled: Timestamp {
    guard let reached, fixes.isEmpty else { return clock }
    let (until, overflow) = reached.time.nanoseconds.addingReportingOverflow(
      PositionPath.longestGap)
    return overflow || clock.nanoseconds <= until
      ? Timestamp(nanoseconds: min(reached.time.nanoseconds, clock.nanoseconds)) : clock
  }

  /// Hands over what has happened since the last call.
  package mutating func takeEvents() -> [CircleEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// In a run without end there may be any number: then the last one takes the place of the one before.
  private mutating func note(_ stretch: UnknownStretch) {
    if unknownStretches.count == Self.mostStretches { unknownStretches.removeLast() }
    unknownStretches.append(stretch)
  }

  private mutating func work() {
    wake = .max
    while let fix = fixes.first {
      let leg = reached.flatMap { Leg($0, fix) }
      // A way is walked once one is on it; across a gap only its end is known.
      let needed = leg.map { max($0.from.time.nanoseconds, start.nanoseconds) }
      let moment = needed ?? fix.time.nanoseconds
      guard moment <= clock.nanoseconds else {
        wake = moment
        break
      }
      fixes.removeFirst()
      if fix.time.nanoseconds >= start.nanoseconds {
        if let leg { walk(leg) } else { arrive(fix) }
      }
      reached = fix
    }
    release()
  }

  /// The first fix, or the first after a stretch without position.
  private mutating func arrive(_ fix: Fix) {
    let from = max(reached?.time.nanoseconds ?? .min, start.nanoseconds)
    // Before the first position it is taken to be there as long as between two of them.
    let least = reached == nil ? PositionPath.longestGap : 0
    if from != .min && fix.time.nanoseconds.since(from) > least {
      note(UnknownStretch(from: Timestamp(nanoseconds: from), until: fix.time))
    }
    let point = Direction(latitude: fix.latitude, longitude: fix.longitude)
    for index in watched.indices {
      approach(index, point, fix)
      take(
        CircleTracker.Piece(
          from: fix.time, until: fix.time, zone: watched[index].zone(point), fixes: [fix],
          beforeGap: reached), circle: index)
    }
  }

  /// The way between two fixes, for each circle in pieces that lie in one zone.
  private mutating func walk(_ leg: Leg) {
    let first = pending.count
    let begin = max(leg.from.time.nanoseconds, start.nanoseconds)
    let turned = leg.fraction(Timestamp(nanoseconds: begin)) * leg.arc.angle
    let fixes = [leg.from, leg.to]
    let end = Direction(latitude: leg.to.latitude, longitude: leg.to.longitude)
    for index in watched.indices {
      approach(index, end, leg.to)
      watched[index].cut(leg.arc, from: turned, into: &angles)
      var from = Timestamp(nanoseconds: begin)
      var last = turned
      for angle in angles {
        let until = angle >= leg.arc.angle ? leg.to.time : leg.time(angle)
        let zone = watched[index].zone(leg.arc.point((last + angle) / 2))
        take(
          CircleTracker.Piece(
            from: from, until: until, zone: zone, fixes: fixes, beforeGap: nil), circle: index)
        (from, last) = (until, angle)
      }
    }
    pending[first...].sort { $0.precedes($1) }
  }

  private mutating func approach(_ circle: Int, _ point: Direction, _ fix: Fix) {
    let chordSquared = (point - watched[circle].centre).lengthSquared
    if chordSquared < nearest[circle].chordSquared { nearest[circle] = (chordSquared, fix) }
  }

  private mutating func take(_ piece: CircleTracker.Piece, circle: Int) {
    if let event = trackers[circle].take(piece, circle: circle, dwell: settings.dwell) {
      pending.append(event)
    }
  }

  private mutating func release() {
    let count = pending.prefix { $0.time.nanoseconds <= clock.nanoseconds }.count
    for event in pending[..<count] {
      states[event.circle] = event.isInside
      events.append(event)
    }
    pending.removeFirst(count)
    wake = min(wake, pending.first?.time.nanoseconds ?? .max)
  }
}
