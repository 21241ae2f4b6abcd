import CaptureReader
import CaseStore
import GRDB
import Glibc

/// Where the observers were, and the circles: a plain drawing in metres, no tiles.
struct MapSection {
  private struct Place {
    let x: Double
    let y: Double
  }

  private struct Fix {
    let track: String
    let time: Int64?
    let place: Place
  }

  private let contents: Contents
  private let fixes: [Fix]
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
    let step = max(1, (total + Most.fixes - 1) / Most.fixes)
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT source, coalesce(file_id, 0), coalesce(observer_id, 0), time_ns, latitude, longitude
        FROM fixes WHERE (id - 1) % \(step) = 0 ORDER BY source, file_id, observer_id, time_ns, id
        """)
    let rounds = contents.regions.rows.filter { $0.latitude != nil && $0.longitude != nil }
    // Degrees become metres around the first place there is; a site is small.
    let latitude: Double? = rows.first?[4] ?? rounds.first?.latitude
    let longitude: Double? = rows.first?[5] ?? rounds.first?.longitude
    let metres = { (at: Double, of: Double) -> Place in
      let perDegree = 111_195.0
      var east = of - (longitude ?? 0)
      if east > 180 { east -= 360 }
      if east < -180 { east += 360 }
      return Place(
        x: east * perDegree * cos((latitude ?? 0) * .pi / 180),
        y: (at - (latitude ?? 0)) * perDegree)
    }
    fixes = rows.map { row in
      let (source, file, observer): (String, Int64, Int64) = (row[0], row[1], row[2])
      return Fix(
        track: "\(source) \(file) \(observer)", time: row[3], place: metres(row[4], row[5]))
    }
    circles = rounds.map { region in
      (region.name, metres(region.latitude ?? 0, region.longitude ?? 0), region.radiusM ?? 0)
    }
    bounds = Self.bounds(
      fixes.map { ($0.place, 0) } + circles.map { ($0.place, $0.radius) })
  }

  var html: HTMLText {
    guard !fixes.isEmpty || !circles.isEmpty else { return "" }
    return Section.html(
      "map", "Map",
      """
      <p class="lead">\(words)</p>
      <figure class="map" style="aspect-ratio:\(Int(frame.width))/\(Int(frame.height))">\
      <svg viewBox="0 0 \(Int(frame.width)) \(Int(frame.height))" role="img" aria-label="\(words)">\
      \(circleMarkup)\(tracks)\(visits)\(scaleBar)</svg>\(labels)<span class="bar-length">\(Self.length(bar.metres))</span><span class="north" aria-hidden="true">N ↑</span></figure>
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
    return parts.joined(separator: " and ")
      + ", over \(Self.length(metres)). A dot is where a visit "
      + "began, a ring where it ended. North is up."
  }

  private var note: HTMLText {
    fixes.count < total
      ? "<p class=\"note\">\(Words.number(fixes.count)) of the positions are drawn; all of them: \(CaseQuery.html("SELECT * FROM fixes"))</p>"
      : ""
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
    var before: (track: String, x: Int, y: Int)?
    for fix in fixes {
      let (x, y) = drawn(fix.place)
      if let last = before, last.track == fix.track {
        if last.x == x, last.y == y { continue }
        data += "L\(x) \(y)"
      } else {
        data += "M\(x) \(y)"
      }
      before = (fix.track, x, y)
    }
    return "<path class=\"track\" d=\"\(HTMLText(path: data))\"/>"
  }

  private var visits: HTMLText {
    let main = contents.profiles.first?.id
    let timed = fixes.filter { $0.time != nil }.sorted { ($0.time ?? 0) < ($1.time ?? 0) }
    return contents.visits.rows.filter { $0.profileId == main }.prefix(Most.marks).map { stay in
      let name = contents.region(stay.regionId)
      let begin = stay.sinceNs.flatMap { place(at: $0, timed) }.map { place -> HTMLText in
        let (x, y) = drawn(place)
        return
          "<path class=\"begin\" d=\"M\(x) \(y)h0\"><title>\(name): visit begins \(contents.time(stay.sinceNs))</title></path>"
      }
      let end = stay.untilNs.flatMap { place(at: $0, timed) }.map { place -> HTMLText in
        let (x, y) = drawn(place)
        return
          "<path class=\"end\" d=\"M\(x) \(y)h0\"><title>\(name): visit ends \(contents.time(stay.untilNs))</title></path><path class=\"inner\" d=\"M\(x) \(y)h0\"/>"
      }
      return (begin ?? "") + (end ?? "")
    }.joined()
  }

  /// Where the nearest fix in time was, none that is more than a minute away.
  private func place(at time: Int64, _ timed: [Fix]) -> Place? {
    let next = timed.indices.bisected { (timed[$0].time ?? 0) >= time }
    let near = [next - 1, next].filter { timed.indices.contains($0) }.map { timed[$0] }
    let best = near.min { abs(($0.time ?? 0) - time) < abs(($1.time ?? 0) - time) }
    guard let best, abs((best.time ?? 0) - time) <= 60_000_000_000 else { return nil }
    return best.place
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
