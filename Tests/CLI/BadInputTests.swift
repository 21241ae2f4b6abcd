import CaptureWriter
import Foundation
import TestSupport
import Testing

/// Every input that cannot be read gets one sentence that says what it is, and status 66; damage
/// gets one sentence, the results, and 65.
@Suite(.timeLimit(.minutes(60)))
struct BadInputTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// What the sentence must say behind the name.
    let says: String
    var testDescription: String { name }
  }

  static let ethernet = PcapWriter(linkType: 1).file(
    (0..<5).map { Record($0 * 1_000_000_000, [UInt8](repeating: 0, count: 60)) })

  static let unreadable: [Bad] = [
    Bad(name: "empty.pcap", bytes: [], says: "is empty"),
    Bad(name: "notes.txt", bytes: Array("hello\n".utf8), says: "is text"),
    Bad(name: "letters", bytes: Array("btsno".utf8), says: "is text"),
    Bad(name: "net.pcap", bytes: ethernet, says: "link type 1 (Ethernet) in all 5 records"),
    Bad(
      name: "one.pcap",
      bytes: PcapWriter(linkType: 1).file([Record(0, [UInt8](repeating: 0, count: 60))]),
      says: "link type 1 (Ethernet) in its only record:"),
    Bad(
      name: "none.pcap", bytes: PcapWriter(linkType: 1).header,
      says: "link type 1 (Ethernet) and no records"),
    Bad(
      name: "junk.gz", bytes: [0x1F, 0x8B] + [UInt8](repeating: 0xAA, count: 200),
      says: "nothing could be unpacked"),
    Bad(
      name: "site.sqlite",
      bytes: Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84),
      says: "is a database, not a capture. If it is a case, 'beacontrace case' looks into it"),
    Bad(
      name: "rule.lua", bytes: Array("on('exit', function(e) end)\n".utf8),
      says:
        "is a file in Lua, not a capture. Rules are given with --plugin, what there is at a site with --site."
    ),
    Bad(name: "text.gz", bytes: Packing.gzip(Array("hello\n".utf8)), says: "is text"),
    Bad(
      name: "twice.gz", bytes: Packing.gzip(Packing.gzip(Array("hello\n".utf8))),
      says: "is not a capture: it begins with 1f 8b"),
    Bad(
      name: "x.lz4", bytes: [0x04, 0x22, 0x4D, 0x18] + [UInt8](repeating: 0x40, count: 40),
      says: "is compressed with lz4. Unpack it first: lz4 -d."),
    Bad(
      name: "x.zip", bytes: [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 40),
      says: "is a zip archive. Unpack it first"),
    Bad(
      name: "x.xz",
      bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4] + [UInt8](repeating: 0x40, count: 40),
      says: "is compressed with xz. Unpack it first: unxz."),
    Bad(
      name: "x.bz2", bytes: Array("BZh91AY&SY".utf8) + [UInt8](repeating: 0x40, count: 40),
      says: "is compressed with bzip2. Unpack it first: bunzip2."),
    Bad(
      name: "x.7z", bytes: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C] + [UInt8](repeating: 0, count: 40),
      says: "is a 7z archive. Unpack it first: 7z x; the capture is inside."),
    Bad(
      name: "x.rar", bytes: Array("Rar!".utf8) + [0x1A, 7] + [UInt8](repeating: 0, count: 40),
      says: "is a rar archive. Unpack it first: unrar x; the capture is inside."),
    Bad(
      name: "x.tar",
      bytes: Array("a.log".utf8) + [UInt8](repeating: 0, count: 252) + Array("ustar".utf8)
        + [UInt8](repeating: 0, count: 250),
      says: "is a tar archive. Unpack it first: tar -xf; the capture is inside."),
    Bad(
      name: "short.pcap", bytes: Array(PcapWriter(linkType: 201).header.prefix(20)),
      says: "only 20 of the 24 bytes of a pcap header"),
    Bad(
      name: "noise", bytes: (0..<999).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) },
      says: "is not a capture: it begins with 03 aa"),
  ]

  @Test(arguments: unreadable, ["info", "sightings", "analyze"])
  func oneSentence(_ bad: Bad, _ command: String) throws {
    let scratch = try Scratch()
    try scratch.write(bad.name, bad.bytes)
    let run = try Tool.run(command, bad.name, in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.output.isEmpty)
    let complaint = try #require(run.complaints.first)
    #expect(run.complaints.count == 1)
    #expect(complaint.hasPrefix("beacontrace: \(bad.name): "))
    #expect(complaint.contains(bad.says), "\(complaint)")
    #expect(complaint.hasSuffix(".") || complaint.hasSuffix("?"))
  }

  @Test func missingFile() throws {
    let run = try Tool.run("analyze", "nowhere.pcap")
    #expect(run.status == 66)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == "beacontrace: nowhere.pcap: cannot be opened: no such file or directory. "
        + "Check the path.\n")
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func unreadableFile() throws {
    let scratch = try Scratch()
    let place = try scratch.write("secret.pcap", try Captures.read(Captures.air))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: place.path(percentEncoded: false))
    let run = try Tool.run("info", "secret.pcap", in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.errors == "beacontrace: secret.pcap: cannot be opened: permission denied.\n")
  }

  @Test func readError() throws {
    // Page zero of a process's memory: it can be opened, but not read.
    let run = try Tool.run("info", "/proc/self/mem")
    #expect(run.status == 66)
    #expect(run.complaints.count == 1)
    #expect(run.errors.contains("/proc/self/mem: cannot be read: input/output error"))
  }

  @Test func emptyStandardInput() throws {
    let run = try Tool.run("sightings", "-")
    #expect(run.status == 66)
    #expect(run.errors == "beacontrace: standard input: is empty: no bytes at all.\n")
  }

  @Test func closedStandardInput() throws {
    let run = try Tool.shell("\"$TOOL\" info - <&-")
    #expect(run.status == 66)
    #expect(
      run.errors == "beacontrace: standard input: cannot be read: bad file descriptor (byte 0).\n")
  }

  // MARK: Folders

  @Test func emptyFolder() throws {
    let scratch = try Scratch()
    let run = try Tool.run("info", ".", in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.errors == "beacontrace: .: no capture in this folder. It is empty.\n")
  }

  @Test func folderWithoutCaptures() throws {
    let scratch = try Scratch()
    try scratch.write("site/readme.md", Array("nothing here\n".utf8))
    let run = try Tool.run("info", "site", in: scratch.folder)
    #expect(run.status == 66)
    #expect(
      run.errors == "beacontrace: site: no capture in this folder. -v says what was passed over.\n")
    let verbose = try Tool.run("info", "-v", "site", in: scratch.folder)
    #expect(verbose.status == 66)
    #expect(verbose.errors.contains("passed over: site/readme.md: is text"))
  }

  /// Other files are passed over; hidden ones, pipes and folders inside are no reason to complain.
  @Test func folderWithCapturesAndOthers() throws {
    let scratch = try Scratch()
    try scratch.write("site/b/walk.btsnoop", try Captures.read(Captures.h4))
    try scratch.write("site/a.pcap", try Captures.read(Captures.air))
    try scratch.write("site/notes.txt", Array("hello\n".utf8))
    try scratch.write("site/.hidden", Array("hello\n".utf8))
    let script = "mkfifo site/pipe && timeout 30 \"$TOOL\" info site"
    let run = try Tool.shell(script, in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.errors == "1 file is no capture and was passed over (-v lists them).\n")
    #expect(
      run.lines.filter { !$0.hasPrefix(" ") } == [
        "site/a.pcap", "site/b/walk.btsnoop", "2 captures together",
      ])
    #expect(try Tool.run("info", "-q", "site/a.pcap", in: scratch.folder).errors.isEmpty)
    let linked = try Tool.shell(
      "ln -s b site/link && timeout 30 \"$TOOL\" info -v site", in: scratch.folder)
    for words in [
      "site/notes.txt: is text", "site/.hidden: is hidden", "site/pipe: is a pipe",
      "site/link: is a link to a folder",
    ] {
      #expect(linked.errors.contains("passed over: \(words)"), "\(linked.errors)")
    }
  }

  /// What cannot be opened may be a capture.
  @Test func folderWithWhatCannotBeOpened() throws {
    let scratch = try Scratch()
    try scratch.write("site/good.btsnoop", try Captures.read(Captures.h4))
    let run = try Tool.shell(
      "ln -s nowhere site/bad.pcap; \"$TOOL\" info site", in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.output.hasPrefix("site/good.btsnoop\n"))
    #expect(
      run.errors == "beacontrace: site/bad.pcap: cannot be opened: no such file or directory. "
        + "Check the path.\n")
  }

  /// A file name does not reach the terminal as it is.
  @Test(arguments: ["info", "analyze", "info -v"])
  func namesWithControlCharacters(_ command: String) throws {
    let scratch = try Scratch()
    let torn = try Self.damaged()
    try scratch.write("a\u{1B}[31m\nb.btsnoop", torn)
    try scratch.write("a\u{1B}[31m\nc.pcap", Self.ethernet)
    let run = try Tool.shell("\"$TOOL\" \(command) *", in: scratch.folder)
    #expect(run.status == 66)
    #expect(!run.output.utf8.contains(0x1B))
    #expect(!run.errors.utf8.contains(0x1B))
    #expect(run.output.hasPrefix("a\\u{1b}[31m\\u{a}b.btsnoop\n"))
    #expect(run.complaints.first?.hasPrefix("beacontrace: a\\u{1b}[31m\\u{a}c.pcap: ") == true)
    try scratch.write("a\u{1B}.txt", Array("hello\n".utf8))
    let folder = try Tool.run("info", "-v", ".", in: scratch.folder)
    #expect(folder.errors.contains("passed over: ./a\\u{1b}.txt: is text"))
    #expect(!folder.errors.utf8.contains(0x1B))
    let csv = try Tool.shell("\"$TOOL\" sightings --format csv *b.btsnoop", in: scratch.folder)
    let rows = CSV.rows(csv.output)
    #expect(rows.count > 30)
    #expect(rows.dropFirst().allSatisfy { $0.first == "a\\u{1b}[31m\nb.btsnoop" })
  }

  // MARK: Several captures

  @Test(arguments: ["info", "analyze", "sightings"])
  func oneBadCaptureLeavesTheOthers(_ command: String) throws {
    let scratch = try Scratch()
    try scratch.write("net.pcap", Self.ethernet)
    try scratch.write("good.btsnoop", try Captures.read(Captures.h4))
    let alone = try Tool.run(command, "good.btsnoop", in: scratch.folder)
    let run = try Tool.run(command, "net.pcap", "good.btsnoop", "gone", in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.complaints.count == 2)
    #expect(alone.status == 0)
    #expect(alone.errors.isEmpty)
    // The story says what it lacks; lines are for programs.
    let lacks = run.lines.filter { $0.hasPrefix("  NOT READ: ") }
    #expect(lacks.count == (command == "sightings" ? 0 : 2))
    let told = Set(run.lines)
    #expect(alone.lines.allSatisfy { told.contains($0) })
    if command == "sightings" { #expect(run.output == alone.output) }
  }

  @Test func problemsStandInTheDocument() throws {
    let run = try Tool.run("info", "--format", "json", Captures.h4, "gone")
    #expect(run.status == 66)
    let document = try JSON(run.bytes)
    #expect(document["captures"]?.list?.count == 1)
    let problem = try #require(document["problems"]?.list?.first)
    #expect(problem["capture"]?.text == "gone")
    #expect(problem["code"]?.text == "cannot_open")
    #expect(problem["remedy"]?.text == "Check the path.")
  }

  /// The empty document of a program that found nothing to read would stop who reads it.
  @Test(arguments: [
    "advise junk", "clocks junk", "clocks junk gone", "clocks junk good.btsnoop",
    "plugin compare rule.lua rule.lua junk", "plugin stress rule.lua junk",
  ])
  func nothingReadIsADocument(_ command: String) throws {
    let scratch = try Self.nothingToRead()
    let run = try Tool.run(
      command.split(separator: " ").map(String.init) + ["--format", "json"], in: scratch.folder)
    #expect(run.status == 66)
    let document = try JSON(run.bytes)
    #expect(document["problems"]?.list?.first?["code"]?.text == "unknown_format")
    let unread = document["not_known"]?.list ?? []
    #expect(!unread.contains { $0["capture"]?.text == "junk" }, "its clock was not looked at")
    if command.hasPrefix("plugin stress") { #expect(document["runs"] == .list([])) }
    #expect(run.complaints.contains { $0.contains("junk: is ") })
    let told = try Tool.run(command.split(separator: " ").map(String.init), in: scratch.folder)
    #expect(told.status == 66 && told.output.isEmpty, "people have been told")
  }

  @Test(arguments: [("junk", "good.btsnoop"), ("good.btsnoop", "junk"), ("junk", "gone")])
  func unreadSideIsADocument(_ before: String, _ after: String) throws {
    let scratch = try Self.nothingToRead()
    let run = try Tool.run("compare", "--format", "json", before, after, in: scratch.folder)
    #expect(run.status == 66)
    let document = try JSON(run.bytes)
    for (side, name) in [("before", before), ("after", after)] {
      let isGood = name == "good.btsnoop"
      #expect(document[side]?["captures"]?.list?.count == (isGood ? 1 : 0))
      #expect(document[side]?["problems"]?.list?.count == (isGood ? 0 : 1))
    }
    #expect(document["counts"] == .null, "nobody looked who is missing")
    #expect(document["missing"] == .list([]) && document["changed"] == .list([]))
    #expect(document["remarks"]?.list?.compactMap { $0["code"]?.text } == ["not_compared"])
  }

  private static func nothingToRead() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("junk", [UInt8](repeating: 0x5F, count: 300))
    try scratch.write("good.btsnoop", try Captures.read(Captures.h4))
    try scratch.write("rule.lua", Array("plugin { version = '1', about = 'Nothing' }\n".utf8))
    return scratch
  }

  // MARK: Damage

  static func damaged() throws -> [UInt8] {
    let good = try Captures.read(Captures.h4)
    return Array(good[..<600]) + [UInt8](repeating: 0xFF, count: 100) + Array(good[600...])
  }

  @Test func damageIsReadThrough() throws {
    let scratch = try Scratch()
    try scratch.write("torn.btsnoop", try Self.damaged())
    let run = try Tool.run("sightings", "torn.btsnoop", in: scratch.folder)
    #expect(run.status == 65)
    #expect(run.lines.count > 30)
    #expect(run.complaints.count == 1)
    #expect(run.errors.hasPrefix("beacontrace: torn.btsnoop: damaged at byte "))
    #expect(
      run.errors.hasSuffix(
        " skipped, recorded between 2026-05-19 10:00:00.333 and 10:00:00.470 UTC.\n"),
      "\(run.errors)")
    let quiet = try Tool.run("sightings", "-q", "torn.btsnoop", in: scratch.folder)
    #expect(quiet.status == 65)
    // A status that is not 0 has its reason.
    #expect(quiet.errors == run.errors)
    let story = try Tool.run("analyze", "torn.btsnoop", in: scratch.folder)
    #expect(story.status == 65)
    #expect(story.output.contains("! damaged at byte"))
  }

  @Test func damageSaysWhenItWasRecorded() throws {
    let scratch = try Scratch()
    try scratch.write("torn.btsnoop", try Self.damaged())
    func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }
    let sentence = "recorded between 2026-05-19 10:00:00.333 and 10:00:00.470 UTC"
    #expect(try run("info", "torn.btsnoop").lines.contains("      " + sentence))
    let facts = try JSON(run("analyze", "--format", "json", "torn.btsnoop").output)["captures"]
    let gap = try #require(facts?.list?.first?["damage"]?.list?.first)
    #expect(gap["from"]?.text?.hasPrefix("2026-05-19T10:00:00.333") == true)
    #expect(gap["to"]?.text?.hasPrefix("2026-05-19T10:00:00.470") == true)
    let made = try run("analyze", "-q", "--case", "a.sqlite", "--report", "a.html", "torn.btsnoop")
    #expect(made.status == 65)
    let columns = "SELECT from_ns / 1000000 % 1000, to_ns / 1000000 % 1000 FROM damage"
    let row = try run("case", "query", "--format", "csv", "a.sqlite", columns).lines.last
    #expect(row?.hasPrefix("333,470") == true)
    let page = try String(contentsOf: scratch.folder.appending(path: "a.html"), encoding: .utf8)
    #expect(page.contains("between 10:00:00.333 and 10:00:00.470"))
  }

  @Test(arguments: [(3000, 229), (40_000, nil)] as [(Int, Int?)])
  func truncatedGzip(_ size: Int, _ frames: Int?) throws {
    let scratch = try Scratch()
    try scratch.write("cut.gz", Array(try Captures.read(Captures.walk).prefix(size)))
    let run = try Tool.run("info", "cut.gz", in: scratch.folder)
    #expect(run.status == 65)
    #expect(run.complaints.count == 1)
    #expect(run.errors.hasPrefix("beacontrace: cut.gz: the compressed stream ends early (after"))
    if let frames { #expect(run.output.contains("records     \(frames)\n")) }
  }

  /// What is wrong with an input outweighs damage.
  @Test func unreadableOutweighsDamage() throws {
    let scratch = try Scratch()
    try scratch.write("torn.btsnoop", try Self.damaged())
    let run = try Tool.run("info", "torn.btsnoop", "gone", in: scratch.folder)
    #expect(run.status == 66)
    #expect(run.complaints.count == 2)
  }

  @Test("no control character of a name, or of what stands in a file, reaches the terminal")
  func controlCharacters() throws {
    let scratch = try Scratch()
    let hidden = "\u{1B}[31mred\u{1B}[0m"
    try scratch.write("regions.txt", Array("door=\(hidden):1\n".utf8))
    let walk = Captures.folder.path + "/" + Captures.walk
    for words in [
      ["--track", "no\(hidden).gpx"], ["--regions", "regions.txt"], ["--keys", "\(hidden)"],
    ] {
      let run = try Tool.run(["analyze"] + words + [walk], in: scratch.folder)
      #expect(run.status != 0)
      #expect(
        run.errors.contains("red") && !run.errors.contains("\u{1B}"), "\(words): \(run.errors)")
    }
  }
}
