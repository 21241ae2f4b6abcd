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

  private static func isPlain(_ text: String) throws -> Bool {
    BriefFunctions(try LuaProgram.parse(Array(text.utf8))).isPlainText
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
    "Any other use of the sighting, in a text that is plain otherwise, gets a handle",
    arguments: [
      "last = s", "local t = s print(t.id)", "print(s)", "return s", "if s then print(s.id) end",
      "s = nil", "s.rssi = 3", "s.rssi, n = 3, 4", "for name in pairs(s) do n = name end",
      "last = s:copy()", "local name = \"id\" n = s[name]", "t = {s}", "t = {evidence = s}",
      "keep { evidence = s }", "alert { title = \"x\", fields = { evidence = s } }",
      "alert { title = \"x\", evidence = { s } }", "function s.x() end", "function s:x() end",
      "local alert = print alert { evidence = s }", "t[s] = true", "n = s == last", "n = #s",
      "after(30, function() print(s.id) end)",
    ])
  func otherUses(_ body: String) throws {
    let before = "local last, n, t, keep on(\"sighting\", function(s) "
    #expect(try Self.isPlain(before + body + " end)"))
    #expect(try Self.lines(before + "n = s.id end)") == [1])
    #expect(try !Self.lines(before + body + " end)").contains(1))
  }

  @Test(
    "Sightings that come without a name of their own, and lines with two functions",
    arguments: [
      "local n on(\"sighting\", function(...) local s = ... n = s.id end)",
      "local n on(\"sighting\", function(s, ...) n = s.id end)",
      "local kept on(\"sighting\", function\n(s) kept = s end) local function r(s) return s.id end",
    ])
  func others(_ text: String) throws {
    #expect(try Self.isPlain(text))
    #expect(try Self.lines(text) == [])
  }

  @Test(
    "In texts where things may mean something else there are none",
    arguments: [
      "function alert(t) t = t.evidence end on(\"sighting\", function(s) alert { evidence = s } end)",
      "local n on(\"sighting\", function(_ENV) n = frame end)",
      "local r = function(s) return s.id end\non(\"sighting\", load(\"return function(s) end\", \"@x\")())",
      "local n on(\"sighting\", function(s) setmetatable({}, {}) n = s.id end)",
    ])
  func unsure(_ text: String) throws {
    #expect(try !Self.isPlain(text))
    #expect(try Self.lines(text) == [])
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
