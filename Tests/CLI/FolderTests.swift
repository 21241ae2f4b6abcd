import Foundation
import Testing

/// What a folder holds beside captures never vanishes from the record.
@Suite("A folder", .timeLimit(.minutes(60))) struct FolderTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("site/good.btsnoop", try Captures.read(Captures.h4))
    // Its first bytes are damaged.
    try scratch.write(
      "site/bad.pcap", [0xFF, 0xFF] + (try Captures.read(Captures.air)).dropFirst(2))
    try scratch.write("site/empty.log", [])
    try scratch.write("site/notes.txt", Array("hello\n".utf8))
    try scratch.write("site/.hidden", Array("hello\n".utf8))
  }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private func query(_ sql: String, _ name: String = "c.sqlite") throws -> [String] {
    let run = try run("case", "query", "--format", "csv", name, sql)
    return run.lines.dropFirst().map { $0.replacing("\r", with: "") }
  }

  private static let notRead = "bad.pcap: is not a capture: it begins with ff ff "
  private static let remarks =
    "SELECT capture, code, text FROM remarks WHERE kind = 'passed_over' ORDER BY id"
  private static let passedOver = [
    "site/empty.log,empty_file,is empty: no bytes at all.",
    "site/notes.txt,unknown_format,\"is text without a btsnooz block, not a capture.\"",
    "site/.hidden,hidden,is hidden.",
  ]

  @Test(
    "names a file that is called as captures are and is none, also with -q",
    arguments: ["info", "analyze"])
  func called(_ command: String) throws {
    let quiet = try run(command, "-q", "site")
    #expect(quiet.status == 66)
    #expect(quiet.complaints.count == 1)
    #expect(quiet.errors.hasPrefix("beacontrace: site/" + Self.notRead), "\(quiet.errors)")
    let place = try #require(quiet.lines.firstIndex(of: "site/bad.pcap"))
    #expect(quiet.lines[place + 1].hasPrefix("  NOT READ: is not a capture: it begins with ff ff"))
    #expect(quiet.lines.first == "site/good.btsnoop")
    let loud = try run(command, "site")
    #expect(
      loud.complaints.first == "2 files are no captures and were passed over (-v lists them).")
    let document = try JSON(try run(command, "-q", "--format", "json", "site").bytes)
    #expect(document["captures"]?.list?.count == 1)
    #expect(document["problems"]?.list?.compactMap { $0["capture"]?.text } == ["site/bad.pcap"])
    let others = try #require(document["passed_over"]?.list)
    #expect(
      others.compactMap { $0["file"]?.text } == [
        "site/empty.log", "site/notes.txt", "site/.hidden",
      ])
    #expect(
      others.compactMap { $0["code"]?.text } == ["empty_file", "unknown_format", "hidden"])
  }

  @Test("leaves the lock of a recording out of what was passed over")
  func lock() throws {
    try scratch.write("site/good.btsnoop.lock", [])
    let run = try run("analyze", "site")
    #expect(
      run.complaints.first == "2 files are no captures and were passed over (-v lists them).")
    #expect(try self.run("analyze", "-v", "site").errors.contains("good.btsnoop.lock"))
  }

  @Test("an empty log of Android's own name is told as an empty capture of any other name is")
  func emptyLogs() throws {
    let other = try Scratch()
    try other.write("good.btsnoop", try Captures.read(Captures.h4))
    for name in ["btsnoop_hci.log", "walk.pcap"] { try other.write(name, []) }
    let run = try Tool.run("info", ".", in: other.folder)
    #expect(
      run.complaints == [
        "beacontrace: ./btsnoop_hci.log: is empty: no bytes at all.",
        "beacontrace: ./walk.pcap: is empty: no bytes at all.",
      ])
  }

  @Test("of many that cannot be read tells by what is wrong", arguments: ["info", "analyze"])
  func manyUnread(_ command: String) throws {
    for number in 1...9 { try scratch.write("site/text\(number).pcap", Array("text\n".utf8)) }
    for number in 1...4 { try scratch.write("site/none\(number).pcap", []) }
    let run = try run(command, "site")
    let first = try #require(run.lines.firstIndex(of: "NOT READ  14 (--all names each)"))
    let words = run.lines[(first + 1)...].prefix { $0.hasPrefix("  ") }.joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
    #expect(
      words.hasSuffix(
        "4 × is empty: no bytes at all: site/none1.pcap, site/none2.pcap, site/none3.pcap, …1 more "
          + "9 × is text without a btsnooz block, not a capture: site/text1.pcap, site/text2.pcap, "
          + "site/text3.pcap, …6 more"), "\(words)")
    #expect(words.hasPrefix("1 × is not a capture: it begins with ff ff"), "\(words)")
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    // Each on standard error, and what to do once.
    #expect(run.complaints.count { $0.contains("text without a btsnooz block") } == 9)
    #expect(
      run.complaints.count { $0.contains("text without") && $0.contains("What can be read: ") } == 1
    )
    let all = try self.run(command, "--all", "site")
    #expect(all.lines.count { $0.hasPrefix("  NOT READ: ") } == 14)
  }

  @Test(
    "goes by the ending of a name, packed or not",
    arguments: [
      ("a.pcap", true), ("a.PCAPNG", true), ("a.cap", true), ("a.btsnoop.gz", true),
      ("a.snoop", true), ("a.cfa", true), ("a.pklg.zst", true), ("a.hci", true), ("a.log", false),
      ("btsnoop_hci.log", true), ("btsnoop_hci.log.last", true), ("BTSNOOZ_hci.log.gz", true),
      ("pcap", false), ("a.pcap.txt", false), ("a.gz", false),
    ])
  func endings(_ name: String, _ isCalledCapture: Bool) throws {
    let other = try Scratch()
    try other.write("good.btsnoop", try Captures.read(Captures.h4))
    try other.write(name, Array("no capture".utf8))
    let run = try Tool.run("info", "-q", ".", in: other.folder)
    #expect(run.status == (isCalledCapture ? 66 : 0), "\(run.errors)")
  }

  @Test("has a case and a page, in which all of that stands") func kept() throws {
    let made = try run("analyze", "-q", "--case", "c.sqlite", "--report", "c.html", "site")
    #expect(made.status == 66)
    #expect(made.output.contains("Wrote c.sqlite."))
    #expect(try query("SELECT name FROM captures") == ["site/good.btsnoop"])
    #expect(try query("SELECT capture, code FROM problems") == ["site/bad.pcap,unknown_format"])
    #expect(try query(Self.remarks) == Self.passedOver)
    let page = try String(contentsOf: scratch.folder.appending(path: "c.html"), encoding: .utf8)
    #expect(page.contains("<li><b>site/bad.pcap</b>: is not a capture: it begins with ff ff"))
    #expect(page.contains("<li><b>site/empty.log</b>: is empty: no bytes at all.</li>"))
    #expect(page.components(separatedBy: "site/notes.txt").count == 2)
    let verify = try run("case", "verify", "c.sqlite")
    #expect(verify.status == 0, "\(verify.output)")
  }

  @Test("says the same after captures have been added, but for what is read by then")
  func addition() throws {
    #expect(try run("analyze", "-q", "--case", "c.sqlite", "site").status == 66)
    try scratch.write("other.pcap", try Captures.read("museum/pcap-187-hci.pcap"))
    #expect(try run("analyze", "-q", "--case", "c.sqlite", "other.pcap").status == 66)
    #expect(try query("SELECT capture FROM problems") == ["site/bad.pcap"])
    #expect(try query(Self.remarks) == Self.passedOver)
    try scratch.write("site/bad.pcap", try Captures.read(Captures.air))
    let mended = try run("analyze", "-q", "--case", "c.sqlite", "site")
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(try query("SELECT count(*) FROM problems") == ["0"])
    #expect(try query("SELECT count(*) FROM captures") == ["3"])
    #expect(try query(Self.remarks) == Self.passedOver)
  }

  @Test("in which the case itself lies does not count it") func own() throws {
    for name in ["one", "two"] {
      try scratch.write("\(name)/site/good.btsnoop", try Captures.read(Captures.h4))
      let folder = scratch.folder.appending(path: name)
      for _ in 0..<(name == "one" ? 1 : 2) {
        let made = try Tool.run("analyze", "--case", "site/c.sqlite", "site", in: folder)
        #expect(made.status == 0 && !made.errors.contains("passed over"), "\(made.errors)")
      }
    }
    #expect(try query(Self.remarks, "one/site/c.sqlite") == [])
    #expect(try query(Self.remarks, "two/site/c.sqlite") == [])
  }

  @Test("of which nothing can be read has no case") func nothing() throws {
    try FileManager.default.removeItem(at: scratch.folder.appending(path: "site/good.btsnoop"))
    let run = try run("analyze", "--case", "c.sqlite", "site")
    #expect(run.status == 66 && run.output.isEmpty)
    #expect(run.errors.contains("c.sqlite was not written"), "\(run.errors)")
    #expect(run.errors.contains("site/" + Self.notRead), "\(run.errors)")
  }
}
