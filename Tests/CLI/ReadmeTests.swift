import Foundation
import Testing

/// What the README shows and lets one type, against the program.
@Suite("README.md", .timeLimit(.minutes(60)))
struct ReadmeTests {
  private static let root = Captures.folder.deletingLastPathComponent()

  private static func readme() throws -> [String] {
    try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A sample is what is shown, with `…` on a line of its own where something is left out.
  private static func compare(_ command: String, with screen: [String]) throws {
    let sample = try readme().drop { !$0.hasPrefix("    $ beacontrace \(command) ") }.dropFirst()
      .prefix { $0.isEmpty || $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    #expect(sample.count > 15)
    var rest = screen[...]
    var mayLeaveOut = false
    for line in sample {
      if line == "…" {
        mayLeaveOut = true
        continue
      }
      if mayLeaveOut { rest = rest.drop { $0 != line } }
      mayLeaveOut = false
      #expect(rest.first == line)
      rest = rest.dropFirst()
    }
    #expect(rest.allSatisfy { $0.isEmpty } || mayLeaveOut)
  }

  @Test("shows the first screen") func analyze() throws {
    let screen = try String(
      contentsOf: Self.root.appending(path: "Tests/CLI/Expected/analyze-museum-walk.txt"),
      encoding: .utf8)
    try Self.compare(
      "analyze",
      with: screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  @Test("shows what explain tells") func explain() throws {
    let run = try Tool.run("explain", "470d044e05564081", Captures.walk)
    #expect(run.status == 0 && run.errors.isEmpty)
    try Self.compare("explain", with: run.lines + [""])
  }

  /// Lines that need nothing but what lines before them made; all others name files of one's own, or a radio.
  @Test("has commands that work one after the other") func commands() throws {
    let scratch = try Scratch()
    var made: Set<String> = []
    var count = 0
    for line in try Self.readme() where line.hasPrefix("    beacontrace ") {
      let command = line.dropFirst(4).split(separator: " #")[0]
      guard Self.isRun(command, made), !command.contains("--frames 10000000") else { continue }
      let run = try Tool.shell(
        "beacontrace() { \"$TOOL\" \"$@\"; }\n\(command)", in: scratch.folder)
      #expect(run.status == 0, "\(command): \(run.errors)")
      count += 1
      made = Set(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path))
    }
    #expect(count > 15, "\(count)")
  }

  private static func isRun(_ command: Substring, _ made: Set<String>) -> Bool {
    let words = command.split(separator: " ").map(String.init)
    guard !words.contains("ID"), words.last != "\\", !words.contains("doctor"),
      !words.contains("interfaces"), !words.contains("replay"), !words.contains("-i"),
      !words.contains("stress")
    else { return false }
    let writing: Set = ["--out", "-o", "--truth", "--report", "--case", "--into", ">"]
    for (place, word) in words.enumerated().dropFirst()
    where word.contains("/") || word.wholeMatch(of: /[^-].*\.[a-z]+/) != nil {
      guard writing.contains(words[place - 1]) || made.contains(word)
      else { return false }
    }
    // A folder, or captures of one's own.
    return !words.contains {
      ["may", "june", "site", "folder", "*.btsnoop"].contains($0) && !$0.hasPrefix("-")
    }
  }
}
