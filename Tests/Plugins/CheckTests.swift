import Plugins
import Testing

/// What is said of a text: `line: sentence`.
func said(of text: String, _ file: PluginCheck.File = .plugin) -> [String] {
  PluginCheck.findings(in: Array(text.utf8), file).map { $0.line(file: "x") }
}

/// A text, and what has to be said of it.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let source: String
  let expected: [String]
  var file = PluginCheck.File.plugin
  var testDescription: String { String(source.prefix(60)) }

  init(_ source: String, _ expected: String..., file: PluginCheck.File = .plugin) {
    self.source = source
    self.expected = expected
    self.file = file
  }
}

@Suite("Checking a plugin before it runs")
struct CheckTests {
  private func check(_ item: CheckCase) {
    #expect(said(of: item.source, item.file) == item.expected)
  }

  @Test("tells unknown globals and what is not there", arguments: names)
  func tellsNames(_ item: CheckCase) { check(item) }

  private static let names = [
    CheckCase("prnt(1)", "x:1: unknown global 'prnt'; did you mean 'print'?"),
    CheckCase("print(nowhere)", "x:1: unknown global 'nowhere'"),
    CheckCase("print(null)", "x:1: unknown global 'null'; Lua writes nil"),
    CheckCase(
      "\nio.open('x')", "x:2: there is no io in a plugin: nothing of the machine can be reached"),
    CheckCase(
      "dofile 'x'",
      "x:1: there is no dofile in a plugin: no files can be reached; `require` takes modules beside "
        + "the plugin"),
    CheckCase("count = 1 print(count)", "x:1: remark: global variable 'count'; write local count"),
    CheckCase("count = 1 count = 2", "x:1: remark: global variable 'count'; write local count"),
    CheckCase("function f() end f()", "x:1: remark: global function 'f'; write local function f"),
    CheckCase("alert = 1", "x:1: remark: 'alert' is a function of plugins; choose another name"),
    CheckCase("string = nil", "x:1: remark: 'string' is Lua's own; choose another name"),
    CheckCase("local io = { open = print } io.open()"),
    CheckCase("local _ENV = { a = 1 } a = b"),
    CheckCase("local function f(_ENV) return anything end f({})"),
    CheckCase("state.x = 1 print(_G, _VERSION, _ENV)"),
    CheckCase("string.fnd('a', 'b')", "x:1: unknown 'string.fnd'; did you mean 'find'?"),
    CheckCase(
      "print(string.dump)", "x:1: there is no string.dump in a plugin: no bytecode goes in or out"),
    CheckCase(
      "print(os.getenv('HOME'))",
      "x:1: there is no os.getenv in a plugin: nothing of the machine can be reached; declare an option"
    ),
    CheckCase("local m = math print(m.flor(1))", "x:1: unknown 'math.flor'; did you mean 'floor'?"),
    CheckCase(
      "print(('x'):uper())", "x:1: unknown method 'uper' of a string; did you mean 'upper'?"),
    CheckCase(
      "local s = require 'beacontrace.stats' print(s.medain {})",
      "x:1: unknown 'beacontrace.stats.medain'; did you mean 'median'?"),
    CheckCase("print(math['pi'], utf8.char, coroutine.wrap, table.unpack)"),
    CheckCase("test 'x' {}", "x:1: tests belong into a file NAME.test.lua beside the plugin"),
  ]

  @Test("tells fields that an event or a sighting has not", arguments: fields)
  func tellsFields(_ item: CheckCase) { check(item) }

