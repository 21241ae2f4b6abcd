import CaptureReader
import CaseStore
import Exports
import Regions

/// What has a place on the earth (RFC 7946; longitude before latitude, WGS-84): circular regions, tracks,
/// where the observer was when visits began and ended and when beacons were heard best, and events with a
/// position. A feature a line.
enum GeoJSONExport {
  static let form = CaseExport(
    name: "geojson",
    purpose: "For maps (RFC 7946): tracks, circles, ends of visits, strongest signals.",
    usualName: "case.geojson", shape: .text(write))

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    let names = try CaseNames(file)
    var features = FeatureList(output)
    try circles(file, &features)
    try tracks(file, names, &features)
    let paths = try paths(file)
    try VisitPlaces(names: names, paths: paths, crossings: CircleCrossings(file))
      .write(file, &features)
    try StrongestPlaces(file, names, paths).write(file, &features)
    try events(file, names, &features)
    try features.end()
    return features.leftOut.sentences
  }

  private static func paths(_ file: CaseFile) throws -> ObserverPaths {
    var paths = ObserverPaths()
    try file.forEach(FixRow.self, order: "time_ns, id") { row in
      paths.append(
        latitude: row.latitude, longitude: row.longitude, at: Timestamp(column: row.timeNs),
        of: row.observerId)
    }
    return paths
  }

  private static func circles(_ file: CaseFile, _ features: inout FeatureList) throws {
    let followed = try FollowedCircles(file)
    try file.forEach(RegionRow.self) { region in
      guard let latitude = region.latitude, let longitude = region.longitude,
        let radius = followed.radius(region)
      else { return }
      let centre = Place(longitude: longitude, latitude: latitude)
      let area = CircleArea.polygons(around: centre, radius: radius)
      // Around both poles an area would be the earth with a hole in it: the centre says more.
      let geometry = area.map { Geometry.polygons($0) } ?? .point(centre)
      try features.add("circle", geometry) { text in
        text.pair("name", region.name)
        text.pair("definition", region.definition)
        text.key("centre")
        text.place(centre)
        text.key("radius_m")
        text.rounded(radius, decimals: 1)
      }
    }
  }

  private struct Source: Equatable {
    let source: String
    let file: Int64?
    let capture: Int64?
    let observer: Int64?

    /// Up to the key of the times.
    func append(to text: inout ByteText, _ names: CaseNames) {
      text.pair("source", source)
      text.pair("file", file.flatMap { names.files[$0] })
      text.pair("capture", capture.flatMap { names.captures[$0] })
      text.pair("observer", observer.flatMap { names.observers[$0] })
      text.key("coordTimes")
    }
  }

  private static func tracks(
    _ file: CaseFile, _ names: CaseNames, _ features: inout FeatureList
  ) throws {
    var source: Source?
    var track = TrackLine()
    var last: Int64?
    func end() throws {
      guard let source else { return }
      if let line = track.geometry {
        try features.add("track", line) { text in
          source.append(to: &text, names)
          track.appendTimes(to: &text)
        }
      }
      for fix in track.alone {
        try features.add("position", .point(fix.place)) { text in
          source.append(to: &text, names)
          text.list([fix.time]) { $0.timeOrNull($1) }
        }
      }
    }
    try file.forEach(FixRow.self, order: "source, file_id, capture_id, observer_id, id") { fix in
      let of = Source(
        source: fix.source, file: fix.fileId, capture: fix.captureId, observer: fix.observerId)
      if of != source {
        try end()
        source = of
        track = TrackLine()
        last = nil
      }
      let isReached = !(fix.gapBefore ?? PositionPath.isGap(from: last, to: fix.timeNs))
      last = fix.timeNs
      track.append(
        Place(longitude: fix.longitude, latitude: fix.latitude), Timestamp(column: fix.timeNs),
        isReached: isReached)
    }
    try end()
  }

  /// Events that say where they happened.
  private static func events(
    _ file: CaseFile, _ names: CaseNames, _ features: inout FeatureList
  ) throws {
    let select = """
      SELECT json_extract(json, '$.longitude'), json_extract(json, '$.latitude'), event, type,
          time_ns, region_id, observer_id, title
        FROM events WHERE json_extract(json, '$.latitude') IS NOT NULL ORDER BY id
      """
    try file.forEach(select: select) { row in
      guard let longitude = row[0].real, let latitude = row[1].real else { return }
      try features.add(
        "event", .point(Place(longitude: longitude, latitude: latitude))
      ) { text in
        text.pair("event", row[2].text)
        text.pair("type", row[3].text)
        text.pair("time", Timestamp(column: row[4].int))
        text.pair("region", row[5].int.flatMap { names.regions[$0] })
        text.pair("observer", row[6].int.flatMap { names.observers[$0] })
        text.pair("title", row[7].text)
      }
    }
  }
}

/// A collection as it is written.
struct FeatureList {
  private var output: any TextOutput
  private var text = ByteText()
  private var isFirst = true
  var leftOut = LeftOut()

  init(_ output: any TextOutput) {
    self.output = output
    text.text("{\"type\":\"FeatureCollection\",\"features\":[\n")
  }

  /// - Parameters:
  ///   - kind: the first property.
  ///   - properties: the others, each behind a comma.
  mutating func add(
    _ kind: String, _ geometry: Geometry, _ properties: (inout ByteText) -> Void
  ) throws {
    text.text(isFirst ? "" : ",\n")
    isFirst = false
    text.text("{\"type\":\"Feature\",\"geometry\":")
    text.geometry(geometry)
    text.text(",\"properties\":{\"what\":")
    text.jsonString(kind)
    properties(&text)
    text.text("}}")
    try text.flush(to: &output, keeping: Exports.chunk)
  }

  mutating func end() throws {
    text.text("\n]}\n")
    try text.flush(to: &output)
  }
}
