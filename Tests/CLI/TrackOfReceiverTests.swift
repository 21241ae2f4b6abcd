import Foundation
import TestSupport
import Testing

/// Where each of several receivers was, and what is said of circles that nobody entered.
@Suite("tracks of receivers", .timeLimit(.minutes(60))) struct TrackOfReceiverTests {
  private static let museum = Captures.folder.appending(path: Captures.walk).path
  private static let receivers = [
    "--observer", "walker=walk.btsnoop", "--observer", "door=\(museum)", "walk.btsnoop", museum,
  ]

  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// A fix a second for 16 minutes at one place.
  private static func standing(_ latitude: Double, from hour: Int = 10) -> [UInt8] {
    let points = (0..<960).map { second in
      let clock = [second / 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        .joined(separator: ":")
      return
        "<trkpt lat=\"\(latitude)\" lon=\"13.4\"><time>2026-05-19T\(hour):\(clock)Z</time></trkpt>"
    }
    return Array(
      ("<gpx version=\"1.1\"><trk><trkseg>" + points.joined() + "</trkseg></trk></gpx>").utf8)
  }

  private static func entered(_ options: [String], _ scene: WalkScene) throws -> [String] {
    let run = try Tool.run(
      ["events", "--format", "ndjson", "--region", WalkScene.circle] + options + receivers,
      in: scene.scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return try run.lines.map { try JSON($0) }.filter {
      $0["region"]?.text == "yard" && $0["type"]?.text == "enter"
    }.compactMap { $0["observer"]?.text }
  }

  @Test func aTrackIsOfTheReceiverThatItNames() throws {
    let scene = try WalkScene()
    #expect(try Self.entered(["--track", "walker=walk.gpx"], scene) == ["walker"])
    #expect(try Self.entered(["--track", "door=walk.gpx"], scene) == ["door"])
    // Of nobody in particular it is of both, and a receiver's own one comes before it.
    #expect(try Set(Self.entered(["--track", "walk.gpx"], scene)) == ["walker", "door"])
    try scene.scratch.write("far.gpx", Self.standing(53))
    #expect(
      try Self.entered(["--track", "walk.gpx", "--track", "door=far.gpx"], scene) == ["walker"])
  }

  @Test func aFileWithAnEqualsSignInItsNameIsAFile() throws {
    let scene = try WalkScene()
    try FileManager.default.copyItem(
      atPath: scene.scratch.folder.appending(path: "walk.gpx").path,
      toPath: scene.scratch.folder.appending(path: "door=walk.gpx").path)
    #expect(
      try Set(Self.entered(["--track", "door=walk.gpx"], scene)) == ["walker", "door"])
  }

  @Test func aTrackOfAReceiverThatIsNotThereIsTold() throws {
    let scene = try WalkScene()
    let run = try Tool.run(
      ["analyze", "--region", WalkScene.circle, "--track", "dor=walk.gpx"] + Self.receivers,
      in: scene.scratch.folder)
    #expect(
      Self.words(run.errors + run.output).contains(
        "walk.gpx is the track of 'dor', and no receiver has that name; there are: door, walker"),
      "\(run.errors)\(run.output)")
  }

  @Test func tracksThatContradictEachOtherAreTold() throws {
    let scene = try WalkScene()
    try scene.scratch.write("far.gpx", Self.standing(52.6))
    let sentence = "are of the same time, and up to 11.1 km apart"
    let mixed = try Tool.run(
      ["analyze", "--region", WalkScene.circle, "--track", "walk.gpx", "--track", "far.gpx"]
        + Self.receivers, in: scene.scratch.folder)
    #expect(Self.words(mixed.errors + mixed.output).contains(sentence), "\(mixed.output)")
    let named = try Tool.run(
      ["analyze", "--region", WalkScene.circle, "--track", "walker=walk.gpx", "--track", "far.gpx"]
        + Self.receivers, in: scene.scratch.folder)
    #expect(!Self.words(named.errors + named.output).contains("of the same time"))
  }

  @Test func aCircleThatWasPassedTooSoonSaysSo() throws {
    let scene = try WalkScene()
    let run = try Tool.run(
      "analyze", "--region", WalkScene.circle, "--track", "walk.gpx", "--set", "dwell=100",
      "walk.btsnoop", in: scene.scratch.folder)
    #expect(run.output.contains(/yard +passed, 46 s/), "\(run.output)")
    #expect(
      Self.words(run.output).contains(
        "Circle yard was never entered: the way lay inside it for 46 s at the most, and an entry takes 100 s"
      ), "\(run.output)")
  }

  @Test func aCircleFarAwaySaysHowFar() throws {
    let scene = try WalkScene()
    let run = try Tool.run(
      "analyze", "--region", "swapped=circle:13.4,52.5,40", "--region",
      "beside=circle:52.51,13.4,100", "--track", "walk.gpx", "walk.btsnoop",
      in: scene.scratch.folder)
    let words = Self.words(run.output)
    #expect(
      words.contains(
        /Circle swapped was never entered: the nearest position lies \d+ km outside it \(latitude and longitude/
      ), "\(run.output)")
    // 1112 m north of the walk's beginning, which ends 1000 m north of it.
    #expect(
      words.contains("Circle beside was never entered: the nearest position lies 12 m outside it."),
      "\(run.output)")
  }

  @Test func ofCirclesWithoutAnyPositionNobodySaysNever() throws {
    let scene = try WalkScene()
    let run = try Tool.run(
      ["analyze", "--region", WalkScene.circle, "--region", WalkScene.beacon] + Self.receivers,
      in: scene.scratch.folder)
    #expect(run.output.contains(/yard +not known/), "\(run.output)")
  }

  @Test func thePauseBetweenRecordingsIsNoGapOfPositions() throws {
    let scene = try WalkScene()
    // The same receiver an hour later.
    try scene.scratch.write("later.btsnoop", WalkScene.capture(later: 3600))
    try scene.scratch.write("one.gpx", Self.standing(52.6))
    try scene.scratch.write("two.gpx", Self.standing(52.6, from: 11))
    let run = try Tool.run(
      "analyze", "--region", WalkScene.circle, "--track", "one.gpx", "--track", "two.gpx",
      "--observer", "walker=walk.btsnoop,later.btsnoop", "walk.btsnoop", "later.btsnoop",
      in: scene.scratch.folder)
    #expect(run.output.contains(/yard +never/), "\(run.output)\(run.errors)")
    #expect(!run.output.contains("Positions lie"), "\(run.output)")
  }

  @Test func aTrackThatBeginsLateIsTold() throws {
    let scene = try WalkScene()
    try scene.scratch.write("late.gpx", Self.late)
    let run = try Tool.run(
      "analyze", "--region", WalkScene.circle, "--track", "late.gpx", "walk.btsnoop",
      in: scene.scratch.folder)
    #expect(
      Self.words(run.output).contains("The track begins 120 s after the recording does"),
      "\(run.output)")
  }

  private static let late = Array(
    """
    <gpx version="1.1"><trk><trkseg><trkpt lat="52.6" lon="13.4"><time>2026-05-19T10:02:00Z</time></trkpt>
    <trkpt lat="52.6" lon="13.4"><time>2026-05-19T10:02:20Z</time></trkpt></trkseg></trk></gpx>
    """.utf8)

  @Test func aCaseTakesTheTrackOfWhatIsAdded() throws {
    let scene = try WalkScene()
    let folder = scene.scratch.folder
    let first = try Tool.run(
      "analyze", "-q", "--case", "c.sqlite", "--region", WalkScene.circle, "--observer",
      "door=\(Self.museum)", Self.museum, in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let added = try Tool.run(
      "analyze", "-q", "--case", "c.sqlite", "--track", "walker=walk.gpx", "--observer",
      "walker=walk.btsnoop", "walk.btsnoop", in: folder)
    #expect(added.status == 0, "\(added.errors)")
    let stays = try Tool.run(
      "case", "query", "c.sqlite",
      "SELECT observer FROM visits", in: folder)
    #expect(stays.output.contains("walker"), "\(stays.output)\(stays.errors)")
    let whose = try Tool.run(
      "case", "query", "c.sqlite",
      "SELECT DISTINCT o.name FROM fixes f LEFT JOIN observers o ON o.id = f.observer_id",
      in: folder)
    #expect(whose.output.contains("walker") && !whose.output.contains("door"), "\(whose.output)")
    // Anything else that differs is another case.
    let other = try Tool.run(
      "analyze", "-q", "--case", "c.sqlite", "--profile", "site", "--set", "dwell=5",
      "walk.btsnoop",
      in: folder)
    #expect(other.status == 64, "\(other.errors)")
    // Its own track is read again, and has to be what it was.
    try scene.scratch.write("walk.gpx", Self.standing(53))
    let changed = try Tool.run(
      "analyze", "-q", "--case", "c.sqlite", "--track", "other=walk.gpx", Self.museum, in: folder)
    #expect(changed.errors.contains("its track walk.gpx is another file now"), "\(changed.errors)")
  }
}
