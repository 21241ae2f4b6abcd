import Foundation
import TestSupport
import Testing

/// Captures that are not what was sent and recorded: each command that tells of them says so.
@Suite struct MadeCaptureTests {
  private static let cut =
    "is not all that was recorded (Frames cut out by beacontrace: --where 'rssi > -70')"

  /// What `analyze`, `info` and `events` say, with spaces for ends of lines.
  private static func told(_ capture: String, _ options: [String] = [], in scratch: Scratch) throws
    -> [String]
  {
    let all = try ["analyze", "info", "events"].map {
      try Tool.run([$0] + options + [capture], in: scratch.folder)
    }
    return all.map {
      ($0.output + $0.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  @Test("frames that were cut out of a capture")
  func cut() throws {
    let scratch = try Scratch()
    try scratch.write("walk.btsnoop", try Captures.read(Captures.h4))
    let made = try Tool.run(
      "sightings", "--where", "rssi > -70", "--write", "some.pcapng", "walk.btsnoop",
      in: scratch.folder)
    #expect(made.status == 0 && !made.errors.contains("not all that was recorded"))
    for text in try Self.told("some.pcapng", in: scratch) {
      #expect(text.contains(Self.cut), "\(text)")
    }
    for text in try Self.told("walk.btsnoop", in: scratch) {
      #expect(!text.contains("not all that was recorded"))
    }
    let page = try Tool.run(
      "analyze", "-q", "--report", "p.html", "some.pcapng", in: scratch.folder)
    #expect(page.status == 0)
    let html = String(
      decoding: try Data(contentsOf: scratch.folder.appending(path: "p.html")), as: UTF8.self)
    #expect(
      !html.contains("nothing is known to be lost") && html.contains("is not all that was recorded")
    )
  }

  @Test("pseudonyms")
  func shared() throws {
    let scratch = try Scratch()
    try scratch.write("walk.btsnoop", try Captures.read(Captures.h4))
    #expect(try Tool.run("share", "--into", "out", "walk.btsnoop", in: scratch.folder).status == 0)
    for text in try Self.told("out/walk.pcapng", in: scratch) {
      #expect(text.contains("identifiers and names in it are pseudonyms"), "\(text)")
    }
  }

  @Test("both, one made of the other, without what was chosen by in what is shared")
  func both() throws {
    let scratch = try Scratch()
    try scratch.write("walk.btsnoop", try Captures.read(Captures.h4))
    let cut = ["sightings", "--where", "rssi > -70", "--write"]
    for words in [
      cut + ["cut.pcapng", "walk.btsnoop"], ["share", "--into", "out", "cut.pcapng"],
      ["share", "--into", "all", "walk.btsnoop"], cut + ["again.pcapng", "all/walk.pcapng"],
    ] {
      #expect(try Tool.run(words, in: scratch.folder).status == 0, "\(words)")
    }
    for capture in ["out/cut.pcapng", "again.pcapng"] {
      for text in try Self.told(capture, in: scratch) {
        #expect(text.contains("is not all that was recorded (Frames cut out"), "\(text)")
        #expect(text.contains("identifiers and names in it are pseudonyms"), "\(text)")
        #expect(text.contains("rssi > -70") == (capture == "again.pcapng"))
      }
    }
  }

  @Test("packets with a wrong checksum that were asked for")
  func badChecksums() throws {
    let scratch = try Scratch()
    let made = try Tool.run(
      "synth", "--link", "256", "--damage", "crc:20", "--duration", "60", "--out", "air.pcap",
      in: scratch.folder)
    #expect(made.status == 0)
    for text in try Self.told("air.pcap", ["--keep-bad-crc"], in: scratch) {
      #expect(
        text.contains("air.pcap has 20 packets with a wrong checksum")
          || text.contains("it has 20 packets with a wrong"), "\(text)")
    }
    for text in try Self.told("air.pcap", in: scratch) { #expect(!text.contains("--keep-bad-crc")) }
  }
}
