import Plugins
import TestSupport
import Testing

/// What a test makes of a plugin: whether it holds, and what people read where it does not.
@Suite("A test of a plugin", .timeLimit(.minutes(60)))
struct TestingRunTests {
  private static let url = "url = 'https://a.com/', address = 'c2:35:33:30:25:50'"

  /// Tells of every sighting by its signal: `-60`.
  private static let teller = """
    on("sighting", function(s)
      alert { severity = "notice", title = tostring(s.rssi), fields = { n = s.rssi / 3 } }
    end)
    """

  static func sightings(_ powers: Int...) -> String {
    let entries = powers.enumerated().map { "{ at = \($0), rssi = \($1), \(url) }" }
    return "sightings = { \(entries.joined(separator: ", ")) },"
  }

  @Test("compares the keys that are written, and no others")
  func keysAreCompared() throws {
    let alerts = """
      alerts = {
        {}, { at = 1.0009 }, { title = "-52", severity = "notice", dedupe_key = "-52" },
        { fields = { n = -17.00001 }, observer = "test", text = "" },
      }
      """
    let outcome = try TestingFolder.outcome(
      Self.teller, Self.sightings(-50, -51, -52, -51) + alerts)
    #expect(outcome.lines == [])
  }

  @Test(
    "integers are compared exactly, times to a thousandth of a second, endless numbers as they are")
  func numbersAreCompared() throws {
    let plugin = """
      on("sighting", function(s)
        alert { title = "n", fields = { i = 4000000, t = s.time, e = math.huge, f = 1e-9 } }
      end)
      """
    func outcome(_ fields: String) throws -> [String] {
      try TestingFolder.outcome(
        plugin, Self.sightings(-50) + "alerts = { { fields = { \(fields) } } },"
      ).lines
    }
    for fields in [
      "i = 4000000", "i = 4000000.0", "t = 1767225600", "t = 1767225600.0009", "e = math.huge",
      "f = 1e-9",
    ] { #expect(try outcome(fields) == [], "\(fields)") }
    for fields in [
      "i = 4000001", "t = 1767225601", "t = 1767225600.002", "e = 5", "e = -math.huge", "f = 2e-9",
    ] { #expect(try !outcome(fields).isEmpty, "\(fields)") }
  }

  @Test(
    "that none of its functions was called is known",
    arguments: [
      ("on('sighting', { kind = 'ibeacon' }, print)", true), (teller, false),
      ("on('finish', function() end)", false), ("every(1, function() end)", false),
      ("region 'here' { url = 'https://a.com/' }", false),
    ])
  func callsNothing(_ plugin: String, _ expected: Bool) throws {
    let outcome = try TestingFolder.outcome(
      plugin, Self.sightings(-50, -51) + "alerts = { {}, {} }")
    #expect(outcome.callsNothing == expected)
  }

  @Test("a finish that returns false does not hold")
  func finishAnswers() throws {
    func lines(_ answer: String) throws -> [String] {
      try TestingFolder.outcome(
        "on('sighting', function(s) state.n = s.rssi end)",
        Self.sightings(-50) + "alerts = {}, finish = function(state) return \(answer) end,"
      ).lines
    }
    #expect(try lines("state.n == -50") == [])
    #expect(try lines("state.n == -51") == ["finish: it returned false"])
    #expect(try lines("nil") == [])
  }

  @Test("timers count from the test's beginning, whenever something is heard first")
  func timersBegin() throws {
    let plugin = """
      every(10, function(now) print(utc(now)) end)
      after(15, function() alert { title = "after" } end)
      """
    let test = """
      sightings = { { at = 12, \(Self.url) }, { at = 21, \(Self.url) } },
      alerts = { { at = 15, title = "after" } },
      print = { "2026-01-01T00:00:10.000000000Z", "2026-01-01T00:00:20.000000000Z" },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("several radios hear what is written for them, each in a recording of its own")
  func severalObservers() throws {
    let plugin = """
      region "a" { url = "https://a.com/", exit_after = 5 }
      on("enter", "a", function(e) alert { title = "in", evidence = e } end)
      on("exit", "a", function(e) alert { title = e.grade, evidence = e } end)
      on("observer", function(e)
        if e.what == "scan_off" then print(e.observer, e.what) end
      end)
      """
    let test = """
      set = { enter_on_first_sight = "yes" },
      sightings = {
        { at = 1, ["until"] = 20, every = 1, \(Self.url), observer = "b" },
        { at = 1, ["until"] = 4, every = 1, \(Self.url) },
        { at = 2, ["until"] = 20, every = 1, eid = "0011223344556677" },
        { at = 15, scan = "off", observer = "b" },
      },
      alerts = {
        { at = 1, title = "in", observer = "b" }, { at = 1, title = "in", observer = "test" },
        { at = 9, title = "thin", observer = "test" },
      },
      print = { "b\\tscan_off" },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
    // One that hears nothing any more goes on to the end, and beyond a restart.
    let restarted = """
      sightings = {
        { at = 0, \(Self.url), observer = "b" }, { at = 10, restart = 5 },
        { at = 40, \(Self.url), observer = "c" },
      },
      alerts = {}, print = { "b c" },
      """
    let asks = """
      local names = {}
      on("sighting", function(s) state.names = (state.names and state.names .. " " or "") .. s.observer end)
      state.save("names")
      on("finish", function() if state.names == "b c" then print(state.names) end end)
      """
    #expect(try TestingFolder.outcome(asks, restarted).lines == [])
  }

  /// Frames are known by when they were received, whatever radio, run and capture they are of.
  @Test("says which frames an alert cites, and shows which it cites")
  func citedFrames() throws {
    let plugin = """
      local first
      on("sighting", function(s)
        if s.rssi == -70 then first = s:copy() end
        if s.rssi == -50 then alert { title = "near", evidence = first and { first, s } or s } end
      end)
      on("observer", { what = "scan_off" }, function(e) alert { title = "off", evidence = e } end)
      after(7, function() alert { title = "late" } end)
      """
    let test = """
      sightings = {
        { at = 1, rssi = -70, observer = "b", \(Self.url) }, { at = 1, scan = "on" },
        { at = 2.5, rssi = -50, \(Self.url) }, { at = 3, scan = "off", observer = "b" },
        { at = 8, restart = 1 }, { at = 10, rssi = -50, \(Self.url) },
      },
      alerts = {
        { title = "near", evidence = { 1, 2.5 } }, { title = "off", evidence = { 3 } },
        { title = "late", evidence = { 3 } }, { title = "near", evidence = { EVIDENCE } },
      },
      """
    #expect(
      try TestingFolder.outcome(plugin, test.replacing("EVIDENCE", with: "10")).lines == [])
    let wrong = try TestingFolder.outcome(plugin, test.replacing("EVIDENCE", with: "1, 10")).lines
    #expect(
      wrong.last
        == "        evidence: frames of 1.000 s, 10.000 s expected, frames of 10.000 s told")
    #expect(throws: (any Error).self) {
      try TestingFolder.outcome(plugin, test.replacing("EVIDENCE", with: "'first'"))
    }
  }

  @Test("the keys that are known are named once each") func keysAreNamedOnce() throws {
    let outcome = try? TestingFolder.outcome(
      Self.teller, "sightings = { { at = 0, qqq = 1 } }, alerts = {}")
    #expect(outcome == nil)
    #expect {
      try TestingFolder.outcome(Self.teller, "sightings = { { at = 0, qqq = 1 } }, alerts = {}")
    } throws: { error in
      let words = "\(error)".split { !$0.isLetter && $0 != "_" }
      return words.count { $0 == "tx_power" } == 1 && words.contains("observer")
    }
  }

  @Test("finish looks at the state, too, where alerts are not as expected")
  func finishComesAnyway() throws {
    let test =
      Self.sightings(-50) + "alerts = {}, finish = function(state) assert(state.a, 'none') end,"
    let lines = try TestingFolder.outcome(Self.teller, test).lines
    #expect(lines.contains { $0.hasPrefix("alerts (- expected, + told)") })
    #expect(lines.contains { $0.hasPrefix("finish: ") && $0.hasSuffix("none") })
  }

  @Test("shows what was expected beside what was told")
  func differencesAreShown() throws {
    let alerts = """
      alerts = {
        { title = "-50" }, { title = "-51" }, { title = "-52" },
        { at = 3.002, severity = "warning", title = "-53", region = "lobby", held_back = 1,
          fields = { n = 1, more = true } },
        { title = "-54" }, { title = "-56", text = "never" },
      }
      """
    let outcome = try TestingFolder.outcome(
      Self.teller, Self.sightings(-50, -51, -52, -53, -54, -55) + alerts)
    #expect(
      outcome.lines == [
        "alerts (- expected, + told):",
        "    … 1 before are as expected",
        "    1.000 s  2026-01-01T00:00:01.000Z  notice  -51",
        "    2.000 s  2026-01-01T00:00:02.000Z  notice  -52",
        "> - 3.002 s  2026-01-01T00:00:03.002Z  warning  -53  region 'lobby'",
        "  + 3.000 s  2026-01-01T00:00:03.000Z  notice  -53",
        "        at: 3.002 s expected, 3.000 s told",
        "        severity: 'warning' expected, 'notice' told",
        "        region: 'lobby' expected, none told",
        "        held_back: 1 expected, 0 told",
        "        fields.more: true expected, none told",
        "        fields.n: 1 expected, -17.666666666666668 told",
        "    4.000 s  2026-01-01T00:00:04.000Z  notice  -54",
        "  - at any time  -56  text 'never'",
        "  + 5.000 s  2026-01-01T00:00:05.000Z  notice  -55",
        "        title: '-56' expected, '-55' told",
        "        text: 'never' expected, '' told",
      ])
  }

  @Test(
    "fails where alerts are missing, too many, or in another order",
    arguments: [
      ("{ title = '-50' }", ["> + 1.000 s  2026-01-01T00:00:01.000Z  notice  -51"]),
      (
        "{ title = '-50' }, { title = '-51' }, { title = '-52' }",
        ["> - at any time  -52"]
      ),
      (
        "{ title = '-51' }, { title = '-50' }",
        ["> - at any time  -51", "  - at any time  -50"]
      ),
    ])
  func countsMatter(_ alerts: String, _ lines: [String]) throws {
    let outcome = try TestingFolder.outcome(
      Self.teller, Self.sightings(-50, -51) + "alerts = { \(alerts) }")
    let marked = outcome.lines.filter { $0.hasPrefix("> ") || $0.hasPrefix("  - ") }
    #expect(marked.first == lines.first)
    #expect(!outcome.holds && !outcome.isUnfit)
  }

  @Test("shows forty lines at most") func differencesAreShort() throws {
    let test = "sightings = { { at = 0, ['until'] = 999, every = 1, \(Self.url) } }, alerts = {}"
    let lines = try TestingFolder.outcome(Self.teller, test).lines
    #expect(lines.count == 41)
    #expect(lines.last == "    … and 961 more")
  }

  @Test("shows what was printed where a test fails, unless that is compared")
  func printedIsShown() throws {
    let plugin = "on('sighting', function(s) print('rssi', s.rssi) end)"
    let failing = Self.sightings(-50, -51) + "alerts = { { title = 'x' } },"
    let lines = try TestingFolder.outcome(plugin, failing).lines
    #expect(lines.suffix(3) == ["the plugin printed:", "  rssi\t-50", "  rssi\t-51"])
    let compared = try TestingFolder.outcome(plugin, failing + "print = {},").lines
    #expect(!compared.contains("the plugin printed:"))
    let many = (0..<30).map { -40 - $0 }.map { "{ at = \(-$0), rssi = \($0), \(Self.url) }" }
    let long = "sightings = { \(many.joined(separator: ", ")) }, alerts = { {} },"
    #expect(try TestingFolder.outcome(plugin, long).lines.last == "  … and 10 more")
  }

  @Test("compares what is printed, without the plugin's name") func linesAreCompared() throws {
    let plugin = "on('start', function() print('a', 1) print('b') end)"
    let good = "sightings = { { at = 0, \(Self.url) } }, alerts = {}, print = { 'a\\t1', 'b' }"
    #expect(try TestingFolder.outcome(plugin, good).lines == [])
    let bad = good.replacing("'b'", with: "'c'")
    #expect(
      try TestingFolder.outcome(plugin, bad).lines
        == ["print (- expected, + printed):", "    a\\t1", "> - c", "  + b"])
  }

  @Test("fails where a handler does, unless that is expected") func errorsFailTests() throws {
    let plugin = "on('sighting', function(s) error('no') end)"
    let test = "sightings = { { at = 0, \(Self.url) } }, alerts = {}"
    let lines = try TestingFolder.outcome(plugin, test).lines
    #expect(lines.first == "calls that failed: 0 expected, 1 did")
    #expect(lines.dropFirst().first?.contains("p.lua:1: no, during sighting") == true, "\(lines)")
    #expect(try TestingFolder.outcome(plugin, test + ", errors = 1").holds)
    #expect(try TestingFolder.outcome(plugin, test + ", errors = 2").holds == false)
  }

  @Test("hands the plugin's state to finish") func finishSeesTheState() throws {
    let plugin = "on('sighting', function() state.count = (state.count or 0) + 1 end)"
    let test = "sightings = { { at = 0, ['until'] = 4, every = 2, \(Self.url) } }, alerts = {},"
    let good = test + "finish = function(state) assert(state.count == 3) end"
    #expect(try TestingFolder.outcome(plugin, good).lines == [])
    let bad = test + "finish = function(state) error(state.count .. ' came') end"
    #expect(
      try TestingFolder.outcome(plugin, bad).lines.first == "finish: p.test.lua:2: 3 came")
    let endless = plugin + " on('finish', function() state.me = state end)"
    #expect(
      try TestingFolder.outcome(endless, good).lines
        == ["finish: the plugin's state is no table that could be handed over"])
  }

  @Test("sets options, regions and the profile's numbers") func settingsCount() throws {
    let plugin = """
      local title = option "title" { default = "left" }
      on("exit", "a", function(e) if title ~= "" then alert { title = title } end end)
      """
    let test = """
      sightings = {
        { at = 0, \(Self.url) }, { at = 0, ['until'] = 60, every = 1, url = "https://b.com/" },
      },
      regions = { "a=url:https://a.com/" },
      """
    #expect(
      try TestingFolder.outcome(plugin, test + "alerts = { { at = 30, title = 'left' } }").holds)
    let sooner = test + "set = { exit_after = 10 }, alerts = { { at = 10 } }"
    #expect(try TestingFolder.outcome(plugin, sooner).lines == [])
    let titled =
      test + "options = { title = 'gone' }, alerts = { { title = 'gone', region = 'a' } }"
    #expect(try TestingFolder.outcome(plugin, titled).lines == [])
    let other = test + "profile = 'nearby-messages', alerts = {}"
    #expect(try TestingFolder.outcome(plugin, other).isUnfit == false)
  }

  @Test("reads a site file beside it") func sitesCount() throws {
    let plugin = "on('enter', function(e) alert { title = e.region } end)"
    let site = "region 'door' { url = 'https://a.com/' } region 'gate' { url = 'https://b.com/' }"
    let test = """
      site = "museum.lua",
      sightings = { { at = 0, url = 'https://b.com/' }, { at = 60, \(Self.url) } },
      alerts = { { at = 60, title = "door", region = "door" } },
      """
    #expect(
      try TestingFolder.outcome(plugin, test, ["museum.lua": Array(site.utf8)]).lines == [])
  }

  @Test("reads a recording beside it; times count from its first record")
  func capturesAreRead() throws {
    let test = "capture = 'walk.btsnoop', alerts = { { at = 0.5, title = '-60' }, { at = 2 } }"
    let walk = TestingCapture.bytes(at: [0.5, 2], from: 1_700_000_000)
    let outcome = try TestingFolder.outcome(Self.teller, test, ["walk.btsnoop": walk])
    #expect(outcome.lines == [])
  }

  @Test(
    "cannot be run where something of it does not fit",
    arguments: [
      (
        "sightings = {}, alerts = {}, options = { titl = 'a' }",
        "unknown option 'titl'; did you mean 'title'?"
      ),
      ("capture = 'nix.pcap', alerts = {}", "nix.pcap: cannot be opened"),
      ("sightings = {}, alerts = {}, site = 'nix.lua'", "nix.lua: cannot be opened"),
      ("sightings = {}, alerts = {}, set = { exit_after = 0 }", "exit_after"),
    ])
  func unfitTestsSaySo(_ test: String, _ says: String) throws {
    let plugin = "local title = option 'title' { default = '' }"
    do {
      let outcome = try TestingFolder.outcome(plugin, test)
      #expect(outcome.isUnfit)
      #expect(outcome.lines.first?.hasPrefix("it cannot be run: ") == true)
      #expect(outcome.lines.first?.contains(says) == true, "\(outcome.lines)")
    } catch let problem as PluginProblem {
      #expect(problem.description.contains(says), "\(problem)")
    }
  }
}
