import CaptureReader
import CaseStore
import GRDB
import Glibc
import Regions

/// Where the observers were, and the circles: a plain drawing in metres, no tiles.
struct MapSection {
  private struct Place {
    let x: Double
    let y: Double
  }

  private struct Fix {
    let track: String
    let latitude: Double
    let longitude: Double
    /// Whether the way from the one before is known.
    let isReached: Bool
  }

  /// Degrees become metres around a place; a site is small.
  private struct Projection {
    let latitude: Double
    let longitude: Double

    func metres(_ latitude: Double, _ longitude: Double) -> Place {
      let perDegree = 111_195.0
      var east = longitude - self.longitude
      if east > 180 { east -= 360 }
      if east < -180 { east += 360 }
      return Place(
        x: east * perDegree * cos(self.latitude * .pi / 180),
        y: (latitude - self.latitude) * perDegree)
    }
  }

  private let contents: Contents
  private let fixes: [Fix]
  private let marks: MapMarks
  private let projection: Projection
  private let circles: [(name: String, place: Place, radius: Double)]
  private let total: Int
  /// Metres: the left upper corner, and how far it reaches.
  private let bounds: Bounds

  private struct Bounds {
    let x: Double
    let y: Double
    let width: Double
    let height: Double
  }

  init(_ contents: Contents, _ database: Database) throws {
    self.contents = contents
    total = try Int.fetchOne(database, sql: "SELECT count(*) FROM fixes") ?? 0
    fixes = try Self.fixes(database, total: total)
    marks = try MapMarks(contents, database)
    let followed = try FollowedCircles(database)
    let rounds = contents.regions.rows.filter { $0.latitude != nil && $0.longitude != nil }
    let projection = Projection(
      latitude: fixes.first?.latitude ?? rounds.first?.latitude ?? 0,
      longitude: fixes.first?.longitude ?? rounds.first?.longitude ?? 0)
    self.projection = projection
    circles = rounds.map { region in
      (
        region.name, projection.metres(region.latitude ?? 0, region.longitude ?? 0),
        followed.radius(region) ?? 0
      )
    }
    bounds = Self.bounds(
      fixes.map { (projection.metres($0.latitude, $0.longitude), 0) }
        + (marks.visits + marks.strongest).map {
          (projection.metres($0.latitude, $0.longitude), 0)
        } + circles.map { ($0.place, $0.radius) })
  }

