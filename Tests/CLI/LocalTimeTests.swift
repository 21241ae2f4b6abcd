import Foundation
import Testing

/// `--local`: times as on the wall, for people alone.
@Suite struct LocalTimeTests {
  /// Central European time by its rules, without tables of the machine.
  private static let zone = "TZ=CET-1CEST,M3.5.0,M10.5.0/3"
  private static let walk = "museum-walk.btsnoop.gz"

  private static func run(_ words: String, in folder: URL = Captures.folder) throws -> Run {
    try Tool.shell("\(zone) \"$TOOL\" \(words)", in: folder)
  }

  @Test(arguments: [
    ("analyze --local \(walk)", "2026-05-19 11:59:59–12:15:00 CEST (UTC+2)"),
    ("analyze --local \(walk)", "VISITS    2026-05-19, CEST (UTC+2)"),
    ("events --local \(walk)", "2026-05-19 CEST (UTC+2)\n396fe148082a1d10  12:00:00.034"),
    ("sightings --local \(walk)", "2026-05-19 CEST (UTC+2), observer museum-walk\n12:00:00.034"),
    ("explain --local 396fe148082a1d10 \(walk)", "at 2026-05-19 12:00:00.034 CEST (UTC+2)"),
    (
      "replay --speed max --local \(walk)",
      "2026-05-19 CEST (UTC+2)\n396fe148082a1d10  12:00:00.034"
    ),
    ("analyze \(walk)", "2026-05-19 09:59:59–10:15:00 UTC"),
  ])
  func timesAreThoseOfTheZoneWhichIsNamed(words: String, shown: String) throws {
    let run = try Self.run(words)
    #expect((run.output + run.errors).contains(shown), "\(run.output.prefix(600)) \(run.errors)")
  }

  /// Nothing else is another one: the lines are the same but for their times.
  @Test func nothingButTimesChanges() throws {
    func without(_ text: String) -> String {
      // In sentences UTC is not named.
      text.replacing(/\d\d:\d\d(:\d\d)?/, with: "#").replacing("CEST (UTC+2)", with: "UTC")
        .replacing("# UTC.", with: "#.")
    }
    for words in ["events", "analyze --all", "sightings"] {
      let local = try Self.run("\(words) --local \(Self.walk)")
      let usual = try Self.run("\(words) \(Self.walk)")
      #expect(local.output != usual.output)
      #expect(without(local.output) == without(usual.output), "\(words)")
    }
  }

