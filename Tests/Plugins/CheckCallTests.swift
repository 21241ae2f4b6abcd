import Regions
import Plugins
import Testing

@Suite("Checking calls of the functions of plugins")
struct CheckCallTests {
  private func check(_ item: CheckCase) {
    #expect(said(of: item.source, item.file) == item.expected)
  }

  @Test("tells wrong events, filters and handlers", arguments: handlers)
  func tellsHandlers(_ item: CheckCase) { check(item) }

  private static let form = "on(event, [filter,] function(e) … end)"
  private static let handlers = [
    CheckCase("on('entr', function() end)", "x:1: unknown event 'entr'; did you mean 'enter'?"),
    CheckCase(
      "on('xyzzy', function() end)",
      "x:1: unknown event 'xyzzy'; there are sighting, telemetry, enter, exit, state, proximity, "
        + "ranging, message_found, message_lost, position, monitoring_failed, malformed, clock, "
        + "observer, start, finish"),
    CheckCase("on('enter', 'lobby')", "x:1: on needs a function as its last argument: \(form)"),
    CheckCase("on('enter')", "x:1: on needs its handler: \(form)"),
    CheckCase("on(print)", "x:1: on needs its handler: \(form)"),
    CheckCase("on(5, print)", "x:1: on needs the name of an event first"),
    CheckCase("on('enter', 'a', print, 1)", "x:1: on takes 3 arguments, not 4: \(form)"),
    CheckCase(
      "on('enter', 5, print)",
      "x:1: filter in on has to be a string, or a table (filter), or nil, not a number"),
    CheckCase(
      "on('sighting', { knd = 'ibeacon' }, print)",
      "x:1: unknown key 'knd' in filter; did you mean 'kind'?"),
    CheckCase(
      "on('sighting', { kind = 'ibecon' }, print)",
      "x:1: unknown kind 'ibecon'; did you mean 'ibeacon'?"),
    CheckCase(
      "on('sighting', { kind = { 'ibeacon', 'eddystone' } }, print)",
      "x:1: unknown kind 'eddystone'; did you mean 'eddystone-uid'?"),
    CheckCase(
      "on('sighting', { company = 'x' }, print)",
      "x:1: company in filter has to be a whole number, or a list, each a whole number, not a string"
    ),
    CheckCase(
      "on('enter', { grade = 'gone' }, print)",
      "x:1: remark: enter has no 'grade': nothing will match"),
    CheckCase(
      "region 'a' { eid = '0011223344556677' } "
        + "on('exit', { grade = 'gone', kind = 'ibeacon', region = { 'a' } }, print)"),
    CheckCase("local t = table.pack() on(table.unpack(t))"),
  ]

  @Test("tells wrong keys, values and counts", arguments: declarations)
  func tellsDeclarations(_ item: CheckCase) { check(item) }

