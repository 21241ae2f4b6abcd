import Plugins
import TestSupport
import Testing

/// What rules know of a receiver whose scan leaves some out.
@Suite("Limits of a scan", .timeLimit(.minutes(60)))
struct ScanLimitsTests {
  private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
  private static let beacon = "ibeacon = '\(uuid):1:7', address = 'c2:35:33:30:25:50'"

  /// Says what a scan is, when it is switched and each second.
  private static let teller = """
    local function line(what, e)
      print(what, e.filters_duplicates, e.hears_listed_only)
    end
    on("observer", { what = { "scan_on", "scan_off" } }, function(e) line(e.what, e) end)
    on("start", function(e) line("start", scan_limits("test")) end)
    every(10, function() line("now", scan_limits("test")) end)
    """

  private static func lines(_ plugin: String, _ scene: String, _ lines: [String]) throws -> [String]
  {
    let test = """
      sightings = { \(scene) },
      alerts = {},
      print = { \(lines.map { "\"\($0)\"" }.joined(separator: ", ")) },
      """
    return try TestingFolder.outcome(plugin, test).lines
  }

  @Test("are told when it begins, and whoever asks later knows them until it ends")
  func toldAndKnown() throws {
    let lines = try Self.lines(
      Self.teller,
      """
      { at = 0, \(Self.beacon) },
      { at = 5, scan = "on", filters_duplicates = true },
      { at = 15, scan = "on", hears_listed_only = true },
      { at = 25, scan = "off" },
      { at = 35, scan = "on", filters_duplicates = true, hears_listed_only = true },
      { at = 45, scan = "on" },
      { at = 50.5, \(Self.beacon) },
      """,
      [
        "start\\tfalse\\tfalse", "scan_on\\ttrue\\tfalse", "now\\ttrue\\tfalse",
        "scan_on\\tfalse\\ttrue", "now\\tfalse\\ttrue", "scan_off\\tnil\\tnil",
        "now\\tfalse\\tfalse", "scan_on\\ttrue\\ttrue", "now\\ttrue\\ttrue",
        "scan_on\\tfalse\\tfalse", "now\\tfalse\\tfalse",
      ])
    #expect(lines == [])
  }

  @Test("hold in the next recording, and behind a restart before anything is heard")
  func goOn() throws {
    let lines = try Self.lines(
      Self.teller,
      """
      { at = 0, scan = "on", filters_duplicates = true },
      { at = 5, \(Self.beacon) },
      { at = 6, recording = "off" },
      { at = 8, recording = "on" },
      { at = 11, restart = 5 },
      { at = 17, \(Self.beacon) },
      """,
      [
        "start\\tfalse\\tfalse", "scan_on\\ttrue\\tfalse", "now\\ttrue\\tfalse",
        "start\\ttrue\\tfalse",
      ])
    #expect(lines == [])
  }

  @Test(
    "have the part of the time that the radio listens, until another scan begins, but not behind a restart"
  )
  func radioShare() throws {
    let lines = try Self.lines(
      """
      local listening = require "beacontrace.listening"
      local function line(what, share) print(what, share, listening.share("test")) end
      on("observer", { what = { "scan_on", "scan_off" } }, function(e) line(e.what, e.radio_share) end)
      on("start", function(e) line("start", scan_limits("test").radio_share) end)
      every(10, function() line("now", scan_limits("test").radio_share) end)
      """,
      """
      { at = 0, \(Self.beacon) },
      { at = 5, scan = "on", radio_share = 0.25 },
      { at = 6, recording = "off" },
      { at = 7, recording = "on" },
      { at = 15, scan = "on" },
      { at = 25, scan = "on", radio_share = 0.95 },
      { at = 35, scan = "off" },
      { at = 40.5, scan = "on", radio_share = 0.5 },
      { at = 42, restart = 5 },
      { at = 48, \(Self.beacon) },
      """,
      [
        "start\\tnil\\tnil", "scan_on\\t0.25\\t0.25", "now\\t0.25\\t0.25", "scan_on\\tnil\\tnil",
        "now\\tnil\\tnil", "scan_on\\t0.95\\tnil", "now\\t0.95\\tnil", "scan_off\\tnil\\tnil",
        "now\\tnil\\tnil", "scan_on\\t0.5\\t0.5", "start\\tnil\\tnil",
      ])
    #expect(lines == [])
  }