  private static let fields = [
    CheckCase(
      "on('telemetry', function(s)\n print(s.batery_mv) end)",
      "x:2: unknown field 'batery_mv' in a telemetry sighting; did you mean 'battery_mv'?"),
    CheckCase(
      "on('sighting', { kind = 'ibeacon' }, function(s) print(s.battery_mv, s.major) end)",
      "x:1: 'battery_mv' is no field of an ibeacon sighting; eddystone-tlm, eddystone-etlm-opened have it"
    ),
    CheckCase(
      "on('sighting', { kind = { 'ibeacon', 'eddystone-tlm' } }, function(s) print(s.major, s.battery_mv) end)"
    ),
    CheckCase(
      "on('sighting', { decoder = 'x' }, function(s) print(s.fields.t, s.uuid) end)",
      "x:1: remark: this file declares no decoder 'x'; a --site or --plugin has to",
      "x:1: 'uuid' is no field of a custom sighting; ibeacon has it"),
    CheckCase(
      "on('enter', function(e) print(e.last_seen, e.regoin) end)",
      "x:1: 'last_seen' is no field of an enter event; exit, message_lost have it",
      "x:1: unknown field 'regoin' in an enter event; did you mean 'region'?"),
    CheckCase(
      "local function f(e) print(e['what'], e.wat) end on('observer', f)",
      "x:1: unknown field 'wat' in an observer event; did you mean 'what'?"),
    CheckCase(
      "local f = function(e) local x = e print(x.tim) end on('start', f)",
      "x:1: unknown field 'tim' in a start event; did you mean 'time'?"),
    CheckCase(
      "on('enter', function(e) local t = e.transmitter print(t.adress, e.transmitter.knd) end)",
      "x:1: unknown field 'adress' in a transmitter; did you mean 'address'?",
      "x:1: unknown field 'knd' in a transmitter; did you mean 'kind'?"),
    CheckCase(
      "on('ranging', function(e) print(e.entries[1].proximty) for _, t in ipairs(e.entries) do print(t.sampels) end end)",
      "x:1: unknown field 'proximty' in a ranging entry; did you mean 'proximity'?",
      "x:1: unknown field 'sampels' in a ranging entry; did you mean 'samples'?"),
    CheckCase(
      "region 'a' { contains = function(s) return s.rsi > 1 end }",
      "x:1: unknown field 'rsi' in a sighting; did you mean 'rssi'?"),
    CheckCase(
      "decoder 'a' { company = 1, decode = function(ad, adv) return { id = ad.dat, feilds = adv.rssy } end }",
      "x:1: unknown field 'dat' in an ad; did you mean 'data'?",
      "x:1: unknown key 'feilds' in what decode returns; did you mean 'fields'?",
      "x:1: unknown field 'rssy' in an adv; did you mean 'rssi'?"),
    CheckCase(
      "on('enter', function(e) print(e.minor) end)",
      "x:1: 'minor' is no field of an enter event, but of its transmitter: write transmitter.minor"),
    // One function for two events may read the fields of both; one that is called with other things, any.
    CheckCase("local function f(e) print(e.grade, e.entries) end on('exit', f) on('ranging', f)"),
    CheckCase("local function f(e) print(e.mine) end on('exit', f) f { mine = 1 }"),
    CheckCase("on('exit', function(e) e.mine = 1 print(e.mine) end)"),
    CheckCase("on('exit', function(e) e = {} print(e.mine) end)"),
    CheckCase(
      "on('sighting', function(s) s.mine = 1 end)",
      "x:1: a sighting cannot be changed; keep values of your own in a table, or in s:copy()"),
    CheckCase("on('sighting', function(s) print(s:copy().rssi, s.copy) end)"),
    CheckCase("on('sighting', function(s) local c = s:copy() c.note = 1 print(c.note) end)"),
    CheckCase(
      "on('sighting', function(s) print(s.id:mtch('x'), s:kopy()) end)",
      "x:1: unknown method 'mtch' of a string; did you mean 'match'?",
      "x:1: unknown field 'kopy' in a sighting; did you mean 'copy'?"),
  ]

  @Test("tells sightings that are kept too long", arguments: kept)
  func tellsKept(_ item: CheckCase) { check(item) }

  private static let over = "x:1: remark: a sighting is over when its handler returns; "
  private static let kept = [
    CheckCase("on('sighting', function(s) state.last = s end)", over + "keep s:copy()"),
    CheckCase(
      "local last on('sighting', function(s) last = s end) print(last)", over + "keep s:copy()"),
    CheckCase("local l = {} on('sighting', function(s) l[#l + 1] = s end)", over + "keep s:copy()"),
    CheckCase(
      "local l = {} on('sighting', function(s) table.insert(l, s) end)", over + "keep s:copy()"),
    CheckCase(
      "local l on('sighting', function(s) l = { s, 1 } end) print(l)", over + "keep s:copy()"),
    CheckCase(
      "on('sighting', function(s) after(1, function() print(s.rssi) end) end)",
      over + "take s:copy() into the timer"),
    CheckCase("on('sighting', function(s) state.last = s:copy() state.rssi = s.rssi end)"),
    CheckCase(
      "on('sighting', function(s) local l = {} l[1] = s alert { title = 'x', evidence = l } end)"),
    CheckCase("on('enter', function(e) state.last = e end)"),
  ]
}