  private static let declarations = [
    CheckCase(
      "region 'a' { eid = 'x', exit_afer = 5 }",
      "x:1: unknown key 'exit_afer' in region; did you mean 'exit_after'?"),
    CheckCase(
      "region 'a' { ibeacon = { uuid = 'x', majr = 1, minor = 'b' } }",
      "x:1: unknown key 'majr' in ibeacon; did you mean 'major'?",
      "x:1: minor in ibeacon has to be a whole number, not a string"),
    CheckCase("region 'a' { ibeacon = { major = 1 } }", "x:1: ibeacon needs uuid"),
    CheckCase(
      "region 'a' { eid = 'x', url = 'y' }",
      "x:1: a region is of one kind, not of eid and url; define several"),
    CheckCase(
      "region 'a' { exit_after = 5 }",
      "x:1: region needs one of ibeacon, eddystone, url, eid, altbeacon, circle, decoder, address, or "
        + "contains"),
    CheckCase(
      "region 'a' { address = 'x', within = 'naer' }",
      "x:1: unknown within 'naer'; did you mean 'near'?"),
    CheckCase("region 'a' { address = 'x', within = 2.5, min_rssi = -70, exit_after = '5min' }"),
    CheckCase(
      "region { eid = 'x' }", "x:1: region takes a name, then a table: region \"name\" { … }"),
    CheckCase("region('a', { eid = 'x' })"),
    CheckCase(
      "region('a', { ied = 'x', contains = function(s) return s.rsi end })",
      "x:1: unknown key 'ied' in region; did you mean 'eid'?",
      "x:1: unknown field 'rsi' in a sighting; did you mean 'rssi'?"),
    CheckCase("region 'a' { ibeacon = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e:1' }"),
    CheckCase(
      "on('sighting', { grade = 'gone' }, print)", "x:1: sighting has no 'grade' to compare with"),
    CheckCase("local a = option 'a' { type = 'number' } print(a)"),
    CheckCase("local t = every(1, print) cancel(t)"),
    CheckCase("region 'a' ('x')", "x:1: region in region has to be a table (region), not a string"),
    CheckCase(
      "option 'memory_mb' { default = 1 }",
      "x:1: 'memory_mb' is an option of every plugin; choose another name"),
    CheckCase(
      "local a = option 'a' { default = 1, hlp = 'x' } print(a)",
      "x:1: unknown key 'hlp' in option; did you mean 'help'?"),
    CheckCase(
      "local a = option 'a' { default = 1, type = 'int' } print(a)",
      "x:1: unknown type 'int'; did you mean 'integer'?"),
    CheckCase("local a = option 'a' { help = 'x' } print(a)", "x:1: option needs default or type"),
    CheckCase("local a = option 'a' { default = 1 }", "x:1: remark: option 'a' is never used"),
    CheckCase(
      "plugin { versoin = '1' }", "x:1: unknown key 'versoin' in plugin; did you mean 'version'?"),
    CheckCase("plugin { '1.0' }", "x:1: plugin takes no value without a key; write key = value"),
    CheckCase("plugin { about = 'a', about = 'b' }", "x:1: remark: 'about' stands twice"),
    CheckCase(
      "message { beacon = 'x', namespace = 'y', type = 'z' }", "x:1: message needs content"),
    CheckCase(
      "subscribe { namspace = 'x' }",
      "x:1: unknown key 'namspace' in subscription; did you mean 'namespace'?"),
    CheckCase(
      "decoder 'a' { decode = print }", "x:1: decoder needs one of company, service and ad_type"),
    CheckCase("decoder 'a' { company = 1 }", "x:1: decoder needs decode"),
    CheckCase(
      "decoder 'a' { company = 1, decode = function() return 5 end }",
      "x:1: decode has to return a table with an id, or nil"),
    CheckCase(
      "decoder 'a' { company = 1, decode = function() return { id = true } end }",
      "x:1: id in what decode returns has to be a string, or a whole number, not true or false"),
    CheckCase("every(60)", "x:1: every needs its handler: every(seconds, handler)"),
    CheckCase(
      "every(60, print, 1)", "x:1: every takes 2 arguments, not 3: every(seconds, handler)"),
    CheckCase("every('60', print)", "x:1: seconds in every has to be a number, not a string"),
    CheckCase("local f = print every(f())"),
  ]

  @Test("tells wrong alerts, and what is called in the wrong place", arguments: places)
  func tellsPlaces(_ item: CheckCase) { check(item) }

  /// A handler with a call in it.
  private static func inside(_ call: String) -> String { "on('enter', function(e) \(call) end)" }

