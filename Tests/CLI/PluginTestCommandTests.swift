import Foundation
import Testing

/// `beacontrace plugin test`, from outside.
@Suite("plugin test", .timeLimit(.minutes(60)))
struct PluginTestCommandTests {
  static let plugins = Captures.folder.deletingLastPathComponent().appending(path: "plugins")

  /// Names of the plugins that come along.
  static let shipped: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: plugins.path)) ?? []
    return names.filter { $0.hasSuffix(".lua") && !$0.hasSuffix(".test.lua") }
      .map { String($0.dropLast(4)) }.sorted()
  }()

  /// What each says it is: the first of all but those that were changed since.
  static func version(of name: String) -> String {
    [
      "after-hours": "1.3", "beacon-restarted": "1.3", "beacon-silent": "1.6",
      "implausible-power": "1.3",
      "low-battery": "1.4", "missing-beacon": "1.4", "moved-beacon": "1.2", "rogue-beacon": "1.3",
      "cloned-identity": "1.4", "interval-drift": "1.4",
      "nearest-receiver": "1.4", "tailgating": "1.3",
      "receiver-silent": "1.3",
      "zone-crowding": "1.1", "unknown-tracker": "1.1",
    ][name] ?? "1.0"
  }

  @Test("eighteen plugins come along, each with tests and words about it")
  func eighteenComeAlong() throws {
    #expect(Self.shipped.count == 18)
    for name in Self.shipped {
      let file = Self.plugins.appending(path: "\(name).test.lua").path
      #expect(FileManager.default.fileExists(atPath: file), "\(name)")
    }
  }

  @Test("the plugins that come along hold their tests", arguments: shipped)
  func shippedPluginsHold(_ name: String) throws {
    let run = try Tool.run("plugin", "test", name)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.lines.first?.hasSuffix("/\(name).test.lua") == true)
    #expect(run.lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("  ok    ") })
    #expect(run.lines.count > 3)
  }

  @Test("says where tests stand, and how to begin them, where a plugin has none") func noTests()
    throws
  {
    let scratch = try Scratch()
    try scratch.write("hourly.lua", Array("on('exit', function(e) end)".utf8))
    let run = try Tool.run("plugin", "test", "hourly.lua", in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints == [
        "beacontrace: hourly.test.lua: is not there: the tests of hourly.lua stand in it; begin it with test "
          + "\"name\" { sightings = …, alerts = … } ('beacontrace plugin docs test'); 'plugin new' writes one beside "
          + "a new plugin."
      ])
  }

  @Test("says the same each time, of a folder, too") func outputRepeats() throws {
    let runs = try (0..<2).map { _ in try Tool.run(["plugin", "test", "."], in: Self.plugins) }
    #expect(runs[0].status == 0)
    #expect(runs[0].bytes == runs[1].bytes)
    #expect(runs[0].lines.last?.hasSuffix(" tests, all hold") == true)
    #expect(runs[0].lines.filter { $0.hasSuffix(".test.lua") }.count == 18)
  }

  /// What each tells of the walk, with numbers that make it tell something. The walk has no beacon
  /// that changes its interval.
  static let alertsOfTheWalk: [(name: String, options: [String], count: Int)] = [
    ("after-hours", ["--set", "after-hours.days=sat sun"], 2),
    ("beacon-restarted", [], 0),
    ("beacon-silent", [], 17),
    ("cloned-identity", [], 1),
    ("implausible-power", [], 1),
    ("interval-drift", [], 0),
    ("loitering", ["--set", "loitering.after_s=60"], 5),
    ("low-battery", ["--set", "low-battery.below_mv=2900"], 1),
    (
      "missing-beacon", ["--region", "attic=ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d:77"], 2
    ),
    ("moved-beacon", [], 0),
    ("nearest-receiver", [], 0),
    ("odd-temperature", ["--set", "odd-temperature.above_c=23"], 1),
    ("receiver-silent", [], 0),
    ("replayed-identifier", [], 0),
    (
      "rogue-beacon", ["--region", "lobby=ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d:1"], 13
    ),
    ("tailgating", ["--set", "tailgating.min_rssi=-75"], 2),
    ("unknown-tracker", ["--set", "unknown-tracker.after_s=60"], 11),
    ("zone-crowding", ["--set", "zone-crowding.more_than=1"], 4),
  ]

  @Test(
    "the plugins that come along tell of the walk what is in it, and cite frames",
    arguments: alertsOfTheWalk)
  func alertsCiteFrames(_ name: String, _ options: [String], _ count: Int) throws {
    let words = ["events", "--plugin", name] + options + ["--format", "ndjson", Captures.walk]
    let walk = try Tool.run(words)
    #expect(walk.status == 0, "\(walk.errors)")
    let alerts = try walk.lines.filter { $0.contains("\"type\":\"alert\"") }
      .map { try JSON(Data($0.utf8)) }
    #expect(alerts.count == count)
    for alert in alerts {
      #expect(alert["evidence"]?.list?.isEmpty == false, "\(alert)")
      #expect(alert["plugin"]?.text == name)
      #expect(alert["plugin_version"]?.text == Self.version(of: name))
    }
  }

  /// That it was there, that another one was, and that it is there again: each by a frame.
  @Test("the alert of a clone cites all three frames that prove it") func cloneIsProved() throws {
    let walk = try Tool.run(
      "events", "--plugin", "cloned-identity", "--format", "ndjson", "--where", "type == \"alert\"",
      Captures.walk)
    let alert = try JSON(#require(walk.lines.first, "\(walk.errors)"))
    #expect(
      alert["evidence"]?.list?.map { $0["frame"]?.number } == [11002, 11688, 16103], "\(alert)")
  }

  @Test("luacheck has nothing to say about them") func luacheckIsContent() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/luacheck") else {
      print("skipped: no luacheck (Debian: lua-check)")
      return
    }
    let run = try Tool.shell("luacheck --no-color -q *.lua", in: Self.plugins)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("0 warnings / 0 errors in 36 files"))
  }

  // MARK: What does not hold

  static let plugin = """
    on("sighting", function(s) alert { title = "heard " .. s.id, evidence = s } end)
    """
  static let sightings = "sightings = { { at = 2, url = 'https://a.com/' } }"

  /// A folder with `p.lua` and its tests.
  static func folder(_ tests: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("p.lua", Array(plugin.utf8))
    try scratch.write("p.test.lua", Array(tests.utf8))
    return scratch
  }

  @Test("a test that fails is shown with what came instead: status 1") func failuresAreShown()
    throws
  {
    let scratch = try Self.folder(
      """
      test "is heard" { \(Self.sightings), alerts = { { at = 2, title = "heard https://a.com/" } } }
      test "is heard later" { \(Self.sightings), alerts = { { at = 3 } } }
      """)
    let run = try Tool.run(["plugin", "test", "p.lua"], in: scratch.folder)
    #expect(run.status == 1)
    #expect(run.errors.isEmpty)
    #expect(
      run.lines == [
        "p.test.lua",
        "  ok    is heard",
        "  FAIL  is heard later",
        "    alerts (- expected, + told):",
        "    > - 3.000 s  2026-01-01T00:00:03.000Z",
        "      + 2.000 s  2026-01-01T00:00:02.000Z  warning  heard https://a.com/",
        "            at: 3.000 s expected, 2.000 s told",
        "2 tests, 1 failed",
      ])
  }

  @Test(
    "a mistake that plugin check finds is a test that does not hold, and one that calls nothing is told"
  )
  func mistakesAndSilence() throws {
    let scratch = try Scratch()
    let plugin = "on('sighting', function(s) if s.kind == 'iBeacon' then print(s.id) end end)"
    try scratch.write("rule.lua", Array(plugin.utf8))
    let test = """
      test "heard" { sightings = { { at = 0, url = "https://a.com/" } }, alerts = {} }
      test "silent" { sightings = {}, alerts = {} }
      """
    try scratch.write("rule.test.lua", Array(test.utf8))
    let run = try Tool.run(["plugin", "test", "rule.lua"], in: scratch.folder)
    #expect(run.status == 1)
    #expect(
      run.lines == [
        "rule.test.lua", "  ok    heard", "  ok    silent",
        "    remark: no function of the plugin was called in it, but for start and finish",
        "  FAIL  plugin check",
        "    rule.lua:1: kind is never 'iBeacon'; did you mean 'ibeacon'?", "3 tests, 1 failed",
      ])
  }

  @Test("TAP for programs") func tap() throws {
    let scratch = try Self.folder(
      """
      test "a # b" { \(Self.sightings), alerts = { {} } }
      test "none" { \(Self.sightings), alerts = {} }
      """)
    let run = try Tool.run(["plugin", "test", "--format", "tap", "p.test.lua"], in: scratch.folder)
    #expect(run.status == 1)
    #expect(
      run.lines == [
        "# p.test.lua", "ok 1 - a \\# b", "not ok 2 - none", "# alerts (- expected, + told):",
        "# > + 2.000 s  2026-01-01T00:00:02.000Z  warning  heard https://a.com/", "1..2",
      ])
  }

  @Test("one that cannot be run: status 64, and the others run") func unfitTests() throws {
    let scratch = try Self.folder(
      """
      test "a" { \(Self.sightings), alerts = { {} } }
      test "b" { capture = "b.pcap", alerts = { {} } }
      """)
    let run = try Tool.run(["plugin", "test", "p"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.lines[1...2] == ["  ok    a", "  FAIL  b"])
    #expect(
      run.lines[3] == "    it cannot be run: b.pcap: cannot be opened: no such file or directory")
  }

  @Test("what cannot be loaded is told with its folder")
  func foldersAreNamed() throws {
    let scratch = try Scratch()
    for folder in ["a", "b"] {
      try scratch.write("\(folder)/p.lua", Array(Self.plugin.utf8))
      try scratch.write("\(folder)/p.test.lua", Array("test 'x' { alerts = {} }".utf8))
    }
    let run = try Tool.run(["plugin", "test", "a", "b"], in: scratch.folder)
    #expect(run.status == 64)
    let lines = Text.lines(run.errors)
    #expect(lines.contains { $0.hasPrefix("beacontrace: a/p.test.lua:1: ") }, "\(run.errors)")
    #expect(lines.contains { $0.hasPrefix("beacontrace: b/p.test.lua:1: ") }, "\(run.errors)")
  }

  @Test("what cannot be loaded: status 64, and the others run")
  func wrongFiles() throws {
    let scratch = try Self.folder("test 'a' { \(Self.sightings), alerts = { {} } }")
    try scratch.write("q.lua", [])
    try scratch.write("q.test.lua", Array("test 'b' { alrts = {} }".utf8))
    let run = try Tool.run(["plugin", "test", "."], in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints == [
        "beacontrace: q.test.lua:1: test 'b': unknown key 'alrts'; did you mean 'alerts'?"
      ])
    #expect(run.lines.last == "1 test, holds")
  }

  @Test(
    "says what it did not find: status 64",
    arguments: [
      ("nix.lua", "beacontrace: nix.test.lua: cannot be opened: no such file or directory."),
      ("empty", "beacontrace: empty: no files NAME.test.lua in this folder."),
    ])
  func missingFiles(_ word: String, _ says: String) throws {
    let scratch = try Scratch()
    try scratch.write("empty/p.lua", [])
    let run = try Tool.run(["plugin", "test", word], in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.complaints == [says])
  }

  @Test("plugins of a folder without tests are named; modules need none")
  func untestedPluginsAreNamed() throws {
    let scratch = try Self.folder("test \"nothing\" { sightings = {}, alerts = {} }")
    try scratch.write("q.lua", Array(Self.plugin.utf8))
    try scratch.write("module.lua", Array("return { limit = 1 }".utf8))
    let run = try Tool.run(["plugin", "test", "."], in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.complaints == ["beacontrace: ./q.lua has no tests"])
    #expect(run.lines.last == "1 test, holds")
  }

  @Test("a folder is checked file by file, and each is told of")
  func foldersAreChecked() throws {
    let scratch = try Scratch()
    try scratch.write("rules/a.lua", Array("on('enter', function(e) print(e.regio) end)".utf8))
    try scratch.write("rules/a.test.lua", Array("test 'a' { sightings = {}, alerts = {} }".utf8))
    try scratch.write("rules/.hidden.lua", Array("(".utf8))
    try scratch.write("empty/notes.txt", [])
    let run = try Tool.run(["plugin", "check", "rules"], in: scratch.folder)
    #expect(run.status == 1)
    #expect(
      run.lines == [
        "rules/a.lua:1: unknown field 'regio' in an enter event; did you mean 'region'?",
        "rules/a.test.lua: nothing wrong",
      ])
    let none = try Tool.run(["plugin", "check", "empty"], in: scratch.folder)
    #expect(none.status == 64)
    #expect(none.complaints == ["beacontrace: empty: no files NAME.lua in this folder."])
  }

  /// Nothing but a benchmark runs them, and that seldom.
  @Test(arguments: ["count", "every", "never"])
  func rulesOfTheBenchmarksWork(_ name: String) throws {
    let rule = Captures.folder.appending(path: "../Benchmarks/rules/\(name).lua").standardized
    let run = try Tool.run("analyze", "--plugin", rule.path(percentEncoded: false), Captures.walk)
    #expect(run.status == 0, "\(run.errors)")
  }
}
