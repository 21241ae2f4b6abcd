import Testing

/// A clock that is set back while it is recorded: time stands still until it has come as far as before.
@Suite(.timeLimit(.minutes(60))) struct SetBackClockTests {
  /// From 09:01:00 on the clock is five minutes behind; `1:2` falls silent before it has caught up.
  private func scene() throws -> SiteScene {
    let site = try SiteScene()
    let devices = [(1, ""), (2, ", \"dies_s\": 200"), (3, "")].map { minor, own in
      """
      {"name": "b\(minor)", "kind": "ibeacon", "uuid": "\(SiteScene.uuid)", "major": 1,
       "minor": \(minor), "address": "c4:b0:00:00:01:0\(minor)", "at": [\(2 * minor), 1],
       "interval_ms": 1000\(own)}
      """
    }
    try site.scratch.synthesize(
      "site",
      """
      {"name": "site", "start": "2026-11-17T09:00:00Z", "duration_s": 900,
       "observer": [[0, 0, 0]], "clock_steps": [{"at_s": 60, "step_s": -300}],
       "scan": {"commands": "legacy", "interval_ms": 100, "window_ms": 100},
       "beacons": [\(devices.joined(separator: ",\n"))]}
      """)
    return site
  }

  @Test("beacon-silent counts from where time stood still, and says what the record is stamped")
  func silence() throws {
    let told = try scene().alerts("--plugin", "beacon-silent", "site.btsnoop")
    #expect(told.count == 1, "\(told)")
    let text =
      /1:2 is silent: Not heard since 09:0(0:59|1:00) UTC, for 2 min 0. s; others were\. Its last record is stamped 08:58:(19|20) UTC: the clock had been set back\./
    #expect(told.first?.contains(text) == true, "\(told)")
  }

  @Test(
    "what is explained of an exit adds up: its silence counts from where the sighting was followed")
  func explained() throws {
    let site = try scene()
    let words = ["--region", "b2=ibeacon:\(SiteScene.uuid):1:2", "site.btsnoop"]
    let events = try Tool.run(["events", "--format", "ndjson"] + words, in: site.scratch.folder)
      .output
    let line = try #require(events.split(separator: "\n").first { $0.contains("\"exit\"") })
    let id = try #require(try JSON(String(line))["id"]?.text)
    let told = try Tool.run(["explain", id] + words, in: site.scratch.folder).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      told.contains(
        /for 30\.000 s from 09:0(0:59|1:00)\.\d{3} on, the time at which that sighting was followed, the limit is 30 s/
      ),
      "\(told)")
  }

  @Test("where --clock moves parts of it, it is said that what stands there twice is moved alike")
  func movedInParts() throws {
    let site = try scene()
    func told(_ clocks: [String]) throws -> String {
      let options = clocks.flatMap { ["--clock", "site.btsnoop=\($0)"] }
      return try Tool.run(["analyze"] + options + ["site.btsnoop"], in: site.scratch.folder).output
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let parts = try told([
      "-7200s,until=2026-11-17T09:01:00Z", "-6900s,from=2026-11-17T09:01:00Z",
    ])
    #expect(parts.contains("shows some times twice: both are moved alike"), "\(parts)")
    // Another step than that by which they are moved, and one that moving them makes.
    for others in [["-2h"], ["+2h,until=2026-11-17T09:05:00Z"]] {
      let whole = try told(others)
      #expect(!whole.contains("twice: both"), "\(whole)")
    }
  }

  @Test("of a part of the time that is stamped and not followed it is said where it went")
  func window() throws {
    let site = try scene()
    let words = ["--from", "2026-11-17 08:56:30", "--to", "2026-11-17 08:57:30", "site.btsnoop"]
    let told = try Tool.run(["analyze"] + words, in: site.scratch.folder).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      told.contains(
        /1\d\d sightings are stamped then by a clock that was set back: followed at later times/),
      "\(told)")
    #expect(
      told.contains(
        "REGIONS profile site, exit after 30 s nothing is followed in this part of the time: what is "
          + "stamped with it came behind a clock that was set back."), "\(told)")
    #expect(!told.contains("no record has a time"))
    let document = try JSON(
      Tool.run(["analyze", "--format", "json"] + words, in: site.scratch.folder).output)
    let beacons = document["beacons"]?.list ?? []
    #expect(
      document["window"]?["sightings_followed_later"]?.int
        == beacons.reduce(0) { $0 + ($1["sightings"]?.int ?? 0) })
  }
}
