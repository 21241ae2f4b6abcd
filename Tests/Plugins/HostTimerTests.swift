import Analysis
import Plugins
import TestSupport
import Testing

/// When timers of plugins come, beside sightings and over leaps of the clock.
@Suite("Timers of a run", .timeLimit(.minutes(60)))
struct HostTimerTests {
  @Test("A timer that a handler makes comes before the sightings behind it")
  func timersBetweenSightings() throws {
    let plugin = """
      local count = 0
      on('sighting', function(s)
        count = count + 1
        if s.frame == 1 then
          after(0.15, function(now) alert { title = 'after ' .. count } end)
        end
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 100, 200, 300)])
    #expect(run.alerts == ["150 a: after 2 [2]"])
  }

  @Test("A timer that is made later keeps to the same beat, and does not catch up")
  func everyFromWithin() throws {
    let plugin = """
      on('sighting', function(s)
        if s.frame == 3 then every(2, function(now) alert { title = 'beat' } end) end
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 4000, 5000, 8500, 9500)])
    #expect(run.alerts == ["6000 a: beat [3]", "8000 a: beat [3]"])
  }

  @Test("Timers of one moment come in the order of their making; a handler may cancel others")
  func timersOfOneMoment() throws {
    let plugin = """
      local third
      local function say(title) return function() alert { title = title } end end
      after(1, say('first'))
      after(1, function() cancel(third) alert { title = 'second' } end)
      third = after(1, say('third'))
      local again
      again = every(1, function() cancel(again) alert { title = 'once' } end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 3000)])
    #expect(run.alerts == ["1000 a: first [1]", "1000 a: second [1]", "1000 a: once [1]"])
  }

  @Test("A leap of the clock calls a timer from its beginning on, and counts what it leaves out")
  func leaps() throws {
    let plugin = """
      local count, latest = 0, 0
      every(0.01, function(now) count = count + 1 latest = now end)
      on('finish', function() alert { title = count .. ' ' .. latest } end)
      """
    // The region's state is told after 30 seconds: the leap is from there.
    let region = "other=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:9,exit_after=30"
    let run = try HostedRun([plugin], [HostTests.heard(0, 5_000_500)], regions: [region])
    let called = 3000 + 10_000
    #expect(run.alerts == ["5000500 a: \(called) 1779189800.5 [1]"])
    #expect(run.timeline.judges.map(\.skippedTimers) == [500_050 - called])
  }

  @Test("What a rule waits for is found in a leap when it happened")
  func watchesInALeap() throws {
    let plugin = """
      local last, told
      on('sighting', function(s) last = s.time end)
      every(1, function(now)
        if last and not told and now - last > 300 then
          told = true
          alert { title = 'silent' }
        end
      end)
      """
    let run = try HostedRun([plugin], [HostTests.heard(0, 500, 5_000_500)])
    #expect(run.alerts == ["301000 a: silent [2]"])
  }

  @Test("Timers that are made at every call are refused when there are a thousand")
  func tooManyTimers() throws {
    let plugin = "on('sighting', function(s) every(60, function() end) end)"
    let times = (0..<1200).map { Int64($0) }
    let heard = times.map { HostedRun.Heard(at: $0, minor: 1) }
    let run = try HostedRun([plugin], [heard])
    let report = try #require(run.timeline.judges.first)
    #expect(report.errorCount == 100 && report.isSwitchedOff)
    #expect(
      run.lines.contains { $0.contains("this plugin has 1000 timers already") }, "\(run.lines)")
  }
}
