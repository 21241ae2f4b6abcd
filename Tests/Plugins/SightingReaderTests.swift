import Testing

@testable import Plugins

/// What is taken for a function that only reads its sighting gets no handle: better too few than one
/// too many.
@Suite struct SightingReaderTests {
  private static func lines(_ text: String) throws -> [Int] {
    let program = try LuaProgram.parse(Array(text.utf8))
    let functions = BriefFunctions(program)
    return SightingReaders(program, isPlainText: functions.isPlainText).lines().sorted()
  }

  @Test(
    "Functions that read fields, and cite the sighting",
    arguments: [
      "local n = 0 on(\"sighting\", function() n = n + 1 end)",
      "local seen = {} on(\"sighting\", function(s) if s.rssi and s.rssi > -60 then seen[s.id] = s.time end end)",
      "on(\"sighting\", function(s) print(s[\"rssi\"], s.fields.tilt) end)",
      "on(\"sighting\", function(s) alert { title = s.id, evidence = s } end)",
      "on(\"sighting\", function(s) for i = 1, 3 do print(s.id) end end)",
      "on(\"sighting\", function(s, other) other = s.id end)",
      "local s = 1 on(\"sighting\", function(t) t = 2 end)\non(\"sighting\", function(s) return s.id end)",
    ])
  func readers(_ text: String) throws {
    #expect(try Self.lines(text) == [text.contains("t = 2") ? 2 : 1])
  }

  @Test(
    "Everything else gets a handle",
    arguments: [
      "on(\"sighting\", function(s) last = s end)",
      "on(\"sighting\", function(s) local t = s print(t.id) end)",
      "on(\"sighting\", function(s) print(s) end)",
      "on(\"sighting\", function(s) return s end)",
      "on(\"sighting\", function(s) if s then print(s.id) end end)",
      "on(\"sighting\", function(s) s = nil end)",
      "on(\"sighting\", function(s) s.rssi = 3 end)",
      "on(\"sighting\", function(s) s.rssi, n = 3, 4 end)",
      "on(\"sighting\", function(s) for name, value in pairs(s) do n = name end end)",
      "on(\"sighting\", function(s) kept = s:copy() end)",
      "on(\"sighting\", function(s) local name = \"id\" n = s[name] end)",
      "on(\"sighting\", function(...) local s = ... n = s.id end)",
      "on(\"sighting\", function(s, ...) n = s.id end)",
      "on(\"sighting\", function(s) t = {s} end)",
      "on(\"sighting\", function(s) t = {evidence = s} end)",
      "on(\"sighting\", function(s) keep { evidence = s } end)",
      "on(\"sighting\", function(s) alert { title = \"x\", fields = { evidence = s } } end)",
      "on(\"sighting\", function(s) alert { title = \"x\", evidence = { s } } end)",
      "function alert(t) t = t.evidence end on(\"sighting\", function(s) alert { evidence = s } end)",
      "on(\"sighting\", function(_ENV) n = frame end)",
      "on(\"sighting\", function\n(s) kept = s end) local function r(s) return s.id end",
      "local r = function(s) return s.id end on(\"sighting\", load(\"return function(s) k = s end\", \"@x\")())",
      "on(\"sighting\", function(s) setmetatable({}, {}) n = s.id end)",
      "on(\"sighting\", function(s) function s.x() end end)",
      "on(\"sighting\", function(s) function s:x() end end)",
      "local alert = print on(\"sighting\", function(s) alert { evidence = s } end)",
    ])
  func others(_ text: String) throws {
    #expect(try !Self.lines(text).contains(1))
  }

  @Test("Lines are counted as Lua counts them")
  func lines() throws {
    let text =
      "local t = {} function t.r\n(s) return s.id end on(\"sighting\", function(s) t[1] = s end)"
    #expect(try Self.lines(text) == [1])
    let other = "on(\"sighting\", function\n(s) while true do end end) local function r(s) end"
    var functions = BriefFunctions(try LuaProgram.parse(Array(other.utf8)))
    #expect(functions.lines() == [])
  }

  @Test("A sighting that a function of its own holds may outlive the call")
  func captured() throws {
    let text = """
      on("sighting", function(s)
        after(30, function() print(s.id) end)
      end)
      """
    #expect(try Self.lines(text) == [2])
  }
}