  private static let places = [
    CheckCase(
      inside("alert { title = 'x', severity = 'warn' }"),
      "x:1: unknown severity 'warn'; did you mean 'warning'?"),
    CheckCase(inside("alert { severity = 'info' }"), "x:1: alert needs title"),
    CheckCase(
      inside("alert { title = e.region, evidnce = e }"),
      "x:1: unknown key 'evidnce' in alert; did you mean 'evidence'?"),
    CheckCase(
      inside(
        "alert { title = 'x', evidence = { e, e }, fields = { a = 1 }, at_most = { 5, per = 60 } }")
    ),
    CheckCase(
      inside("alert { title = 'x', at_most = { 5, pr = 60 } }"), "x:1: at_most needs per",
      "x:1: unknown key 'pr' in at_most; did you mean 'per'?"),
    CheckCase(
      inside("alert { title = 'x', fields = { a = {} } }"),
      "x:1: a in fields has to be a string, or a number, or true or false, not a table"),
    CheckCase(inside("alert('x')"), "x:1: alert in alert has to be a table (alert), not a string"),
    CheckCase(inside("region 'a' { eid = 'x' }"), "x:1: region belongs at the top of the file"),
    CheckCase(inside("on('exit', print)"), "x:1: on belongs at the top of the file"),
    CheckCase(
      "region 'a' { eid = '0011223344556677' } "
        + inside(
          "after(1, print) print(region_state('a'), region_state('a', 'hci0'), utc(e.time))")),
    CheckCase(
      inside("print(region_state())"),
      "x:1: region_state needs its name: region_state(name, [observer])"),
    CheckCase(
      "alert { title = 'x' }", "x:1: alert belongs into a handler: nothing has happened yet"),
    CheckCase("local function later() alert { title = 'x' } end every(1, later)"),
    CheckCase("for n = 1, 3 do region('a' .. n) { eid = 'x' } end"),
    CheckCase(
      "on('enter', print)",
      "x:1: on: a site file only declares; put rules into a plugin (--plugin)", file: .site),
    CheckCase("region 'a' { eid = 'x' } mark('display_on', 5)", file: .site),
  ]

  @Test("tells wrong tests", arguments: tests)
  func tellsTests(_ item: CheckCase) { check(item) }

  private static let tests = [
    CheckCase(
      "test 'x' { sightings = { { at = 0, ibeacn = 'x' } }, alerts = {} }",
      "x:1: unknown key 'ibeacn' in sighting; did you mean 'ibeacon'?", file: .test),
    CheckCase(
      "test 'x' { sightings = {}, alerts = { { at = 0, severty = 'x' } } }",
      "x:1: unknown key 'severty' in alert; did you mean 'severity'?", file: .test),
    CheckCase("test 'x' { capture = 'a.btsnoop' }", "x:1: test needs alerts", file: .test),
    CheckCase(
      "test 'x' { sightings = { { at = 1, ['until'] = 2, scan = 'of' } }, alerts = {} }",
      "x:1: unknown scan 'of'; did you mean 'off'?", file: .test),
    CheckCase(
      "test 'x' { captures = { 'a', 'b' }, alerts = {}, finish = function(state) assert(state.n == 1) end }",
      file: .test),
  ]

  @Test("a file's name says what it is")
  func filesAreKnownByName() {
    #expect(PluginCheck.findings(in: "test 'x' { alerts = {} }", name: "a.test.lua").isEmpty)
    #expect(!PluginCheck.findings(in: "test 'x' { alerts = {} }", name: "a.lua").isEmpty)
  }

  @Test(
    "knows what was meant, where it is near enough",
    arguments: [
      ("entr", "enter"), ("batery_mv", "battery_mv"), ("warn", "warning"), ("regoin", "region"),
      ("knd", "kind"), ("ot", nil), ("xyzzy", nil), ("", nil), ("criticaly", "critical"),
      (String(repeating: "a", count: 100_000), nil),
    ] as [(String, String?)])
  func knowsWhatWasMeant(_ word: String, _ meant: String?) {
    let words = [
      "enter", "exit", "region", "battery_mv", "warning", "kind", "to", "id", "at", "critical",
    ]
    #expect(LikelyWord.of(word, among: words) == meant)
  }

  @Test("all examples of the reference are clean", arguments: Reference.examples.map(\.name))
  func examplesAreClean(_ name: String) throws {
    let example = try #require(Reference.examples.first { $0.name == name }).example
    #expect(said(of: example.plugin).isEmpty)
    #expect(said(of: example.test, .test).isEmpty)
    for module in example.modules.values { #expect(said(of: module).isEmpty) }
  }
}
