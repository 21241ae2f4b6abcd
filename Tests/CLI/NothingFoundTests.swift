import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Where there is nothing to print, or another command has it: what is said.
@Suite("Nothing to print", .timeLimit(.minutes(60))) struct NothingFoundTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  @Test("a capture without beacons, or without reports", arguments: ["sightings", "events"])
  func noBeacons(_ command: String) throws {
    let name = WordingTests.heard(Payload.name("lamp"))
    try scratch.write("lamp.pcap", PcapWriter(linkType: 187).file([name, name]))
    try scratch.write("none.pcap", PcapWriter(linkType: 187).file([]))
    let lamp = try run(command, "lamp.pcap")
    #expect(lamp.status == 0 && lamp.output.isEmpty)
    #expect(
      lamp.complaints == [
        "beacontrace: no beacon was heard, in 2 advertising reports. Who sent them: beacontrace devices --each "
          + "lamp.pcap"
      ])
    let none = try run(command, "none.pcap")
    #expect(
      none.complaints.contains(
        "beacontrace: no advertising report was found. What there is: beacontrace info none.pcap"))
    #expect(try run(command, "-q", "lamp.pcap").complaints.isEmpty)
    try scratch.write("b.log", Captures.read(Captures.h4))
    let both = try run(command, "lamp.pcap", "b.log")
    #expect(both.status == 0 && !both.output.isEmpty)
    #expect(!both.errors.contains("no beacon was heard"))
    var short = Array(WordingTests.iBeacon(1).dropLast(2))
    short[try #require(short.firstIndex(of: 0x1A))] -= 2
    try scratch.write(
      "short.pcap", PcapWriter(linkType: 187).file([WordingTests.heard(short)]))
    let malformed = try run(command, "short.pcap")
    #expect(
      malformed.errors.contains(
        "no beacon could be read out of 1 advertising report: there are malformed"),
      "\(malformed.errors)")
  }

  @Test("advice for another time than that of the recording") func otherTime() throws {
    try scratch.write("b.log", Captures.read(Captures.h4))
    let advice = try run("advise", "--from", "2031-05-19 10:10", "b.log")
    #expect(advice.status == 0)
    #expect(
      advice.errors.contains("nothing was recorded in that time; there are records "),
      "\(advice.errors)")
  }

  @Test("a ranging list that a case has not: the command that explains it") func ranging() throws {
    try scratch.write("walk.gz", Captures.read(Captures.walk))
    let lists = try run(
      "events", "-q", "--ranging", "--no-proximity", "--format", "ndjson", "walk.gz")
    let id = try #require(
      lists.lines.compactMap { try? JSON($0) }.first { $0["type"]?.text == "ranging" }?["id"]?.text)
    #expect(try run("analyze", "-q", "--case", "c.sqlite", "walk.gz").status == 0)
    let asked = try run("explain", "--ranging", id, "c.sqlite")
    let command = "beacontrace explain --ranging \(id) walk.gz"
    #expect(asked.errors.contains(command), "\(asked.errors)")
    let explained = try run("explain", "--ranging", id, "walk.gz")
    #expect(explained.status == 0, "\(explained.errors)")
  }

  @Test("what comes to a case whose receivers have names, and has none itself") func nameless()
    throws
  {
    try scratch.write("hall/a.log", Captures.read(Captures.h4))
    #expect(
      try run("analyze", "-q", "--case", "c.sqlite", "--observer", "hall=hall/a.log", "hall").status
        == 0)
    try scratch.write("hall/b.pcap", Captures.read(Captures.air))
    let added = try run("analyze", "--case", "c.sqlite", "hall/b.pcap")
    #expect(added.status == 0, "\(added.errors)")
    #expect(
      added.errors.contains(
        "receivers of this case have names (hall, …); hall/b.pcap is of none of them, and counts"),
      "\(added.errors)")
    try scratch.write("hall/c.pcapng", Captures.read("museum/pcapng-le.pcapng"))
    let named = try run(
      "analyze", "--case", "c.sqlite", "--observer", "hall=hall/c.pcapng", "hall/c.pcapng")
    #expect(named.status == 0 && !named.errors.contains("of none of them"), "\(named.errors)")
  }

  @Test("a plugin whose name begins like an option: commands that find it") func dash() throws {
    let new = try run("plugin", "new", "--", "-y")
    #expect(new.status == 0)
    for words in [["check"], ["test"]] {
      let command = "plugin \(words[0]) ./-y.lua"
      #expect(new.output.contains("beacontrace " + command), "\(new.output)")
      let tried = try Tool.run(["plugin"] + words + ["./-y.lua"], in: scratch.folder)
      #expect(tried.status == 0, "\(tried.errors)")
    }
  }
}
