import Analysis
import Testing

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
}
