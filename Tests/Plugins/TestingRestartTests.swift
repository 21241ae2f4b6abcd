import Plugins
import TestSupport
import Testing

/// `{ at = …, restart = … }`: the program is stopped and started again in the middle of a test.
@Suite("A restart in a test", .timeLimit(.minutes(60)))
struct TestingRestartTests {
  private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

  /// Heard each second from 0 to `end`.
  private static func heard(until end: Int) -> String {
    "{ at = 0, ['until'] = \(end), every = 1, ibeacon = '\(uuid):1:7', "
      + "address = 'c2:35:33:30:25:50' },"
  }

  /// Says what the regions do.
  private static let teller = """
    region "lobby" { ibeacon = { uuid = "\(uuid)" }, exit_after = 10 }
    local function line(e)
      print(e.type, e.time - 1767225600, region_state("lobby"))
    end
    on("start", line)
    on("state", line)
    on("enter", line)
    on("exit", line)
    on("finish", function(e) print("finish") end)
    """

  @Test("knows at the start what every radio knew, whichever comes first")
  func otherRadios() throws {
    func heard(_ observer: String, _ from: Double) -> String {
      stride(from: from, through: 40, by: 2).map {
        "{ at = \($0), observer = \"\(observer)\", ibeacon = '\(Self.uuid):1:7' },"
      }.joined()
    }
    let plugin = """
      region "lobby" { ibeacon = { uuid = "\(Self.uuid)" }, exit_after = 10 }
      on("start", function(e) print(region_state("lobby", "a"), region_state("lobby", "b")) end)
      """
    for (a, b) in [(0.0, 0.5), (0.5, 0.0)] {
      let test = """
        sightings = { \(heard("a", a)) \(heard("b", b)) { at = 20.9, restart = 5 } },
        alerts = {},
        print = { "unknown\\tunknown", "inside\\tinside" },
        """
      #expect(try TestingFolder.outcome(plugin, test).lines == [])
    }
  }

  @Test("goes on with who was inside, who is known to be at the start, and no event tells it again")
  func staysGoOn() throws {
    let test = """
      sightings = { \(Self.heard(until: 40)) { at = 20.5, restart = 5 } },
      alerts = {},
      print = {
        "start\\t0.0\\tunknown", "state\\t0.0\\tinside", "finish",
        "start\\t25.5\\tinside", "finish",
      },
      """
    #expect(try TestingFolder.outcome(Self.teller, test).lines == [])
  }

  @Test("whoever stays away while it is away leaves behind it")
  func exitsCome() throws {
    let test = """
      sightings = {
        \(Self.heard(until: 20)) { at = 21, restart = 3 },
        { at = 0, ["until"] = 60, every = 1, url = "https://a.com/" },
      },
      alerts = {},
      print = {
        "start\\t0.0\\tunknown", "state\\t0.0\\tinside", "finish",
        "start\\t24.0\\tinside", "exit\\t34.0\\toutside", "finish",
      },
      """
    let lines = try TestingFolder.outcome(Self.teller, test).lines
    #expect(lines == [])
  }

  @Test("begins anew where it was away for longer than a state is good")
  func oldStateIsLeft() throws {
    let test = """
      sightings = {
        { at = 0, ibeacon = "\(Self.uuid):1:7" }, { at = 1, restart = 901 },
        { at = 902, ibeacon = "\(Self.uuid):1:7" },
      },
      alerts = {},
      print = {
        "start\\t0.0\\tunknown", "state\\t0.0\\tinside", "finish",
        "start\\t902.0\\tunknown", "state\\t902.0\\tinside", "finish",
      },
      """
    #expect(try TestingFolder.outcome(Self.teller, test).lines == [])
  }

  @Test("keeps what plugins save and what holds alerts back; locals and other keys are new")
  func statesAreKept() throws {
    let plugin = """
      state.save("seen")
      state.seen = (state.seen or 0) + 1
      state.other = (state.other or 0) + 1
      on("sighting", function(s)
        alert { title = "a", once_per = 60, fields = { seen = state.seen, other = state.other } }
      end)
      """
    let test = """
      sightings = {
        { at = 0, url = "https://a.com/" }, { at = 30, url = "https://a.com/" },
        { at = 30, restart = 0 }, { at = 30, url = "https://a.com/" }, { at = 40, restart = 1 },
        { at = 59, url = "https://a.com/" }, { at = 61, url = "https://a.com/" },
      },
      alerts = {
        { at = 0, fields = { seen = 1, other = 1 } },
        { at = 61, fields = { seen = 3, other = 1 }, held_back = 3 },
      },
      finish = function(state) assert(state.seen == 3 and state.other == 1) end,
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("nobody hears what is sent while it is away; timers count from each start")
  func nobodyHears() throws {
    let plugin = """
      on("sighting", function(s) print(s.time - 1767225600) end)
      every(10, function(now) print("timer", now - 1767225600) end)
      """
    let test = """
      sightings = {
        { at = 5, ["until"] = 25, every = 5, url = "https://a.com/" }, { at = 12, restart = 10 },
        { at = 33, restart = 4 }, { at = 48, url = "https://a.com/" },
      },
      alerts = {},
      print = {
        "5.0", "timer\\t10.0", "10.0", "25.0", "timer\\t32.0", "timer\\t47.0", "48.0",
      },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("calls that fail are counted over all runs, and a text that does not load again is told")
  func failuresAreCounted() throws {
    let sightings =
      "sightings = { { at = 1, url = 'https://a.com/' }, { at = 2, restart = 0 }, "
      + "{ at = 3, url = 'https://a.com/' } }, alerts = {}, "
    let failing = "on('sighting', function(s) error('x') end)"
    #expect(try TestingFolder.outcome(failing, sightings + "errors = 2").lines == [])
    let once = """
      state.save("n")
      assert(not state.n, "loaded twice")
      state.n = 1
      """
    let outcome = try TestingFolder.outcome(once, sightings)
    #expect(outcome.isUnfit)
    #expect(outcome.lines.first?.contains("loaded twice") == true)
    #expect(
      outcome.lines.first?.contains("loading with the state that it saved in an earlier run")
        == true
    )
  }
}
