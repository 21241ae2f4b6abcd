import Foundation
import Testing

/// As somebody does who has never seen the project: new, check, test, analyze.
@Suite("A new plugin", .timeLimit(.minutes(60)))
struct PluginNewTests {
  @Test("is checked, tested and run as it is written") func theTemplateWorks() throws {
    let scratch = try Scratch()
    let new = try Tool.run(["plugin", "new", "night-visit"], in: scratch.folder)
    #expect(new.status == 0)
    #expect(new.lines.first == "Written: night-visit.lua, night-visit.test.lua, .luarc.json")
    // The commands that it names, taken at their word.
    let commands = new.lines.filter { $0.hasPrefix("  beacontrace ") }.map {
      $0.replacing("beacontrace", with: "\"$TOOL\"", maxReplacements: 1)
        .replacing("CAPTURE", with: Captures.folder.appending(path: Captures.walk).path)
    }
    try #require(commands.count == 3)
    let check = try Tool.shell(commands[0] + " night-visit.test.lua", in: scratch.folder)
    #expect(check.status == 0)
    #expect(
      check.lines == ["night-visit.lua: nothing wrong", "night-visit.test.lua: nothing wrong"])
    let test = try Tool.shell(commands[1], in: scratch.folder)
    #expect(test.status == 0)
    #expect(test.lines.last == "2 tests, all hold")
    let run = try Tool.shell(commands[2], in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.output.contains("(night-visit)"))
  }

  @Test("tells whose name it has where one of that name comes along") func namesake() throws {
    let scratch = try Scratch()
    let new = try Tool.run(["plugin", "new", "low-battery"], in: scratch.folder)
    #expect(new.status == 0)
    #expect(new.output.contains("--plugin ./low-battery.lua this file."))
    #expect(new.lines.allSatisfy { $0.count <= 80 })
    let other = try Tool.run(["plugin", "new", "night-visit"], in: scratch.folder)
    #expect(!other.output.contains("comes along"))
  }

  @Test("tells the editor where its words are") func editorsFindTypes() throws {
    let scratch = try Scratch()
    _ = try Tool.run(["plugin", "new", "a"], in: scratch.folder)
    let settings = try JSON(Data(contentsOf: scratch.folder.appending(path: ".luarc.json")))
    let folder = try #require(settings["workspace.library"]?.list?.first?.text)
    #expect(FileManager.default.fileExists(atPath: folder + "/beacontrace.lua"))
    // One that is there stays as it is.
    try scratch.write(".luarc.json", Array("{}".utf8))
    let again = try Tool.run(["plugin", "new", "b"], in: scratch.folder)
    #expect(again.lines.first == "Written: b.lua, b.test.lua")
    #expect(try Data(contentsOf: scratch.folder.appending(path: ".luarc.json")) == Data("{}".utf8))
  }

  @Test("never overwrites anything", arguments: ["a.lua", "a.test.lua"])
  func nothingIsOverwritten(_ file: String) throws {
    let scratch = try Scratch()
    let place = try scratch.write(file, Array("-- mine".utf8))
    let run = try Tool.run(["plugin", "new", "a"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(
      run.complaints == [
        "beacontrace: \(file) is there already; nothing was written. Take another name."
      ])
    #expect(try Data(contentsOf: place) == Data("-- mine".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [file])
  }

  @Test("has a name that options can use", arguments: ["a b", "a.lua", "rules/a", "", "é"])
  func badNames(_ name: String) throws {
    let scratch = try Scratch()
    let run = try Tool.run(["plugin", "new", name], in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.complaints.first?.contains("letters, digits, - and _") == true, "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
  }
}

/// The tutorial, done by a test.
@Suite("plugins/README.md", .timeLimit(.minutes(60)))
struct PluginReadmeTests {
  static let text = Result {
    try String(
      contentsOf: PluginTestCommandTests.plugins.appending(path: "README.md"), encoding: .utf8)
  }

  /// What stands under «Five minutes».
  static func section() throws -> [String] {
    let lines = try text.get().split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    let begin = try #require(lines.firstIndex(of: "## Five minutes"))
    let end = try #require(lines[(begin + 1)...].firstIndex { $0.hasPrefix("## ") })
    return Array(lines[begin..<end])
  }

  /// Blocks of a language, in their order.
  static func blocks(_ language: String, in lines: [String]) -> [String] {
    var blocks: [String] = []
    var block: [String]?
    for line in lines {
      if line == "```" {
        if let whole = block { blocks.append(whole.joined(separator: "\n")) }
        block = nil
      } else if block != nil {
        block?.append(line)
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }

  /// Commands with what they print, under «On recordings».
  static let samples: [String] = {
    let lines = (try? text.get().split(separator: "\n", omittingEmptySubsequences: false)) ?? []
    return blocks("text", in: lines.map(String.init)).filter { $0.hasPrefix("$ beacontrace ") }
  }()

  @Test("commands print what stands below them", arguments: samples)
  func samplesHold(_ sample: String) throws {
    let parts = sample.replacing(" \\\n", with: " ", maxReplacements: 1)
      .split(separator: "\n", maxSplits: 1)
    let run = try Tool.shell(
      String(parts[0].dropFirst(2)).replacing(
        "beacontrace", with: "\"$TOOL\"", maxReplacements: 1))
    #expect(run.errors.isEmpty)
    #expect(run.output == parts[1] + "\n")
  }

  @Test("both commands for recordings are shown") func samplesAreThere() {
    #expect(Self.samples.count == 2)
  }

  @Test("the five minutes work as they are written") func theFiveMinutesWork() throws {
    let lines = try Self.section()
    let commands = lines.filter { $0.hasPrefix("    beacontrace ") }.map {
      String($0.dropFirst(4)).replacing("beacontrace", with: "\"$TOOL\"", maxReplacements: 1)
    }
    let programs = Self.blocks("lua", in: lines)
    let outputs = Self.blocks("text", in: lines)
    try #require(commands.count == 6 && programs.count == 2 && outputs.count == 3)
    let scratch = try Scratch()
    for command in commands[..<2] {
      #expect(try Tool.shell(command, in: scratch.folder).status == 0)
    }
    for (name, text) in zip(["quiet.lua", "quiet.test.lua"], programs) {
      #expect(text.hasPrefix("-- \(name): "))
      #expect(FileManager.default.fileExists(atPath: scratch.folder.appending(path: name).path))
      try scratch.write(name, Array((text + "\n").utf8))
    }
    let check = try Tool.shell(commands[2], in: scratch.folder)
    #expect(check.status == 0, "\(check.output)")
    #expect(try Tool.shell(commands[3], in: scratch.folder).output == outputs[0] + "\n")
    #expect(try Tool.shell(commands[4], in: scratch.folder).output.contains("\n\(outputs[1])\n"))
    let explain = try Tool.shell(commands[5], in: scratch.folder)
    #expect(explain.status == 0)
    #expect(explain.output.contains("cited frame"))
    let misspelt = programs[0].replacing("e.grade ~=", with: "e.grad ~=")
    try scratch.write("quiet.lua", Array(misspelt.utf8))
    let wrong = try Tool.run(["plugin", "check", "quiet.lua"], in: scratch.folder)
    #expect(wrong.status == 1)
    #expect(wrong.output == outputs[2] + "\n")
  }

  @Test("a failed test looks as it says") func theFailureIsReal() throws {
    let programs = Self.blocks("lua", in: try Self.section())
    let scratch = try Scratch()
    try scratch.write("quiet.lua", Array(programs[0].utf8))
    let test = programs[1].replacing("at = 180", with: "at = 170")
    try scratch.write("quiet.test.lua", Array(test.utf8))
    let run = try Tool.run(["plugin", "test", "quiet.lua"], in: scratch.folder)
    #expect(run.status == 1)
    let shown = Self.blocks("text", in: Text.lines(try Self.text.get())).first {
      $0.contains("FAIL")
    }
    #expect(run.output.hasPrefix(try #require(shown) + "\n"))
  }

  @Test("the test that it explains holds") func theExplainedTestHolds() throws {
    let below = Text.lines(try Self.text.get()).drop { $0 != "## Tests" }
    let scratch = try Scratch()
    try scratch.write("quiet.lua", Array(Self.blocks("lua", in: try Self.section())[0].utf8))
    let test = try #require(Self.blocks("lua", in: Array(below)).first)
    try scratch.write("quiet.test.lua", Array(test.utf8))
    let run = try Tool.run(["plugin", "test", "quiet.lua"], in: scratch.folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.lines.last == "1 test, holds")
  }

  @Test("names every plugin that comes along") func allPluginsAreNamed() throws {
    let table = Text.lines(try Self.text.get()).filter { $0.hasPrefix("| `") }
      .prefix(PluginTestCommandTests.shipped.count)
    #expect(table.map { String($0.split(separator: "`")[1]) } == PluginTestCommandTests.shipped)
  }
}
