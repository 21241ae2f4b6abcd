import Foundation
import Testing

/// Where visits lie on a map, from captures and tracks to what is handed over.
@Suite(.timeLimit(.minutes(60)))
struct PlacedVisitTests {
  private static func features(_ run: Run, _ what: String) throws -> [JSON] {
    try (JSON(run.bytes)["features"]?.list ?? []).filter {
      $0["properties"]?["what"]?.text == what
    }
  }

  private static func point(_ feature: JSON) -> [Double] {
    (feature["geometry"]?["coordinates"]?.list ?? []).compactMap(\.number)
  }

  @Test func aVisitOfACircleLiesOnItsBorder() throws {
    let scene = try WalkScene()
    let run = try Tool.run(
      [
        "export", "-q", "--to", "geojson", "--region", WalkScene.circle, "--track", "walk.gpx",
        "walk.btsnoop",
      ], in: scene.scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let circle = try #require(try Self.features(run, "circle").first)
    let centre = try #require(circle["properties"]?["centre"]?.list?.last?.number)
    let visits = try Self.features(run, "visit")
    #expect(visits.compactMap { $0["properties"]?["end"]?.text } == ["entry", "exit"])
    for visit in visits {
      let latitude = try #require(Self.point(visit).last)
      #expect(abs(abs(latitude - centre) * 111_195 - 115) < 1)
      #expect(visit["properties"]?["crossed_at"]?.text != visit["properties"]?["time"]?.text)
    }
    // The beacon was heard best on the walk.
    #expect(try Self.features(run, "strongest").count == 2)
  }

  /// A fix every 10 s for nearly three days, around a walk of three minutes.
  @Test func aLongTrackLosesNoVisit() throws {
    let scene = try WalkScene()
    let points = stride(from: -125_000, through: 125_000, by: 10).map { second in
      let time = Date(timeIntervalSince1970: Double(1_779_184_800 + second))
        .formatted(.iso8601)
      return "<trkpt lat=\"52.5\" lon=\"13.4\"><time>\(time)</time></trkpt>\n"
    }
    try scene.scratch.write(
      "season.gpx",
      Array(
        ("<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
          + points.joined() + "</trkseg></trk></gpx>\n").utf8))
    let words = ["--region", WalkScene.beacon, "--track", "season.gpx"]
    let made = try Tool.run(
      ["analyze", "-q", "--case", "walk.sqlite"] + words + ["walk.btsnoop"],
      in: scene.scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let run = try Tool.run(["export", "--to", "geojson", "walk.sqlite"], in: scene.scratch.folder)
    #expect(run.status == 0)
    #expect(!run.errors.contains("without a known place"), "\(run.errors)")
    #expect(try Self.features(run, "visit").count == 4)
    // From 40 s before the first record to 240 s behind it.
    #expect(try Self.features(run, "track").first?["properties"]?["coordTimes"]?.list?.count == 29)
    let remark = try Tool.run(
      [
        "case", "query", "--format", "ndjson", "walk.sqlite",
        "SELECT text FROM remarks WHERE code = 'fixes_thinned'",
      ], in: scene.scratch.folder)
    #expect(
      try JSON(remark.output)["text"]?.text
        == "29 of 25 001 positions are kept; 24 972 lie outside all recordings and are left out; "
        + "the events were told by all of them.")
  }
}
