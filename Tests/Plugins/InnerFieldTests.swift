import Analysis
import TestSupport
import Testing

@testable import Plugins

/// Fields of what is in events, and of copies of sightings.
@Suite("Fields of copies and of what is in events", .timeLimit(.minutes(60)))
struct InnerFieldTests {
  private static let region =
    "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,exit_after=3"
  private static let heard = HostTests.heard(0, minor: 2) + HostTests.heard(4000, 5500)

  private static func lines(_ plugin: String) throws -> [String] {
    try HostedRun([plugin], [heard], regions: [region]).lines
  }

  @Test(
    "one that is misspelt is an error with a guess",
    arguments: [
      (
        "local c on('sighting', function(s) c = s:copy() end) on('finish', function() return c.rsi end)",
        "a.lua:1: unknown field 'rsi' in a copy of a sighting; did you mean 'rssi'?"
      ),
      (
        "on('enter', function(e) return e.transmitter.majr end)",
        "a.lua:1: unknown field 'majr' in a transmitter; did you mean 'major'?"
      ),
      (
        "local function f(t) return t[1].frme end on('enter', function(e) return f(e.evidence) end)",
        "a.lua:1: unknown field 'frme' in an evidence; did you mean 'frame'?"
      ),
      (
        "on('ranging', function(e) if e.entries[1] then return e.entries[1].acuracy_m end end)",
        "a.lua:1: unknown field 'acuracy_m' in a ranging entry; did you mean 'accuracy_m'?"
      ),
    ])
  func misspelt(_ plugin: String, _ expected: String) throws {
    let lines = try Self.lines(plugin)
    #expect(lines.contains { $0.hasPrefix(expected + ", during ") }, "\(lines)")
  }

  @Test("what others have is nil, and so is what the file gives to any table")
  func own() throws {
    let lines = try Self.lines(
      """
      local function count(it) it.times = (it.times or 0) + 1 return it.times end
      on('sighting', function(s)
        local c = s:copy()
        print(c.accuracy_m, c.grade, c[1], #c, c.copy, count(c), count(c), rawget(c, 'nowhere'))
      end)
      on('enter', function(e)
        print(e.transmitter.rssi, count(e.transmitter), count(e.evidence[1]), e.evidence[1]['x' .. 1])
      end)
      """)
    let sighting = "a: nil\tnil\tnil\t0\tnil\t1\t2\tnil"
    #expect(lines.filter { $0 == sighting }.count == 3, "\(lines)")
    #expect(lines.contains("a: nil\t1\t1\tnil") && lines.count == 4, "\(lines)")
  }

  @Test("a name that a module gives, or that is made while running, may be there")
  func modules() throws {
    let folder = try TestingFolder(
      """
      local marks = require 'marks'
      on('sighting', function(s)
        local c = s:copy()
        print(c.marked, marks(c).marked)
        c['se' .. 'en'] = 1
        for key in pairs(c) do if key == 'seen' then print(c.seen) end end
      end)
      """,
      tests: """
        test 'x' { sightings = { { at = 0, url = 'https://a.com' } }, alerts = {},
          print = { "nil\\ttrue", "1" } }
        """, ["marks.lua": Array("return function(c) c.marked = true return c end".utf8)])
    #expect(try folder.outcomes()["x"]?.lines == [])
  }

  @Test("a copy is walked through, changed, cited and saved as any table")
  func kept() throws {
    let run = try ReloadRun(
      [
        (
          "p",
          """
          state.save("last")
          on("sighting", function(s)
            state.last = s:copy()
            state.last.mine = { n = 1 }
            local names = 0
            for _ in pairs(state.last) do names = names + 1 end
            print(names > 8, next(state.last) ~= nil, state.last.mine.n)
          end)
          on("finish", function()
            print(setmetatable(state.last, nil) == state.last)
            alert { title = "cited", evidence = state.last, about = state.last }
          end)
          """
        )
      ], heardAt: [0])
    #expect(run.told == [])
    #expect(run.printed == ["true\ttrue\t1", "true"])
    #expect(run.alerts.map { $0.evidence.map(\.number) } == [[2]])
    let plain = try ReloadRun(
      [("p", "state.save('c') on('sighting', function(s) state.c = s:copy() end)")], heardAt: [0])
    let saved = try SavedStates(reading: plain.host.savedState(), name: "saved.json")
    #expect(plain.told == [])
    let next = try ReloadRun(
      [("p", "on('start', function() print(state.c.kind, state.c.rsi) end)")], heardAt: [5],
      saved: saved)
    #expect(next.printed == ["eddystone-url\tnil"])
  }

  @Test("the way to an error has no names that the program itself gave")
  func traces() throws {
    let lines = try Self.lines("on('enter', function(e)\n  error 'boom'\nend)")
    let place = try #require(lines.firstIndex { $0.hasPrefix("a.lua:2: boom") })
    #expect(Array(lines[(place + 1)...]) == ["    a.lua:2: in the function of line 1"], "\(lines)")
  }

  @Test("what is saved, but not as it is, is told as such and not counted as lost")
  func changed() throws {
    let run = try ReloadRun(
      [
        (
          "p",
          """
          state.save("v")
          local shared = { 1 }
          state.v = { a = shared, b = shared, f = print, m = setmetatable({}, { __index = {} }) }
          """
        )
      ], heardAt: [0])
    _ = run.host.savedState()
    #expect(
      run.told == [
        "p: not saved: state.v.f: a function is left out",
        "p: saved, but not as it is: state.v.b: the same table as another one; a copy from now on",
        "p: saved, but not as it is: state.v.m: its metatable is left out, what is in it is not",
      ])
    #expect(run.host.notSaved == 1)
  }
}
