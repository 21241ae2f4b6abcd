import CaptureReader

/// What the elements of a GPX file come to (GPX 1.1, `gpx/trk/trkseg/trkpt`; points of GPX 1.0 look
/// the same). `XMLWalk` calls it.
struct GPX {
  private(set) var fixes: [Fix] = []
  private(set) var log = TrackLog()
  /// Points of tracks, usable or not.
  private(set) var points = 0
  /// Waypoints and points of routes, which are no track.
  private(set) var otherPoints = 0
  private(set) var pointsWithoutTime = 0
  /// The root element, once there was one.
  private(set) var root: String?

  private var depth = 0
  private var point: Point?
  /// The element whose text is being gathered, and how deep it stands.
  private var leaf: (name: String, depth: Int)?
  private var text: [UInt8] = []
  /// More than any time or number needs.
  private static let longestText = 64

  private struct Point {
    let line: Int
    let depth: Int
    let latitude: [UInt8]?
    let longitude: [UInt8]?
    var values: [String: [UInt8]] = [:]
  }

  /// Children of a point that say something; `speed` and `course` stand there in GPX 1.0, and in
  /// extensions of GPX 1.1.
  private static let own: Set<String> = ["ele", "time", "speed", "course"]
  private static let extended: Set<String> = ["speed", "course"]

  /// - Parameters:
  ///   - name: without the prefix of its namespace.
  ///   - attribute: the value of an attribute.
  mutating func begin(_ name: String, line: Int, attribute: (StaticString) -> [UInt8]?) {
    depth += 1
    if root == nil { root = name }
    guard let point else {
      switch name {
      case "trkpt":
        points += 1
        self.point = Point(
          line: line, depth: depth, latitude: attribute("lat"), longitude: attribute("lon"))
      case "wpt", "rtept": otherPoints += 1
      default: break
      }
      return
    }
    let known = depth == point.depth + 1 ? Self.own : Self.extended
    guard leaf == nil, known.contains(name), point.values[name] == nil else { return }
    leaf = (name, depth)
    text.removeAll(keepingCapacity: true)
  }

  mutating func add(_ characters: some Collection<UInt8>) {
    guard leaf != nil else { return }
    text += characters.prefix(Self.longestText + 1 - min(text.count, Self.longestText + 1))
  }

  mutating func end() {
    if let leaf, leaf.depth == depth {
      point?.values[leaf.name] = Array(DigitCursor.trimmed(text))
      self.leaf = nil
    }
    if let point, point.depth == depth {
      take(point)
      self.point = nil
    }
    depth -= 1
  }

  private mutating func take(_ point: Point) {
    guard let latitude = point.latitude.flatMap(DigitCursor.decimal),
      let longitude = point.longitude.flatMap(DigitCursor.decimal)
    else { return log.note(.unreadable, line: point.line) }
    // GPX 1.1 has no 180, which is −180; programs write it all the same.
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      return log.note(.outOfRange, line: point.line)
    }
    guard latitude != 0 || longitude != 0 else { return log.note(.zero, line: point.line) }
    guard let written = point.values["time"], !written.isEmpty else {
      pointsWithoutTime += 1
      return log.note(.withoutTime, line: point.line)
    }
    guard let reading = UTCTime.read(written) else {
      return log.note(.unreadable, line: point.line)
    }
    if !reading.hasZone { log.note(.zoneMissing, line: point.line) }
    fixes.append(
      Fix(
        time: reading.time, latitude: latitude,
        longitude: longitude == 180 ? -180 : longitude, altitude: value("ele", point),
        speed: value("speed", point).flatMap { $0 >= 0 ? $0 : nil },
        course: value("course", point).flatMap(Course.normal), place: .line(point.line)))
  }

  private mutating func value(_ name: String, _ point: Point) -> Double? {
    guard let written = point.values[name], !written.isEmpty else { return nil }
    guard let value = DigitCursor.decimal(written) else {
      log.note(.detailUnreadable, line: point.line)
      return nil
    }
    return value
  }
}

enum Course {
  /// 0…360 as 0 ≤ course < 360; nil beyond.
  static func normal(_ degrees: Double) -> Double? {
    guard degrees >= 0, degrees <= 360 else { return nil }
    return degrees == 360 ? 0 : degrees
  }
}
