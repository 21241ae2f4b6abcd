import Foundation
import Testing

/// What proves that a circle was entered or left.
@Suite("explain of a circle's event", .timeLimit(.minutes(60))) struct CircleExplainTests {
  let scene: WalkScene

  init() throws {
    scene = try WalkScene()
    // All of it on one line, which is not worse a track.
    let gpx = try String(
      contentsOf: scene.scratch.folder.appending(path: "walk.gpx"), encoding: .utf8)
    try scene.scratch.write("line.gpx", Array(gpx.replacing("\n", with: " ").utf8))
  }

  private func explained(_ type: String, _ track: String, _ more: [String] = []) throws -> String {
    let words =
      ["--region", WalkScene.circle, "--track", track, "--set", "dwell=5"] + more + ["walk.btsnoop"]
    let folder = scene.scratch.folder
    let events = try Tool.run(["events", "--format", "ndjson"] + words, in: folder).lines
      .map { try JSON($0) }
    let id = try #require(events.first { $0["type"]?.text == type }?["id"]?.text)
    let run = try Tool.run(["explain", id] + words, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// Five metres a second towards a border that is 115 m from the place of second 100.
  @Test(
    "shows each position with its distances, and how the crossing's time follows",
    arguments: ["walk.gpx", "line.gpx"])
  func positions(_ track: String) throws {
    let told = try explained("enter", track)
    for part in [
      "position 10:01:10.000 at 52.503148, 13.400000: 150.0 m from the centre, 35.0 m outside the border",
      "then 10:01:20.000 at 52.503597, 13.400000: 100.0 m from the centre, 15.0 m inside the border",
      "boundary crossed at 10:01:17.0",
      ": the 50.0 m between the first two positions, walked at an even pace, meet the border, 115.0 m "
        + "from the centre, after 35.0 m: 10:01:10.000 + 35.0 / 50.0 × 10.000 s; told ",
    ] { #expect(told.contains(part), "\(told)") }
    #expect(told.contains("\(track == "line.gpx" ? "line 1 of line.gpx" : "line 9 of walk.gpx")"))
    let left = try explained("exit", track)
    #expect(left.contains("inside the border then 10:02:10.000"), "\(left)")
    #expect(left.contains("after 15.0 m: 10:02:00.000 + 15.0 / 50.0 × 10.000 s"), "\(left)")
  }

  @Test("goes by the radius that the profile watches") func reduced() throws {
    let told = try explained("state", "walk.gpx")
    #expect(told.contains("position 10:00:00.000 at 52.500000, 13.400000: 500.0 m from the centre"))
    #expect(told.contains("the first position known: no boundary was crossed"), "\(told)")
  }

  @Test("stands on the page, beside the visit") func page() throws {
    let run = try Tool.run(
      [
        "analyze", "-q", "--region", WalkScene.circle, "--track", "walk.gpx", "--report", "p.html",
        "walk.btsnoop",
      ], in: scene.scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let page = try String(
      contentsOf: scene.scratch.folder.appending(path: "p.html"), encoding: .utf8)
    #expect(page.contains("<br><small>border crossed 10:01:1"))
    #expect(page.contains("<br><small>border crossed 10:02:0"))
  }
}
