package import CaptureReader
package import TrackReader

/// Where something was at any moment: between two fixes at most 30 s apart interpolated along the
/// great circle, unknown elsewhere (SEMANTICS 4).
package struct PositionPath: Sendable {
  /// Nanoseconds.
  package static let longestGap: Int64 = 30_000_000_000

  /// In the order of time, which never falls.
  package private(set) var fixes: [Fix] = []
  /// Fixes left out because their time was not later than that of the fix before, or unknown.
  package private(set) var refused = 0

  package init(_ fixes: [Fix] = []) {
    self.fixes.reserveCapacity(fixes.count)
    for fix in fixes { append(fix) }
  }

  package mutating func append(_ fix: Fix) {
    guard fix.time.isKnown, fix.time.nanoseconds > fixes.last?.time.nanoseconds ?? .min else {
      refused += 1
      return
    }
    fixes.append(fix)
  }

  /// Whether two fixes are too far apart for the way between them to be known; of those without a time
  /// (nanoseconds) nobody can say.
  package static func isGap(from: Int64?, to: Int64?) -> Bool {
    guard let from, let to else { return false }
    let (gap, overflow) = to.subtractingReportingOverflow(from)
    return overflow || gap > longestGap || gap < -longestGap
  }

  /// Nil where it is not known.
  package func position(at time: Timestamp) -> Position? {
    let after = indexOfFirst(after: time)
    guard time.isKnown, after > 0 else { return nil }
    let from = fixes[after - 1]
    if from.time == time { return Position(from) }
    guard after < fixes.count else { return nil }
    return Leg(from, fixes[after])?.position(at: time)
  }

  private func indexOfFirst(after time: Timestamp) -> Int {
    fixes.indices.bisected { fixes[$0].time.nanoseconds > time.nanoseconds }
  }
}

/// A place, and the fixes it follows from: one, or the two around it.
package struct Position: BitwiseCopyable, Sendable {
  /// Degrees, WGS-84; −180 ≤ longitude < 180.
  package let latitude: Double
  package let longitude: Double
  /// Metres; where both fixes have one.
  package let altitude: Double?
  package let before: FixPlace
  package let after: FixPlace

  init(_ fix: Fix) {
    latitude = fix.latitude
    longitude = fix.longitude
    altitude = fix.altitude
    before = fix.place
    after = fix.place
  }

  init(_ direction: Direction, altitude: Double?, between from: Fix, _ to: Fix) {
    latitude = direction.latitude
    longitude = direction.longitude
    self.altitude = altitude
    before = from.place
    after = to.place
  }
}

/// The way from one fix to the next.
struct Leg: BitwiseCopyable, Sendable {
  let from: Fix
  let to: Fix
  let arc: Arc

  /// Nil where the fixes are too far apart in time.
  init?(_ from: Fix, _ to: Fix) {
    let (gap, overflow) = to.time.nanoseconds.subtractingReportingOverflow(from.time.nanoseconds)
    guard !overflow, gap > 0, gap <= PositionPath.longestGap else { return nil }
    self.from = from
    self.to = to
    arc = Arc(
      from: Direction(latitude: from.latitude, longitude: from.longitude),
      to: Direction(latitude: to.latitude, longitude: to.longitude))
  }

  /// Nanoseconds.
  var duration: Int64 { to.time.nanoseconds - from.time.nanoseconds }

  /// 0…1 of a moment on the way.
  func fraction(_ time: Timestamp) -> Double {
    Double(time.nanoseconds - from.time.nanoseconds) / Double(duration)
  }

  /// When so many radians have been walked.
  func time(_ turned: Double) -> Timestamp {
    guard arc.angle > 0 else { return from.time }
    let part = Int64((turned / arc.angle * Double(duration)).rounded())
    return Timestamp(nanoseconds: from.time.nanoseconds + min(max(part, 0), duration))
  }

  func position(at time: Timestamp) -> Position {
    if time == to.time { return Position(to) }
    let part = fraction(time)
    var altitude: Double?
    if let low = from.altitude, let high = to.altitude { altitude = low + part * (high - low) }
    return Position(arc.point(part * arc.angle), altitude: altitude, between: from, to)
  }
}
