import Plugins
import TestSupport
import Testing

/// What rules know of whom a radio hears, beacon or not.
@Suite("When anybody was heard", .timeLimit(.minutes(60)))
struct HeardAnybodyTests {
  private static let beacon =
    "ibeacon = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7', address = 'c2:35:33:30:25:50'"
  private static let phone = "manufacturer = 76, data = '1005011c3a2b4c'"

  @Test("is known of who is no beacon, too, a second later, and of each observer by itself")
  func others() throws {
    let lines = try TestingFolder.outcome(
      """
      on("start", function() print("start", heard_anybody_at("test")) end)
      every(10, function(now)
        local at = heard_anybody_at("test")
        print(("%.0f"):format(now % 86400), now - at <= 2, heard_anybody_at("nobody"))
      end)
      """,
      """
      sightings = {
        { at = 0, \(Self.beacon) },
        { at = 0.5, ["until"] = 25.5, every = 1, \(Self.phone) },
        { at = 45, \(Self.beacon) },
        { at = 0, ["until"] = 45, every = 1, \(Self.phone), observer = "hall" },
      },
      alerts = {},
      print = {
        "start\\tnil", "10\\ttrue\\tnil", "20\\ttrue\\tnil", "30\\tfalse\\tnil", "40\\tfalse\\tnil",
      },
      """
    ).lines
    #expect(lines == [])
  }

  @Test(
    "is known in long silences, too, at the only radio and beside another one",
    arguments: [false, true])
  func seldom(_ isAlone: Bool) throws {
    let hall =
      isAlone
      ? "" : "{ at = 0, [\"until\"] = 208, every = 1, \(Self.beacon), observer = 'hall' },"
    let lines = try TestingFolder.outcome(
      """
      every(35, function(now)
        local at = heard_anybody_at("test")
        print(("%.0f %.0f"):format(now % 86400, at and (now - at) or -1))
      end)
      """,
      """
      sightings = {
        \(hall)
        { at = 0, \(Self.beacon) }, { at = 0.6, \(Self.phone) }, { at = 70.6, \(Self.phone) },
        { at = 140.6, \(Self.phone) }, { at = 209, \(Self.beacon) },
      },
      alerts = {},
      print = { '35 34', '70 69', '105 34', '140 69', '175 34' },
      """
    ).lines
    #expect(lines == [], "\(lines)")
  }

  @Test("does not depend on how the input is read")
  func batches() throws {
    let heard = (0..<90).map { HostedRun.Heard(at: Int64($0) * 370, minor: UInt16($0 % 3)) }
    let text = """
      on("sighting", function(s) print(s.frame, heard_anybody_at(s.observer)) end)
      every(0.7, function(now) print(now, heard_anybody_at("capture 0")) end)
      """
    let runs = try [1, 7, 1024].map { try HostedRun([text], [heard], batch: $0).lines }
    #expect(runs[0].count > 120)
    #expect(runs[0] == runs[1] && runs[0] == runs[2])
  }

  @Test("is asked for by the observer's name")
  func arguments() throws {
    let outcome = try TestingFolder.outcome(
      "on('finish', function() heard_anybody_at() end)",
      "sightings = { { at = 0, \(Self.beacon) } }, alerts = {}")
    #expect(
      outcome.lines.joined().contains(
        "heard_anybody_at: the name of an observer is needed, not nil"), "\(outcome.lines)")
  }

  @Test("is what ears go by, where no beacon is heard")
  func ears() throws {
    let lines = try TestingFolder.outcome(
      """
      local e = require("beacontrace.listening").ears("ears")
      on("sighting", function(s) e:hear(s) end)
      every(50, function(now)
        local ear = e:of("test", now)
        print(("%.0f"):format(now % 86400), ear and ("%.0f"):format(ear.since % 86400))
      end)
      """,
      """
      sightings = {
        { at = 0, \(Self.beacon) },
        { at = 0.5, ["until"] = 160.5, every = 1, \(Self.phone) },
        { at = 210, \(Self.beacon) },
      },
      alerts = {},
      print = { "50\\t0", "100\\t0", "150\\t0", "200\\tnil" },
      """
    ).lines
    #expect(lines == [])
  }
}
