import Plugins
import Testing

/// What a test of a plugin tells beside alerts that differ: errors, remarks, and what it waits for in vain.
@Suite("What a test of a plugin tells", .timeLimit(.minutes(60)))
struct TestingToldTests {
  @Test("an error that says no place is told with the line that it comes from")
  func errorsWithoutPlace() throws {
    for (call, says) in [
      ("error('plain', 0)", "p.lua:1: plain, during sighting"), ("error()", "p.lua:1: "),
      ("error({})", "p.lua:1: "),
      ("error('here')", "p.lua:1: here, during sighting"),
      ("local n = 'rsi' print(s[n])", "a sighting has no field 'rsi'; did you mean 'rssi'?"),
      (
        "require 'beacontrace.stat'",
        "unknown module 'beacontrace.stat'; did you mean 'beacontrace.stats'?"
      ),
    ] {
      let outcome = try TestingFolder.outcome(
        "on('sighting', function(s) \(call) end)", TestingRunTests.sightings(-50) + "alerts = {},")
      #expect(
        outcome.lines.contains { $0.contains("  " + says) || $0.contains(": " + says) },
        "\(outcome.lines)")
    }
  }

  @Test("a tab between printed values is shown as it is written")
  func tabsAreShown() throws {
    let outcome = try TestingFolder.outcome(
      "on('sighting', function(s) print('a', 'b') end)",
      TestingRunTests.sightings(-50) + "alerts = {}, print = { 'a  b' },")
    #expect(
      outcome.lines == ["print (- expected, + printed):", "> - a  b", "  + a\\tb"])
  }

  @Test(
    "a filter that waits for a region which is not there is no test, and other remarks are handed on"
  )
  func waitsForNothing() throws {
    let exit = "on('exit', 'desk', function(e) alert { title = 'gone' } end)"
    let silent = TestingRunTests.sightings(-50) + "alerts = {},"
    let unfit = try TestingFolder.outcome(exit, silent)
    #expect(unfit.isUnfit)
    #expect(
      unfit.lines.first?.hasSuffix(
        "declare it with region, --site or --region (in a test: with regions = { … } or site = …)")
        == true)
    #expect(
      try TestingFolder.outcome(exit, silent + "regions = { 'desk=url:https://a.com/' },").holds)
    let elsewhere = try TestingFolder.outcome(
      "on('sighting', { observer = 'hall' }, function(s) alert { title = 'x' } end)", silent)
    #expect(elsewhere.holds)
    #expect(elsewhere.remarks.count == 1)
    #expect(elsewhere.remarks.first?.contains("'hall'") == true)
  }

  @Test("an alert may cite the events start and finish, which have no frame, and is told")
  func startIsCited() throws {
    let plugin = """
      on("start", function(e) alert { title = "begins", evidence = e } end)
      on("finish", function(e) alert { title = "ends", evidence = { e } } end)
      """
    let test =
      TestingRunTests.sightings(-50)
      + "alerts = { { title = 'begins', evidence = { 0 } }, { title = 'ends', evidence = { 0 } } },"
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("handlers of messages are no test without any message, as they are no run")
  func withoutMessages() throws {
    let plugin = "on('message_found', function(e) alert { title = 'x' } end)"
    let outcome = try TestingFolder.outcome(plugin, TestingRunTests.sightings(-50) + "alerts = {},")
    #expect(outcome.isUnfit)
    #expect(outcome.lines.first?.contains("there are no messages") == true, "\(outcome.lines)")
  }

  @Test("what a decoder read says by its transmitter who decoded it")
  func decoderOfTransmitter() throws {
    let plugin = """
      decoder "probe" { company = 0x0499, decode = function(ad) return { id = "7" } end }
      region "probes" { decoder = "probe" }
      on("state", "probes", function(e)
        if e.state == "inside" then print(e.transmitter.decoder, e.transmitter.id) end
      end)
      """
    let test = """
      sightings = { { at = 0, manufacturer = 0x0499, data = "01" } }, alerts = {}, print = { "probe\\tprobe:7" },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
    let wrong = """
      decoder "probe" { company = 0x0499, decode = function(ad) alert { title = "x" } end }
      """
    let told = try TestingFolder.outcome(
      wrong, "sightings = { { at = 0, manufacturer = 0x0499, data = '01' } }, alerts = {},")
    #expect(
      told.lines.contains { $0.contains("alert: a decoder only reads; call it in a handler") },
      "\(told.lines)")
  }

  @Test("a field that is no number is told")
  func endlessFields() throws {
    let outcome = try TestingFolder.outcome(
      "on('sighting', function(s) alert { title = 'x', fields = { share = 0 / 0 } } end)",
      TestingRunTests.sightings(-50, -51) + "alerts = { {}, {} },")
    #expect(outcome.lines == [])
    #expect(outcome.remarks.count == 1)
    #expect(outcome.remarks.first?.contains("share in fields is ") == true)
  }

}
