import Foundation
import Testing

@testable import Plugins

/// `beacon-silent` behind an update: what its version before `beacontrace.listening` kept.
@Suite("What beacon-silent kept before") struct SilentStateTests {
  private static let rule = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "plugins/beacon-silent.lua")

  @Test("who has listened, and when, and the gaps of its beacons are read in their new places")
  func earlierVersion() throws {
    let before = try ReloadRun(
      [
        (
          "p",
          """
          local beacons = require('beacontrace.recent').map('beacons')
          for _, key in ipairs { 'hearing', 'receivers', 'stretches' } do state.save(key) end
          on('sighting', function()
            local now = os.time()
            state.hearing = { door = { since = now - 100, latest = now - 2 } }
            state.receivers = { door = true, hall = true }
            state.stretches = { door = { { since = now - 400, latest = now - 300 } } }
            beacons:set('door\\nx', {
              id = 'x', observer = 'door', count = 20, time = now - 2, gaps = { 0, 20 }, learned = 20, tellings = {},
            })
          end)
          """
        )
      ], heardAt: [0])
    let saved = try SavedStates(reading: before.host.savedState(), name: "saved.json")
    let text = try String(contentsOf: Self.rule, encoding: .utf8)
    let after = try ReloadRun(
      [
        (
          "p",
          text + """

            on('start', function(e)
              local gaps_of_x = beacons:get('door\\nx').gaps
              print(table.concat(ears:observers(), ' '), ears:of('door', e.time) ~= nil)
              print(('%.0f'):format(ears:seconds('door', e.time - 500, e.time)))
              print(('%.2f'):format(gaps:unusual(gaps_of_x)), gaps_of_x.count)
              print(state.receivers, state.stretches)
            end)
            """
        )
      ], heardAt: [0], saved: saved)
    #expect(before.told == [] && before.host.notSaved == 0 && after.told == [])
    // A gap that is counted is as long as the shortest that is counted there, 2.2 s.
    #expect(after.printed == ["door hall\ttrue", "198", "6.69\t20", "nil\tnil"])
  }
}
