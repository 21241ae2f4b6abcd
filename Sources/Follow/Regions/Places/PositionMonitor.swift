package import CaptureReader
package import TrackReader

/// A position told.
package struct PositionEvent: Sendable, Equatable {
  package enum Kind: UInt8, Sendable { case update, significantChange, course }
  package let kind: Kind
  /// That of the fix.
  package let time: Timestamp
  package let latitude: Double
  package let longitude: Double
  /// Metres.
  package let altitude: Double?
  /// Metres per second, as the track has it.
  package let speed: Double?
  /// Degrees from true north, 0 ≤ course < 360: as the track has it, else from the way.
  package let course: Double?
  /// Metres from the last event of this kind; nil for the first.
  package let moved: Double?
  package let evidence: FixPlace
}

/// Tells positions as capture time goes on: at fixes, never between them.
package struct PositionMonitor: Sendable {
  package let settings: PositionSettings
  package private(set) var events: [PositionEvent] = []
  package var refusedFixes: Int { fixes.refused }

  private var fixes = FixQueue()
  private var clock = Timestamp.none
  private var start = Timestamp.none
  private var lastUpdate: Fix?
  private var lastSignificant: Fix?
  private var lastCourse: (fix: Fix, course: Double)?
  private var way = CourseOfWay()

  package init(_ settings: PositionSettings, fixes: [Fix] = []) {
    self.settings = settings
    for fix in fixes { add(fix) }
  }

  /// The capture's first record: fixes before it are not told.
  package mutating func begin(at time: Timestamp) { start = time }

  /// A fix read from the capture; later than those before.
  package mutating func add(_ fix: Fix) { _ = fixes.append(fix) }

  /// The capture clock; a step back does nothing.
  package mutating func advance(to time: Timestamp) {
    guard time.nanoseconds >= clock.nanoseconds else { return }
    clock = time
    while let fix = fixes.first, fix.time.nanoseconds <= clock.nanoseconds {
      fixes.removeFirst()
      let course = way.course(at: fix)
      if fix.time.nanoseconds >= start.nanoseconds { tell(fix, course) }
    }
  }

  /// Hands over what has happened since the last call.
  package mutating func takeEvents() -> [PositionEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  private mutating func tell(_ fix: Fix, _ course: Double?) {
    if let filter = settings.distanceFilter {
      let moved = lastUpdate.map { $0.distance(to: fix) }
      if moved ?? .infinity >= filter {
        append(.update, fix, course, moved)
        lastUpdate = fix
      }
    }
    if let distance = settings.significantDistance {
      let moved = lastSignificant.map { $0.distance(to: fix) }
      if moved ?? .infinity >= distance && isDue(fix) {
        append(.significantChange, fix, course, moved)
        lastSignificant = fix
      }
    }
    if let filter = settings.courseFilter, let course {
      let turned = lastCourse.map { CourseOfWay.difference($0.course, course) }
      if turned ?? .infinity >= filter {
        append(.course, fix, course, lastCourse.map { $0.fix.distance(to: fix) })
        lastCourse = (fix, course)
      }
    }
  }

  private func isDue(_ fix: Fix) -> Bool {
    guard let last = lastSignificant else { return true }
    let (passed, overflow) = fix.time.nanoseconds.subtractingReportingOverflow(
      last.time.nanoseconds)
    return overflow || passed >= settings.significantInterval
  }

  private mutating func append(
    _ kind: PositionEvent.Kind, _ fix: Fix, _ course: Double?, _ moved: Double?
  ) {
    events.append(
      PositionEvent(
        kind: kind, time: fix.time, latitude: fix.latitude, longitude: fix.longitude,
        altitude: fix.altitude, speed: fix.speed, course: course, moved: moved, evidence: fix.place)
    )
  }
}

/// The course at each fix. Where the track has none it is that of the way from a fix before, if that
/// is long enough to mean something beside the noise of a receiver.
struct CourseOfWay: Sendable {
  /// Metres.
  static let shortestWay = 5.0
  /// Metres per second; the course of something slower is noise.
  static let slowest = 0.5
  private var anchor: Fix?
  private var last: Fix?
  /// Of the way up to the anchor.
  private var course: Double?
  /// Nanoseconds for which that holds: what is not too slow goes the shortest way in it.
  private static let holds = Int64(shortestWay / slowest * 1_000_000_000)

  mutating func course(at fix: Fix) -> Double? {
    defer { last = fix }
    // After a stretch without position the way is not known.
    if let last, Leg(last, fix) == nil { (anchor, course) = (nil, nil) }
    guard let from = anchor else {
      anchor = fix
      return own(fix)
    }
    if from.distance(to: fix) >= Self.shortestWay {
      anchor = fix
      course = Sphere.course(from.latitude, from.longitude, fix.latitude, fix.longitude)
    } else if fix.time.nanoseconds.since(from.time.nanoseconds) > Self.holds {
      course = nil
    }
    return own(fix) ?? (Self.isMoving(fix) ? course : nil)
  }

  /// As far as is known.
  private static func isMoving(_ fix: Fix) -> Bool { fix.speed ?? .infinity >= slowest }

  private func own(_ fix: Fix) -> Double? {
    Self.isMoving(fix) ? fix.course : nil
  }

  /// Degrees between two courses, 0…180.
  static func difference(_ a: Double, _ b: Double) -> Double {
    let turned = abs(a - b)
    return min(turned, 360 - turned)
  }
}

extension Fix {
  /// Metres along the great circle.
  func distance(to other: Fix) -> Double {
    Sphere.distance(latitude, longitude, other.latitude, other.longitude)
  }
}
