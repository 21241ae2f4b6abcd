import Foundation
import Testing

/// `plugin list`, `plugin check` and `plugin docs`, from outside.
@Suite("plugin list, check, docs", .timeLimit(.minutes(60)))
struct PluginListTests {
  @Test("list: what comes along, with options, in 80 columns") func listIsReadable() throws {
    let run = try Tool.run("plugin", "list")
    #expect(run.status == 0)
    #expect(run.lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix(" ") })
    let heads = run.lines.filter { !$0.hasPrefix(" ") }
    #expect(
      heads
        == PluginTestCommandTests.shipped.map { "\($0) \(PluginTestCommandTests.version(of: $0))" })
    #expect(run.lines.contains("  A battery that is running down"))
    #expect(run.lines.contains { $0.hasPrefix("    below_mv ") && $0.contains(" 2400 ") })
  }

  @Test("list: JSON says the same") func listAsJSON() throws {
    let run = try Tool.run("plugin", "list", "--format", "json")
    let plugins = try #require(try JSON(run.bytes).list)
    #expect(plugins.compactMap { $0["name"]?.text } == PluginTestCommandTests.shipped)
    for plugin in plugins {
      #expect(plugin["sha256"]?.text?.count == 64)
      #expect(plugin["about"]?.text?.isEmpty == false)
      for option in plugin["options"]?.list ?? [] {
        #expect(option["help"]?.text?.isEmpty == false, "\(plugin) \(option)")
      }
    }
    let battery = try #require(plugins.first { $0["name"]?.text == "low-battery" })
    let below = try #require(battery["options"]?.list?.first)
    #expect(below["name"]?.text == "below_mv")
    #expect(below["type"]?.text == "number")
    #expect(below["default"]?.text == "2400")
    #expect(below["min"]?.int == 500)
  }

  @Test(
    "A name that is nearly one of those that came along is guessed, wherever it is written",
    arguments: [
      ["analyze", "--plugin", "low-batery", "none.log"], ["plugin", "check", "low-batery"],
      ["plugin", "test", "low-batery"],
    ])
  func namesAreGuessed(_ arguments: [String]) throws {
    let run = try Tool.run(arguments)
    #expect(run.status == 64)
    #expect(
      run.complaints.first
        == "beacontrace: low-batery: no plugin of this name came with beacontrace (did you mean "
        + "'low-battery'?), and there is no low-batery.lua here.")
  }

  @Test(
    "What names no field, or no region, is refused before anything is read",
    arguments: [
      (["sightings", "--where", "rsi > 3"], "no field 'rsi' in a sighting; did you mean 'rssi'?"),
      (["events", "--where", "grad == 1"], "no field 'grad' in an event; did you mean 'grade'?"),
      (
        ["events", "--plugin", "r.lua", "--region", "hall=address:00:00:00:00:00:01"],
        "r.lua: on(\"enter\"): unknown region 'hal'; did you mean 'hall'?"
      ),
    ])
  func namesAreRefused(_ arguments: [String], _ said: String) throws {
    let scratch = try Scratch()
    try scratch.write("r.lua", Array("on('enter', 'hal', function(e) end)".utf8))
    let run = try Tool.run(arguments + ["none.log"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.complaints.count == 1)
    #expect(run.complaints.first?.hasSuffix(said) == true, "\(run.complaints)")
  }

  @Test("list: a folder; what does not load is told") func listOfAFolder() throws {
    let scratch = try Scratch()
    let good = """
      plugin { about = "Good" }
      option "mode" { default = "a", choices = { "a", "b" }, help = "which" }
      """
    try scratch.write("rules/good.lua", Array(good.utf8))
    try scratch.write("rules/good.test.lua", Array("error()".utf8))
    try scratch.write("rules/bad.lua", Array("on()".utf8))
    try scratch.write("none/readme.md", [])
    let run = try Tool.run(["plugin", "list", "rules/"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.lines == ["good", "  Good", "    mode  string  a  which (a, b)"])
    #expect(run.complaints.count == 1)
    #expect(run.complaints.first?.hasPrefix("beacontrace: bad.lua:1: on: ") == true)
    let none = try Tool.run(["plugin", "list", "none"], in: scratch.folder)
    #expect(none.status == 64)
    #expect(none.complaints == ["beacontrace: none: no plugins (files NAME.lua) in this folder."])
  }

  @Test("list: what is no folder; a long default stands above its help") func listOfLittle() throws
  {
    let scratch = try Scratch()
    let missing = try Tool.run(["plugin", "list", "nosuch"], in: scratch.folder)
    #expect(missing.status == 64)
    #expect(missing.complaints == ["beacontrace: there is no folder nosuch."])
    let long = String(repeating: "x", count: 50)
    let text = """
      option "a" { default = 5, help = "few" }
      option "list" { default = "\(long)", help = "\(String(repeating: "word ", count: 20))" }
      """
    try scratch.write("rules/long.lua", Array(text.utf8))
    let run = try Tool.run(["plugin", "list", "rules"], in: scratch.folder)
    #expect(
      run.lines.prefix(4) == [
        "long", "  (says nothing of itself)", "    a  number  5  few",
        "    list  string  \(long)",
      ])
    #expect(run.lines[4].hasPrefix("                  word word word"))
    #expect(run.lines.count == 6)
  }

  @Test(
    "docs: fields, modules and methods, too",
    arguments: [
      ("grade", "    exit "), ("stats", "beacontrace.stats"), ("s:copy", "s:copy()"),
      ("battery_mv", "    eddystone-tlm "),
    ])
  func docsOfParts(_ name: String, _ line: String) throws {
    let run = try Tool.run("plugin", "docs", name)
    #expect(run.status == 0)
    #expect(run.lines.contains { $0.hasPrefix(line) })
    // Code is not broken.
    #expect(name == "stats" || run.lines.allSatisfy { $0.count <= 80 })
  }

  @Test("A plugin that came along, mistyped, is guessed") func guesses() throws {
    let run = try Tool.run("analyze", "--plugin", "beaconsilent", "museum-walk.btsnoop.gz")
    #expect(run.status == 64)
    #expect(
      run.complaints == [
        "beacontrace: beaconsilent: no plugin of this name came with beacontrace (did you mean "
          + "'beacon-silent'?), and there is no beaconsilent.lua here."
      ])
  }

  @Test("Two files with a region of one name: the warning names both") func bothFiles() throws {
    let scratch = try Scratch()
    for name in ["north", "south"] {
      try scratch.write(
        "\(name).lua", Array("region \"lobby\" { address = \"c2:35:33:30:25:50\" }".utf8))
    }
    let capture = Captures.folder.appending(path: "museum-walk.btsnoop.gz").path()
    let run = try Tool.run(
      ["analyze", "--site", "north.lua", "--plugin", "south.lua", capture], in: scratch.folder)
    let words = run.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(
      words.contains(
        "region 'lobby' is defined twice: the later definition in south.lua replaces the earlier in "
          + "north.lua"))
  }

  @Test("check: everything that comes along is clean") func shippedPluginsAreClean() throws {
    let files = PluginTestCommandTests.shipped.flatMap { ["\($0).lua", "\($0).test.lua"] }
    let run = try Tool.run(["plugin", "check"] + files, in: PluginTestCommandTests.plugins)
    #expect(run.status == 0)
    #expect(run.lines == files.map { "\($0): nothing wrong" })
  }

  @Test(
    "check: mistakes are told with their line: status 1",
    arguments: [
      ("p.lua", "on(\"entr\", function() end)", "p.lua:1: ", "did you mean 'enter'"),
      ("p.lua", "x =", "p.lua:1: ", "unexpected"),
      // Found by loading alone.
      ("p.lua", "error('no')", "p.lua:1: ", "no"),
      ("p.lua", "local a = { help = 1 }\noption('b', a)", "p.lua:2: ", "option 'b'"),
      (
        "p.test.lua", "test 'a' { sightings = {}, alerts = {}, regions = { 'a' } }", "p.test.lua:1",
        "no name"
      ),
    ])
  func mistakesAreTold(_ file: String, _ text: String, _ begins: String, _ says: String) throws {
    let scratch = try Scratch()
    try scratch.write("p.lua", [])
    try scratch.write(file, Array(text.utf8))
    let run = try Tool.run(["plugin", "check", file], in: scratch.folder)
    #expect(run.status == 1)
    #expect(run.lines.first?.hasPrefix(begins) == true, "\(run.output)")
    #expect(run.lines.first?.contains(says) == true, "\(run.output)")
  }

  @Test("check: a remark alone is no mistake; a site file has no rules; a missing file is told")
  func otherChecks() throws {
    let scratch = try Scratch()
    try scratch.write("p.lua", Array("on(\"start\", function() x = 1 end)".utf8))
    let remark = try Tool.run(["plugin", "check", "p.lua"], in: scratch.folder)
    #expect(remark.status == 0)
    #expect(remark.output.hasPrefix("p.lua:1: remark: "))
    let site = try Tool.run(["plugin", "check", "--site", "p.lua"], in: scratch.folder)
    #expect(site.status == 1)
    let missing = try Tool.run(["plugin", "check", "nix.lua", "p.lua"], in: scratch.folder)
    #expect(missing.status == 64)
    #expect(
      missing.complaints == ["beacontrace: nix.lua: cannot be opened: no such file or directory."])
    #expect(missing.output == remark.output)
  }

  @Test("a file that is there under a name that plugins have not is told as that") func ending()
    throws
  {
    let scratch = try Scratch()
    try scratch.write("rule.txt", Array("on('exit', function(e) end)".utf8))
    let run = try Tool.run(["plugin", "check", "rule.txt"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints == [
        "beacontrace: rule.txt: is there, but the name of a plugin's file has to end in .lua; rename it."
      ])
  }

  @Test("a folder is not told to be renamed: the files in it are to be named") func folder() throws
  {
    let scratch = try Scratch()
    try scratch.write("rules/b.lua", Array("on('exit', function(e) end)".utf8))
    try scratch.write("none/b.txt", [])
    for (word, says) in [
      ("rules", "rules: is a folder: name the files in it, such as rules/b.lua."),
      ("./rules/", "./rules/: is a folder: name the files in it, such as ./rules/b.lua."),
      ("none", "none: is a folder, with no files NAME.lua in it."),
    ] {
      let run = try Tool.run(
        ["events", "--plugin", word, Captures.folder.appending(path: Captures.h4).path],
        in: scratch.folder)
      #expect(run.status == 64)
      #expect(run.complaints == ["beacontrace: \(says)"])
    }
  }

  @Test("docs: the overview, a name, and what may have been meant") func docs() throws {
    let all = try Tool.run("plugin", "docs")
    #expect(all.status == 0)
    #expect(all.lines.allSatisfy { $0.count <= 80 })
    #expect(all.lines.contains { $0.hasPrefix("  region_state") || $0.contains("region_state(") })
    let exit = try Tool.run("plugin", "docs", "exit")
    #expect(exit.status == 0)
    #expect(exit.output.contains("grade"))
    for name in ["Exit", "EXIT"] {
      #expect(try Tool.run("plugin", "docs", name).output == exit.output)
    }
    let unknown = try Tool.run("plugin", "docs", "exitt")
    #expect(unknown.status == 64)
    #expect(
      unknown.complaints == ["beacontrace: there is no 'exitt' in a plugin; did you mean 'exit'?"])
  }
}
