import Foundation
import Plugins
import Testing

/// What is committed is what the reference says. `UPDATE_GOLDEN=1` writes it again.
@Suite("Files made from the reference of plugins")
struct ReferenceFilesTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "plugins")

  @Test(
    "are up to date",
    arguments: [
      ("types/beacontrace.lua", ReferenceText.annotations),
      ("types/stats.lua", ReferenceText.statsAnnotations),
      ("types/recent.lua", ReferenceText.recentAnnotations),
      ("types/filters.lua", ReferenceText.filtersAnnotations),
      ("types/listening.lua", ReferenceText.listeningAnnotations),
      ("types/words.lua", ReferenceText.wordsAnnotations),
      (".luarc.json", ReferenceText.editorSettings),
      (".luacheckrc", ReferenceText.linterSettings),
    ])
  func filesAreUpToDate(_ name: String, _ text: String) throws {
    try compare(name, with: text)
  }

  @Test("stand between the markers of the README")
  func theReadmeIsUpToDate() throws {
    let old = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    let begin = try #require(old.range(of: ReferenceText.markdownBegin))
    let end = try #require(old.range(of: ReferenceText.markdownEnd))
    let new =
      old[..<begin.upperBound] + "\n\n" + ReferenceText.markdown + "\n" + old[end.lowerBound...]
    try compare("README.md", with: String(new))
  }

  private func compare(_ name: String, with text: String) throws {
    let file = Self.folder.appending(path: name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(committed == text, "UPDATE_GOLDEN=1 writes plugins/\(name) again")
  }

  @Test("luacheck has nothing to say about the examples")
  func luacheckIsContent() throws {
    let luacheck = "/usr/bin/luacheck"
    guard FileManager.default.isExecutableFile(atPath: luacheck) else {
      print("skipped: no luacheck (Debian: lua-check)")
      return
    }
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "examples-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, example) in Reference.examples {
      let stem = name.replacing(" ", with: "-")
      for (ending, text) in [("lua", example.plugin), ("test.lua", example.test)] {
        try Data((text + "\n").utf8).write(to: folder.appending(path: "\(stem).\(ending)"))
      }
    }
    // What it says of file names counts from its folder.
    try Data(ReferenceText.linterSettings.utf8).write(to: folder.appending(path: ".luacheckrc"))
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: luacheck)
    process.arguments = ["--no-color", "--formatter", "plain", "."]
    process.currentDirectoryURL = folder
    process.standardOutput = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: said, as: UTF8.self).isEmpty)
    #expect(process.terminationStatus == 0)
  }

  @Test("the terminal's lines have 80 columns at most, code aside")
  func linesFit() {
    let texts = [ReferenceText.overview] + ReferenceText.names.compactMap(ReferenceText.terminal)
    for text in texts {
      for line in text.split(separator: "\n") where line.count > 80 {
        #expect(line.hasPrefix("      "), "\(line)")
      }
    }
  }

  @Test("the terminal knows every name, and what was meant")
  func everyNameIsKnown() {
    for name in ReferenceText.names { #expect(ReferenceText.terminal(name) != nil, "\(name)") }
    #expect(ReferenceText.terminal("regoin") == nil)
    #expect(ReferenceText.likely("regoin") == "region")
    #expect(ReferenceText.likely("entr") == "enter")
  }
}
