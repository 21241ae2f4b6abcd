import Plugins
import Synchronization
import Testing

/// Rules that load, and do not what they say.
@Suite("Checking handlers")
struct CheckHandlerTests {
  @Test(
    "tells what nobody calls, takes or holds back", arguments: names + returns + keys + nils + sums)
  func tells(_ item: CheckCase) { #expect(said(of: item.source, item.file) == item.expected) }

  private static let names = [
    CheckCase(
      "function on_enter(e) print(e) end",
      "x:1: remark: nobody calls 'on_enter'; a handler is registered: on(\"enter\", function(e) … end)"
    ),
    CheckCase(
      "function onSighting(s) print(s) end",
      "x:1: remark: nobody calls 'onSighting'; a handler is registered: on(\"sighting\", function(s) … end)"
    ),
    CheckCase(
      "local function on_message_found(e) print(e) end",
      "x:1: remark: nobody calls 'on_message_found'; a handler is registered: on(\"message_found\", function(e) … end)"
    ),
    CheckCase(
      "local exit = function(e) print(e) end",
      "x:1: remark: nobody calls 'exit'; a handler is registered: on(\"exit\", function(e) … end)"),
    CheckCase(
      "function on_beacon(e) print(e) end",
      "x:1: remark: nobody calls 'on_beacon'; a handler is registered: on(\"enter\", function(e) … end)"
    ),
    CheckCase("local function on_enter(e) print(e) end on('enter', on_enter)"),
    // Whoever has all globals may call any of them.
    CheckCase(
      "function on_enter(e) print(e) end for _, n in ipairs { 'enter' } do on(n, _G['on_' .. n]) end",
      "x:1: remark: global function 'on_enter'; write local function on_enter"),
    CheckCase(
      "local env = _ENV function on_exit(e) print(e) end on('exit', env.on_exit)",
      "x:1: remark: global function 'on_exit'; write local function on_exit"),
    CheckCase("local function once(e) print(e) end"),
    CheckCase(
      "function on_enter(e) print(e) end on('enter', on_enter)",
      "x:1: remark: global function 'on_enter'; write local function on_enter"),
  ]

  private static let untold =
    "x:1: what a handler returns is not told; write alert { title = … } in the place of return { title = … }"
  private static let returns = [
    CheckCase("on('enter', function(e) return { title = 'in', evidence = e } end)", untold),
    CheckCase("every(60, function() return { title = 'late' } end)", untold),
    CheckCase("on('enter', function(e) return e.region end)"),
    CheckCase("on('enter', function(e) return alert { title = 'in', evidence = e } end)"),
    CheckCase(
      "local function made(e) return { title = e.region } end on('enter', function(e) alert(made(e)) end)"
    ),
    CheckCase(
      "local function made(e) return { title = e.region } end on('enter', made) on('exit', function(e) "
        + "alert(made(e)) end)"),
  ]

  private static func alert(_ event: String, _ key: String) -> String {
    "on('\(event)', function(e) alert { title = 'came', once_per = 60, dedupe_key = \(key), evidence = e } end)"
  }
  private static let new =
    "x:1: remark: e.id is new with each event: once_per holds nothing back; write "
  private static let keys = [
    CheckCase(alert("enter", "e.id"), new + "e.region or e.transmitter.id or e.observer"),
    CheckCase(alert("clock", "e.observer")), CheckCase(alert("exit", "e.region .. e.observer")),
    CheckCase(
      alert("exit", "'left ' .. (e.region .. e.id)"),
      new + "e.region or e.transmitter.id or e.observer"),
    CheckCase(alert("enter", "e.transmitter.id")), CheckCase(alert("sighting", "e.id")),
    CheckCase(alert("telemetry", "e.id")),
    CheckCase(
      "on('enter', function(e) alert { title = 'came', dedupe_key = e.id, evidence = e } end)"),
  ]

  private static func handler(_ body: String, _ event: String = "telemetry") -> String {
    "on('\(event)', function(s) \(body) end)"
  }
  private static func uncertain(_ field: String) -> String {
    "x:1: remark: \(field) may be nil, and then this fails: ask first, 'if s.\(field) and …'"
  }
  private static let nils = [
    CheckCase(handler("if s.battery_mv < 2400 then print(s.id) end"), uncertain("battery_mv")),
    CheckCase(handler("if s.rssi > -60 then print(s.rssi) end", "sighting"), uncertain("rssi")),
    CheckCase(handler("print('at ' .. s.temperature_c)"), uncertain("temperature_c")),
    CheckCase(
      handler(
        "if s.rssi > -60 then alert { title = 'near', fields = { rssi = s.rssi }, evidence = s } end"
      ),
      uncertain("rssi")),
    // Wherever it may have been asked for.
    CheckCase(handler("if s.battery_mv and s.battery_mv < 2400 then print(s.id) end")),
    CheckCase(handler("if not s.battery_mv then return end print(s.battery_mv / 1000)")),
    CheckCase(handler("if s.battery_mv then print(s.battery_mv / 1000) end")),
    CheckCase(handler("if s.kind == 'eddystone-tlm' then print(s.battery_mv / 1000) end")),
    CheckCase(handler("local n = s.battery_mv if n then print(s.battery_mv / 1000) end")),
    CheckCase(
      "local function has(s) return s.rssi end " + handler("if has(s) then print(s.rssi + 1) end")),
    CheckCase(handler("print(pcall(function() return s.rssi + 1 end))")),
    CheckCase(handler("print((s.rssi or -100) + 1, s.adv_count + 1, s.time - 5)")),
    CheckCase(
      "local function near(s) return s.rssi > -60 end "
        + handler("if s.rssi and near(s) then print(1) end")),
  ]

  private static let sums = [
    CheckCase(
      handler("print('seen ' + s.id)"),
      "x:1: + adds numbers, and 'seen ' is none; texts are joined with .."),
    CheckCase(
      handler("print(1 + 'seen ')", "start"),
      "x:1: + adds numbers, and 'seen ' is none; texts are joined with .."),
    // What is not known may be a table that says what + is to it.
    CheckCase("local lib = require 'lib' " + handler("print('n' + lib.v, lib.v + 'n')")),
    CheckCase(handler("local n = tostring(s) print('n' + n)")),
    CheckCase("print('10' + 1, ' -0x10 ' + 1, 1 + '1e5', 1 + 2)"),
  ]

  @Test("a plugin that does nothing is told where a run begins with it; one that declares is not")
  func idle() throws {
    func told(_ text: String, isSite: Bool = false) throws -> [String] {
      let lines = Told()
      let file = try PluginFile(path: "p.lua", text: Array(text.utf8))
      try PluginHost([(file, isSite)]) { lines.add($0) }.tellMistakes()
      return lines.take()
    }
    let idle = try told("function on_enter(e) print(e) end")
    #expect(
      idle == [
        "p.lua: this file does nothing: it has no handler, no timer, and declares nothing; a handler is "
          + "registered: on(\"enter\", function(e) … end)"
      ])
    #expect(
      try told("local n = 1", isSite: true) == [
        "p.lua: this file does nothing: it declares nothing"
      ])
    for text in [
      "on('enter', function(e) end)", "every(5, function() end)",
      "region 'a' { ibeacon = '\(uuid)' }",
      "decoder 'd' { company = 1, decode = function(ad) return { id = 1 } end }",
    ] { #expect(try told(text).isEmpty, "\(text)") }
  }
  private final class Told: Sendable {
    private let all = Mutex<[String]>([])
    func add(_ line: String) { all.withLock { $0.append(line) } }
    func take() -> [String] { all.withLock { $0 } }
  }
  private let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
}
