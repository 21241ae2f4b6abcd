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
        // The captures it names are not there (66), nor is the interface (69); what this machine can,
        // it may not be allowed (77). Its words are no riddle (64).
        let run = try Tool.shell("\"$TOOL\" \(example)", in: scratch.folder)
        #expect([0, 66, 69, 77].contains(run.status), "\(example): \(run.errors)")
      }
    }
  }

  /// What follows the tool's name in each example, without what the shell takes. No radio is listened
  /// to: nobody has so many controllers.
  private static func examples(_ help: Run) -> [String] {
    let lines = help.lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
    return lines.filter { !$0.hasPrefix("   ") }.compactMap { line -> String? in
      guard let start = line.range(of: "beacontrace ")?.upperBound else { return nil }
      return String(line[start...].prefix { $0 != ">" && $0 != "|" })
        .replacing("-i bluetooth-monitor", with: "-i bluetooth65000")
        .replacing("-i bluetooth0", with: "-i bluetooth65000")
    }
  }
}
