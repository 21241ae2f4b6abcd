import Analysis
import Regions
import Testing

@testable import Plugins

/// What `region_state` says of names that nobody knows.
@Suite("region_state", .timeLimit(.minutes(60)))
struct RegionStateTests {
  @Test("An observer that is not there is told, once, and may come later")
  func unknownObservers() throws {
    let plugin = """
      region 'hall' { ibeacon = { uuid = '00010203-0405-0607-0809-0a0b0c0d0e0f' } }
      on('sighting', function(s)
        local known = region_state('hall', 'capture 0') .. region_state('hall', 'nobody')
        if s.frame == 2 then alert { title = known } end
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 100, 200)])
    #expect(run.timeline.alerts.map(\.title) == ["insideunknown"])
    #expect(
      run.lines == ["a: region_state: unknown observer 'nobody'; known are capture 0 (told once)"])
  }

  @Test("What an earlier run left is good until its time, or until the observer comes")
  func awaitedStates() {
    let states = RegionStates()
    states.await("lobby", "b", .inside, until: 100)
    states.set("lobby", "a", .outside)
    #expect(states.presence(in: "lobby", at: "b", now: 100) == .inside)
    #expect(states.presence(in: "lobby", at: nil, now: 100) == .inside)
    #expect(states.presence(in: "lobby", at: "b", now: 101) == .unknown)
    #expect(states.presence(in: "lobby", at: nil, now: 101) == .outside)
    states.set("lobby", "b", .inside)
    #expect(states.presence(in: "lobby", at: nil, now: 101) == .inside)
  }
}
