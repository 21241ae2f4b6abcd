/// Events of the run itself, and of places.
extension Events {
  /// A rule for something that ordinary input has none of: it has to say that there was none.
  private static func never(_ event: String, _ handler: String) -> ReferenceExample {
    ReferenceExample(
      """
      local seen = 0
      on("\(event)", function(e)
        seen = seen + 1
        \(handler)
      end)
      on("finish", function() print(seen) end)
      """,
      test: """
        test "has nothing to tell" {
          sightings = {
            { at = 0, ["until"] = 10, every = 1, url = "https://example.com/",
              address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "0" },
        }
        """)
  }

  static let position = ReferenceEvent(
    "position",
    "The observer moved past a filter; only with positions (`--track`, or in the capture) and a filter (`--positions`).",
    EventFieldRows.ofPosition, never("position", "print(e.latitude, e.longitude, e.cause)"))

  static let monitoringFailed = ReferenceEvent(
    "monitoring_failed", "A region is past the profile's limit and is not followed.",
    EventFieldRows.ofFailure,
    never("monitoring_failed", "alert { title = e.region .. \" is not followed\" }"))

  static let malformed = ReferenceEvent(
    "malformed", "A record could not be read.",
    [
      EventFieldRows.type("malformed"), EventFieldRows.time, EventFieldRows.observer,
      EventFieldRows.capture, EventFieldRows.frame,
      ReferenceField("reason", .string, "A code, as `info` lists them."),
    ],
    ReferenceExample(
      """
      on("malformed", function(e)
        alert { title = "Malformed", text = e.reason .. " in frame " .. e.frame }
      end)
      """,
      test: """
        test "tells what was wrong" {
          capture = "malformed.btsnoop",
          alerts = { { at = 1, title = "Malformed", text = "num_reports_zero in frame 2" } },
        }
        """,
      captures: [
        "malformed.btsnoop": ExampleCapture.btsnoop([
          (0, ExampleCapture.beacon), (1000, ExampleCapture.malformed),
        ])
      ]))

  static let clock = ReferenceEvent(
    "clock", "The capture's clock stepped.",
    [
      EventFieldRows.type("clock"), EventFieldRows.time, EventFieldRows.observer,
      EventFieldRows.capture, EventFieldRows.frame,
      ReferenceField("step_s", .number, "s", "By how much; negative: back."),
    ],
    ReferenceExample(
      """
      on("clock", function(e) print(e.frame, e.step_s) end)
      """,
      test: """
        test "tells the step" {
          capture = "clock.btsnoop",
          alerts = {},
          print = { "2\t-2.0" },
        }
        """,
      captures: [
        "clock.btsnoop": ExampleCapture.btsnoop([
          (0, ExampleCapture.beacon), (-2000, ExampleCapture.beacon),
        ])
      ]))

  static let observer = ReferenceEvent(
    "observer",
    "The radio began or ceased to scan, or was reset; capturing stopped or went on; packets were "
      + "lost. `recording_on` tells of an observer's first record, also behind a time of which there is "
      + "no capture of it, in which nothing is known; `recording_off` of the last one before such a time, or "
      + "of all.",
    [
      EventFieldRows.type("observer"), EventFieldRows.time, EventFieldRows.observer,
      EventFieldRows.capture, EventFieldRows.frame,
      ReferenceField("what", .words(EventFieldRows.deeds), "What happened."),
      ReferenceField(
        "count", .integer, optional: true, "Of `lost`: how many packets; nil of all others."),
      ReferenceField(
        "filters_duplicates", .boolean, optional: true,
        "Of `scan_on`: whether whoever was heard once is told no more, or seldom; nil of all others."
      ),
      ReferenceField(
        "hears_listed_only", .boolean, optional: true,
        "Of `scan_on`: whether the controller passes on only whom it was told to (its list, or Android's content "
          + "filter when it began); nil of all others."
      ),
      ReferenceField(
        "radio_share", .number, optional: true,
        "Of `scan_on`: which part of the time the radio listens, 0 to 1; nil: all of it, or not known, and of all "
          + "others."),
    ],
    ReferenceExample(
      """
      on("observer", function(e) print(e.what) end)
      """,
      test: """
        test "tells when nobody listened" {
          sightings = {
            { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" },
            { at = 10, scan = "off" },
            { at = 20, scan = "on" },
          },
          alerts = {},
          print = { "recording_on", "scan_off", "scan_on", "recording_off" },
        }
        """))

  static let start = ReferenceEvent(
    "start",
    "The run begins: before anything else. Told again to a file that has changed during live "
      + "monitoring.",
    [
      EventFieldRows.type("start"),
      ReferenceField("time", .number, "s", "The time now, the first one known: since 1970, UTC."),
      ReferenceField("captures", .list(.string), "The inputs as they were named."),
      ReferenceField(
        "regions", .list(.string), "Names of the declared regions, in their order by letters."),
      ReferenceField(
        "beacon_regions", .list(.string),
        "Those of them that say by identity or address who lies in them: no circles, none that is nothing "
          + "but a rule (`contains`)."),
    ],
    ReferenceExample(
      """
      on("start", function(e) print(#e.captures, e.time == os.time()) end)
      """,
      test: """
        test "is told first" {
          sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
          alerts = {},
          print = { "1\\ttrue" },
        }
        """))

  static let finish = ReferenceEvent(
    "finish",
    "The run is over: nothing follows in it. With `--state` the next may go on with what `state` is then.",
    [
      EventFieldRows.type("finish"),
      ReferenceField("time", .number, "s", "The last time known: since 1970, UTC."),
    ],
    ReferenceExample(
      """
      local count, first = 0, nil
      on("start", function(e) first = e.time end)
      on("sighting", function() count = count + 1 end)
      on("finish", function(e) print(count .. " in " .. e.time - first .. " s") end)
      """,
      test: """
        test "is told last" {
          sightings = {
            { at = 0, ["until"] = 10, every = 1, url = "https://example.com/",
              address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "11 in 10.0 s" },
        }
        """))
}