  /// Clocks go back at 01:00 UTC: the hour is there twice, and the lines say which it is.
  @Test func anHourThatIsThereTwiceIsToldApart() throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "night", "duration_s": 240, "start": "2026-10-25T00:58:00Z", "observer": [[0, 0, 0]],
       "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 500}]}
      """
    try scratch.synthesize("night", scenario)
    let sightings = try Self.run("sightings --local night.btsnoop", in: scratch.folder)
    let headings = sightings.lines.filter { $0.hasPrefix("2026") }
    #expect(
      headings == [
        "2026-10-25 CEST (UTC+2), observer night", "2026-10-25 CET (UTC+1), observer night",
      ])
    let analysis = try Self.run("analyze --local night.btsnoop", in: scratch.folder)
    #expect(
      analysis.output.contains("2026-10-25 02:57:59 CEST (UTC+2)–02:02:00 CET (UTC+1)"),
      "\(analysis.output)")
    // Times above the bars go on in the repeated hour.
    #expect(analysis.output.contains(/02:59 +02:00 +02:01/), "\(analysis.output)")
  }

  /// Wherever two times stand together, one of another zone than the other has it beside.
  @Test func timesOfTwoZonesThatStandTogetherAreToldApart() throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "night", "duration_s": 1200, "start": "2026-10-25T00:50:00Z", "observer": [[0, 0, 0]],
       "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 500, "dies_s": 610},
         {"name": "other", "kind": "altbeacon", "at": [2, 2], "interval_ms": 500,
         "id": "2f234454cf6d4a0fadf2f4911ba9ffa600050001"}]}
      """
    try scratch.synthesize("night", scenario)
    let analysis = try Self.run("analyze --local night.btsnoop", in: scratch.folder).output
    #expect(
      analysis.contains(/02:50:0\d  b940…fe6d .*→ left 02:00:\d\d CET \(UTC\+1\), gone/),
      "\(analysis)")
    #expect(analysis.contains(/02:50:0\d CEST \(UTC\+2\)–02:00:\d\d CET \(UTC\+1\)/), "\(analysis)")
    let events = try Self.run(
      "events --local --where 'type == \"exit\"' night.btsnoop", in: scratch.folder)
    #expect(events.output.contains(/exit .*, last seen 02:00:09\.\d{3}\n/), "\(events.output)")
    let id = try #require(events.lines.last?.prefix(16))
    let early = try Self.run(
      "events --local --set exit_after=5 --where 'type == \"exit\"' night.btsnoop",
      in: scratch.folder)
    #expect(
      early.output.hasPrefix("profile site with exit_after=5\n2026-10-25 CET (UTC+1)"),
      "\(early.output)")
    let explained = try Self.run("explain \(id) --local night.btsnoop", in: scratch.folder)
    #expect(explained.output.contains("CET (UTC+1) by observer"), "\(explained.output)")
  }

  /// Of several days, one heading does not say in which zone each of them is.
  @Test func daysOfBothZonesSayWhichIsWhose() throws {
    let scratch = try Scratch()
    for (name, start) in [("one", "2026-10-24T22:10:00Z"), ("two", "2026-11-06T09:10:00Z")] {
      try scratch.synthesize(
        name,
        """
        {"name": "\(name)", "duration_s": 60, "start": "\(start)", "observer": [[0, 0, 0]],
         "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
           "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 500}]}
        """)
    }
    let files = "one.btsnoop two.btsnoop"
    let analysis = try Self.run("analyze --local \(files)", in: scratch.folder).output
    #expect(
      analysis.contains(
        /2026-10-25 00:10:\d\d CEST \(UTC\+2\)–2026-11-06 10:1\d:\d\d CET \(UTC\+1\)/),
      "\(analysis)")
    let devices = try Self.run("devices --local \(files)", in: scratch.folder)
    #expect(devices.lines[0].hasSuffix("; CEST (UTC+2)"), "\(devices.output)")
    let place = try #require(devices.lines.firstIndex { $0.contains("from here on CET (UTC+1)") })
    #expect(devices.lines[place + 1].hasPrefix("10:00–11:00 "), "\(devices.output)")
  }

  /// Marks of the axis stand at round times of the clock, before a change and after it.
  @Test func theAxisGoesByTheClock() throws {
    let scratch = try Scratch()
    let scenario = """
      {"name": "days", "duration_s": 518400, "start": "2026-10-22T12:00:00Z", "observer": [[0, 0, 0]],
       "beacons": [{"name": "one", "kind": "ibeacon", "major": 1, "minor": 1, "at": [1, 1],
         "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "interval_ms": 10000}]}
      """
    try scratch.synthesize("days", scenario)
    let local = try Self.run("analyze --local days.btsnoop", in: scratch.folder)
    let axis = try #require(local.lines.first { $0.contains(/2026-10-\d\d +2026-10-\d\d/) })
    #expect(axis.contains("2026-10-24") && axis.contains("2026-10-26"), "\(axis)")
    #expect(!axis.contains("2026-10-25"), "\(axis)")
  }

  /// What is kept is in UTC, whatever was shown.
  @Test func casesAndPagesAreTheSame() throws {
    let scratch = try Scratch()
    let capture = Captures.folder.appending(path: Self.walk).path(percentEncoded: false)
    for name in ["local", "usual"] {
      let run = try Self.run(
        "analyze \(name == "local" ? "--local" : "") --case \(name).sqlite --report \(name).html "
          + "'\(capture)' >/dev/null", in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    for kind in ["sqlite", "html"] {
      let local = try Data(contentsOf: scratch.folder.appending(path: "local.\(kind)"))
      let usual = try Data(contentsOf: scratch.folder.appending(path: "usual.\(kind)"))
      #expect(!local.isEmpty && local == usual, "\(kind)")
    }
    let explained = try Self.run(
      "explain 396fe148082a1d10 --local local.sqlite", in: scratch.folder)
    #expect(explained.status == 64)
    #expect(explained.errors.contains("a case keeps its explanations in UTC"))
    let facts = try Self.run("case info --local local.sqlite", in: scratch.folder)
    #expect(facts.output.contains("12:15:00 CEST (UTC+2)"), "\(facts.output)")
  }

  @Test(arguments: [
    "analyze --format json", "events --format ndjson", "events --format csv",
    "sightings --format csv", "replay --format ndjson",
  ])
  func whatProgramsReadRefusesIt(words: String) throws {
    let run = try Self.run("\(words) --local \(Self.walk)")
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("other formats have all times in UTC"), "\(run.errors)")
  }

  @Test func aZoneThatIsNotThereIsRefused() throws {
    let run = try Tool.shell("TZ=Atlantis/Poseidonis \"$TOOL\" events --local \(Self.walk)")
    #expect(run.status == 64)
    #expect(run.errors.contains("there is no such time zone"), "\(run.errors)")
  }
}
