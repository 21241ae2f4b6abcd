import Plugins
import Testing

/// Where values go in a file.
@Suite("Checking what becomes of values")
struct CheckFlowTests {
  @Test("tells what it can follow, and nothing of the rest", arguments: fields + maps + places)
  func tells(_ item: CheckCase) { #expect(said(of: item.source, item.file) == item.expected) }

  private static let rsi = "x:1: unknown field 'rsi' in a sighting; did you mean 'rssi'?"
  private static let fields = [
    CheckCase(
      "local function near(s) return s.rsi end on('sighting', function(s) print(near(s)) end)", rsi),
    CheckCase(
      "local last = {} on('sighting', function(s) last[s.id] = s:copy() end) "
        + "every(60, function() for id, c in pairs(last) do print(id, c.rsi) end end)", rsi),
    CheckCase(
      "local last = {} on('sighting', function(s) table.insert(last, s:copy()) print(last[1].rsi) end)",
      rsi),
    CheckCase(
      "local recent = require 'beacontrace.recent' local last = recent.map('last') "
        + "on('sighting', function(s) local c = last:get(s.id) or last:set(s.id, s:copy()) print(c.rssi) end) "
        + "every(60, function() for id, c in last:each() do print(id, c.rsi) end end)", rsi),
    // What else may be in it, or come, nobody knows.
    CheckCase(
      "local function near(s) return s.rsi end on('sighting', function(s) print(near(s), near {}) end)"
    ),
    CheckCase(
      "local function near(s) return s.rsi end on('sighting', function(s) print(near(s), pcall(near, {})) end)"
    ),
    CheckCase(
      "local last = {} on('sighting', function(s) last[s.id] = s:copy() last.x = { rsi = 1 } end) "
        + "every(60, function() for id, c in pairs(last) do print(id, c.rsi) end end)"),
    CheckCase(
      "local last = {} on('sighting', function(s) last[s.id] = s:copy() last[1] = { rsi = 1 } end) "
        + "every(60, function() for id, c in pairs(last) do print(id, c.rsi) end end)"),
    CheckCase(
      "local last = {} on('sighting', function(s) last[s.id] = s:copy() last[s.id].n = 1 end) "
        + "every(60, function() for id, c in pairs(last) do print(id, c.n) end end)"),
    CheckCase(
      "local function f(s, n) if n > 0 then return f(s, n - 1) end return s.rsi end "
        + "on('sighting', function(s) print(f(s, 3)) end)"),
  ]

  private static func map(_ use: String) -> String {
    "local recent = require 'beacontrace.recent' local m = recent.map('m') "
      + "on('sighting', function(s) \(use) end)"
  }
  private static let noTable = "x:1: a map of beacontrace.recent is no table: "
  private static let maps = [
    CheckCase(map("m[s.id] = 1"), noTable + "write it with m:set(key, value)"),
    CheckCase(map("print(m[s.id])"), noTable + "read it with m:get(key)"),
    CheckCase(map("for k in pairs(m) do print(k) end"), noTable + "walk through it with m:each()"),
    CheckCase(
      map("m:gte(s.id)"), noTable + "it has m:get(key), m:set(key, value) and m:each()"),
    CheckCase(map("m:set(s.id, 1) print(m:get(s.id)) for k in m:each() do print(k) end")),
  ]

  private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
  private static let places = [
    CheckCase(
      "region 'near' { contains = function(s) alert { title = 'in' } return true end }",
      "x:1: alert: a region's contains only answers; call it in a handler of enter, exit or sighting"
    ),
    CheckCase(
      "decoder 'd' { company = 1, decode = function(ad) alert { title = 'in' } return { id = 1 } end }",
      "x:1: alert: a decoder only reads; call it in a handler of what it decodes"),
    CheckCase(
      "on('finish', function() after(60, function() end) every(5, function() end) end)",
      "x:1: remark: after in finish: the run is over, so it is never called",
      "x:1: remark: every in finish: the run is over, so it is never called"),
    CheckCase("on('start', function() after(60, function() end) end)"),
    CheckCase(
      "region 'quiet' { ibeacon = '\(uuid)', notify_on_entry = false } on('enter', 'quiet', function() end) "
        + "on('exit', 'quiet', function() end)",
      "x:1: remark: region 'quiet' has notify_on_entry = false; enter is never told of it"),
    CheckCase(
      "region 'a' { ibeacon = '\(uuid)', notify_on_entry = false, notify_entry_state_on_display = true } "
        + "on('enter', 'a', function() end)"),
    CheckCase(
      "region 'a' { ibeacon = '\(uuid)' } region 'a' { ibeacon = '\(uuid):1' } on('enter', 'a', function() end)",
      "x:1: remark: region 'a' is defined twice; only this definition counts"),
    CheckCase(
      "local n, own = 0, 0 decoder 'd' { company = 1, decode = function(ad) n = n + 1 own = own + 1 "
        + "return { id = own } end } on('sighting', { kind = 'custom' }, function(s) print(n) end)",
      "x:1: decode runs in a Lua state of its own: handlers never see what it sets in 'n'; return it in fields"
    ),
    CheckCase(
      "local seen = {} decoder 'd' { company = 1, decode = function(ad) seen[ad.data] = true return { id = 1 } end } "
        + "every(60, function() print(next(seen)) end)",
      "x:1: decode runs in a Lua state of its own: handlers never see what it sets in 'seen'; return it in fields"
    ),
    CheckCase(
      "local n = 0 decoder 'd' { company = 1, decode = function(ad) n = n + 1 return { id = n } end } "
        + "every(60, function() n = n + 1 print(n) end)"),
    CheckCase(
      "state = { n = 0 } on('finish', function() print(state.n) end)",
      "x:1: remark: another table in the place of state: what was saved in it is lost at each start; write "
        + "state.seen = state.seen or {}"),
    CheckCase(
      "region 'a' { ibeacon = { uuid = '\(uuid)', major = '9' }, within = '5', exit_after = '30' }"),
    CheckCase(
      "region 'a' { ibeacon = { uuid = '\(uuid)', major = '9.5' } }",
      "x:1: major in ibeacon has to be a whole number, not a string"),
    CheckCase(
      "on('telemetry', { decoder = 'tagg' }, function() end)",
      "x:1: remark: this file declares no decoder 'tagg'; a --site or --plugin has to"),
    // What a site may declare.
    CheckCase(
      "region 'hall 1' { ibeacon = '\(uuid)' } on('enter', 'hall 2', function() end)",
      "x:1: remark: this file declares no region 'hall 2'; did you mean 'hall 1'?"),
    CheckCase(
      "region 'north' { ibeacon = '\(uuid)' } on('enter', 'south', function() end)",
      "x:1: remark: this file declares no region 'south'; did you mean 'north'?"),
  ]
}
