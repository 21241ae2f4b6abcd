/// What plugins find of Lua's own libraries, and what they do not.
enum Libraries {
  static let all: [ReferenceLibrary] = [
    base, string, table, math, utf8, coroutine, os, stats, recent, filters, listening, words,
  ]

  /// Whole libraries that are not there.
  static let absent: [String: String] = [
    "io": "nothing of the machine can be reached",
    "debug": "nothing looks behind the program",
    "package": "`require` takes modules beside the plugin and the built-in ones",
  ]

  private static func heard(_ name: String, _ printed: String) -> String {
    """
    test "\(name)" {
      sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
      alerts = {},
      print = { "\(printed)" },
    }
    """
  }

  static let base = ReferenceLibrary(
    name: "", text: "Lua's basic functions.",
    members: [
      "_G", "_VERSION", "assert", "collectgarbage", "error", "getmetatable", "ipairs", "load",
      "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset", "select", "setmetatable",
      "tonumber", "tostring", "type", "xpcall",
    ],
    absent: [
      "dofile": "no files can be reached; `require` takes modules beside the plugin",
      "loadfile": "no files can be reached; `require` takes modules beside the plugin",
      "warn": "print writes to standard error",
      "loadstring": "Lua 5.4 calls it load",
      "unpack": "Lua 5.4 calls it table.unpack",
      "setfenv": "Lua 5.4 has _ENV",
      "getfenv": "Lua 5.4 has _ENV",
      "module": "return a table from the module's file",
    ],
    example: ReferenceExample(
      """
      on("start", function()
        local ok, message = pcall(error, "no")
        print(ok, message, select("#", 1, 2), tostring(_G.io), tostring(_G.dofile))
      end)
      """, test: heard("has the basic functions", "false\\tno\\t2\\tnil\\tnil")))

  static let string = ReferenceLibrary(
    name: "string", text: "Strings and patterns; those that take long are stopped.",
    members: [
      "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack",
      "packsize", "rep", "reverse", "sub", "unpack", "upper",
    ],
    absent: ["dump": "no bytecode goes in or out", "gfind": "Lua 5.4 calls it string.gmatch"],
    example: ReferenceExample(
      """
      on("sighting", { kind = "eddystone-url" }, function(s)
        print(s.url:match("^https?://([^/]+)"), s.url:len())
      end)
      """, test: heard("matches", "example.com\\t20")))

  static let table = ReferenceLibrary(
    name: "table", text: "Sequences.",
    members: ["concat", "insert", "move", "pack", "remove", "sort", "unpack"],
    absent: [
      "getn": "Lua 5.4 has the operator #", "maxn": "Lua 5.4 has the operator #",
      "foreach": "Lua 5.4 has pairs", "foreachi": "Lua 5.4 has ipairs",
    ],
    example: ReferenceExample(
      """
      local words = { "near", "far" }
      table.sort(words)
      on("start", function() print(table.concat(words, ", ")) end)
      """, test: heard("sorts", "far, near")))

  static let math = ReferenceLibrary(
    name: "math", text: "Numbers. `math.random` draws the same for the same input.",
    members: [
      "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log",
      "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "randomseed", "sin",
      "sqrt", "tan", "tointeger", "type", "ult",
    ],
    absent: [
      "pow": "Lua 5.4 has the operator ^", "atan2": "Lua 5.4 has math.atan(y, x)",
      "log10": "Lua 5.4 has math.log(x, 10)", "ldexp": "Lua 5.4 has x * 2.0 ^ n",
      "cosh": "Lua 5.4 has math.exp", "sinh": "Lua 5.4 has math.exp",
      "tanh": "Lua 5.4 has math.exp",
      "frexp": "Lua 5.4 has math.log(x, 2)",
    ],
    example: ReferenceExample(
      """
      on("start", function() print(math.max(2, 7, 3), 7 // 2, math.floor(2.5)) end)
      """, test: heard("counts", "7\\t3\\t2")))

  static let utf8 = ReferenceLibrary(
    name: "utf8", text: "Text beyond ASCII.",
    members: ["char", "charpattern", "codepoint", "codes", "len", "offset"], absent: [:],
    example: ReferenceExample(
      """
      on("start", function() print(utf8.len("Größe"), #"Größe") end)
      """, test: heard("counts letters", "5\\t7")))

  static let coroutine = ReferenceLibrary(
    name: "coroutine", text: "Functions that pause; their instructions count as the handler's.",
    members: [
      "close", "create", "isyieldable", "resume", "running", "status", "wrap", "yield",
    ], absent: [:],
    example: ReferenceExample(
      """
      local count = coroutine.wrap(function()
        for n = 1, 3 do coroutine.yield(n) end
      end)
      on("start", function() print(count(), count()) end)
      """, test: heard("pauses", "1\\t2")))

