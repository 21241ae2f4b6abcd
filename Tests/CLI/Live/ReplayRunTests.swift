import CaptureWriter
import Foundation
import Testing

/// How a run that goes on is told to end, to read plugins anew, and how it goes on after a kill.
@Suite("A run that goes on", .timeLimit(.minutes(60))) struct ReplayRunTests {
  /// Waits in a script until a condition holds: a minute at most.
  static let until = """
    until_() { for try in $(seq 1200); do eval "$1" && return; sleep 0.05; done; echo "never: $1"; }

    """

  @Test("ends with a signal, with status 0 and everything written", arguments: ["INT", "TERM"])
  func signals(_ name: String) throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      Self.until + """
        touch out
        "$TOOL" replay --speed 1 --sightings --format ndjson --no-summary --write kept.pcapng \
          "\(Captures.folder.path(percentEncoded: false))/\(Captures.walk)" > out 2> err & tool=$!
        until_ '[ $(grep -c "^{.capture" out) -ge 20 ]'
        kill -\(name) $tool
        wait $tool; echo status $?
        cat err
        """, in: scratch.folder)
    #expect(run.lines.first == "status 0", "\(run.output)")
    let out = try String(contentsOf: scratch.folder.appending(path: "out"), encoding: .utf8)
    let seen = Text.lines(out).filter(ReplayedRun.isSighting)
    let kept = try ReplayedRun.sightings(of: "kept.pcapng", in: scratch.folder)
    #expect(seen.count >= 20)
    func general(_ line: String) -> String {
      ReplayedRun.unnamed(line).replacing(/"observer":"[^"]*"/, with: "")
    }
    #expect(seen.map(general) == kept.map(general))
    let packets = try JSON(
      Tool.run(["info", "--format", "json", "kept.pcapng"], in: scratch.folder).bytes)[
        "captures"]?.list?.first?["records"]?["total"]?.int
    #expect(
      run.lines.contains("Recorded \(packets ?? 0) packets to kept.pcapng."), "\(run.output)")
  }

  @Test("ends with a signal also where nobody reads what it says", arguments: ["TERM", "INT"])
  func unread(_ name: String) throws {
    let scratch = try Scratch()
    try scratch.write("ten.lua", Self.rule("ten"))
    let run = try Tool.shell(
      Self.until + """
        mkfifo pipe; exec 4<>pipe
        "$TOOL" replay --speed max --sightings --format ndjson --plugin ten.lua --alerts told \
          "\(Captures.folder.path(percentEncoded: false))/\(Captures.walk)" > pipe 2> err & tool=$!
        sleep 3
        start=$(date +%s)
        kill -\(name) $tool
        wait $tool; echo status $?
        [ $(($(date +%s) - start)) -lt 30 ] && echo soon
        cat err
        """, in: scratch.folder)
    #expect(run.lines.prefix(2) == ["status 74", "soon"], "\(run.output)")
    #expect(
      run.lines.contains(
        "beacontrace: standard output is not read: the last lines were not shown."),
      "\(run.output)")
  }

  private static func rule(_ title: String) -> [UInt8] {
    Array(
      """
      plugin { version = "1.0", about = "Tells the seconds" }
      every(1, function() alert { title = "\(title)" } end)

      """.utf8)
  }

  /// At the pace of the capture and on and on: it ends because it is told to.
  private func reload(_ signal: String, _ options: String, before: String = "") throws -> Run {
    let scene = try WalkScene()
    try scene.scratch.write("rule.lua", Self.rule("as it was"))
    try scene.scratch.write("new.lua", Self.rule("as it is now"))
    return try Tool.shell(
      Self.until + """
        touch out; \(before)
        "$TOOL" replay --speed 5 --loop --no-summary --plugin rule.lua \(options) walk.btsnoop > out & tool=$!
        until_ 'grep -q "as it was" out'
        mv new.lua rule.lua
        \(signal)
        kill -INT $tool; wait $tool; echo status $?
        """, in: scene.scratch.folder)
  }

  @Test(
    "takes the new text of a plugin that has changed, whether it is told or not",
    arguments: ["", "kill -HUP $tool; "])
  func reloads(_ signal: String) throws {
    let run = try reload(signal + "until_ 'grep -q \"as it is now\" out'", "")
    #expect(run.lines == ["status 0"], "\(run.output)")
  }

  @Test("leaves plugins as they are where that is asked") func noReload() throws {
    let run = try reload(
      "kill -HUP $tool; lines=$(wc -l < out); until_ '[ $(wc -l < out) -gt $((lines + 20)) ]'; "
        + "grep -c 'as it is now' out", "--no-reload")
    #expect(run.lines == ["0", "status 0"], "\(run.output)")
  }

  @Test("opens the file of alerts anew when it is hung up") func reopens() throws {
    let run = try reload(
      """
      until_ '[ -s alerts ]'
      mv alerts old
      kill -HUP $tool
      until_ '[ -s alerts ]'
      """, "--alerts alerts")
    #expect(run.lines == ["status 0"], "\(run.output)")
  }

  @Test("says which files cannot be opened anew, until they are, and which are not read anew")
  func hangsUpInVain() throws {
    let run = try reload(
      """
      until_ '[ -s logs/alerts ]'
      kill -HUP $tool; sleep 1
      mv logs old; echo >> markers.csv
      kill -HUP $tool
      until_ 'grep -q "problems.:..not_reopened" status'; cat status
      mkdir logs
      until_ '[ -s logs/alerts ]'
      until_ 'grep -q "problems.:..," status'; cat status
      """, "--alerts logs/alerts --status status --markers markers.csv",
      before: "mkdir logs; echo time,kind > markers.csv")
    #expect(run.lines.last == "status 0", "\(run.output)")
    let statuses = try run.lines.dropLast().map { try JSON($0)["not_reopened"]?.list }
    let reason = "logs/alerts cannot be opened again: no such file or directory"
    #expect(statuses == [[.text(reason)], []])
    let told = run.complaints.filter { $0.hasPrefix("beacontrace: ") }
    #expect(
      told == [
        "beacontrace: markers.csv has changed. It is read when a run begins, and not on SIGHUP: start the run "
          + "again for what it says now.",
        "beacontrace: \(reason). What comes goes into the file that had this name before; it is tried again every "
          + "few seconds.", "beacontrace: file logs/alerts: opened anew; what comes goes there.",
      ], "\(run.errors)")
  }

  // MARK: Restarts

  static let door = ["--region", WalkScene.beacon, "--no-summary", "--format", "ndjson"]
  static let other = ["--region", "yard=eddystone:0102030405060708090a"]

  private static func crossings(_ text: String) throws -> [String] {
    try Text.lines(text).map { try JSON($0) }
      .filter { ["enter", "exit", "state"].contains($0["type"]?.text) }
      .map { "\($0["type"]?.text ?? "") \($0["region"]?.text ?? "") \($0["time"]?.text ?? "")" }
  }

  /// The rest of a capture of btsnoop behind so many records.
  static func rest(of file: [UInt8], behind records: Int) -> [UInt8] {
    Array(file[..<16] + file[end(of: records, in: file)...])
  }

  /// Where so many records of a btsnoop file end.
  static func end(of records: Int, in file: [UInt8]) -> Int {
    var place = 16
    for _ in 0..<records {
      place += 24 + file[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
    }
    return place
  }

  @Test("goes on after a kill as if there had been none, with --state", arguments: [true, false])
  func killed(_ keepsState: Bool) throws {
    let scene = try WalkScene()
    let folder = scene.scratch.folder
    let words = (Self.door + Self.other + (keepsState ? ["--state", "kept"] : []))
      .joined(separator: " ")
    let first = try Tool.shell(
      Self.until + """
        touch out
        "$TOOL" replay --speed 20 --sightings \(words) --write before.btsnoop walk.btsnoop > out & tool=$!
        until_ '[ $(grep -c "^{.capture" out) -ge 40 ]'
        kill -KILL $tool
        wait $tool; echo status $?
        """, in: folder)
    #expect(first.lines.last == "status 137", "\(first.output)")
    let before = try JSON(
      Tool.run(["info", "--format", "json", "before.btsnoop"], in: folder).bytes)[
        "captures"]?.list?.first?["records"]?["total"]?.int
    let whole = try [UInt8](Data(contentsOf: folder.appending(path: "walk.btsnoop")))
    // The same observer: it is known by the name of its capture.
    try scene.scratch.write("rest/walk.btsnoop", Self.rest(of: whole, behind: try #require(before)))
    let second = try Tool.run(
      ["replay", "--speed", "max", "rest/walk.btsnoop"]
        + words.split(separator: " ").map(String.init), in: folder)
    #expect(second.status == 0, "\(second.errors)")
    let yard = try Self.crossings(second.output).filter { $0.contains(" yard ") }
    let door = try Self.crossings(second.output).filter { $0.contains(" door ") }
    // The yard's beacon is heard all the time: nothing happens there. The door's is heard again at 100.
    #expect(!yard.contains { $0.hasPrefix("enter") || $0.hasPrefix("exit") }, "\(yard)")
    if keepsState {
      #expect(door.contains("enter door 2026-05-19T10:01:40.000000000Z"), "\(door)")
    }
    #expect(door.contains("exit door 2026-05-19T10:02:20.000000000Z"), "\(door)")
    if keepsState {
      // It was left in the pause, or at the restart, about second 20: the period counts from there.
      #expect(door.first?.hasPrefix("exit door 2026-05-19T10:00:5") == true, "\(door)")
      #expect(door.count == 3, "\(door)")
    }
    // Without it the run says anew who is there.
    #expect(yard.isEmpty == keepsState, "\(yard)")
  }

  @Test("has what it told in its state at once, not only after seconds") func keepsSoon() throws {
    let scene = try WalkScene()
    let run = try Tool.shell(
      Self.until + """
        touch out
        "$TOOL" replay --speed 1 \((Self.door + Self.other).joined(separator: " ")) --state kept \
          walk.btsnoop > out & tool=$!
        until_ 'grep -q inside out'
        sleep 2
        kill -KILL $tool
        wait $tool
        grep -c '"isInside":true' kept
        """, in: scene.scratch.folder)
    #expect(run.lines.first == "1", "\(run.output) \(run.errors)")
  }

  @Test("says in its summary that it was a replay, and shows all of it where that is asked")
  func summary() throws {
    let run = try Tool.run("replay", "--speed", "max", "--all", Captures.h4)
    #expect(run.status == 0)
    #expect(run.lines.contains { $0.hasPrefix("  replay, ") }, "\(run.output)")
    #expect(!run.output.contains("--all"))
  }

  // MARK: Recordings

  @Test("records around an alert that comes when everything is over, and says where")
  func alertAtTheFinish() throws {
    let scene = try WalkScene()
    let rule = "on(\"finish\", function() alert { title = \"over\" } end)\n"
    try scene.scratch.write("rule.lua", Array(rule.utf8))
    let folder = scene.scratch.folder
    let run = try Tool.run(
      "replay", "--speed", "max", "--no-summary", "--plugin", "rule.lua", "--write-on-alert",
      "kept",
      "walk.btsnoop", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false)
    )
    .filter { $0.hasPrefix("kept-") }
    #expect(files.count == 1)
    let name = try #require(files.first)
    #expect(
      run.errors.contains("Recorded the minutes around alerts in 1 file, the last of them \(name).")
    )
    #expect(try !ReplayedRun.sightings(of: name, in: folder).isEmpty)
  }

  // MARK: Standard output

  @Test("ends without a word when nobody reads any more") func closedOutput() throws {
    let run = try Tool.shell(
      "\"$TOOL\" replay --speed 50 --sightings \(Captures.walk) | head -1 | wc -l; "
        + "echo ${PIPESTATUS[0]}")
    #expect(run.lines.map { $0.filter { !$0.isWhitespace } } == ["1", "0"])
    #expect(run.errors.isEmpty)
  }

  @Test("goes on for others where standard output is full, and ends with 74") func fullForSome()
    throws
  {
    let scene = try WalkScene()
    let rule = "on(\"exit\", function(e) alert { title = \"left\" } end)\n"
    try scene.scratch.write("rule.lua", Array(rule.utf8))
    let run = try Tool.shell(
      "\"$TOOL\" replay --speed max --no-summary --plugin rule.lua --alerts told --region "
        + "'\(WalkScene.beacon),exit_after=10' walk.btsnoop > /dev/full", in: scene.scratch.folder)
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("no space left on device. The run goes on without it."))
    let told = try Data(contentsOf: scene.scratch.folder.appending(path: "told"))
    #expect(told.contains(UInt8(ascii: "\n")))
  }

  @Test("says that standard output is full") func fullOutput() throws {
    let run = try Tool.shell(
      "\"$TOOL\" replay --speed max --no-summary \(Captures.h4) > /dev/full")
    #expect(run.status == 74)
    #expect(
      run.errors
        == "beacontrace: standard output cannot be written: no space left on device.\n")
  }
}

