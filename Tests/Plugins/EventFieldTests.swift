import Analysis
import CaptureReader
import Regions
import TestSupport
import Testing

@testable import Plugins

/// Fields of events that handlers ask for.
@Suite("Fields of events", .timeLimit(.minutes(60)))
struct EventFieldTests {
  private static let region =
    "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,exit_after=3"
  /// Entered at 4 s, left at 8.5 s.
  private static let heard =
    HostTests.heard(0, minor: 2) + HostTests.heard(4000, 5500) + HostTests.heard(9000, minor: 2)

  private static func lines(_ plugin: String) throws -> [String] {
    try HostedRun([plugin], [heard], regions: [region]).lines
  }

  @Test(
    "a misspelt name is an error with a guess",
    arguments: [
      (
        "on('exit', function(e) return e.grad end)",
        "a.lua:1: unknown field 'grad' in an exit event; did you mean 'grade'?"
      ),
      (
        "on('enter', 'hall', function(e) return e.minor end)",
        "a.lua:1: 'minor' is no field of an enter event, but of its transmitter: write "
          + "transmitter.minor"
      ),
      (
        "on('state', '', function(e) return e.xyzzy end)",
        "a.lua:1: unknown field 'xyzzy' in a state event"
      ),
      (
        "on('start', function(e) return e.capture_s end)",
        "a.lua:1: unknown field 'capture_s' in a start event"
      ),
      (
        "on('finish', function(e) return e.tiem end)",
        "a.lua:1: unknown field 'tiem' in a finish event; did you mean 'time'?"
      ),
      (
        "on('observer', function(e) return e.waht end)",
        "a.lua:1: unknown field 'waht' in an observer event; did you mean 'what'?"
      ),
    ])
  func misspelt(_ plugin: String, _ expected: String) throws {
    let lines = try Self.lines(plugin)
    #expect(lines.contains { $0.contains(expected) }, "\(lines)")
  }

  @Test("what another event has, or this one has not, is nil; own values can be added")
  func absent() throws {
    let lines = try Self.lines(
      """
      local function look(e)
        print(e.type, e.grade, e.distance, e[1], #e, e == e)
        e.mine = 'mine'
        local names = {}
        for name in pairs(e) do names[#names + 1] = name end
        print(e.mine, next(e) ~= nil, names[1])
      end
      on('enter', look)
      on('exit', look)
      """)
    // `distance` is no field of any event.
    #expect(lines.contains { $0.contains("unknown field 'distance' in an enter event") })
    let others = try Self.lines(
      """
      local function look(e)
        print(e.type, e.grade, e.rssi, e[1], #e, e == e)
        e.mine = 'mine'
        local names = {}
        for name in pairs(e) do names[#names + 1] = name end
        print(e.mine, next(e) ~= nil, table.concat(names, ' '))
      end
      on('enter', look)
      on('exit', look)
      """)
    #expect(
      others
        == [
          "a: enter\tnil\tnil\tnil\t0\ttrue",
          // By the region's own exit period the first pause left open whether it had been inside.
          "a: mine\ttrue\tentry_doubt evidence id listened_before_s mine observer profile region state time "
            + "transmitter type unheard_since",
          "a: exit\tdeaf\tnil\tnil\t0\ttrue",
          "a: mine\ttrue\tevidence grade id last_seen mine observer profile record_gap_s region "
            + "scan_off_s silent_transmitters state time transmitter type",
        ], "\(others)")
  }

  @Test("an event is kept, cited and saved as it always was") func kept() throws {
    let run = try ReloadRun(
      [
        (
          "p",
          """
          region "a" { url = "https://a.com" }
          state.save("last")
          on("state", "a", function(e) state.last = e end)
          on("finish", function(e)
            print(getmetatable(state.last) ~= nil)
            alert { title = "cited", evidence = state.last }
          end)
          """
        )
      ], heardAt: [0, 1])
    #expect(run.told == [])
    // The first frame is a command.
    #expect(run.alerts.map { $0.evidence.map(\.number) } == [[2]])
    #expect(run.alerts.map(\.events.count) == [1])
    let saved = try SavedStates(reading: run.host.savedState(), name: "saved.json")
    #expect(run.told == [])
    let next = try ReloadRun(
      [("p", "on('start', function() print(state.last.type, state.last.grad) end)")],
      heardAt: [5], saved: saved)
    #expect(next.printed == ["state\tnil"])
  }
}