  static let os = ReferenceLibrary(
    name: "os", text: "`date` and `time` on the capture's clock, in UTC; no other clock is there.",
    members: ["date", "time"],
    absent: [
      "clock": "there is no clock but the capture's: os.time()",
      "difftime": "times are numbers: subtract them",
      "execute": "nothing of the machine can be reached",
      "exit": "a plugin does not end the run; return from the handler",
      "getenv": "nothing of the machine can be reached; declare an option",
      "remove": "nothing of the machine can be reached",
      "rename": "nothing of the machine can be reached",
      "setlocale": "there is one locale",
      "tmpname": "nothing of the machine can be reached",
    ],
    example: ReferenceExample(
      """
      on("start", function(e)
        print(os.time() == math.floor(e.time), os.date("%Y-%m-%d", 86400))
      end)
      """, test: heard("tells the capture's time", "true\\t1970-01-02")))

  static let stats = ReferenceLibrary(
    name: "beacontrace.stats",
    text:
      "`local stats = require \"beacontrace.stats\"`. `median(list)`, `mean(list)` and "
      + "`quantile(list, share)`, share from 0 to 1, are nil of an empty list. `window(size)` keeps the "
      + "latest values: `w:add(value)` (nil adds nothing), `w:values()`, the oldest first, `w:count()`.",
    members: ["median", "quantile", "mean", "window"], absent: [:],
    example: ReferenceExample(
      """
      local stats = require "beacontrace.stats"
      local latest = stats.window(2)
      on("start", function()
        for value = 1, 3 do latest:add(value) end
        print(stats.median { 3, 1, 2 }, latest:count(), stats.mean(latest:values()))
      end)
      """, test: heard("computes", "2.0\\t2\\t2.5")))

  static let recent = ReferenceLibrary(
    name: "beacontrace.recent",
    text:
      "`local recent = require \"beacontrace.recent\"`. Addresses and ids change, and a table that only "
      + "grows meets the limit of memory one day. `recent.map(name, most)` is a map that forgets what was "
      + "neither set nor asked for while `most` (5 000 without it) other keys were. It lies in "
      + "`state[name]` and is saved over restarts. `m:get(key)`; `m:set(key, value)` returns the value, "
      + "nil removes; `for key, value in m:each() do` walks through all, in no order: change what is in "
      + "the values there, and neither set nor get. It is no table: `m[key]` is an error.",
    members: ["map"], absent: [:],
    example: ReferenceExample(
      """
      local recent = require "beacontrace.recent"
      local heard = recent.map("heard", 2)
      on("start", function()
        for _, name in ipairs { "a", "b", "c", "d", "e" } do
          heard:get("a")
          heard:set(name, true)
        end
        print(heard:get("a"), heard:get("b"), heard:get("e"))
      end)
      """, test: heard("forgets", "true\\tnil\\ttrue")))

  static let filters = ReferenceLibrary(
    name: "beacontrace.filters",
    text:
      "`local filters = require \"beacontrace.filters\"`. A controller that filters duplicates tells of who "
      + "is there once, or seldom: silences and intervals there say little. "
      + "`filters.is_on(observer, text)` says whether it does now; where it does, `text` (it may be left out) "
      + "is remarked behind the observer's name. `filters.rhythm(name, pause)` learns how often a filter "
      + "lets the same beacon pass, from all that are heard: give every sighting of an observer that filters "
      + "to `r:hear(observer, id, time)`, also one without a time; `r:seconds(observer)` is the middle of the latest 50 gaps, nil of "
      + "fewer than five, which is what a filter that lets nobody pass twice leaves. It lies in "
      + "`state[name]` and is saved over restarts. Over a scan that was off for more than `pause` seconds (30 "
      + "without it), a restart, and a clock that was set back no gap is counted.",
    members: ["is_on", "rhythm"], absent: [:],
    example: ReferenceExample(
      """
      local filters = require "beacontrace.filters"
      local rhythm = filters.rhythm("rhythm")
      on("sighting", { kind = "eddystone-url" }, function(s)
        if filters.is_on(s.observer) then rhythm:hear(s.observer, s.id, s.time) end
        print(filters.is_on(s.observer), rhythm:seconds(s.observer))
      end)
      """, test: heard("knows who filters", "false\tnil")))

