import Foundation
import TestSupport
import Testing

/// A rule that can never fire looks like a site where all is well.
@Suite("What plugin check would say") struct PluginMistakeTests {
  private static let mistake =
    "quiet.lua:2: unknown field 'grad' in an exit event; did you mean 'grade'?"
  private static let capture = Captures.folder.appending(path: Captures.walk).path

  private static func text(_ times: Int) -> String {
    let line = "  if e.grad == 'gone' then alert { title = 'gone', evidence = e } end\n"
    return "on('exit', function(e)\n" + String(repeating: line, count: times) + "end)\n"
  }

  @Test(
    "is said where a run begins with the plugin, and the run goes on",
    arguments: [["analyze", "-q"], ["events"], ["replay", "--speed", "max"]])
  func told(_ command: [String]) throws {
    let scratch = try Scratch()
    try scratch.write("quiet.lua", Array(Self.text(1).utf8))
    let run = try Tool.run(
      command + ["--plugin", "quiet.lua", Self.capture], in: scratch.folder)
    #expect(run.complaints.first == Self.mistake, "\(run.errors)")
    #expect(!run.output.contains("unknown field 'grad'") || command[0] == "replay")
    let check = try Tool.run("plugin", "check", "quiet.lua", in: scratch.folder)
    #expect(check.lines == [Self.mistake])
  }

  @Test("is said once where two rules are compared with it beside them") func compared() throws {
    let scratch = try Scratch()
    try scratch.write("quiet.lua", Array(Self.text(1).utf8))
    for name in ["a.lua", "b.lua"] {
      try scratch.write(name, Array("on('exit', function(e) end)\n".utf8))
    }
    let run = try Tool.run(
      "plugin", "compare", "a.lua", "b.lua", "--plugin", "quiet.lua", Self.capture,
      in: scratch.folder)
    #expect(run.complaints.count { $0 == Self.mistake } == 1, "\(run.errors)")
  }

  @Test("is said of the first five mistakes") func many() throws {
    let scratch = try Scratch()
    try scratch.write("quiet.lua", Array(Self.text(8).utf8))
    let run = try Tool.run("events", "--plugin", "quiet.lua", Self.capture, in: scratch.folder)
    let told = run.complaints.prefix(6)
    #expect(told.prefix(5).allSatisfy { $0.contains("unknown field 'grad'") }, "\(run.errors)")
    #expect(
      told.last == "quiet.lua: … and 3 more mistakes; 'beacontrace plugin check' has them all")
  }

  @Test("that nothing is registered is said where a run begins, once") func idle() throws {
    let scratch = try Scratch()
    try scratch.write("idle.lua", Array("function on_enter(e) alert { title = 'in' } end\n".utf8))
    let run = try Tool.run("events", "--plugin", "idle.lua", Self.capture, in: scratch.folder)
    #expect(run.status == 0)
    #expect(
      run.complaints == [
        "idle.lua: this file does nothing: it has no handler, no timer, and declares nothing; a handler is registered: "
          + "on(\"enter\", function(e) … end)"
      ])
    let check = try Tool.run("plugin", "check", "idle.lua", in: scratch.folder)
    #expect(
      check.lines.first?.contains("nobody calls 'on_enter'; a handler is registered: on(\"enter\"")
        == true)
  }

  @Test("is not said of remarks, nor of plugins that come along") func remarks() throws {
    let scratch = try Scratch()
    try scratch.write("quiet.lua", Array("own = 1\non('exit', function(e) end)\n".utf8))
    let check = try Tool.run("plugin", "check", "quiet.lua", in: scratch.folder)
    #expect(check.output.contains("remark: "))
    for plugin in ["quiet.lua", "beacon-silent", "cloned-identity"] {
      let run = try Tool.run("events", "--plugin", plugin, Self.capture, in: scratch.folder)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
  }

  @Test("print parts values by tabs; other control characters are told by their numbers")
  func tabs() throws {
    let scratch = try Scratch()
    try scratch.write(
      "p.lua", Array(#"on('start', function() print('a', 1, 'x\ty\n\27') end)"#.utf8))
    let run = try Tool.run("events", "--plugin", "p.lua", Self.capture, in: scratch.folder)
    #expect(run.complaints == ["p: a\t1\tx\ty\\u{a}\\u{1b}"])
  }

  @Test("of handlers that nothing in a run can call, a run says so") func dead() throws {
    let scratch = try Scratch()
    let rule = """
      on('position', function(e) end)
      on('sighting', { device = 'phnoe' }, function(s) end)
      on('sighting', { device = 'phone' }, function(s) end)
      on('sighting', { key = 'shelf' }, function(s) end)
      """
    try scratch.write("p.lua", Array(rule.utf8))
    let run = try Tool.run(
      "events", "--plugin", "p.lua", "--device", "phone=c4:a1:00:00:04:01", Self.capture,
      in: scratch.folder)
    #expect(run.status == 0)
    for sentence in [
      "p: on(\"position\"): positions are told only with --positions, and a --track; it is never called",
      "p: on(\"sighting\"): unknown device 'phnoe'; did you mean 'phone'?",
      "p: on(\"sighting\"): there is no key 'shelf'; this run has none at all (--keys)",
    ] { #expect(run.complaints.contains(sentence), "\(run.errors)") }
  }

  @Test("a region that is misspelt by a letter is a mistake, unless the run has it")
  func slips() throws {
    let scratch = try Scratch()
    let region = { (name: String) in
      "region '\(name)' { ibeacon = 'b9407f30-f5f8-466e-aff9-25556b57fe6d' }\n"
    }
    try scratch.write(
      "p.lua", Array((region("lobby") + "on('enter', 'looby', function(e) end)").utf8))
    try scratch.write("site.lua", Array(region("looby").utf8))
    let check = try Tool.run("plugin", "check", "p.lua", in: scratch.folder)
    #expect(check.status == 1)
    #expect(
      check.lines == ["p.lua:2: this file declares no region 'looby'; did you mean 'lobby'?"])
    let alone = try Tool.run("events", "--plugin", "p.lua", Self.capture, in: scratch.folder)
    #expect(alone.status == 64)
    let with = try Tool.run(
      "events", "--plugin", "p.lua", "--site", "site.lua", Self.capture, in: scratch.folder)
    #expect(with.status == 0 && !with.errors.contains("declares no region"), "\(with.errors)")
  }
}