  @Test("a part of the time is above 0, and 1 at most", arguments: ["0", "1.5", "'all'"])
  func noShare(_ share: String) {
    let problem = #expect(throws: (any Error).self) {
      _ = try TestingFolder.outcome(
        "on('finish', function() end)",
        "sightings = { { at = 0, scan = 'on', radio_share = \(share) } }, alerts = {}")
    }
    #expect("\(problem.map { "\($0)" } ?? "")".contains("radio_share has to be a number"))
  }

  @Test("end where a state is too old")
  func oldState() throws {
    let lines = try Self.lines(
      Self.teller,
      """
      { at = 0, scan = "on", filters_duplicates = true },
      { at = 1, restart = 1000 },
      { at = 1002, \(Self.beacon) },
      """,
      ["start\\tfalse\\tfalse", "scan_on\\ttrue\\tfalse", "start\\tfalse\\tfalse"])
    #expect(lines == [])
  }

  @Test("count for exits behind a restart, too")
  func exits() throws {
    let lines = try Self.lines(
      """
      region "lobby" { ibeacon = { uuid = "\(Self.uuid)" }, exit_after = 10 }
      on("exit", function(e) print(e.grade, e.duplicates_filtered_s) end)
      """,
      """
      { at = 0, scan = "on", filters_duplicates = true },
      { at = 5, \(Self.beacon) },
      { at = 6, restart = 2 },
      { at = 0, ['until'] = 40, every = 1, url = 'https://a.com/' },
      """,
      ["thin\\t10.0"])
    #expect(lines == [])
  }

  @Test("are of one receiver, and of one that nobody knows there are none")
  func others() throws {
    let lines = try Self.lines(
      """
      every(10, function()
        for _, name in ipairs { "test", "hall", "nobody" } do
          print(name, scan_limits(name).filters_duplicates)
        end
      end)
      """,
      """
      { at = 0, scan = "on", filters_duplicates = true, observer = "hall" },
      { at = 0, ['until'] = 10.5, every = 1, \(Self.beacon) },
      { at = 10.2, \(Self.beacon), observer = "hall" },
      """,
      ["test\\tfalse", "hall\\ttrue", "nobody\\tfalse"])
    #expect(lines == [])
  }

  @Test("are asked for by the observer's name")
  func arguments() throws {
    let outcome = try TestingFolder.outcome(
      "on('finish', function() scan_limits() end)",
      "sightings = { { at = 0, \(Self.beacon) } }, alerts = {}")
    #expect(
      outcome.lines.joined().contains("scan_limits: the name of an observer is needed, not nil"),
      "\(outcome.lines)")
  }

  @Test("regions_at has those that name who sends, with what he is to send")
  func regionsAt() throws {
    let lines = try Self.lines(
      """
      region "shelf" { ibeacon = "\(Self.uuid):1:7", address = "c2:35:33:30:25:50" }
      region "wall" { ibeacon = "\(Self.uuid)", address = "C2:35:33:30:25:50" }
      region "any" { address = "c2:35:33:30:25:50" }
      region "url" { url = "https://a.com/", address = "c2:35:33:30:25:50" }
      region "other" { ibeacon = "\(Self.uuid):1:7", address = "c2:35:33:30:25:51" }
      region "nobody's" { ibeacon = "\(Self.uuid):1:7" }
      region "anna" { address = "anna" }
      local function list(regions)
        for _, planned in ipairs(regions) do print(planned.region, planned.address, planned.kind, planned.id) end
      end
      on("sighting", list and function(s) list(regions_at(s)) end)
      on("finish", function() list(regions_at("C2:35:33:30:25:51")) list(regions_at("anna")) end)
      """,
      "{ at = 0, ibeacon = '\(Self.uuid):9:9', address = 'c2:35:33:30:25:50' },",
      [
        "shelf\\tc2:35:33:30:25:50\\tibeacon\\t\(Self.uuid):1:7",
        "wall\\tc2:35:33:30:25:50\\tibeacon\\tnil",
        "any\\tc2:35:33:30:25:50\\tnil\\tnil",
        "url\\tc2:35:33:30:25:50\\teddystone-url\\thttps://a.com/",
        "other\\tc2:35:33:30:25:51\\tibeacon\\t\(Self.uuid):1:7", "anna\\tanna\\tnil\\tnil",
      ])
    #expect(lines == [])
  }

  @Test("regions_like has those that lay down the whole of what is sent, and another sender")
  func regionsLike() throws {
    let lines = try Self.lines(
      """
      region "shelf" { ibeacon = "\(Self.uuid):1:7", address = "c2:35:33:30:25:50" }
      region "spare" { ibeacon = "\(Self.uuid):1:7", address = "c2:35:33:30:25:51" }
      region "wall" { ibeacon = "\(Self.uuid)", address = "c2:35:33:30:25:52" }
      region "any" { address = "c2:35:33:30:25:52" }
      region "url" { url = "https://a.com/", address = "c2:35:33:30:25:52" }
      region "anna's" { ibeacon = "\(Self.uuid):1:7", address = "anna" }
      region "nobody's" { ibeacon = "\(Self.uuid):1:7" }
      on("sighting", { kind = { "ibeacon", "eddystone-url" } }, function(s)
        local names = {}
        for _, planned in ipairs(regions_like(s)) do names[#names + 1] = planned.region .. " " .. planned.address end
        print(table.concat(names, ", "))
      end)
      """,
      """
      { at = 0, ibeacon = '\(Self.uuid):1:7', address = 'c2:35:33:30:25:50' },
      { at = 1, ibeacon = '\(Self.uuid):1:8', address = 'c2:35:33:30:25:50' },
      { at = 2, url = 'https://a.com/', address = 'c2:35:33:30:25:50' },
      """,
      ["spare c2:35:33:30:25:51, anna's anna", "", "url c2:35:33:30:25:52"])
    #expect(lines == [])
  }

  @Test("regions_like is asked about a sighting")
  func regionsLikeArguments() throws {
    let outcome = try TestingFolder.outcome(
      "on('finish', function() regions_like('c2:35:33:30:25:50') end)",
      "sightings = { { at = 0, \(Self.beacon) } }, alerts = {}")
    #expect(
      outcome.lines.joined().contains(
        "regions_like: the sighting that is being handled is needed, not 'c2:35:33:30:25:50'"),
      "\(outcome.lines)")
  }

  @Test("a device that is named by its key is asked after by its name")
  func devices() throws {
    let lines = try Self.lines(
      """
      region "badge" { ibeacon = "\(Self.uuid):1:7", address = "anna" }
      on("sighting", { kind = "ibeacon" }, function(s) print(#regions_of(s), regions_at(s)[1].region) end)
      """,
      "{ at = 0, ibeacon = '\(Self.uuid):1:8', device = 'anna' },", ["0\\tbadge"])
    #expect(lines == [])
  }
}
