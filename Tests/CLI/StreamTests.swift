import Foundation
import TestSupport
import Testing

/// Pipes in and out, and output that cannot be written.
@Suite(.timeLimit(.minutes(60)))
struct StreamTests {
  // MARK: Standard input

  @Test func standardInputGivesWhatTheFileGives() throws {
    let file = try Tool.run("sightings", "--format", "csv", Captures.h4)
    let piped = try Tool.shell("cat \(Captures.h4) | \"$TOOL\" sightings --format csv -")
    let redirected = try Tool.shell("\"$TOOL\" sightings --format csv - < \(Captures.h4)")
    #expect(piped.status == 0)
    #expect(piped.output == redirected.output)
    let renamed = file.lines.dropFirst().map { line in
      line.replacing(Captures.h4, with: "-").replacing(",btsnoop-h4,", with: ",stdin,")
    }
    #expect(piped.lines.dropFirst().map { $0 } == renamed)
  }

  @Test func cutStandardInputIsDamage() throws {
    let run = try Tool.shell("head -c 1500 \(Captures.h4) | \"$TOOL\" sightings -")
    #expect(run.status == 65)
    #expect(run.lines.count > 15)
    #expect(
      run.errors
        == "beacontrace: standard input: the input ends 26 bytes into a record (after frame 23).\n")
  }

  /// A pipe whose writer dies.
  @Test func namedPipeClosedEarly() throws {
    let scratch = try Scratch()
    try scratch.write("good", try Captures.read(Captures.h4))
    let run = try Tool.shell(
      "mkfifo pipe; (head -c 1500 good > pipe) & timeout 30 \"$TOOL\" info pipe",
      in: scratch.folder)
    #expect(run.status == 65)
    #expect(run.output.contains("records     23\n"))
    #expect(
      run.complaints == [
        "beacontrace: pipe: the input ends 26 bytes into a record (after frame 23)."
      ])
  }

  /// Pipes can be read once only, however many captures there are.
  @Test func severalPipes() throws {
    let run = try Tool.shell(
      "\"$TOOL\" info <(cat \(Captures.h4)) \(Captures.air) <(zcat \(Captures.walk))")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let records = run.lines.filter { $0.hasPrefix("  records") }
    #expect(
      records == [
        "  records     41", "  records     46", "  records     17 793", "  records     17 880",
      ])
  }

  /// A file that is there when the inputs are listed and gone when its turn comes.
  @Test(arguments: ["site/gone.btsnoop", "site"])
  func vanishingFile(_ word: String) throws {
    let scratch = try Scratch()
    try scratch.write("good", try Captures.read(Captures.h4))
    try scratch.write("site/gone.btsnoop", try Captures.read(Captures.h4))
    // Opening the pipe for writing waits until the tool, done with listing, opens it for reading.
    let run = try Tool.shell(
      """
      mkfifo pipe
      timeout 30 "$TOOL" info pipe \(word) & tool=$!
      exec 3> pipe
      rm site/gone.btsnoop
      cat good >&3
      exec 3>&-
      wait $tool
      """, in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.output.contains("records     41\n"))
    #expect(
      run.errors == "beacontrace: site/gone.btsnoop: cannot be opened: no such file or directory. "
        + "Check the path.\n")
  }

  /// Lines come out while the capture is still being written.
  @Test(arguments: ["text", "ndjson", "csv"])
  func pipeStillBeingWritten(_ format: String) throws {
    let scratch = try Scratch()
    try scratch.write("good", try Captures.read(Captures.h4))
    let half = try Tool.shell(
      "head -c 1500 good | \"$TOOL\" sightings -q --format \(format) -", in: scratch.folder)
    let whole = try Tool.shell(
      "\"$TOOL\" sightings --format \(format) - < good", in: scratch.folder)
    let live = try Tool.shell(
      """
      mkfifo pipe; touch out
      timeout 30 "$TOOL" sightings --format \(format) - < pipe > out & tool=$!
      exec 3> pipe
      head -c 1500 good >&3
      for try in $(seq 200); do
        [ $(wc -l < out) -ge \(half.lines.count) ] && break
        sleep 0.05
      done
      wc -l < out
      tail -c +1501 good >&3
      exec 3>&-
      wait $tool && cat out
      """, in: scratch.folder)
    #expect(half.status == 65)
    #expect(live.status == 0)
    #expect(live.lines.first == "\(half.lines.count)")
    #expect(live.lines.dropFirst().map { $0 } == whole.lines)
    #expect(whole.lines.count > half.lines.count)
  }

  // MARK: Standard output

  /// `| head` ends the run without a word.
  @Test(arguments: ["sightings --format ndjson", "sightings", "analyze --format json --all"])
  func closedOutputIsQuiet(_ command: String) throws {
    let run = try Tool.shell(
      "\"$TOOL\" \(command) \(Captures.walk) recorded/load.pcap.gz | head -c 1 > /dev/null;"
        + " echo ${PIPESTATUS[0]}")
    #expect(run.output == "0\n")
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: [
    "sightings", "sightings --format csv", "analyze", "analyze --format json", "info",
    "info --format json",
  ])
  func fullDisk(_ command: String) throws {
    let run = try Tool.shell("\"$TOOL\" \(command) \(Captures.h4) > /dev/full")
    #expect(run.status == 74)
    #expect(
      run.errors
        == "beacontrace: standard output cannot be written: no space left on device.\n")
  }

  @Test(arguments: ["synth --list-scenarios", "synth --print-scenario museum"])
  func listsAreWrittenOrNotAsAnythingElse(_ command: String) throws {
    let full = try Tool.shell("\"$TOOL\" \(command) > /dev/full")
    #expect(full.status == 74)
    #expect(
      full.errors
        == "beacontrace: standard output cannot be written: no space left on device.\n")
    // The reader has gone before the first byte comes.
    let closed = try Tool.shell(
      "{ sleep 0.5; \"$TOOL\" \(command); echo $? >&2; } | true")
    #expect(closed.errors == "0\n")
  }

  @Test func noStandardOutput() throws {
    let run = try Tool.shell("\"$TOOL\" info \(Captures.h4) >&-")
    #expect(run.status == 74)
    #expect(run.complaints.count == 1)
  }

  /// The next file that is opened would have its number.
  @Test(arguments: [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
  func closedStandardStreamsAreNoFilesOfOurs(_ closed: String) throws {
    let scratch = try Scratch()
    let capture = Captures.folder.appending(path: Captures.h4).path(percentEncoded: false)
    let run = try Tool.shell(
      "\"$TOOL\" analyze -q --case c.sqlite \(capture) \(closed)", in: scratch.folder)
    #expect(run.status == (closed.contains(" >&-") || closed.hasPrefix(">") ? 74 : 0))
    let verified = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
  }

  // MARK: Terminals

  /// Some containers have no pseudo-terminals.
  static let hasTerminal =
    (try? Tool.shell("script -qec true /dev/null < /dev/null"))?.status == 0

  @Test(arguments: ["analyze", "info", "sightings"])
  func pipedOutputHasNoEscapes(_ command: String) throws {
    let run = try Tool.run(command, Captures.walk)
    #expect(!run.output.utf8.contains(0x1B))
    #expect(!run.errors.utf8.contains(0x1B))
  }

  @Test(
    .enabled(if: hasTerminal, "needs a terminal, which script(1) cannot lend here"),
    arguments: [("", true), ("NO_COLOR=", true), ("NO_COLOR=1", false), ("TERM=dumb", false)])
  func coloursOnATerminal(_ setting: String, _ hasColour: Bool) throws {
    let run = try Tool.shell(
      "script -qec 'env -u NO_COLOR TERM=xterm \(setting) \"$TOOL\" analyze \(Captures.h4)'"
        + " /dev/null < /dev/null")
    #expect(run.status == 0)
    #expect(run.output.contains("BEACONS"))
    #expect(run.output.utf8.contains(0x1B) == hasColour)
  }

  /// Progress does not come between lines on the same terminal.
  @Test(
    .enabled(if: hasTerminal, "needs a terminal, which script(1) cannot lend here"),
    arguments: [
      ("sightings -", false), ("sightings --format csv -", false), ("sightings - > lines", true),
      ("analyze --format json -", true), ("info -", true),
    ])
  func progressOnATerminal(_ command: String, _ isShown: Bool) throws {
    let scratch = try Scratch()
    try scratch.write("good", try Captures.read(Captures.h4))
    let slowly = "(head -c 1500 good; sleep 2; tail -c +1501 good)"
    let run = try Tool.shell(
      "script -qec '\(slowly) | \"$TOOL\" \(command)' /dev/null < /dev/null", in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.output.contains(" records, ") == isShown)
    #expect(run.output.contains("\u{1B}[K") == isShown)
  }
}
