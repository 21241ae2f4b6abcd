import Foundation
import Testing

/// Cases whose rows were changed since they were sealed, through the built tool.
@Suite("A case that was changed", .timeLimit(.minutes(60))) struct ChangedCaseTests {
  let scratch: Scratch
  private let event: String
  private static let says = "beacontrace: c.sqlite: changed since it was sealed: captures. "

  init() throws {
    scratch = try Scratch()
    try scratch.write("north.log", Captures.read(Captures.h4))
    try scratch.write("south.pcap", Captures.read(Captures.air))
    let folder = scratch.folder
    let made = try Tool.run("analyze", "-q", "--case", "c.sqlite", "north.log", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let asked = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite", "SELECT event FROM events LIMIT 1", in: folder
    )
    event = String(try #require(asked.lines.last).prefix(16))
    // The last digit of the capture's SHA-256.
    let sum = try #require(Captures.rows.first { $0.file == Captures.h4 }).sha256
    let file = folder.appending(path: "c.sqlite")
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data(sum.utf8))).upperBound - 1
    bytes[place] = bytes[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    try bytes.write(to: file)
  }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  @Test(
    "is told as it is, with the tables that were changed",
    arguments: [
      ["case", "query", "c.sqlite", "SELECT name FROM captures"], ["case", "info", "c.sqlite"],
      ["case", "info", "--format", "json", "c.sqlite"],
      ["export", "--to", "ndjson", "c.sqlite"], ["export", "--to", "timesketch", "c.sqlite"],
      ["export", "-q", "--to", "geojson", "c.sqlite"],
    ])
  func told(_ words: [String]) throws {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 65, "\(run.errors)")
    #expect(!run.output.isEmpty)
    #expect(
      run.complaints.first
        == Self.says
        + "What is told out of it may not be what was found; 'beacontrace case verify' "
        + "says more.")
  }

  @Test(
    "that has rows in a file beside it is told by no command",
    arguments: [
      ["case", "query", "d.sqlite", "SELECT 1"], ["case", "info", "d.sqlite"],
      ["case", "verify", "d.sqlite"], ["case", "report", "d.sqlite"],
      ["export", "--to", "timesketch", "d.sqlite"], ["explain", "00000000000000aa", "d.sqlite"],
      ["analyze", "-q", "--case", "d.sqlite", "south.pcap"],
    ])
  func beside(_ words: [String]) throws {
    let made = try run("analyze", "-q", "--case", "d.sqlite", "north.log")
    try #require(made.status == 0, "\(made.errors)")
    try scratch.write("d.sqlite-wal", Array("rows".utf8))
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 65 && run.output.isEmpty)
    #expect(
      run.errors.hasPrefix(
        "beacontrace: d.sqlite: part of it is in d.sqlite-wal, which its seal does not cover"))
  }

  @Test("is not explained, and has no page") func refused() throws {
    let explained = try run("explain", event, "c.sqlite")
    #expect(explained.status == 65 && explained.output.isEmpty)
    #expect(
      explained.errors
        == Self.says + "Nothing is explained out of that; 'beacontrace case verify' says more.\n")
    let page = try run("case", "report", "c.sqlite")
    #expect(page.status == 65 && page.output.isEmpty)
    #expect(
      page.errors == Self.says + "No page is made of that; 'beacontrace case verify' says more.\n")
  }

  @Test("is not added to, and stays as it is") func addition() throws {
    let file = scratch.folder.appending(path: "c.sqlite")
    let before = try Data(contentsOf: file)
    let added = try run("analyze", "-q", "--case", "c.sqlite", "south.pcap")
    #expect(added.status == 65)
    #expect(
      added.errors
        == Self.says + "Nothing was added: move it away, and name all captures for a new case; "
        + "'beacontrace case verify' says more.\n")
    #expect(try Data(contentsOf: file) == before)
  }
}