/// Receivers with folders of their own, one of which had a wrong clock.
@Suite("A replay of several receivers", .timeLimit(.minutes(60))) struct ReplayedReceiverTests {
  private let scene: SiteScene

  init() throws {
    scene = try SiteScene()
    try scene.record("x", seconds: 40)
    for name in ["gate", "hall"] {
      try scene.scratch.write(
        "site/\(name)/capture.btsnoop",
        [UInt8](Data(contentsOf: scene.scratch.folder.appending(path: "x.btsnoop"))))
    }
  }

  @Test("names them by their folders, and moves a clock, as an analysis does") func asAnalyzed()
    throws
  {
    let options = ["--observers", "folder", "--clock", "site/gate=-180s"]
    let replayed = try Tool.run(ReplayedRun.words + options + ["site"], in: scene.scratch.folder)
    #expect(replayed.status == 0, "\(replayed.errors)")
    let read = try Tool.run(
      ["events", "-q", "--format", "ndjson"] + options + ["site"], in: scene.scratch.folder)
    func entries(_ run: Run) throws -> [String] {
      try run.lines.map { try JSON($0) }.filter { ["enter", "state"].contains($0["type"]?.text) }
        .map {
          "\($0["observer"]?.text ?? "") \($0["time"]?.text ?? "") \($0["region"]?.text ?? "")"
        }
        .sorted()
    }
    let found = try entries(replayed)
    #expect(!found.isEmpty && found.contains { $0.hasPrefix("gate 2026-11-17T08:57") })
    #expect(found.contains { $0.hasPrefix("hall 2026-11-17T09:00") })
    #expect(try Set(found) == Set(entries(read)))
  }

  @Test(
    "names them so whatever their interfaces are called",
    arguments: [
      ["--observers", "folder"],
      ["--observer", "gate=pcapng/gate", "--observer", "hall=pcapng/hall"],
    ])
  func interfaces(_ options: [String]) throws {
    for name in ["gate", "hall"] {
      try scene.scratch.write("pcapng/\(name)/none", [])
      let made = try scene.run(
        "synth", "--duration", "60", "--out", "pcapng/\(name)/capture.pcapng")
      try #require(made.status == 0, "\(made.errors)")
    }
    func states(_ run: Run) throws -> Set<String> {
      #expect(run.status == 0, "\(run.errors)")
      return Set(
        try run.lines.map { try JSON($0) }.filter { ["enter", "state"].contains($0["type"]?.text) }
          .map { "\($0["id"]?.text ?? "") \($0["observer"]?.text ?? "")" })
    }
    let words = options + ["pcapng/gate/capture.pcapng", "pcapng/hall/capture.pcapng"]
    let replayed = try states(Tool.run(ReplayedRun.words + words, in: scene.scratch.folder))
    #expect(
      replayed.contains { $0.hasSuffix(" gate") } && replayed.contains { $0.hasSuffix(" hall") })
    #expect(
      try replayed
        == states(
          Tool.run(["events", "-q", "--format", "ndjson"] + words, in: scene.scratch.folder)))
  }

  @Test("takes one capture of each") func several() throws {
    var bytes = [UInt8](try Data(contentsOf: scene.scratch.folder.appending(path: "x.btsnoop")))
    // A copy, byte for byte, would be left out.
    bytes[bytes.count - 1] ^= 1
    try scene.scratch.write("site/hall/later.btsnoop", bytes)
    let run = try Tool.run(
      ReplayedRun.words + ["--observers", "folder", "site"], in: scene.scratch.folder)
    #expect(run.status == 64)
    #expect(run.errors.contains("hall has several captures"), "\(run.errors)")
  }
}
