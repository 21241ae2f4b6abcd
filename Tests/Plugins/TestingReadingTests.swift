import Foundation
import Plugins
import Testing

/// A file of tests that is written wrongly: which line, what is wrong, and what would be right.
@Suite("A file of tests", .timeLimit(.minutes(60)))
struct TestingReadingTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    /// In line 2 of the file.
    let test: String
    let says: String
    var testDescription: String { test }
    init(_ test: String, _ says: String) {
      self.test = test
      self.says = says
    }
  }

  private static let beacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

  static let mistakes = [
    Mistake("sightngs = {}, alerts = {}", "unknown key 'sightngs'; did you mean 'sightings'?"),
    Mistake("alerts = {}", "nothing is heard; write sightings = { … } or capture = \"FILE\""),
    Mistake(
      "sightings = {}, capture = 'a', alerts = {}", "sightings and capture exclude each other"),
    Mistake("sightings = {}", "alerts is missing; write alerts = {} where none must come"),
    Mistake("sightings = 5, alerts = {}", "sightings has to be a list: { …, … }, not 5"),
    Mistake("sightings = {}, alerts = { at = 5 }", "alerts has to be a list: { …, … }"),
    Mistake("sightings = { 7 }, alerts = {}", "sightings[1]: a table is needed, not 7"),
    Mistake(
      "sightings = { { at = 0, ibecon = 'x' } }, alerts = {}",
      "sightings[1]: unknown key 'ibecon'; did you mean 'ibeacon'?"),
    Mistake("sightings = { { at = 0 } }, alerts = {}", "nothing says what is heard; write one of"),
    Mistake(
      "sightings = { { at = 0, eid = 'a', url = 'b' } }, alerts = {}",
      "url and eid exclude each other; write two sightings"),
    Mistake(
      "sightings = { { at = 0, ibeacon = '\(beacon)' } }, alerts = {}",
      "ibeacon has to be UUID:MAJOR:MINOR: a beacon sends all of it"),
    Mistake(
      "sightings = { { at = 0, ibeacon = '\(beacon):1:70000' } }, alerts = {}",
      "ibeacon: minor '70000' is not a number from 0 to 65535"),
    Mistake(
      "sightings = { { at = 0, eddystone = '00' } }, alerts = {}",
      "eddystone: namespace '00' is malformed; write 20 hexadecimal digits"),
    Mistake(
      "sightings = { { at = 0, eid = 'name' } }, alerts = {}",
      "eid has to be 16 hexadecimal digits, not 'name'"),
    Mistake(
      "sightings = { { at = 0, url = 'example.com' } }, alerts = {}",
      "url has to be http:// or https:// and printable ASCII"),
    Mistake(
      "sightings = { { at = 0, url = 'https://a.com/', measured_power = -60 } }, alerts = {}",
      "sightings[1], url: unknown key 'measured_power'; known are"),
    Mistake(
      "sightings = { { at = 0, eddystone_tlm = { battery = 3 } } }, alerts = {}",
      "eddystone_tlm: unknown key 'battery'; did you mean 'battery_mv'?"),
    Mistake(
      "sightings = { { at = 0, eddystone_tlm = { temperature_c = 128 } } }, alerts = {}",
      "temperature_c has to be from -127.99 to 127.99, not 128"),
    Mistake(
      "sightings = { { at = 0, manufacturer = 1, data = ('0'):rep(56) } }, alerts = {}",
      "data has to be hexadecimal digits, two for each byte, of at most 27 bytes"),
    Mistake(
      "sightings = { { at = 0, adv_data = '0' } }, alerts = {}",
      "adv_data has to be hexadecimal digits, two for each byte"),
    Mistake(
      "sightings = { { url = 'https://a.com/' } }, alerts = {}",
      "at has to be a number of seconds from the beginning, 0 to a year, not nil"),
    Mistake(
      "sightings = { { at = -1, url = 'https://a.com/' } }, alerts = {}",
      "at has to be a number of seconds from the beginning, 0 to a year, not -1"),
    Mistake(
      "sightings = { { at = 0, every = 1, url = 'https://a.com/' } }, alerts = {}",
      "what is repeated needs both: [\"until\"] = SECONDS, every = SECONDS"),
    Mistake(
      "sightings = { { at = 9, ['until'] = 3, every = 1, url = 'https://a.com/' } }, alerts = {}",
      "until is 3.0: before at (9.0)"),
    Mistake(
      "sightings = { { at = 0, ['until'] = 9, every = 1e-6, url = 'https://a.com/' } }, alerts = {}",
      "more than 1000000 sightings; keep it shorter"),
    Mistake(
      "sightings = { { at = 0, rssi = 21, url = 'https://a.com/' } }, alerts = {}",
      "rssi has to be an integer from -127 to 20, not 21"),
    Mistake(
      "sightings = { { at = 0, address = 'c2:35', url = 'https://a.com/' } }, alerts = {}",
      "address has to be like \"c2:35:33:30:25:50\", not 'c2:35'"),
    Mistake(
      "sightings = { { at = 0, scan = 'of' } }, alerts = {}", "scan has to be \"on\" or \"off\""),
    Mistake(
      "sightings = { { at = 0, scan = 'off', filters_duplicates = true } }, alerts = {}",
      "filters_duplicates is of a scan that begins: write scan = \"on\""),
    Mistake(
      "sightings = { { at = 0, scan = 'on', hears_listed_only = 1 } }, alerts = {}",
      "hears_listed_only has to be true or false, not 1"),
    Mistake(
      "sightings = { { at = 0, restart = -1 } }, alerts = {}",
      "restart has to be a number of seconds until it is started again, 0 to a year, not -1"),
    Mistake(
      "sightings = { { at = 0, ['until'] = 9, every = 1, restart = 0 } }, alerts = {}",
      "unknown key 'every'"),
    Mistake(
      "sightings = (function() local l = {} for i = 1, 101 do l[i] = { at = i, restart = 0 } end "
        + "return l end)(), alerts = {}",
      "more than 100 restarts; keep it shorter"),
    Mistake("sightings = {}, alerts = { { tite = 'a' } }", "alerts[1]: unknown key 'tite'"),
    Mistake(
      "sightings = {}, alerts = { { severity = 'critcal' } }",
      "unknown severity 'critcal'; did you mean 'critical'?"),
    Mistake(
      "sightings = {}, alerts = { { fields = { a = {} } } }", "write fields = { name = value }"),
    Mistake(
      "sightings = {}, alerts = {}, regions = { 'lobby' }", "region 'lobby' has no name"),
    Mistake("sightings = {}, alerts = {}, profile = 'sight'", "unknown profile 'sight'"),
    Mistake("sightings = {}, alerts = {}, set = { exit_aftr = 3 }", "unknown setting 'exit_aftr'"),
    Mistake("sightings = {}, alerts = {}, options = { a = {} }", "options.a is a table"),
    Mistake("sightings = {}, alerts = {}, finish = 1", "finish has to be a function, not 1"),
    Mistake("sightings = {}, alerts = {}, print = { 1 }", "print has to be a list of strings"),
    Mistake("sightings = {}, alerts = {}, errors = -1", "errors has to be an integer from 0"),
  ]

  @Test("says that until is a word of Lua's own")
  func untilIsAWord() throws {
    let problem = #expect(throws: PluginProblem.self) {
      try TestingFolder.outcome("", "sightings = { { at = 0, until = 5 } }, alerts = {}")
    }
    #expect(
      problem?.description.hasSuffix(
        "near 'until'; until is a word of Lua's own: write [\"until\"] = …")
        == true)
  }

  @Test("says in which line what is wrong, and what would be right", arguments: mistakes)
  func mistakesAreNamed(_ mistake: Mistake) throws {
    let folder = try TestingFolder("", tests: "\ntest 'x' { \(mistake.test) }")
    let problem = try #require(throws: PluginProblem.self) { try folder.load() }
    #expect(problem.description.hasPrefix("p.test.lua:2: test 'x'"), "\(problem)")
    #expect(problem.description.contains(mistake.says), "\(problem)")
  }

  @Test(
    "is refused as a whole",
    arguments: [
      ("", "p.test.lua: no tests; write test \"name\" { sightings = …, alerts = … }"),
      ("x =", "p.test.lua:1: unexpected symbol near <eof>"),
      ("on('enter', print)", "p.test.lua:1: on belongs into p.lua; here are its tests alone"),
      ("region 'a' {}", "p.test.lua:1: region belongs into p.lua; here are its tests alone"),
      ("test 'a' 5", "p.test.lua:1: unexpected symbol near '5'"),
      ("test(5)", "p.test.lua:1: test: write test \"name\" { … }"),
      (
        "test 'a' { sightings = {}, alerts = {} } test 'a' { sightings = {}, alerts = {} }",
        "p.test.lua:1: there are two tests called 'a'"
      ),
    ])
  func filesAreRefused(_ text: String, _ says: String) throws {
    let folder = try TestingFolder("", tests: text)
    let problem = try #require(throws: PluginProblem.self) { try folder.load() }
    #expect(problem.description.contains(says), "\(problem)")
  }

  @Test("is refused where its plugin does not load") func thePluginHasToLoad() throws {
    let folder = try TestingFolder(
      "on('entr', print)", tests: "test 'a' { sightings = {}, alerts = {} }")
    let problem = try #require(throws: PluginProblem.self) { try folder.load() }
    #expect(problem.description == "p.lua:1: on: unknown event 'entr'; did you mean 'enter'?")
  }

  @Test("may use modules and print") func filesMayUseModules() throws {
    let tests = """
      local doors = require "doors"
      print(doors.name, utc(0))
      test "a" { sightings = {}, alerts = {} }
      """
    let folder = try TestingFolder(
      "", tests: tests, ["doors.lua": Array("return { name = 'A' }".utf8)])
    #expect(try folder.load().tests.map(\.name) == ["a"])
    #expect(folder.lines == ["p: A\t1970-01-01T00:00:00.000000000Z"])
  }

  /// What the reference says of these tables is what may stand in them.
  @Test(
    "takes the keys that the reference has",
    arguments: [
      ("test", "zzzzzzzzzz = 1"),
      ("test.sighting", "sightings = { { zzzzzzzzzz = 1 } }"),
      ("test.telemetry", "sightings = { { at = 0, eddystone_tlm = { zzzzzzzzzz = 1 } } }"),
      ("test.alert", "sightings = {}, alerts = { { zzzzzzzzzz = 1 } }"),
    ])
  func keysAreThoseOfTheReference(_ record: String, _ body: String) throws {
    let folder = try TestingFolder("", tests: "test 'x' { \(body) }")
    let problem = try #require(throws: PluginProblem.self) { try folder.load() }
    let known = try #require(problem.description.components(separatedBy: "known are ").last)
    let fields = try #require(Reference.record(record)).fields.map(\.name)
    #expect(Set(known.components(separatedBy: ", ")) == Set(fields))
  }
}
