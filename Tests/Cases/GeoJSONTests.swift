import CaseStore
import Foundation
import GRDB
import Testing

/// What RFC 7946 asks of a document, by section.
struct GeoJSONCheck {
  private(set) var features: [[String: Any]] = []

  init(_ bytes: [UInt8]) throws {
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(root["type"] as? String == "FeatureCollection")
    #expect(root["crs"] == nil)
    features = try #require(root["features"] as? [[String: Any]])
    for feature in features {
      #expect(feature["type"] as? String == "Feature")
      #expect(feature["properties"] is [String: Any])
      try check(try #require(feature["geometry"] as? [String: Any]))
    }
  }

  private func check(_ geometry: [String: Any]) throws {
    let type = try #require(geometry["type"] as? String)
    let coordinates = try #require(geometry["coordinates"] as? [Any])
    switch type {
    case "Point": try place(coordinates)
    case "LineString": try line(coordinates)
    case "MultiLineString": for part in coordinates { try line(try #require(part as? [Any])) }
    case "Polygon": try polygon(coordinates)
    case "MultiPolygon": for part in coordinates { try polygon(try #require(part as? [Any])) }
    default: Issue.record("\(type) is no geometry")
    }
  }

  /// 3.1.1, 4: longitude and latitude in degrees.
  @discardableResult
  private func place(_ value: Any) throws -> [Double] {
    let place = try #require(value as? [Double])
    #expect(place.count == 2)
    #expect((-180...180).contains(place[0]) && (-90...90).contains(place[1]))
    return place
  }

  /// 3.1.4, 3.1.9: two positions at least; nothing goes the long way round.
  private func line(_ values: [Any]) throws {
    let places = try values.map { try place($0) }
    #expect(places.count >= 2)
    for (one, next) in zip(places, places.dropFirst()) { #expect(abs(one[0] - next[0]) <= 180) }
  }

  /// 3.1.6: rings of four positions at least, closed, counterclockwise.
  private func polygon(_ rings: [Any]) throws {
    #expect(rings.count == 1)
    let ring = try #require(rings.first as? [Any]).map { try place($0) }
    #expect(ring.count >= 4)
    #expect(ring.first == ring.last)
    let area = zip(ring, ring.dropFirst()).reduce(0.0) {
      $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1]
    }
    #expect(area > 0)
  }

  func all(_ what: String) -> [[String: Any]] {
    features.filter { ($0["properties"] as? [String: Any])?["what"] as? String == what }
  }
}

extension [String: Any] {
  fileprivate var properties: [String: Any] { self["properties"] as? [String: Any] ?? [:] }
  fileprivate var geometry: [String: Any] { self["geometry"] as? [String: Any] ?? [:] }
  fileprivate var type: String { geometry["type"] as? String ?? "" }
  fileprivate var point: [Double] { geometry["coordinates"] as? [Double] ?? [] }
}

@Suite("GeoJSON") struct GeoJSONTests {
  @Test("holds circle, track, visits and events by the rules of RFC 7946")
  func valid() throws {
    let exported = try Exported("geojson", HandMadeCase.make())
    let check = try GeoJSONCheck(exported.bytes)
    #expect(
      check.features.map { $0.properties["what"] as? String } == [
        "circle", "track", "position", "visit", "event",
      ])
    #expect(
      exported.remarks == [
        "2 visit ends without a known place (positions come from --track, or from the capture) left out"
      ])
    let track = try #require(check.all("track").first)
    #expect(track.properties["file"] as? String == "walk.gpx")
    #expect(
      track.properties["coordTimes"] as? [String] == [
        "2026-05-19T10:00:00.000000000Z", "2026-05-19T10:00:20.000000000Z",
      ])
    // A minute later, with nothing in between.
    let alone = try #require(check.all("position").first)
    #expect(alone.point == [13.44, 52.5])
    #expect(alone.properties["coordTimes"] as? [String] == ["2026-05-19T10:01:20.000000000Z"])
  }

  @Test("a visit begins where the observer was between two fixes")
  func visit() throws {
    let check = try GeoJSONCheck(Exported("geojson", HandMadeCase.make(named: "hall")).bytes)
    let visit = try #require(check.all("visit").first)
    #expect(visit.properties["end"] as? String == "entry")
    #expect(visit.properties["region"] as? String == "hall")
    #expect(visit.properties["time"] as? String == "2026-05-19T10:00:10.500000000Z")
    // 10.5 of 20 seconds from 13.4 to 13.42.
    #expect(abs(visit.point[0] - 13.4105) < 1e-6)
    #expect(abs(visit.point[1] - 52.5) < 1e-5)
  }

  static func circle(_ latitude: Double, _ longitude: Double, _ radius: Double) throws
    -> [String: Any]
  {
    let file = try CaseFile.temporary()
    try file.insert([
      RegionRow(
        name: "c", condition: "x", definition: "x", latitude: latitude, longitude: longitude,
        radiusM: radius)
    ])
    return try #require(try GeoJSONCheck(Exported("geojson", file).bytes).all("circle").first)
  }

  @Test("a circle has 64 corners, each as far from the centre as it should be")
  func corners() throws {
    let circle = try Self.circle(52.5, 13.4, 100)
    let rings = try #require(circle.geometry["coordinates"] as? [[[Double]]])
    #expect(rings[0].count == 65)
    for place in rings[0] {
      let north = (place[1] - 52.5) * .pi / 180 * 6_371_008.8
      let east = (place[0] - 13.4) * .pi / 180 * 6_371_008.8 * cos(52.5 * .pi / 180)
      #expect(abs((north * north + east * east).squareRoot() - 100) < 0.1)
    }
    #expect(circle.properties["radius_m"] as? Double == 100)
    #expect(circle.properties["centre"] as? [Double] == [13.4, 52.5])
  }

  @Test(
    "circles across the antimeridian and around a pole are cut there",
    arguments: [
      (10.0, 179.999, 1000.0, "MultiPolygon"), (-10, -180, 1000, "MultiPolygon"),
      (89.9, 0, 50_000, "Polygon"), (-89.9, 170, 50_000, "Polygon"), (90, 0, 1000, "Polygon"),
      (0, 0, 15_000_000, "Point"), (60, 100, 9_000_000, "Polygon"),
    ])
  func cut(_ latitude: Double, _ longitude: Double, _ radius: Double, _ type: String) throws {
    #expect(try Self.circle(latitude, longitude, radius).type == type)
  }

  @Test("the area of a cut circle is that of a whole one")
  func area() throws {
    func area(_ circle: [String: Any]) -> Double {
      let parts: [[[[Double]]]]
      if let many = circle.geometry["coordinates"] as? [[[[Double]]]] {
        parts = many
      } else {
        parts = [circle.geometry["coordinates"] as? [[[Double]]] ?? []]
      }
      var sum = 0.0
      for ring in parts.joined() {
        for (one, next) in zip(ring, ring.dropFirst()) {
          sum += one[0] * next[1] - next[0] * one[1]
        }
      }
      return sum
    }
    let whole = area(try Self.circle(10, 0, 100_000))
    let cut = area(try Self.circle(10, 179.7, 100_000))
    #expect(whole > 0)
    #expect(abs(cut / whole - 1) < 1e-6)
  }

  @Test(
    "a track across the antimeridian comes in two parts, eastward and westward",
    arguments: [
      (179.9, -179.9, 180.0), (-179.9, 179.9, -180),
    ])
  func trackCut(_ from: Double, _ to: Double, _ side: Double) throws {
    let file = try CaseFile.temporary()
    try file.insert([
      FixRow(source: "track", number: 1, timeNs: 0, latitude: 10, longitude: from),
      FixRow(source: "track", number: 2, timeNs: 1, latitude: 12, longitude: to),
    ])
    let track = try #require(try GeoJSONCheck(Exported("geojson", file).bytes).all("track").first)
    let parts = try #require(track.geometry["coordinates"] as? [[[Double]]])
    #expect(parts == [[[from, 10], [side, 11]], [[-side, 11], [to, 12]]])
    let times = try #require(track.properties["coordTimes"] as? [[Any]])
    #expect(times.map(\.count) == [2, 2])
    #expect(times[0][1] is NSNull)
  }

  private static func fix(_ second: Int64?, _ longitude: Double, gap: Bool? = nil) -> FixRow {
    FixRow(
      source: "track", number: 1, timeNs: second.map { $0 * 1_000_000_000 }, latitude: 10,
      longitude: longitude, gapBefore: gap)
  }

  @Test("a track is cut where the way from one fix to the next is not known")
  func gap() throws {
    let file = try CaseFile.temporary()
    try file.insert([
      Self.fix(0, 1), Self.fix(30, 2), Self.fix(230, 3), Self.fix(240, 4), Self.fix(300, 5),
    ])
    let check = try GeoJSONCheck(Exported("geojson", file).bytes)
    let track = try #require(check.all("track").first)
    #expect(track.type == "MultiLineString")
    #expect(
      track.geometry["coordinates"] as? [[[Double]]]
        == [[[1, 10], [2, 10]], [[3, 10], [4, 10]]])
    #expect((track.properties["coordTimes"] as? [[String]])?.map(\.count) == [2, 2])
    #expect(check.all("position").map(\.point) == [[5, 10]])
  }

  @Test("of a track that was thinned out the case says where it has gaps, and nobody guesses")
  func thinned() throws {
    let file = try CaseFile.temporary()
    try file.insert([
      Self.fix(0, 1, gap: false), Self.fix(60, 2, gap: false), Self.fix(120, 3, gap: true),
      Self.fix(180, 4, gap: false),
    ])
    let track = try #require(try GeoJSONCheck(Exported("geojson", file).bytes).all("track").first)
    #expect(
      track.geometry["coordinates"] as? [[[Double]]]
        == [[[1, 10], [2, 10]], [[3, 10], [4, 10]]])
  }

