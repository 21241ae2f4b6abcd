import CaptureReader
import TestSupport
import Testing

@testable import Plugins

/// `beacontrace.recent`: maps that forget, and go on in the next run.
@Suite("Maps that forget", .timeLimit(.minutes(60)))
struct RecentMapTests {
  private static func run(
    _ text: String, saved: SavedStates = SavedStates()
  ) throws -> ReloadRun {
    let head = "local recent = require 'beacontrace.recent'\n"
    return try ReloadRun([("p", head + text)], heardAt: [0], saved: saved)
  }

  @Test("keep what is set or asked for, never more than twice as many as they may")
  func bounds() throws {
    let run = try Self.run(
      """
      local map, most = recent.map('m', 100), 0
      for i = 1, 10000 do
        map:get('first')
        if i == 1 then map:set('first', i) end
        map:set(i, i)
        local count = 0
        if i % 97 == 0 then
          for key, value in map:each() do count = count + 1 end
          most = math.max(most, count)
        end
      end
      on('start', function()
        print(map:get('first'), map:get(10000), map:get(9902), map:get(9700), most)
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["1\t10000\t9902\tnil\t199"])
  }

  @Test(
    "are no tables: what is written past set would be lost",
    arguments: [
      ("map['a'] = 1", "write it with m:set(key, value)"),
      ("print(map['a'])", "read it with m:get(key)"),
      ("print(map.a)", "read it with m:get(key)"),
      ("for key in pairs(map) do print(key) end", "walk through it with m:each()"),
      ("print(#map)", "walk through it with m:each() to count"),
    ])
  func noTables(_ use: String, _ way: String) throws {
    let run = try Self.run("local map = recent.map('m')\non('start', function()\n\(use)\nend)")
    #expect(
      run.told.first
        == "p.lua:4: a map of beacontrace.recent is no table: \(way), during start", "\(run.told)")
  }

  /// Whoever invents identities must not bring a rule to its limit of work.
  @Test("are walked through once, whatever they hold, within the limits of a call")
  func manyKeys() throws {
    let run = try Self.run(
      """
      local map = recent.map('m', 5000)
      for i = 1, 10000 do map:set('b9407f30-f5f8-466e-aff9-25556b57fe6d:1:' .. i, { n = i }) end
      on('start', function()
        local count, sum = 0, 0
        for key, value in map:each() do
          count, sum = count + 1, sum + value.n
          if count == 1 then map:set(key, nil) end
          map:get('b9407f30-f5f8-466e-aff9-25556b57fe6d:1:' .. 1)
        end
        print(count, sum)
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["10000\t50005000"])
  }

  @Test("hold false, remove what becomes nil, count a key once")
  func values() throws {
    let run = try Self.run(
      """
      local map = recent.map('m', 3)
      on('start', function()
        print(map:set('a', false), map:get('a'), map:set('b', 2), map:set('b', nil), map:get('b'))
        for _ = 1, 10 do map:set('a', 1) end
        local keys = {}
        for key in map:each() do keys[#keys + 1] = key end
        print(table.concat(keys, ' '), map:get('a'))
      end)
      """)
    #expect(run.printed == ["false\tfalse\t2\tnil\tnil", "a\t1"])
  }

  @Test("are there in the next run, old ones, too")
  func saved() throws {
    let text = """
      local map = recent.map('m', 2)
      on('start', function()
        local list = {}
        for key, value in map:each() do list[#list + 1] = key .. '=' .. value.n end
        table.sort(list)
        print(table.concat(list, ' '))
        for _, key in ipairs { 'a', 'b', 'c' } do
          local known = map:get(key) or map:set(key, { n = 0 })
          known.n = known.n + 1
        end
      end)
      """
    let first = try Self.run(text)
    let saved = try SavedStates(reading: first.host.savedState(), name: "saved.json")
    let second = try Self.run(text, saved: saved)
    #expect(first.printed == [""] && second.printed == ["a=1 b=1 c=1"])
    #expect(first.told == [] && first.host.notSaved == 0)
  }

  @Test(
    "begin anew where something else lies at their place, and say so",
    arguments: [
      "7", "{ a = true }", "{ newer = {}, older = {} }",
    ])
  func otherData(before: String) throws {
    let run = try Self.run(
      "state.m = \(before)\nlocal map = recent.map('m')\non('start', function() print(map:set(1, 2)) end)"
    )
    let told = "state.m held something else than a map of beacontrace.recent; it begins anew"
    #expect(run.told == [] && run.printed == [told, "2"])
  }

  @Test("do not count what was removed") func removed() throws {
    let run = try Self.run(
      """
      local map = recent.map('m', 3)
      on('start', function()
        map:set('keep', 1)
        for _ = 1, 10 do map:set('x', 1) map:set('x', nil) map:set('nothing', nil) end
        print(map:get('keep'))
      end)
      """)
    #expect(run.printed == ["1"])
  }

  @Test(
    "say what is wrong with a call",
    arguments: [
      ("recent.map()", "the name of a key of state is needed"),
      ("recent.map('m', 0)", "a whole number from 1 on"),
      ("recent.map('m', '5')", "a whole number from 1 on"),
      ("recent.map('m', false)", "a whole number from 1 on"),
      ("recent.map('m').set('a', 1)", "is called with a colon: m:get(key)"),
      ("for _ in recent.map('m').each() do end", "is called with a colon: m:get(key)"),
    ])
  func calls(_ call: String, _ words: String) throws {
    let problem = #expect(throws: PluginProblem.self) { try Self.run(call) }
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    // Where the rule is wrong, not where the module notices.
    #expect(problem?.description.contains(":2: ") == true, "\(problem?.description ?? "")")
  }
}
