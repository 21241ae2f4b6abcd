import Foundation
import Testing

/// The manual pages say what the commands say.
@Suite(.timeLimit(.minutes(60)))
struct ManualTests {
  /// Page by name, as written for what `script` prints.
  static func pages(of script: String) throws -> [String: String] {
    let scratch = try Scratch()
    let run = try Tool.shell(
      "{ \(script)\n} | \"$(dirname \"$TOOL\")/Manual\" 9.8.7 'May 19, 2026' .", in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    var pages: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) {
      pages[file] = try String(contentsOf: scratch.folder.appending(path: file), encoding: .utf8)
    }
    return pages
  }

  static let pages = Result {
    try pages(of: "\"$TOOL\" --experimental-dump-help")
  }

  /// Subcommands as the tool's help lists them.
  static func commands() throws -> [String] {
    let lines = try Tool.run("--help").lines.drop { $0 != "SUBCOMMANDS:" }
    return lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.contains("'") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test func everyCommandHasAPage() throws {
    let commands = try Self.commands()
    #expect(commands.contains("analyze"))
    let names = ["beacontrace.1"] + commands.map { "beacontrace-\($0).1" }
    let ofPlugin = ["new", "check", "test", "compare", "stress", "list", "docs"].map {
      "beacontrace-plugin-\($0).1"
    }
    let ofCase = ["info", "query", "report", "verify"].map { "beacontrace-case-\($0).1" }
    #expect(try Self.pages.get().keys.sorted() == (names + ofPlugin + ofCase).sorted())
  }

  @Test func aPageOfACommandsCommandSaysHowItIsCalled() throws {
    let page = try #require(try Self.pages.get()["beacontrace-plugin-test.1"])
    let lines = Text.lines(page)
    #expect(lines.contains(".Nm beacontrace plugin test"))
    // Its own exit statuses, not those of the tool.
    #expect(lines.contains("a test does not"))
    #expect(!lines.contains("output could not be written"))
  }

  @Test func everyOptionStandsOnItsPage() throws {
    for command in try Self.commands() {
      let page = try #require(try Self.pages.get()["beacontrace-\(command).1"])
      let options = try Tool.run("help", command).lines
        .filter { $0.hasPrefix("  -") }
        .map { Self.label(of: $0) }
        .flatMap { $0.split(whereSeparator: { " ,/".contains($0) }).filter { $0.hasPrefix("-") } }
      #expect(options.contains("--help"))
      for option in options {
        let items = Text.lines(page).filter { $0.hasPrefix(".It ") }
        #expect(
          items.contains { "\($0) ".contains("Fl \(option.dropFirst()) ") }, "\(command) \(option)")
      }
    }
  }

  /// The names of an option in its line of help: what stands before its text, or the whole line
  /// where they are too long to have text beside them.
  private static func label(of line: String) -> Substring {
    let column = line.prefix(26)
    return column.hasSuffix(" ") ? column : line[...]
  }

  @Test func everyPageHasStatusesExamplesAndVersion() throws {
    for (name, page) in try Self.pages.get() {
      let lines = Text.lines(page)
      #expect(lines.contains(".Os beacontrace 9.8.7"), "\(name)")
      #expect(lines.contains(".Dd May 19, 2026"), "\(name)")
      // Some have a table of their own.
      let hasOwn =
        name.hasPrefix("beacontrace-plugin-") || name == "beacontrace-doctor.1"
        || name == "beacontrace-interfaces.1"
      for status in hasOwn ? ["0", "64"] : ["0", "64", "65", "66", "74"] {
        #expect(lines.contains(".It \\&\(status)"), "\(name) \(status)")
      }
      let examples = lines.drop { $0 != ".Sh EXAMPLES" }
      #expect(examples.contains { $0.contains("beacontrace") }, "\(name)")
    }
  }

  /// Nothing in a help text is taken for a request to the formatter.
  @Test func textStaysText() throws {
    let help = #"""
      {"command": {"commandName": "tool", "abstract": "Says things.", "discussion":
      "First.\n.Sh EVIL 'quoted' \"twice\" back\\slash -x\n\nExamples:\n  tool It --all\n      Does it."}}
      """#
    let page = try #require(try Self.pages(of: "cat <<'END'\n\(help)\nEND\n")["tool.1"])
    let lines = Text.lines(page)
    #expect(lines.contains(#"\&.Sh EVIL 'quoted' \(dqtwice\(dq back\eslash \-x"#))
    #expect(!lines.contains { $0.hasPrefix(".Sh EVIL") })
    #expect(lines.contains(#".It Li tool \&It \-\-all"#))
  }

  @Test func whatIsNoHelpIsRefused() throws {
    let run = try Tool.shell(
      "echo '{}' | \"$(dirname \"$TOOL\")/Manual\" 1 today /nonexistent")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("Manual: "))
  }

  @Test(.enabled(if: Shells.has("mandoc"), "mandoc is not installed"))
  func mandocHasNothingToSay() throws {
    let scratch = try Scratch()
    for (name, page) in try Self.pages.get() { try scratch.write(name, Array(page.utf8)) }
    let run = try Tool.shell("mandoc -T lint -W warning *.1", in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
  }
}

/// Programs that may be missing.
enum Shells {
  static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}
