import Foundation
import Testing

/// A filter that can never match is refused by `plugin check` and by a run alike.
@Suite("filters that match nothing", .timeLimit(.minutes(60))) struct PluginFilterTests {
  private static let capture = Captures.folder.path + "/" + Captures.h4

  @Test(
    "check and run say the same",
    arguments: [
      "on('sighting', { kind = 'ibeacon', namespace = '8b0ca750e54c6e4d1a2f' }, function(s) end)",
      "on('sighting', { id = 'b9407f30-f5f8-466e-aff9-25556b57fe6d:1' }, function(s) end)",
    ])
  func sayTheSame(_ rule: String) throws {
    let scratch = try Scratch()
    try scratch.write("r.lua", Array(rule.utf8))
    let check = try Tool.run("plugin", "check", "r.lua", in: scratch.folder)
    let run = try Tool.run("analyze", "--plugin", "r.lua", Self.capture, in: scratch.folder)
    #expect(check.status == 1)
    #expect(run.status == 64)
    let sentence = try #require(check.lines.first)
    #expect(run.errors.contains(sentence), "\(run.errors)")
  }

  @Test(
    "a region that is nothing but a rule is refused in a filter of sightings, and not of events")
  func onlyRule() throws {
    let scratch = try Scratch()
    let region = "region 'strong' { contains = function(s) return s.rssi and s.rssi > -62 end } "
    try scratch.write(
      "r.lua", Array((region + "on('sighting', 'strong', function(s) end)").utf8))
    try scratch.write(
      "e.lua", Array((region + "on('enter', 'strong', function(e) end)").utf8))
    let sentence = "region 'strong' is nothing but a rule (contains), and a filter does not ask it"
    for words in [["plugin", "check", "r.lua"], ["events", "--plugin", "r.lua", Self.capture]] {
      let run = try Tool.run(words, in: scratch.folder)
      #expect(run.status == (words[0] == "plugin" ? 1 : 64))
      #expect((run.output + run.errors).contains(sentence), "\(run.errors)")
    }
    let run = try Tool.run("events", "--plugin", "e.lua", Self.capture, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("handlers of messages are refused where there is no message")
  func withoutMessages() throws {
    let scratch = try Scratch()
    try scratch.write("r.lua", Array("on('message_found', function(e) end)".utf8))
    let beacon = "ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d:1:1"
    try scratch.write(
      "site.lua",
      Array(
        "message { beacon = '\(beacon)', namespace = 'n', type = 't', content = 'c' }".utf8))
    let run = try Tool.run("analyze", "--plugin", "r.lua", Self.capture, in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.errors.contains("on(\"message_found\"): there are no messages; declare them with"))
    let with = try Tool.run(
      "analyze", "--plugin", "r.lua", "--site", "site.lua", Self.capture, in: scratch.folder)
    #expect(with.status == 0, "\(with.errors)")
    let check = try Tool.run("plugin", "check", "r.lua", in: scratch.folder)
    #expect(check.status == 0)
    #expect(check.output.contains("remark: this file declares no message"), "\(check.output)")
  }

  @Test("check says of a file that nothing comes of it, but not of a module")
  func idleFiles() throws {
    let scratch = try Scratch()
    try scratch.write("idle.lua", Array("local function f(e) print(e) end f(1)".utf8))
    try scratch.write("module.lua", Array("return { limit = 5 }".utf8))
    try scratch.write("by-module.lua", Array("require 'doing'".utf8))
    try scratch.write("doing.lua", Array("every(5, function() end) return 1".utf8))
    let idle = try Tool.run("plugin", "check", "idle.lua", in: scratch.folder)
    #expect(idle.status == 0)
    #expect(
      idle.lines == [
        "idle.lua: remark: this file does nothing: it has no handler, no timer, and declares nothing; "
          + "a handler is registered: on(\"enter\", function(e) … end)"
      ])
    for name in ["module.lua", "by-module.lua"] {
      let run = try Tool.run("plugin", "check", name, in: scratch.folder)
      #expect(run.lines == ["\(name): nothing wrong"])
    }
  }
}
