/// Functions that wait for something, and those that handlers call.
enum HandlingFunctions {
  static let all: [ReferenceFunction] = [
    on, every, after, cancel, alert, regionState, regionsOf, regionsAt, regionsLike, nameOf,
    scanLimits, heardAnybodyAt, mark, utc, utcOffset, remark, print, require,
  ]

  private static let timed = ReferenceType.function(
    [ReferenceParameter("now", .number)], returns: [])
  private static let seconds = ReferenceParameter(
    "seconds", .number, "of the capture's clock, above 0: a millisecond at least, a year at most")
  /// Ten seconds of a beacon that belongs to nothing: what passes time in a test.
  private static let tenSeconds = """
    { at = 0, ["until"] = 10, every = 1, url = "https://example.com/",
          address = "c2:35:33:30:25:50" }
    """

  static let on = ReferenceFunction(
    "on",
    [
      ReferenceParameter("event", .words(Reference.events.map(\.name))),
      ReferenceParameter(
        "filter", .either([.string, .record("filter")]), optional: true,
        "a region's name, or a table of what has to be so; a name that is `\"\"` wants all, as an option without a "
          + "value does, and nil is refused, which a misspelt name is, too"),
      ReferenceParameter(
        "handler", .function([ReferenceParameter("e", .any)], returns: []),
        "is given the event or the sighting"),
    ], .loading,
    "Calls a function whenever something happens. Filters of sightings are decided once for each "
      + "transmitter, before Lua is entered: what no rule wants costs nothing. A filter that nothing can "
      + "agree with (an unknown kind, half an address, a region that nobody declared) is refused.",
    Events.hearing)

  static let every = ReferenceFunction(
    "every", [seconds, ReferenceParameter("handler", timed)], returns: [.integer],
    .anywhere,
    "Calls a function again and again, the given seconds apart on the capture's clock, counted from "
      + "the capture's first time (of a live run its start; a restart counts anew), not from the full "
      + "minute or hour: for a time of the clock see the example of `utc_offset`. Where the clock jumps over more than 10 000 calls, those "
      + "behind them but for the last are skipped, and counted: `skipped_timers` in `analyze --format json`. A plugin may have 1 000 of these. "
      + "Returns "
      + "what `cancel` takes.",
    ReferenceExample(
      """
      local calls = 0
      every(4, function(now) calls = calls + 1 end)
      on("finish", function() print(calls) end)
      """,
      test: """
        test "is called twice in ten seconds" {
          sightings = {
            \(tenSeconds),
          },
          alerts = {},
          print = { "2" },
        }
        """))

  static let after = ReferenceFunction(
    "after", [seconds, ReferenceParameter("handler", timed)], returns: [.integer],
    .anywhere,
    "Calls a function once, that long from now on the capture's clock; at the top of the file, that "
      + "long after the capture's first time. A plugin may have 100 000 that wait. A restart forgets "
      + "them: what has to outlast one is a time in `state` that `every` looks at. Returns what `cancel` "
      + "takes.",
    ReferenceExample(
      """
      on("start", function(e)
        after(3, function(now) print(now - e.time) end)
      end)
      """,
      test: """
        test "is called once" {
          sightings = {
            \(tenSeconds),
          },
          alerts = {},
          print = { "3.0" },
        }
        """))

  static let cancel = ReferenceFunction(
    "cancel", [ReferenceParameter("timer", .integer)], returns: [.boolean], .anywhere,
    "Ends a timer. Returns whether there was one to end: one that is over is no mistake.",
    ReferenceExample(
      """
      local timer
      timer = every(1, function(now)
        print("once")
        cancel(timer)
      end)
      """,
      test: """
        test "fires no more" {
          sightings = {
            \(tenSeconds),
          },
          alerts = {},
          print = { "once" },
        }
        """))

  static let alert = ReferenceFunction(
    "alert", form: .table, [ReferenceParameter("alert", .record("alert"))], returns: [.boolean],
    .handling,
    "Tells people. Returns true where it was told, false where `once_per` or `at_most` held it back; "
      + "what was held back is counted. Without `evidence` it cites the frame that is being handled, "
      + "and in a timer what a handler of the plugin was called with last, or, before any was, the first frame of the run.",
    ReferenceExample(
      """
      on("sighting", { kind = "ibeacon" }, function(s)
        alert {
          severity = "notice",
          title = "Beacon " .. s.major .. " heard",
          text = "from " .. s.address,
          evidence = s,
          fields = { rssi = s.rssi },
          once_per = 60,
        }
      end)
      """,
      test: """
        test "is told once a minute" {
          sightings = {
            { at = 0, ["until"] = 90, every = 10, rssi = -60, address = "c2:35:33:30:25:50",
              ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7" },
          },
          alerts = {
            { at = 0, severity = "notice", title = "Beacon 1 heard",
              text = "from c2:35:33:30:25:50", fields = { rssi = -60 } },
            { at = 60, severity = "notice", title = "Beacon 1 heard" },
          },
        }
        """))

  static let regionState = ReferenceFunction(
    "region_state",
    [
      ReferenceParameter("name", .string),
      ReferenceParameter("observer", .string, optional: true, "left out: all of them together"),
    ], returns: [.words(["inside", "outside", "unknown"])], .handling,
    "The state of a region now: of several observers inside where any is inside, else outside where "
      + "any is outside. Where regions are declared it has to be one of them. Of an observer that is not "
      + "known, which is told once, it is unknown.",
    ReferenceExample(
      """
      region "lobby" {
        ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e" },
        exit_after = 5,
      }
      every(4, function(now) print(region_state("lobby")) end)
      """,
      test: """
        test "is inside, then outside" {
          sightings = {
            { at = 0, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
              address = "c2:35:33:30:25:51" },
            \(tenSeconds),
          },
          alerts = {},
          print = { "inside", "outside" },
        }
        """))