  /// Evenly fewer where there are many; what is left out may lie around a gap.
  private static func fixes(_ database: Database, total: Int) throws -> [Fix] {
    let step = max(1, (total + Most.fixes - 1) / Most.fixes)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT source, coalesce(file_id, 0), coalesce(observer_id, 0), time_ns, latitude, longitude,
          gap_before
        FROM fixes ORDER BY source, file_id, observer_id, id
        """)
    var fixes: [Fix] = []
    var last: (track: String, time: Int64?)?
    var isReached = false
    var place = 0
    while let row = try rows.next() {
      let (source, file, observer): (String, Int64, Int64) = (row[0], row[1], row[2])
      let track = "\(source) \(file) \(observer)"
      let isGap: Bool = row[6] ?? PositionPath.isGap(from: last?.time, to: row[3])
      isReached = last?.track == track && isReached && !isGap
      if place % step == 0 {
        fixes.append(
          Fix(track: track, latitude: row[4], longitude: row[5], isReached: isReached))
        isReached = true
      }
      last = (track, row[3])
      place += 1
    }
    return fixes
  }

  var html: HTMLText {
    guard !fixes.isEmpty || !circles.isEmpty else { return "" }
    return Section.html(
      "map", "Map",
      """
      <p class="lead">\(words)</p>
      <figure class="map" style="aspect-ratio:\(Int(frame.width))/\(Int(frame.height))">\
      <svg viewBox="0 0 \(Int(frame.width)) \(Int(frame.height))" role="img" aria-label="\(words)">\
      \(circleMarkup)\(tracks)\(strongest)\(visits)\(scaleBar)</svg>\(labels)<span class="bar-length">\(Self.length(bar.metres))</span><span class="north" aria-hidden="true">N ↑</span></figure>
      \(note)
      """)
  }

  private var words: String {
    var parts: [String] = []
    if !fixes.isEmpty {
      let whose = contents.observers.count > 1 ? "receivers" : "receiver"
      let least = contents.hasThinnedFixes ? "more than " : ""
      parts.append("The way of the \(whose) (\(least)\(Words.counted(total, "position")))")
    }
    if !circles.isEmpty { parts.append(Words.counted(circles.count, "circle")) }
    let metres = max(bounds.width, bounds.height)
    return parts.joined(separator: " and ") + ", over \(Self.length(metres)). \(legend)North is up."
  }

  private var legend: String {
    var signs: [String] = []
    if marks.visits.contains(where: { $0.kind == .begin }) {
      signs.append("a dot is where a visit began")
    }
    if marks.visits.contains(where: { $0.kind == .end }) {
      signs.append("a ring where somebody was last heard in it")
    }
    if !marks.strongest.isEmpty { signs.append("a diamond where a beacon was heard best") }
    guard let first = signs.first else { return "" }
    let words = first.prefix(1).uppercased() + Words.list(signs).dropFirst()
    return words + (circles.isEmpty ? ". " : "; of circles, where the border was crossed. ")
  }

  private var note: HTMLText {
    var note: HTMLText =
      fixes.count < total
      ? "<p class=\"note\">\(Words.number(fixes.count)) of the positions are drawn; all of them: \(CaseQuery.html("SELECT * FROM fixes"))</p>"
      : ""
    if !fixes.isEmpty, !marks.leftOut.isEmpty {
      note += "<p class=\"note\">\(marks.leftOut.joined(separator: " "))</p>"
    }
    return note
  }

  // MARK: Projection

  private static func bounds(_ places: [(place: Place, margin: Double)]) -> Bounds {
    var (left, right) = (Double.infinity, -Double.infinity)
    var (bottom, top) = (left, right)
    for (place, margin) in places {
      left = min(left, place.x - margin)
      right = max(right, place.x + margin)
      bottom = min(bottom, place.y - margin)
      top = max(top, place.y + margin)
    }
    guard left <= right else { return Bounds(x: 0, y: 0, width: 1, height: 1) }
    let margin = max(5, 0.05 * max(right - left, top - bottom))
    return Bounds(
      x: left - margin, y: top + margin, width: right - left + 2 * margin,
      height: top - bottom + 2 * margin)
  }

  /// The drawing's own size: 1000 wide, and as high as it needs to be within limits.
  private var frame: (width: Double, height: Double) {
    (1000, min(800, max(320, 1000 * bounds.height / bounds.width)))
  }

  private var factor: Double { min(frame.width / bounds.width, frame.height / bounds.height) }

  private func drawn(_ place: Place) -> (x: Int, y: Int) {
    let left = (frame.width - bounds.width * factor) / 2
    let top = (frame.height - bounds.height * factor) / 2
    return (
      Int(((place.x - bounds.x) * factor + left).rounded()),
      Int(((bounds.y - place.y) * factor + top).rounded())
    )
  }

  // MARK: What is drawn

  private var circleMarkup: HTMLText {
    circles.map { circle -> HTMLText in
      let (x, y) = drawn(circle.place)
      return
        "<circle class=\"region\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(max(1, Int(circle.radius * factor)))\"/>"
    }.joined()
  }

  private var tracks: HTMLText {
    var data = ""
    var before: (x: Int, y: Int)?
    for fix in fixes {
      let (x, y) = drawn(projection.metres(fix.latitude, fix.longitude))
      if let last = before, fix.isReached {
        if last.x == x, last.y == y { continue }
        data += "L\(x) \(y)"
      } else {
        // A fix from which nobody knows the way on is a dot.
        data += "M\(x) \(y)h0"
      }
      before = (x, y)
    }
    return "<path class=\"track\" d=\"\(HTMLText(path: data))\"/>"
  }

  private func drawn(_ mark: MapMarks.Mark) -> (x: Int, y: Int) {
    drawn(projection.metres(mark.latitude, mark.longitude))
  }

  private var visits: HTMLText {
    marks.visits.map { mark -> HTMLText in
      let (x, y) = drawn(mark)
      let isEnd = mark.kind == .end
      let inner: HTMLText = isEnd ? "<path class=\"inner\" d=\"M\(x) \(y)h0\"/>" : ""
      return
        "<path class=\"\(isEnd ? "end" : "begin")\" d=\"M\(x) \(y)h0\"><title>\(mark.title)</title></path>\(inner)"
    }.joined()
  }

  private var strongest: HTMLText {
    marks.strongest.map { mark -> HTMLText in
      let (x, y) = drawn(mark)
      return
        "<path class=\"best\" d=\"M\(x) \(y - 7)l7 7l-7 7l-7 -7z\"><title>\(mark.title)</title></path>"
    }.joined()
  }

  private var labels: HTMLText {
    circles.prefix(Most.lanes).map { circle -> HTMLText in
      let (x, y) = drawn(circle.place)
      return """
        <span style="left:\(100 * x / Int(frame.width))%;top:\(100 * y / Int(frame.height))%">\(circle.name)</span>
        """
    }.joined()
  }

  /// Round metres, a fifth of the width at most, and what that is in the drawing.
  private var bar: (metres: Double, width: Int) {
    let fifth = 200 / factor
    let power = pow(10, log10(fifth).rounded(.down))
    let metres = [5, 2, 1].map { $0 * power }.first { $0 <= fifth } ?? power
    return (metres, Int(metres * factor))
  }

  private var scaleBar: HTMLText {
    "<path class=\"bar\" d=\"M24 \(Int(frame.height) - 30)v8h\(bar.width)v-8\"/>"
  }

  private static func length(_ metres: Double) -> String {
    metres < 1000 ? "\(Words.metres(metres)) m" : "\(Words.metres(metres / 1000)) km"
  }
}