  static let listening = ReferenceLibrary(
    name: "beacontrace.listening",
    text:
      "`local listening = require \"beacontrace.listening\"`. Who is not heard is silent only where somebody listened, and where "
      + "that is longer than chance makes it. `listening.ears(name, pause)` knows when each observer listens from whom it hears, beacon or not: "
      + "one that hears nobody for more than `pause` seconds (30 without it) may be deaf. Give it every sighting: `e:hear(s)` "
      + "returns the ear of its observer, nil of what has no time; `e:of(observer, now)` that of one that listens now, else nil. "
      + "An ear has `since`: from when on it has listened without such a break; `latest`: when it heard somebody last, or its "
      + "scan began (while the clock is behind that stands still); `capture` and `frame` of the latest sighting, which an alert "
      + "can cite. A scan that ends or begins anew, lost packets, and a restart that takes longer than `pause` are breaks, too. "
      + "`e:seconds(observer, from, to)` is for how many seconds of a time it listened, as far as its latest 20 breaks reach; "
      + "`e:observers()` are the names of all that ever did, sorted. Ears lie in `state[name]` and are saved over restarts. "
      + "`listening.gaps(finest)` learns how long the gaps between somebody's sightings are: `g:learn(kept, seconds)`, where "
      + "`kept` is a table of yours, `{}` in the beginning, beside what else you keep of a beacon; gaps below `finest` seconds "
      + "(1 without it) are all alike. `g:quantile(kept, share)` is the length that a share (0 to 1) of the latest 200 or so "
      + "does not exceed, nil of none; `g:unusual(kept)` from how many seconds on a silence is not chance: three of regular "
      + "gaps, and of gaps that chance makes one that comes once in a million; 0 of none. `listening.share(observer, text)` "
      + "is which part of the time its radio listens, by the windows of its scan, where that is less than nine tenths, and "
      + "else nil: gaps and silences there are those of the windows, too, and others than before when it changes. Where "
      + "it is not nil, `text` is remarked behind the observer's name.",
    members: ["ears", "gaps", "share"], absent: [:],
    example: ReferenceExample(
      """
      local listening = require "beacontrace.listening"
      local recent = require "beacontrace.recent"
      local ears, gaps = listening.ears("ears"), listening.gaps()
      local beacons = recent.map("beacons")

      on("sighting", { kind = "eddystone-url" }, function(s)
        local ear, key = ears:hear(s), s.observer .. "\\n" .. s.id
        if not ear then return end
        local it = beacons:get(key)
        if it then
          gaps:learn(it.gaps, ear.latest - math.max(it.time, ear.since))
        else
          it = beacons:set(key, { id = s.id, observer = s.observer, gaps = {} })
        end
        it.time, it.capture, it.frame = ear.latest, s.capture, s.frame
      end)

      -- An earlier run's frames cannot be cited.
      on("start", function()
        for _, it in beacons:each() do it.capture, it.frame = nil, nil end
      end)

      every(10, function(now)
        for key, it in beacons:each() do
          local ear = ears:of(it.observer, now)
          local silence = ear and now - math.max(it.time, ear.since) or 0
          if silence >= math.max(60, gaps:unusual(it.gaps)) then
            alert {
              title = it.id .. " is not heard any more", observer = it.observer, dedupe_key = key, once_per = 3600,
              evidence = it.frame and { capture = it.capture, frame = it.frame },
            }
          end
        end
      end)
      """,
      test: """
        test "tells who is gone, and waits longer for who is heard seldom" {
          sightings = {
            { at = 0, ["until"] = 60, every = 5, url = "https://a.com/", address = "c2:35:33:30:25:50" },
            { at = 0, ["until"] = 100, every = 50, url = "https://b.com/", address = "c2:35:33:30:25:51" },
            { at = 0, ["until"] = 300, every = 1, url = "https://c.com/", address = "c2:35:33:30:25:52" },
          },
          alerts = {
            { at = 120, title = "https://a.com/ is not heard any more" },
            { at = 270, title = "https://b.com/ is not heard any more" },
          },
        }
        """))

  static let words = ReferenceLibrary(
    name: "beacontrace.words",
    text:
      "`local words = require \"beacontrace.words\"`: times for people to read. `duration(seconds)` is "
      + "`45 s`, `3 min 20 s`, `2 h 05 min`, `6 d 23 h`, below 0 `-45 s`; `clock(time, beside)` is `08:19:59 UTC`, with the "
      + "date before it where that is not the date of `beside`, or where there is no `beside`.",
    members: ["duration", "clock"], absent: [:],
    example: ReferenceExample(
      """
      local words = require "beacontrace.words"
      on("start", function()
        local today, later = words.clock(86399, 86300), words.clock(86400, 86300)
        print(words.duration(604740), today, later)
      end)
      """, test: heard("reads well", "6 d 23 h\\t23:59:59 UTC\\t1970-01-02 00:00:00 UTC")))
}
