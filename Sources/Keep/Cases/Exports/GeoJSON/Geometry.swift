import CaptureReader
import Exports

/// Degrees, WGS-84.
struct Place: Equatable {
  var longitude: Double
  var latitude: Double
}

/// A shape of RFC 7946.
enum Geometry {
  case point(Place)
  /// Several where the line is cut.
  case lines([[Place]])
  /// Each its one ring, closed and counterclockwise.
  case polygons([[Place]])
}

extension ByteText {
  mutating func geometry(_ geometry: Geometry) {
    switch geometry {
    case .point(let place):
      text("{\"type\":\"Point\",\"coordinates\":")
      self.place(place)
    case .lines(let lines) where lines.count == 1:
      text("{\"type\":\"LineString\",\"coordinates\":")
      places(lines[0])
    case .lines(let lines):
      text("{\"type\":\"MultiLineString\",\"coordinates\":")
      list(lines) { $0.places($1) }
    case .polygons(let rings) where rings.count == 1:
      text("{\"type\":\"Polygon\",\"coordinates\":")
      list(rings) { $0.places($1) }
    case .polygons(let rings):
      text("{\"type\":\"MultiPolygon\",\"coordinates\":")
      list(rings) { text, ring in text.list([ring]) { $0.places($1) } }
    }
    text("}")
  }

  mutating func place(_ place: Place) {
    text("[")
    rounded(place.longitude, decimals: 7)
    text(",")
    rounded(place.latitude, decimals: 7)
    text("]")
  }

  private mutating func places(_ places: [Place]) { list(places) { $0.place($1) } }

  mutating func list<Value>(_ values: [Value], _ write: (inout ByteText, Value) -> Void) {
    text("[")
    for (number, value) in values.enumerated() {
      if number > 0 { text(",") }
      write(&self, value)
    }
    text("]")
  }

  mutating func pair(_ name: String, _ value: Timestamp) {
    key(name)
    timeOrNull(value)
  }

  mutating func timeOrNull(_ value: Timestamp) {
    guard value.isKnown else { return text("null") }
    text("\"")
    time(value)
    text("\"")
  }
}

/// A line of fixes with their times, cut where it crosses the antimeridian (RFC 7946, 3.1.9), and where
/// nobody knows the way from one fix to the next.
struct TrackLine {
  private var parts: [[Place]] = []
  private var times: [[Timestamp]] = []

  /// Fixes by themselves: the way to the next one is known on no side.
  var alone: [(place: Place, time: Timestamp)] {
    zip(parts, times).filter { $0.0.count == 1 }.map { ($0[0], $1[0]) }
  }

  /// Nil where there are only such fixes.
  var geometry: Geometry? {
    let lines = parts.filter { $0.count > 1 }
    return lines.isEmpty ? nil : .lines(lines)
  }

  /// - Parameter isReached: whether the way from the fix before is known.
  mutating func append(_ place: Place, _ time: Timestamp, isReached: Bool) {
    guard isReached, let last = parts.last?.last else {
      parts.append([place])
      times.append([time])
      return
    }
    let turn = place.longitude - last.longitude
    if abs(turn) > 180 { cut(last, place, isWestward: turn > 0) }
    parts[parts.count - 1].append(place)
    times[times.count - 1].append(time)
  }

  /// Ends the part at one side and begins another one at the other; nobody knows when that was.
  private mutating func cut(_ from: Place, _ to: Place, isWestward: Bool) {
    let side: Double = isWestward ? -180 : 180
    // Where the way leads to, counted on beyond the side.
    let way = to.longitude + 2 * side - from.longitude
    let share = way == 0 ? 0 : (side - from.longitude) / way
    let latitude = from.latitude + share * (to.latitude - from.latitude)
    parts[parts.count - 1].append(Place(longitude: side, latitude: latitude))
    times[times.count - 1].append(.none)
    parts.append([Place(longitude: -side, latitude: latitude)])
    times.append([.none])
  }

  /// Of the lines: as many as there are places, in the same shape.
  func appendTimes(to text: inout ByteText) {
    let lines = times.filter { $0.count > 1 }
    if lines.count == 1 {
      text.list(lines[0]) { $0.timeOrNull($1) }
    } else {
      text.list(lines) { text, part in text.list(part) { $0.timeOrNull($1) } }
    }
  }
}