  @Test("fixes without times are a line") func untimed() throws {
    let file = try CaseFile.temporary()
    try file.insert([Self.fix(nil, 1), Self.fix(nil, 2)])
    #expect(
      try GeoJSONCheck(Exported("geojson", file).bytes).all("track").map(\.type) == ["LineString"])
  }

  @Test("a visit ends on the map where somebody was heard for the last time")
  func exit() throws {
    let file = try HandMadeCase.make(named: "hall")
    try file.database.write {
      try $0.execute(
        sql: "UPDATE stays SET last_seen_ns = ?, until_ns = ? WHERE id = 1",
        arguments: [HandMadeCase.ns(15), HandMadeCase.ns(19)])
    }
    let check = try GeoJSONCheck(Exported("geojson", file).bytes)
    let exit = try #require(check.all("visit").first { $0.properties["end"] as? String == "exit" })
    #expect(abs(exit.point[0] - 13.415) < 1e-6)
    #expect(exit.properties["time"] as? String == "2026-05-19T10:00:19.000000000Z")
    #expect(exit.properties["last_seen"] as? String == "2026-05-19T10:00:15.000000000Z")
  }

  @Test("a visit of a circle lies where its border was crossed") func crossed() throws {
    let file = try HandMadeCase.make(named: "hall")
    try file.insert([
      StayRow(
        profileId: 1, observerId: 1, regionId: 2, sinceNs: HandMadeCase.ns(120),
        wasInsideAlready: false)
    ])
    try file.database.write {
      try $0.execute(
        sql: """
          UPDATE events SET json = '{"crossed_at":"2026-05-19T10:00:12.000000000Z"}'
            WHERE event = '8000000000000003'
          """)
    }
    let check = try GeoJSONCheck(Exported("geojson", file).bytes)
    let visit = try #require(
      check.all("visit").first { $0.properties["region"] as? String == "yard" })
    #expect(abs(visit.point[0] - 13.412) < 1e-6)
    #expect(visit.properties["time"] as? String == "2026-05-19T10:02:00.000000000Z")
    #expect(visit.properties["crossed_at"] as? String == "2026-05-19T10:00:12.000000000Z")
    let other = try #require(
      check.all("visit").first { $0.properties["region"] as? String == "hall" })
    #expect(other.properties["crossed_at"] == nil)
  }

  @Test("a circle is as large as the main profile follows it") func largest() throws {
    let file = try HandMadeCase.make(named: "hall")
    for (largest, radius) in [("null", 100.0), ("20.0", 20), ("200", 100)] {
      try file.database.write {
        try $0.execute(
          sql: "UPDATE profiles SET numbers = ?", arguments: ["{\"max_radius_m\":\(largest)}"])
      }
      let circle = try #require(
        try GeoJSONCheck(Exported("geojson", file).bytes).all("circle").first)
      #expect(circle.properties["radius_m"] as? Double == radius)
      let rings = try #require(circle.geometry["coordinates"] as? [[[Double]]])
      let north = try #require(rings[0].map { $0[1] }.max())
      #expect(abs((north - 52.5) * .pi / 180 * 6_371_008.8 - radius) < 0.1)
    }
  }

  @Test("a beacon was heard best where its observer was then, not where another one was")
  func strongest() throws {
    let file = try HandMadeCase.make(named: "hall")
    try file.insert([
      StrongestRow(beaconId: 1, timeNs: HandMadeCase.ns(10), rssi: -48, observerId: 1),
      StrongestRow(beaconId: 1, timeNs: HandMadeCase.ns(10), rssi: -52, observerId: 2),
      StrongestRow(beaconId: 1, timeNs: HandMadeCase.ns(300), rssi: -60, observerId: 2),
    ])
    try file.insert([
      FixRow(
        source: "capture", observerId: 2, captureId: 1, number: 1, timeNs: HandMadeCase.ns(5),
        latitude: 1, longitude: 2),
      FixRow(
        source: "capture", observerId: 2, captureId: 1, number: 2, timeNs: HandMadeCase.ns(15),
        latitude: 1, longitude: 2),
    ])
    let exported = try Exported("geojson", file)
    let found = try GeoJSONCheck(exported.bytes).all("strongest")
    #expect(found.map { $0.properties["rssi"] as? Int } == [-48, -52])
    #expect(abs(found[0].point[0] - 13.41) < 1e-6 && abs(found[0].point[1] - 52.5) < 1e-5)
    #expect(found[1].point == [2, 1])
    #expect(found[0].properties["beacon"] as? String == "hall")
    #expect(found[0].properties["kind"] as? String == "ibeacon")
    #expect(found[0].properties["identity"] as? String == "f7826da6:1:7")
    #expect(found[0].properties["observer"] as? String == "north")
    #expect(found[0].properties["time"] as? String == "2026-05-19T10:00:10.000000000Z")
    #expect(
      exported.remarks.contains(
        "1 strongest signal without a known place (positions come from --track, or from the capture) left out"
      ))
  }

  @Test("one fix alone is a position")
  func single() throws {
    let file = try CaseFile.temporary()
    try file.insert([FixRow(source: "capture", number: 1, latitude: 1, longitude: 2)])
    let position = try #require(
      try GeoJSONCheck(Exported("geojson", file).bytes).all("position").first)
    #expect(position.point == [2, 1])
    #expect((position.properties["coordTimes"] as? [Any])?.first is NSNull)
  }
}
