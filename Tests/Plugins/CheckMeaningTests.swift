import Plugins
import Testing

/// What could be called, and would do nothing.
@Suite("Checking what a plugin means")
struct CheckMeaningTests {
  @Test("tells names, numbers and identities that come to nothing", arguments: cases)
  func tells(_ item: CheckCase) { #expect(said(of: item.source, item.file) == item.expected) }

  private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
  private static let lobby = "region 'lobby' { ibeacon = '\(uuid)' } "
  private static func on(_ filter: String) -> String {
    "on('sighting', { \(filter) }, function() end)"
  }

  private static let cases = [
    CheckCase(
      lobby + "on('enter', 'loby', function() end)",
      "x:1: this file declares no region 'loby'; did you mean 'lobby'?"),
    CheckCase(
      lobby + "on('exit', '*', function() end)",
      "x:1: remark: no region is called '*': leave it out, and it is every region"),
    CheckCase(
      "on('exit', '*', function() end)",
      "x:1: remark: no region is called '*': leave it out, and it is every region"),
    CheckCase(
      lobby + "on('enter', { region = { 'lobby', 'yard' } }, function() end)",
      "x:1: remark: this file declares no region 'yard'"),
    CheckCase(
      lobby + "on('finish', function() print(region_state('loby')) end)",
      "x:1: this file declares no region 'loby'; did you mean 'lobby'?"),
    CheckCase(
      lobby + "on('enter', function(e) if e.region == 'loby' then print(1) end end)",
      "x:1: this file declares no region 'loby'; did you mean 'lobby'?"),
    CheckCase(
      "decoder 'nearby' { company = 1, decode = function(ad) return { id = 'n' } end } "
        + on("decoder = 'nerby'"),
      "x:1: this file declares no decoder 'nerby'; did you mean 'nearby'?"),
    CheckCase(
      "decoder 'nearby' { company = 1, decode = function(ad) return { id = 'n' } end } "
        + "region 'a' { decoder = 'nerby' } region 'b' { decoder = { name = 'nearby', id = 'x' } }",
      "x:1: remark: this file declares no decoder 'nerby'; did you mean 'nearby'?"),
    CheckCase(
      "region 'strong' { contains = function(s) return s.rssi == -50 end } "
        + on("region = 'strong'"),
      "x:1: region 'strong' is nothing but a rule (contains), and a filter does not ask it: every sighting would "
        + "come; ask it in the handler, or wait for enter and exit"),
    CheckCase(
      "region 'strong' { address = 'c2:35:33:30:25:50', contains = function(s) return true end } "
        + on("region = 'strong'")),
    CheckCase(
      "on('telemetry', function(s) alert { title = 'low', once_per = 60 } end)",
      "x:1: remark: once_per without dedupe_key: once one beacon is told of, the others are held back; write "
        + "dedupe_key = s.id to tell of each"),
    CheckCase(
      "on('sighting', { id = '\(uuid):1:1' }, function(s) alert { title = 'low', once_per = 60 } end) "
        + "on('telemetry', function(s) alert { title = 'low ' .. s.id, once_per = 60 } end) "
        + "on('exit', function(e) alert { title = 'left', once_per = 60 } end)"),
    CheckCase(
      "on('sighting', function(s) alert { title = 'a', dedupe_key = s.id, at_most = { 5, 60 } } end)",
      "x:1: at_most: write { 5, per = 60 }: five in sixty seconds"),
    CheckCase(
      "on('sighting', function(s) print(s.name) end)",
      "x:1: a sighting has no name: what the site calls it is name_of(s), and what a device calls itself a decoder "
        + "reads (ad_type = 9, and 8 for a short one)"),
    CheckCase(
      "local mine = { address = 'c2:35:33:30:25:50' } "
        + "on('sighting', mine, function(s) alert { title = 'low', once_per = 60 } end) "
        + "on('sighting', { id = { '\(uuid):1:1' } }, function(s) alert { title = 'low', once_per = 60 } end) "
        + "on('sighting', function(s) if s.minor ~= 7 then return end alert { title = 'low', once_per = 60 } end) "
        + "on('sighting', function(s) alert { title = 'low', region = 'a', once_per = 60 } end)"),
    CheckCase(
      "if os.time() > 5 then region 'hall' { contains = function(s) return true end } "
        + "else region 'hall' { ibeacon = '\(uuid)' } end " + on("region = 'hall'")),
    CheckCase(
      "option 't' { default = '60', min = 1 }",
      "x:1: min is of numbers, and default is none: write default = 60, say"),
    CheckCase("option 't' { type = 'number', min = 1 } option 'u' { default = 5, max = 9 }"),
    CheckCase(
      "on('sighting', function(s) alert('beacon ' .. s.id) end)",
      "x:1: alert in alert has to be a table (alert), not a string"),
    CheckCase(
      "on('sighting', function(s) alert { title = s.major, evidence = s.frame, fields = { 1 } } end)",
      "x:1: title in alert has to be a string, not a whole number (major)",
      "x:1: evidence in alert has to be a sighting, or a table (event), or a list, each a sighting, or a table (event), "
        + "not a whole number (frame)",
      "x:1: fields has names: write name = value"),
    CheckCase(
      lobby + "on('telemetry', { region = 'lobby' }, function() end)",
      "x:1: region 'lobby' is of ibeacon, which a frame of telemetry does not say: nothing would match; "
        + "filter by address"),
    CheckCase(
      "region 'lobby' { eid = '0102030405060708' } on('telemetry', { region = 'lobby' }, function() end)",
      "x:1: region 'lobby' is of eid, which a frame of telemetry does not say: nothing would match; "
        + "filter by address"),
    CheckCase(
      "region 'lobby' { eid = 'loan-locator' } on('telemetry', { region = 'lobby' }, function() end)"
    ),
    CheckCase(
      "region 'lobby' { address = 'c2:35:33:30:25:50' } "
        + "on('telemetry', { region = 'lobby' }, function() end)"),
    CheckCase(
      "state.save('coutn') on('finish', function() state.count = 1 end)",
      "x:1: remark: nothing in this file uses state.coutn; did you mean 'count'?"),
    CheckCase(
      "state.save = { 'count' } on('finish', function() state.count = 1 end)",
      "x:1: state.save is a function that names what survives a restart: write state.save(\"seen\")"
    ),
    CheckCase(
      "state.save('n') state.n = 0 on('sighting', function() state.n = state.n + 1 end)",
      "x:1: remark: this overwrites what state.n is restored to when the program starts again; write "
        + "state.n = state.n or …"),
    CheckCase(
      "state.save('n') state.n = state.n or 0 on('start', function() state.n = 0 end)"),
    CheckCase("state.save('n') if not state.n then state.n = 0 end"),
    CheckCase("state.save('n') state.n = math.max(0, (state.n or 1) - 1)"),
    CheckCase(
      "local recent = require 'beacontrace.recent' state.save('bat') "
        + "local map = recent.map('bat', 9) on('start', function() map:set('a', 1) end)",
      "x:1: remark: recent.map saves state.bat by itself"),
    CheckCase(
      "local filters = require 'beacontrace.filters' state.save('often') "
        + "local often = filters.rhythm('often') on('start', function() print(often:seconds('a')) end)",
      "x:1: remark: filters.rhythm saves state.often by itself"),
    CheckCase(
      "local listening = require 'beacontrace.listening' state.save('ears') "
        + "local ears = listening.ears('ears') on('start', function() print(ears:observers()[1]) end)",
      "x:1: remark: listening.ears saves state.ears by itself"),
    CheckCase(
      "on('enter', 'yard', function() end)",
      "x:1: remark: this file declares no region 'yard'; --site or --region has to"),
    // Under names that only a run knows, or in a module.
    CheckCase("on('enter', '\(uuid)', function() end)"),
    CheckCase("require 'regions' on('enter', 'yard', function() end)"),
    CheckCase(
      lobby + "for _, n in ipairs { 'yard' } do region(n, { eid = '0011223344556677' }) end "
        + "on('enter', 'yard', function() end)"),
    CheckCase(
      "region 'a' { ibeacon = '\(uuid)', major = 1 }",
      "x:1: 'major' is a part of ibeacon: write ibeacon = { uuid = …, major = … }"),
    CheckCase("every(0, print)", "x:1: seconds has to be a number above 0"),
    CheckCase("after(-5, print)", "x:1: seconds has to be a number above 0"),
    CheckCase("every(0.5, print)"),
    CheckCase(
      "on('enter', function() alert { title = 'x', once_per = 0, at_most = { 0, per = -1 } } end)",
      "x:1: once_per has to be a number above 0",
      "x:1: the number in at_most has to be a number above 0",
      "x:1: per in at_most has to be a number above 0"),
    CheckCase(
      on("uuid = '\(uuid.dropLast())'"),
      "x:1: uuid '\(uuid.dropLast())' will match nothing; write 32 hexadecimal digits, with or without "
        + "hyphens"),
    CheckCase(on("uuid = { '\(uuid)', '\(uuid.filter { $0 != "-" })' }")),
    CheckCase(
      on("address = 'c2:35'"),
      "x:1: address 'c2:35' will match nothing; write six bytes such as c2:35:33:30:25:50"),
    CheckCase(on("address = 'C2:35:33:30:25:50'")),
    CheckCase(
      on("namespace = 'edd1'"),
      "x:1: namespace 'edd1' will match nothing; write 20 hexadecimal digits"),
    // Of messages it may be any text.
    CheckCase("subscribe {} on('message_found', { namespace = 'museum' }, function() end)"),
    CheckCase("decoder 'a' { company = 1, decode = function() return { id = 5 } end }"),
    CheckCase(
      "decoder 'a' { company = 1, decode = function() return { fields = {} } end }",
      "x:1: what decode returns needs id"),
    CheckCase(
      "on('enter', function() alert() end)", "x:1: alert needs a table: alert { … }"),
  ]

  @Test("A filter takes a UUID with hyphens or without, large or small")
  func uuids() throws {
    let written = Self.uuid.uppercased().filter { $0 != "-" }
    let plugin =
      "on('sighting', { uuid = '\(written)' }, function(s) print(s.minor, s.company) end)"
    let test = """
      sightings = { { at = 0, ibeacon = '\(Self.uuid):1:7' } }, alerts = {}, print = { "7\\t76" },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }
}
