import Foundation
import TestSupport
import Testing

/// What comes once (a pipe, standard input) where a command reads its captures twice: it gives what the file gives.
@Suite("What comes once and is read twice", .timeLimit(.minutes(60))) struct ReadAgainTests {
  private static let clock = "2026-05-20T10:00:00Z"

  /// Commands that read twice; what they write lies in the folder in which they run.
  static let commands: [(words: String, writes: [String])] = [
    ("devices --format csv", []),
    ("devices --each --format json", []),
    ("analyze -q --format json --clock \(clock)", []),
    ("events --format csv --clock \(clock)", []),
    ("analyze -q --no-regions --report page.html", ["page.html"]),
    ("export --to pcapng -o cited.pcapng", ["cited.pcapng"]),
    ("export --to ndjson --clock \(clock)", []),
    ("sightings --where 'minor == 1' --write cut.pcapng", ["cut.pcapng"]),
    ("share --into shared --secret ../secret", ["shared/walk.pcapng"]),
  ]

  /// A walk as a file in one folder, and in another one a pipe of its name.
  private func scene() throws -> Scratch {
    let scratch = try WalkScene().scratch
    try scratch.write("secret", Array(String(repeating: "5a", count: 32).utf8))
    let made = try Tool.shell(
      "mkdir file pipe temporary && mv walk.btsnoop file && mkfifo pipe/walk.btsnoop",
      in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    return scratch
  }

  private func inPipe(_ command: String, _ scratch: Scratch, before: String = "") throws -> Run {
    try Tool.shell(
      """
      cd pipe; (timeout 30 cat ../file/walk.btsnoop > walk.btsnoop) &
      \(before) TMPDIR=../temporary timeout 60 "$TOOL" \(command) walk.btsnoop
      """, in: scratch.folder)
  }

  @Test("gives through a pipe what the file gives, and leaves nothing behind", arguments: commands)
  func same(_ command: (words: String, writes: [String])) throws {
    let scratch = try scene()
    let file = try Tool.shell(
      "cd file && \"$TOOL\" \(command.words) walk.btsnoop", in: scratch.folder)
    let pipe = try inPipe(command.words, scratch)
    #expect(file.status == 0 && pipe.status == 0, "\(file.errors) \(pipe.errors)")
    #expect(pipe.output == file.output && pipe.errors == file.errors)
    for name in command.writes {
      let bytes = ["file", "pipe"].map {
        try? Data(contentsOf: scratch.folder.appending(path: "\($0)/\(name)"))
      }
      #expect(bytes[0] != nil && bytes[0] == bytes[1], "\(name)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: scratch.folder.appending(path: "temporary").path
      ).isEmpty)
  }

  @Test(
    "is kept in a case with its frames, as standard input, redirected or not, is",
    arguments: [
      "cat ../file/walk.btsnoop | \"$TOOL\" WORDS -",
      "\"$TOOL\" WORDS - < ../file/walk.btsnoop",
      "\"$TOOL\" WORDS <(cat ../file/walk.btsnoop)",
      // Whoever read of it before us has had that.
      "(printf 12345; cat ../file/walk.btsnoop) > five; (head -c 5 > head; \"$TOOL\" WORDS -) < five",
    ])
  func cases(_ script: String) throws {
    let scratch = try scene()
    let query = "case query --format csv c.sqlite 'SELECT frame, bytes FROM frames ORDER BY frame'"
    let file = try Tool.shell(
      "cd file; \"$TOOL\" analyze -q --case c.sqlite walk.btsnoop; \"$TOOL\" \(query)",
      in: scratch.folder)
    let once = try Tool.shell(
      "cd pipe; \(script.replacing("WORDS", with: "analyze -q --case c.sqlite")); \"$TOOL\" \(query)",
      in: scratch.folder)
    let rows = { (run: Run) in run.lines.drop { !$0.hasPrefix("frame,") }.map { $0 } }
    #expect(rows(file).count > 4 && once.status == 0, "\(file.errors) \(once.errors)")
    #expect(rows(once) == rows(file))
  }

  @Test("is put in its place among captures by its time, and compared to its end") func several()
    throws
  {
    let scratch = try scene()
    let later = try Tool.shell(
      "\"$TOOL\" synth --seed 7 --duration 120 --out later.btsnoop", in: scratch.folder)
    try #require(later.status == 0, "\(later.errors)")
    for words in ["export --to ndjson ../later.btsnoop", "compare ../later.btsnoop"] {
      let file = try Tool.shell("cd file && \"$TOOL\" \(words) walk.btsnoop", in: scratch.folder)
      let pipe = try inPipe(words, scratch)
      #expect(file.status == 0 && pipe.output == file.output, "\(pipe.errors)")
    }
  }

  @Test(
    "what a case draws, too: where that has no room, no report is spoken of that nobody asked for")
  func noRoomForACase() throws {
    let scratch = try scene()
    let run = try Tool.shell(
      "cd file; TMPDIR=../nowhere \"$TOOL\" analyze -q --case c.sqlite walk.btsnoop",
      in: scratch.folder)
    #expect(run.status == 74 && run.output.isEmpty)
    #expect(
      run.errors
        == "beacontrace: what is to be drawn cannot be kept in ../nowhere: no such file or directory. Cases "
        + "and reports need 8 bytes per sighting: name a folder with room for that in TMPDIR.\n")
  }

  @Test("says where there is no room for it, and writes nothing") func noRoom() throws {
    let scratch = try scene()
    for (command, before) in [
      ("devices", "ulimit -f 1;"), ("devices --each", "rmdir ../temporary;"),
      ("sightings --write cut.pcapng", ""), ("share --into shared", ""),
    ] {
      let run = try inPipe(command, scratch, before: before)
      #expect(run.status == 66, "\(run.errors)")
      #expect(
        run.errors.contains("walk.btsnoop: it is read twice, and cannot be kept in ../temporary: "),
        "\(run.errors)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: scratch.folder.appending(path: "pipe").path) == ["walk.btsnoop"])
  }

  @Test(
    "is not kept by commands that read once",
    arguments: [
      "events --format csv", "sightings --format csv", "analyze -q", "info", "advise",
    ])
  func streams(_ words: String) throws {
    let scratch = try scene()
    let run = try inPipe(words, scratch, before: "rmdir ../temporary;")
    #expect(run.status == 0 && !run.output.isEmpty, "\(run.errors)")
  }

  @Test("is refused by a replay, which would have to wait for its end, without being opened")
  func replay() throws {
    let scratch = try scene()
    let run = try Tool.shell(
      "cd pipe; timeout 20 \"$TOOL\" replay --speed max walk.btsnoop", in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.errors.contains("walk.btsnoop is no file: what is replayed is read twice"))
  }

  /// The first reading has had all of it when the second one finds nothing.
  @Test("A file that is gone for the second reading is told") func gone() throws {
    let scratch = try scene()
    let run = try Tool.shell(
      """
      mkfifo later; cp file/walk.btsnoop gone.btsnoop
      timeout 60 "$TOOL" devices --format csv gone.btsnoop later & tool=$!
      "$TOOL" synth --duration 60 --out later.btsnoop
      exec 3> later
      head -c 400 later.btsnoop >&3; sleep 1; rm gone.btsnoop
      tail -c +401 later.btsnoop >&3
      exec 3>&-
      wait $tool
      """, in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.errors.contains("gone.btsnoop: cannot be opened"), "\(run.errors)")
  }
}
