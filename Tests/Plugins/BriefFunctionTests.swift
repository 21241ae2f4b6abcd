import Testing

@testable import Plugins

/// What is taken for a function that comes back soon goes unwatched: better too few than one too many.
@Suite struct BriefFunctionTests {
  private static func lines(_ text: String) throws -> [Int] {
    var functions = BriefFunctions(try LuaProgram.parse(Array(text.utf8)))
    return functions.lines().sorted()
  }

  @Test(
    "Functions without loops that call only what comes back soon",
    arguments: [
      "local n = 0 on(\"sighting\", function(s) n = n + 1 end)",
      "on(\"sighting\", function(s) if s.rssi and s.rssi > -60 then alert { title = \"near\" } end end)",
      "on(\"sighting\", function(s) state.n = (state.n or 0) + math.max(1, s.rssi) end)",
      "on(\"sighting\", function(s) alert { title = (\"%d\"):format(s.rssi) } end)",
      "on(\"sighting\", function(s) print(\"%d\", utc(s.time), tostring(s)) end)",
    ])
  func brief(_ text: String) throws {
    #expect(try Self.lines(text) == [1])
  }

  @Test("A local function that is brief may be called")
  func localFunctions() throws {
    let text = """
      local function tell(s) alert { title = s.id } end
      local far = function(s) return s.rssi < -80 end
      on("sighting", function(s)
        if far(s) then tell(s) end
      end)
      """
    #expect(try Self.lines(text) == [1, 2, 3])
  }

  @Test(
    "Everything else is watched",
    arguments: [
      "on(\"sighting\", function(s) while true do end end)",
      "on(\"sighting\", function(s) for i = 1, 10 do n = i end end)",
      "on(\"sighting\", function(s) repeat local x = 1 until x end)",
      "on(\"sighting\", function(s) ::a:: goto a end)",
      "on(\"sighting\", function(s) s.f() end)",
      "on(\"sighting\", function(s) s:copy() end)",
      "on(\"sighting\", function(s) (s.id):rep(10) end)",
      "on(\"sighting\", function(s) string.gsub(s.id, \".\", print) end)",
      "on(\"sighting\", function(s) table.sort({}, print) end)",
      "local f on(\"sighting\", function(s) f(s) end)",
      "local f = print on(\"sighting\", function(s) f(s) end)",
      "local t = {} on(\"sighting\", function(s) t.f(s) end)",
      "on(\"sighting\", function(f) f() end)",
      "on(\"sighting\", function(s) (function() end)() end)",
      "on(\"sighting\", function(s) pcall(alert) end)",
      "on(\"sighting\", function(s) unknown(s) end)",
    ])
  func watched(_ text: String) throws {
    #expect(try Self.lines(text) == [])
  }

  @Test(
    "Where something could become something else nothing is brief",
    arguments: [
      "setmetatable({}, {})", "alert = print", "string.format = print", "function math.abs() end",
      "local m = require(\"m\")", "load(\"x = 1\")()", "_G.alert = print", "local _ENV = {} x = 1",
      "rawset(string, \"format\", print)", "local g = _G",
    ])
  func doubts(_ text: String) throws {
    let handler = "\non(\"sighting\", function(s) alert { title = s.id } end)"
    #expect(try Self.lines(text + handler) == [])
    #expect(try Self.lines("local x = 1" + handler) == [2])
  }

  @Test("A function that calls itself, and functions that double what they call, are not brief")
  func growth() throws {
    #expect(try Self.lines("local function f() f() end") == [])
    var text = "local function f0() end"
    for number in 1...40 {
      text += "\nlocal function f\(number)() f\(number - 1)() f\(number - 1)() end"
    }
    let lines = try Self.lines(text)
    #expect(lines.first == 1)
    #expect(lines.count < 15)
  }

  @Test("Two functions on one line cannot be told apart")
  func oneLine() throws {
    #expect(
      try Self.lines("on(\"enter\", function() end) on(\"sighting\", function() end)") == [])
  }
}
