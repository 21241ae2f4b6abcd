import Foundation
import Glibc
import Testing

/// Whatever ends a screen or stops it: the terminal is as it was.
@Suite("The end of a screen", .timeLimit(.minutes(60)))
struct ScreenEndTests {
  private static func start(
    _ more: [String] = ["--no-summary"], _ environment: [String: String] = [:]
  ) throws -> TerminalRun {
    let run = try StillScene().run(more, environment: environment)
    try run.wait(for: "the page") { Self.isWhole($0) }
    #expect(!run.keysAreOrdinary)
    return run
  }

  private static func isWhole(_ terminal: TerminalModel) -> Bool {
    let lines = terminal.lines
    return terminal.isOnPage && !terminal.showsCursor && lines[0].hasPrefix("still.btsnoop  0/s")
      && lines.contains { $0.hasPrefix("  cellar  not known yet") }
      && lines.contains { $0.hasSuffix("Café    inside") }
      && lines[lines.count - 1].hasPrefix("q end")
  }

  /// The ordinary page, a cursor, long lines going on, keys line by line.
  private static func isUsable(_ run: TerminalRun) -> Bool {
    !run.terminal.isOnPage && run.terminal.showsCursor && run.terminal.wraps
      && run.terminal.faults.isEmpty && run.keysAreOrdinary
  }

  @Test("by q: the summary stands where lines were before")
  func quit() throws {
    let run = try Self.start([])
    run.type("q")
    #expect(try run.end() == .status(0))
    #expect(Self.isUsable(run))
    let told = run.terminal.transcript
    #expect(told.contains("still.btsnoop") && told.contains("VISITS    2026-05-19, UTC"))
    #expect(!told.contains { $0.hasPrefix("q end") })
  }

  @Test("by whoever asks for it", arguments: [SIGTERM, SIGINT])
  func asked(_ number: Int32) throws {
    let run = try Self.start()
    kill(run.process, number)
    #expect(try run.end() == .status(0))
    #expect(Self.isUsable(run))
  }

  @Test("by Ctrl-C")
  func interrupted() throws {
    let run = try Self.start()
    run.type("\u{3}")
    #expect(try run.end() == .status(0))
    #expect(Self.isUsable(run))
  }

  @Test(
    "by a crash: the program ends by that signal",
    arguments: [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP])
  func crash(_ number: Int32) throws {
    let run = try Self.start()
    kill(run.process, number)
    #expect(try run.end() == .signal(number))
    #expect(Self.isUsable(run))
    #expect(run.terminal.transcript.isEmpty)
  }

  @Test("by Ctrl-\\")
  func quitByKey() throws {
    let run = try Self.start()
    run.type("\u{1C}")
    #expect(try run.end() == .signal(SIGQUIT))
    #expect(Self.isUsable(run))
  }

  private static let hasBacktraces =
    (try? Tool.shell("SWIFT_BACKTRACE=enable=yes \"$TOOL\" --version").errors.isEmpty) == true

  @Test(
    "by a crash: what Swift says of it stands on the ordinary page",
    .enabled(if: hasBacktraces, "the Swift runtime finds no swift-backtrace"))
  func backtrace() throws {
    let run = try Self.start(
      ["--no-summary"],
      [
        "SWIFT_BACKTRACE":
          "enable=yes,color=no,interactive=no,symbolicate=off,threads=crashed,images=none"
      ])
    kill(run.process, SIGSEGV)
    #expect(try run.end() == .signal(SIGSEGV))
    #expect(!run.terminal.isOnPage && run.terminal.showsCursor && run.keysAreOrdinary)
    #expect(run.terminal.transcript.contains { $0.contains("*** Program crashed: ") })
  }

  /// Leaves the tool with Ctrl-Z, and goes on with it when a line is typed.
  private static let shell = """
    set -m
    "$@"
    echo "stopped $?"
    read line
    fg > /dev/null
    echo "ended $?"
    """

  @Test("is none by Ctrl-Z: the shell has its terminal until it goes on")
  func suspended() throws {
    let scene = try StillScene()
    let words = scene.words(regions: ["hall", "yard", "Café", "cellar"], ["--no-summary"])
    let run = try TerminalRun(["bash", "-c", Self.shell, "bash"] + words, in: scene.scratch)
    for round in 1...2 {
      try run.wait(for: "the page, \(round)") { Self.isWhole($0) }
      #expect(!run.keysAreOrdinary)
      guard round == 1 else { break }
      run.type("\u{1A}")
      try run.wait(for: "the shell") { $0.transcript.last == "stopped 148" }
      #expect(Self.isUsable(run))
      run.type("on\n")
    }
    run.type("q")
    #expect(try run.end() == .status(0))
    #expect(Self.isUsable(run))
    #expect(run.terminal.transcript.suffix(3) == ["stopped 148", "on", "ended 0"])
  }

  @Test("is none where somebody else stopped the program: it is drawn anew")
  func stoppedByOthers() throws {
    let run = try Self.start()
    kill(run.process, SIGSTOP)
    run.resize(columns: 60, rows: 20)
    kill(run.process, SIGCONT)
    try run.wait(for: "the page in another size") { Self.isWhole($0) && $0.rows == 20 }
    run.type("q")
    #expect(try run.end() == .status(0))
    #expect(Self.isUsable(run))
  }

  @Test("by a terminal that is gone: a run that nobody else wants anything of ends")
  func hungUp() throws {
    let run = try Self.start()
    run.hangUp()
    #expect(try run.end() == .status(74))
  }

  @Test("is none by a terminal that is gone where the run is recorded: it goes on to its end")
  func hungUpButRecorded() throws {
    let scene = try StillScene()
    let run = try scene.run(
      ["--no-summary", "--write", "kept.pcapng"], speed: "1000")
    try run.wait(for: "the page") { $0.isOnPage && $0.lines[0].hasPrefix("still.btsnoop") }
    run.hangUp()
    // What was to be shown is lost, and nothing else.
    #expect(try run.end() == .status(74))
    let kept = try Tool.run("info", "kept.pcapng", in: scene.scratch.folder)
    #expect(kept.output.contains("5 records"), "\(kept.output)")
  }
}
