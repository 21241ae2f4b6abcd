/// A place on the plan of a site, in metres.
struct Point: Sendable, Equatable {
  var x: Double
  var y: Double

  func distance(to other: Point) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// Where something is at which time: straight lines between points, at rest before the first and
/// behind the last. Times are nanoseconds since the start.
struct Path: Sendable {
  struct Waypoint: Sendable {
    let time: Int64
    let place: Point
  }
  let points: [Waypoint]
  /// Leg of the last question: questions come in the order of time mostly.
  private var leg = 0

  /// At least one point, in the order of time.
  init(_ points: [Waypoint]) { self.points = points }
  init(at place: Point) { points = [Waypoint(time: 0, place: place)] }

  mutating func position(at time: Int64) -> Point {
    guard points.count > 1, time > points[0].time else { return points[0].place }
    if points[leg].time > time { leg = 0 }
    while leg + 1 < points.count && points[leg + 1].time <= time { leg += 1 }
    guard leg + 1 < points.count else { return points[leg].place }
    let (from, to) = (points[leg], points[leg + 1])
    let share = Double(time - from.time) / Double(to.time - from.time)
    return Point(
      x: from.place.x + (to.place.x - from.place.x) * share,
      y: from.place.y + (to.place.y - from.place.y) * share)
  }
}

/// A room: a rectangle whose walls weaken what passes them.
struct Room: Sendable {
  let name: String
  let corner: Point
  let width: Double
  let height: Double
  /// What each of its walls takes from a signal, dB.
  let wallLoss: Double
  /// The beacons that mean this room, as `KIND:IDENTITY` or the beginning of one.
  let region: String?

  func contains(_ point: Point) -> Bool {
    point.x >= corner.x && point.x < corner.x + width && point.y >= corner.y
      && point.y < corner.y + height
  }

  /// How many of the room's walls the straight line passes: none, one or two.
  func crossings(_ a: Point, _ b: Point) -> Int {
    let inside = (contains(a), contains(b))
    if inside.0 != inside.1 { return 1 }
    return inside.0 || !isPassed(a, b) ? 0 : 2
  }

  /// Whether a line between two places outside leads through the room (the slab method).
  private func isPassed(_ a: Point, _ b: Point) -> Bool {
    var (low, high) = (0.0, 1.0)
    for (from, to, start, length) in [
      (a.x, b.x, corner.x, width), (a.y, b.y, corner.y, height),
    ] {
      if from == to {
        if from < start || from >= start + length { return false }
        continue
      }
      let (p, q) = ((start - from) / (to - from), (start + length - from) / (to - from))
      low = max(low, min(p, q))
      high = min(high, max(p, q))
    }
    return low < high
  }
}
