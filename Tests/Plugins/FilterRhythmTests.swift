import CaptureReader
import TestSupport
import Testing

@testable import Plugins

/// `beacontrace.filters`: how often a controller that filters duplicates lets the same beacon pass.
@Suite("Rhythms of filters", .timeLimit(.minutes(60)))
struct FilterRhythmTests {
  private static let head = """
    local filters = require 'beacontrace.filters'
    local r = filters.rhythm('rhythm', 30)
    local function hear(...)
      for _, time in ipairs { ... } do r:hear('door', 'a', time) end
    end

    """

  private static func run(
    _ text: String, saved: SavedStates = SavedStates()
  ) throws -> ReloadRun {
    try ReloadRun([("p", head + text)], heardAt: [0], saved: saved)
  }

  @Test("are the middle of the gaps of all beacons, and not known of fewer than five")
  func middle() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        hear(0, 60, 120, 180)
        r:hear('door', 'b', 200)
        r:hear('door', 'b', 230)
        print(r:seconds('door'), r:seconds('hall'))
        hear(250)
        print(r:seconds('door'))
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["nil\tnil", "60.0"])
  }

  @Test("who filters is told once, also where it was asked before without a word")
  func remarks() throws {
    let plugin = """
      local filters = require 'beacontrace.filters'
      on('sighting', function(s)
        state.asked = filters.is_on(s.observer)
        filters.is_on(s.observer, ' filters')
      end)
      """
    let heard = "url = 'https://a.com/', address = 'c2:35:33:30:25:50'"
    let test = """
      sightings = {
        { at = 0, scan = 'on', filters_duplicates = true }, { at = 1, \(heard) }, { at = 2, \(heard) },
        { at = 3, scan = 'on' }, { at = 4, \(heard) },
      },
      alerts = {}, print = { 'test filters' },
      finish = function(state) assert(state.asked == false) end,
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("pass over what has no time") func noTime() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        for time = 0, 50, 10 do
          r:hear('door', 'a', nil)
          hear(time)
        end
        print(r:seconds('door'))
      end)
      """)
    #expect(run.told == [] && run.printed == ["10.0"])
  }

  @Test("learn nothing from a clock that was set back until it has come as far as before")
  func clockSetBack() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        hear(1000, 1060, 1120, 1180, 1240, 1300)
        -- A step, with gaps of 1 s behind it, and the first one beyond it that says nothing either.
        for time = 100, 1299 do hear(time) end
        hear(1301)
        print(r:seconds('door'))
        for n = 1, 60 do hear(1301 + 20 * n) end
        print(r:seconds('door'))
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["60.0", "20.0"])
  }

  @Test("count no gap over a restart, and are still known behind it")
  func saved() throws {
    let text = """
      on('sighting', function()
        print(r:seconds('door'))
        hear(10, 15, 20, 25, 30, 35)
        print(r:seconds('door'))
      end)
      """
    let first = try Self.run(text)
    let saved = try SavedStates(reading: first.host.savedState(), name: "saved.json")
    let later = text.replacing("hear(10, 15, 20, 25, 30, 35)", with: "hear(10000, 10005)")
    let second = try Self.run(later, saved: saved)
    #expect(first.printed == ["nil", "5.0"] && second.printed == ["5.0", "5.0"])
    #expect(first.told == [] && first.host.notSaved == 0)
  }

  @Test(
    "begin anew where something else lies at their place, and say so",
    arguments: ["7", "{ a = true }"])
  func otherData(before: String) throws {
    let run = try ReloadRun(
      [
        (
          "p",
          "state.rhythm = \(before)\n\(Self.head)on('start', function() print(r:seconds('a')) end)"
        )
      ],
      heardAt: [0])
    let told =
      "state.rhythm held something else than a rhythm of beacontrace.filters; it begins anew"
    #expect(run.told == [] && run.printed == [told, "nil"])
  }

  @Test(
    "say what is wrong with a call",
    arguments: [
      ("filters.rhythm()", "the name of a key of state is needed"),
      ("filters.rhythm('m', 0)", "a number of seconds above 0"),
      ("filters.rhythm('m', '5')", "a number of seconds above 0"),
      ("r.seconds('door')", "is called with a colon: r:seconds(observer)"),
    ])
  func calls(_ call: String, _ words: String) throws {
    let problem = #expect(throws: PluginProblem.self) { try Self.run(call) }
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    // Where the rule is wrong, not where the module notices.
    #expect(problem?.description.contains(":6: ") == true, "\(problem?.description ?? "")")
  }
}
