import Foundation
import Testing

/// What someone sees who has typed only the name. `UPDATE_GOLDEN=1` writes it again.
@Suite struct FirstScreenTests {
  @Test(arguments: [[], ["--help"], ["help"]])
  func theNameAloneSaysWhatToType(_ words: [String]) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Expected/help.txt")
    let run = try Tool.run(words)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try run.bytes.write(to: file)
    }
    #expect(run.output == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    #expect(run.lines.allSatisfy { $0.count <= 80 })
  }

  /// Every command shows how it is used, and the example's words are understood.
  @Test func examplesAreUnderstood() throws {
    let scratch = try Scratch()
    for command in try [nil] + ManualTests.commands() {
      let help = try Tool.run(command.map { ["help", $0] } ?? ["--help"])
      let examples = Self.examples(help)
      #expect(!examples.isEmpty, "\(command ?? "--help")")
      for example in examples {
        // The captures it names are not there (66); its words are no riddle (64).
        let run = try Tool.run(example, in: scratch.folder)
        #expect(run.status == 66 || run.status == 0, "\(example): \(run.errors)")
      }
    }
  }

  /// The tool's words of each example, without what the shell takes.
  private static func examples(_ help: Run) -> [[String]] {
    let lines = help.lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
    return lines.filter { !$0.hasPrefix("   ") }.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let start = words.firstIndex(of: "beacontrace") else { return nil }
      return Array(words[(start + 1)...].prefix { $0 != ">" && $0 != "|" })
    }
  }
}