  static let mark = ReferenceFunction(
    "mark",
    [
      ReferenceParameter(
        "kind", .either([.words(["display_on"]), .string]), "what happened beside the radio"),
      ReferenceParameter(
        "time", .either([.number, .string]), optional: true,
        "seconds since 1970, or RFC 3339; left out: now"),
    ], .anywhere,
    "Sets a marker, as a line of `--markers` does: at `display_on` regions with "
      + "`notify_entry_state_on_display` tell that they are inside. At the top of the file it needs "
      + "its time.",
    ReferenceExample(
      """
      region "lobby" {
        ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e" },
        notify_entry_state_on_display = true,
        exit_after = 5,
      }
      after(12, function() mark "display_on" end)
      on("enter", function(e) print(e.time - e.crossed_at) end)
      """,
      test: """
        test "tells the entry when the display goes on" {
          sightings = {
            { at = 0, ["until"] = 20, every = 1, url = "https://example.com/",
              address = "c2:35:33:30:25:50" },
            { at = 10, ["until"] = 20, every = 1, address = "c2:35:33:30:25:51",
              ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7" },
          },
          alerts = {},
          print = { "2.0" },
        }
        """))

  static let utc = ReferenceFunction(
    "utc", [ReferenceParameter("time", .number, "seconds since 1970")], returns: [.string],
    .anywhere, "A time as the exports write it: RFC 3339 in UTC, with nine decimals.",
    ReferenceExample(
      """
      on("start", function() print(utc(86400.5)) end)
      """,
      test: """
        test "writes RFC 3339" {
          sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
          alerts = {},
          print = { "1970-01-02T00:00:00.500000000Z" },
        }
        """))

  static let utcOffset = ReferenceFunction(
    "utc_offset",
    [
      ReferenceParameter("time", .number, "seconds since 1970"),
      ReferenceParameter("zone", .string, "a time zone's name, such as `Europe/Berlin`"),
    ], returns: [.integer],
    .anywhere,
    "By how many seconds clocks of a place are before UTC: `os.date` with that much added tells their "
      + "time. By tables that come with the program: the same wherever it runs. The example says something "
      + "each day at six in the evening.",
    ReferenceExample(
      """
      -- Seconds until the clocks of the place show that time next; where they leave it out, being put forward,
      -- as long after the time before as otherwise.
      local function next_at(hour, minute, now)
        local zone = "Europe/Berlin"
        local offset = utc_offset(now, zone)
        local left = (hour * 3600 + minute * 60 - now - offset) % 86400
        if left < 1 then left = left + 86400 end
        local later = utc_offset(now + left, zone)
        local moved = left + offset - later -- they may be put forward or back meanwhile
        return utc_offset(now + moved, zone) == later and moved or left
      end

      local count = 0
      on("sighting", function() count = count + 1 end)
      local function tell(now)
        alert { severity = "info", title = count .. " sightings since the day before" }
        count = 0
        after(next_at(18, 0, now), tell)
      end
      on("start", function(e) after(next_at(18, 0, e.time), tell) end)
      """,
      test: """
        test "tells once a day" {
          sightings = {
            { at = 0, ["until"] = 64800, every = 600, url = "https://example.com/",
              address = "c2:35:33:30:25:50" },
          },
          -- Tests begin at midnight UTC, an hour later there.
          alerts = { { at = 17 * 3600, title = "102 sightings since the day before" } },
        }
        """))

  static let remark = ReferenceFunction(
    "remark", [ReferenceParameter("text", .string)], .anywhere,
    "Says something about the run as a whole that a reader of the report must know, such as that a rule could "
      + "judge nothing, and why. Each sentence is told once, among what is worth knowing: in the text, in JSON, on "
      + "the page and in a case; and printed at once. \(PluginRemarks.most) sentences of a plugin are kept.",
    ReferenceExample(
      """
      on("start", function(e)
        if #e.regions == 0 then remark("there are no regions: nothing was judged") end
      end)
      """,
      test: """
        test "says that it could not judge" {
          sightings = {
            { at = 0, url = "https://example.com/", rssi = -60, address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "there are no regions: nothing was judged" },
        }
        """))

  static let print = ReferenceFunction(
    "print", [], takesMore: true, .anywhere,
    "Writes a line to standard error, with the plugin's name before it, tabs between the values. Other control "
      + "characters than tabs are written as their numbers (a line break as `\\u{a}`), so that they do nothing to "
      + "a terminal. Tests compare what stands behind the name. A run takes 1 MB of it, and 10 kB more in each "
      + "second of its clock: what "
      + "goes beyond, as a long list in `finish` may, is left out; how many lines that were is told.",
    ReferenceExample(
      """
      on("sighting", function(s) print(s.kind, s.rssi) end)
      """,
      test: """
        test "prints" {
          sightings = {
            { at = 0, url = "https://example.com/", rssi = -60, address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "eddystone-url\\t-60" },
        }
        """))

  static let require = ReferenceFunction(
    "require", [ReferenceParameter("name", .string)], returns: [.any], .anywhere,
    "Loads a module once and returns what it returns: `NAME.lua` beside the plugin, or the built-in "
      + "`beacontrace.stats`, `beacontrace.recent`, `beacontrace.filters`, `beacontrace.listening` and "
      + "`beacontrace.words`.",
    ReferenceExample(
      """
      local names = require "names"
      on("start", function() print(names[1]) end)
      """,
      test: """
        test "reads the module beside it" {
          sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
          alerts = {},
          print = { "Room 4" },
        }
        """, modules: ["names.lua": "return { \"Room 4\" }\n"]))
}
