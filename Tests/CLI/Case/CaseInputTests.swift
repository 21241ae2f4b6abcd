import Foundation
import Testing

/// `case verify` of inputs that have moved, and of files of which nothing was read.
@Suite("The inputs of a case", .timeLimit(.minutes(60))) struct CaseInputTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: scratch.folder.appending(path: name))
  }

  private func states(_ run: Run) -> String {
    run.lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }

  @Test(
    "that hold the same, of receivers or clocks of their own, are each read, wherever they are",
    arguments: [
      ["--observer", "P=a/x.log", "--observer", "Q=a/y.log"], ["--clock", "a/y.log=+1h"],
    ])
  func twins(_ options: [String]) throws {
    for name in ["a/x.log", "a/y.log", "new/x.log", "new/y.log"] {
      try scratch.write(name, Captures.read(Captures.h4))
    }
    let made = try Tool.run(
      ["analyze", "-q", "--case", "c.sqlite"] + options + ["a"], in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    try remove("a")
    let moved = try run("case", "verify", "c.sqlite", "new")
    #expect(moved.status == 0, "\(moved.output) \(moved.errors)")
    #expect(states(moved).contains("a/x.log: not there any more; unchanged as new/x.log"))
    #expect(states(moved).contains("a/y.log: not there any more; unchanged as new/y.log"))
    try remove("new/x.log")
    let shared = try run("case", "verify", "c.sqlite", "new")
    #expect(shared.status == 0, "\(shared.output) \(shared.errors)")
    #expect(states(shared).contains("a/x.log: not there any more; unchanged as new/y.log"))
    // Where one lies as a link to the other.
    try scratch.write("a/x.log", Captures.read(Captures.h4))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.folder.appending(path: "a/y.log").path, withDestinationPath: "x.log")
    let linked = try run("case", "verify", "c.sqlite")
    #expect(linked.status == 0, "\(linked.output)")
    try scratch.write("more.pcap", Captures.read(Captures.air))
    let added = try run("analyze", "-q", "--case", "c.sqlite", "more.pcap")
    #expect(added.status == 0, "\(added.errors)")
    let names = try run(
      "case", "query", "--format", "csv", "c.sqlite", "SELECT name FROM captures"
    ).lines
    #expect(
      names.map { $0.replacing("\r", with: "") } == ["name", "a/x.log", "a/y.log", "more.pcap"])
  }

  @Test("a capture that is added is not taken for another one of its name") func sameName() throws {
    try scratch.write("one/a.log", Captures.read(Captures.h4))
    try scratch.write("two/a.log", Captures.read(Captures.air))
    let (one, two) = (scratch.folder.appending(path: "one"), scratch.folder.appending(path: "two"))
    #expect(try Tool.run("analyze", "-q", "--case", "c.sqlite", "a.log", in: one).status == 0)
    let again = try Tool.run("analyze", "-q", "--case", "../one/c.sqlite", "a.log", in: two)
    #expect(again.status == 66)
    #expect(again.errors.contains("another capture of the name a.log is in it already"))
    let whole = try Tool.run(
      ["analyze", "-q", "--case", "../one/c.sqlite", two.path + "/a.log"], in: two)
    #expect(whole.status == 0, "\(whole.errors)")
  }

  private func folder() throws {
    try scratch.write("site/good.log", Captures.read(Captures.h4))
    try scratch.write("site/empty.pcap", [])
    try scratch.write("site/notes.txt", Array("hello\n".utf8))
    try scratch.write("site/.hidden/x", [])
    let made = try run("analyze", "-q", "--case", "c.sqlite", "--report", "site/c.html", "site")
    #expect(made.status == 66, "\(made.errors)")
  }

  @Test("of which nothing was read are looked at, too") func unread() throws {
    try folder()
    let same = try run("case", "verify", "c.sqlite")
    #expect(same.status == 0 && same.errors.isEmpty, "\(same.output) \(same.errors)")
    for words in [
      "site/empty.pcap: unchanged", "site/notes.txt: unchanged", "site/.hidden: no file, as it was",
    ] {
      #expect(states(same).contains(words), "\(same.output)")
    }
    // What could not be read is a capture by now.
    try scratch.write("site/empty.pcap", Captures.read(Captures.air))
    let other = try run("case", "verify", "c.sqlite")
    #expect(other.status == 65 && other.errors.isEmpty, "\(other.errors)")
    #expect(states(other).contains("site/empty.pcap: CHANGED"), "\(other.output)")
    #expect(other.output.contains("every table comes out the same"))
    try scratch.write("site/empty.pcap", [])
    try remove("site/notes.txt")
    let less = try run("case", "verify", "c.sqlite")
    #expect(less.status == 66)
    #expect(states(less).contains("site/notes.txt: MISSING"), "\(less.output)")
    #expect(less.output.contains("every event is derived again"))
  }

  @Test("that could not be opened, and cannot now, are as they were") func unreachable() throws {
    try scratch.write("site/good.log", Captures.read(Captures.h4))
    let made = try Tool.shell(
      "cd site && ln -s nowhere gone.pcap && : > \"$(printf 'bad\\377\\376.log')\" && cd .. && "
        + "\"$TOOL\" analyze -q --case c.sqlite site", in: scratch.folder)
    #expect(made.status == 66, "\(made.errors)")
    let same = try run("case", "verify", "c.sqlite")
    #expect(same.status == 0, "\(same.output)")
    #expect(states(same).contains("site/gone.pcap: cannot be opened, as then"), "\(same.output)")
    #expect(
      states(same).contains("site/bad\u{FFFD}\u{FFFD}.log: cannot be opened, as then"),
      "\(same.output)")
    let json = try JSON(try run("case", "verify", "--format", "json", "c.sqlite").bytes)
    #expect(
      json["not_read"]?.list?.map { $0["state"]?.text } == ["unreadable", "unreadable"])
    #expect(json["verdict"]?.text == "same")
    // What leads somewhere by now, and what is not there any more.
    try scratch.write("site/nowhere", [1])
    let other = try run("case", "verify", "c.sqlite")
    #expect(other.status == 65)
    #expect(states(other).contains("site/gone.pcap: CHANGED"), "\(other.output)")
    let less = try Tool.shell(
      "rm site/gone.pcap site/bad*; \"$TOOL\" case verify c.sqlite", in: scratch.folder)
    #expect(less.status == 66)
    #expect(states(less).contains("site/gone.pcap: MISSING"), "\(less.output)")
    #expect(states(less).contains(".log: MISSING"), "\(less.output)")
  }

  @Test("that were no file, and are none now, are told as such") func noFile() throws {
    try folder()
    try remove("site/.hidden")
    let linked = try Tool.shell(
      "ln -s nowhere site/.hidden; \"$TOOL\" case verify c.sqlite", in: scratch.folder)
    #expect(linked.status == 0, "\(linked.output)")
    #expect(states(linked).contains("site/.hidden: no file, as it was"), "\(linked.output)")
  }

  @Test("of which nothing was read are found where they are now") func movedUnread() throws {
    try folder()
    try FileManager.default.moveItem(
      at: scratch.folder.appending(path: "site"), to: scratch.folder.appending(path: "there"))
    let run = try run("case", "verify", "c.sqlite", "there")
    #expect(
      states(run).contains("site/empty.pcap: not there any more; unchanged as there/empty.pcap"))
    #expect(
      states(run).contains("site/notes.txt: not there any more; unchanged as there/notes.txt"))
    #expect(run.output.contains("every table comes out the same"))
  }

  @Test("of which nothing was read are known by their size alone where they are very large")
  func large() throws {
    try scratch.write("site/good.log", Captures.read(Captures.h4))
    try scratch.write("site/film.bin", [1, 2, 3])
    try scratch.write("site/notes.txt", Array("hello\n".utf8))
    let film = try FileHandle(forWritingTo: scratch.folder.appending(path: "site/film.bin"))
    try film.truncate(atOffset: (1 << 30) + 1)
    let made = try run("analyze", "-q", "--case", "c.sqlite", "site")
    #expect(made.status == 0, "\(made.errors)")
    let rows = try run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT name, bytes, length(sha256) FROM unread ORDER BY name"
    ).lines.map { $0.replacing("\r", with: "") }
    #expect(rows.dropFirst() == ["site/film.bin,1073741825,", "site/notes.txt,6,64"])
    let same = try run("case", "verify", "c.sqlite")
    #expect(same.status == 0, "\(same.output)")
    #expect(states(same).contains("site/film.bin: of the same size; its SHA-256 is not kept"))
    try film.truncate(atOffset: 1 << 30)
    let other = try run("case", "verify", "c.sqlite")
    #expect(other.status == 65)
    #expect(states(other).contains("site/film.bin: CHANGED"), "\(other.output)")
  }

  @Test("are none of what the run itself writes") func written() throws {
    try scratch.write("site/good.log", Captures.read(Captures.h4))
    for _ in 0..<2 {
      let made = try Tool.shell(
        "\"$TOOL\" analyze -q --case site/c.sqlite --report site/c.html site > site/out.txt 2> site/err.txt",
        in: scratch.folder)
      #expect(made.status == 0)
    }
    let verify = try run("case", "verify", "site/c.sqlite")
    #expect(verify.status == 0 && !verify.output.contains("not read"), "\(verify.output)")
  }
}
